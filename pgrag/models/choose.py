"""The model provider that the settings name."""

from __future__ import annotations

from pgrag.models.protocols import Models
from pgrag.settings import Settings


def models_from(settings: Settings) -> Models:
    """The provider of `settings.models`. Raises ConfigurationError when it lacks what it needs.

    Only the chosen provider is imported: each brings heavy packages, and the offline one's are optional.
    """
    if settings.models == "offline":
        from pgrag.models.offline import OfflineModels

        return OfflineModels(settings.offline_model_dir)
    from pgrag.models.openai import OpenAIModels

    return OpenAIModels(settings)
