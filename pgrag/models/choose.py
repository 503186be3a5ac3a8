"""The model provider, and the reranker, that the settings name."""

from __future__ import annotations

from pgrag.models.protocols import Models, RerankingModels
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


def reranker_from(settings: Settings) -> RerankingModels | None:
    """The reranker at `settings.rerank_url`; None without. Raises ConfigurationError for an address that is none."""
    if settings.rerank_url is None:
        return None
    from pgrag.models.reranker import HttpReranker

    key = settings.rerank_api_key
    return HttpReranker(
        settings.rerank_url,
        settings.rerank_model,
        None if key is None else key.get_secret_value(),
        timeout=settings.rerank_timeout,
    )
