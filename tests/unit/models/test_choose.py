"""The settings choose the provider, and only that one is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pgrag.errors import ConfigurationError
from pgrag.models.choose import models_from
from pgrag.models.openai import OpenAIModels
from pgrag.settings import Settings


def test_a_key_chooses_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    models = models_from(Settings(llm_model="m", embedding_model="e", embedding_dimensions=3))
    assert isinstance(models, OpenAIModels)
    assert (models.chat_model("answer"), models.embedding_model, models.embedding_dimensions) == ("m", "e", 3)


def test_openai_without_a_key_is_told() -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        models_from(Settings(models="openai"))


def test_choosing_loads_neither_provider_beforehand() -> None:
    program = "import sys, pgrag.models.choose; print({'openai', 'tokenizers'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"
