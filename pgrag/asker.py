"""Questions for both clients: the same methods, once waiting and once awaiting; what they do, `pgrag.query` says."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from pgrag.client_base import one_of
from pgrag.explain import Explanation
from pgrag.flows import Flows
from pgrag.options import QueryOptions
from pgrag.perform import AsyncPerformer, Performer
from pgrag.rows import Answer, Context
from pgrag.text_search import ChunkByText


class Asker:
    """The methods of `PgRAG` that ask questions."""

    _flows: Flows
    _performer: Performer

    def query(self, question: str, options: QueryOptions | None = None, **more: Any) -> Answer:
        """The answer to a question; options as one value or by name. Raises InvalidArgument, ModelError."""
        return self._performer.run(self._flows.query(question, one_of(options, more)))

    def stream(self, question: str, options: QueryOptions | None = None, **more: Any) -> AnswerStream:
        """The answer piece by piece; the stream's `.answer` has everything once it has ended."""
        return AnswerStream(self._flows, self._performer, question, one_of(options, more))

    def retrieve(self, question: str, options: QueryOptions | None = None, **more: Any) -> Context:
        """What the model would be told, without asking it for an answer."""
        return self._performer.run(self._flows.retrieve(question, one_of(options, more)))

    def prompt(self, question: str, options: QueryOptions | None = None, **more: Any) -> str:
        """The whole prompt that the model would get."""
        return self._performer.run(self._flows.prompt(question, one_of(options, more)))

    def explain(self, question: str, options: QueryOptions | None = None, **more: Any) -> Explanation:
        """Everything that was looked at for a question, and why it is, or is not, in the context; no answer is made."""
        return self._performer.run(self._flows.explain(question, one_of(options, more)))

    def search_chunks_by_text(
        self, text: str, *, top_k: int = 20, filter: Mapping[str, Any] | None = None
    ) -> list[ChunkByText]:
        """Chunks that hold words of a text, in any script, best first; no model is asked. Raises InvalidArgument."""
        return self._performer.run(self._flows.search_chunks_by_text(text, top_k, filter))


class AsyncAsker:
    """The methods of `AsyncPgRAG` that ask questions."""

    _flows: Flows
    _performer: AsyncPerformer

    async def query(self, question: str, options: QueryOptions | None = None, **more: Any) -> Answer:
        """The answer to a question; options as one value or by name. Raises InvalidArgument, ModelError."""
        return await self._performer.run(self._flows.query(question, one_of(options, more)))

    def stream(self, question: str, options: QueryOptions | None = None, **more: Any) -> AsyncAnswerStream:
        """The answer piece by piece; the stream's `.answer` has everything once it has ended."""
        return AsyncAnswerStream(self._flows, self._performer, question, one_of(options, more))

    async def retrieve(self, question: str, options: QueryOptions | None = None, **more: Any) -> Context:
        """What the model would be told, without asking it for an answer."""
        return await self._performer.run(self._flows.retrieve(question, one_of(options, more)))

    async def prompt(self, question: str, options: QueryOptions | None = None, **more: Any) -> str:
        """The whole prompt that the model would get."""
        return await self._performer.run(self._flows.prompt(question, one_of(options, more)))

    async def explain(self, question: str, options: QueryOptions | None = None, **more: Any) -> Explanation:
        """Everything that was looked at for a question, and why it is, or is not, in the context; no answer is made."""
        return await self._performer.run(self._flows.explain(question, one_of(options, more)))

    async def search_chunks_by_text(
        self, text: str, *, top_k: int = 20, filter: Mapping[str, Any] | None = None
    ) -> list[ChunkByText]:
        """Chunks that hold words of a text, in any script, best first; no model is asked. Raises InvalidArgument."""
        return await self._performer.run(self._flows.search_chunks_by_text(text, top_k, filter))


class AnswerStream(Iterator[str]):
    """The pieces of an answer as they arrive (a kept one is one piece); `answer` is there once it has ended."""

    def __init__(self, flows: Flows, performer: Performer, question: str, options: QueryOptions) -> None:
        self.answer: Answer | None = None
        self._pieces = self._run(flows, performer, question, options)

    def __next__(self) -> str:
        return next(self._pieces)

    def _run(self, flows: Flows, performer: Performer, question: str, options: QueryOptions) -> Iterator[str]:
        prepared = performer.run(flows.prepare(question, options))
        if isinstance(prepared, Answer):
            self.answer = prepared
            yield prepared.text
            return
        started, said = time.perf_counter(), []
        for piece in performer.stream(prepared.request):
            said.append(piece)
            yield piece
        self.answer = performer.run(flows.finish(prepared, "".join(said), time.perf_counter() - started))


class AsyncAnswerStream(AsyncIterator[str]):
    """The pieces of an answer as they arrive (a kept one is one piece); `answer` is there once it has ended."""

    def __init__(self, flows: Flows, performer: AsyncPerformer, question: str, options: QueryOptions) -> None:
        self.answer: Answer | None = None
        self._pieces = self._run(flows, performer, question, options)

    async def __anext__(self) -> str:
        return await anext(self._pieces)

    async def _run(
        self, flows: Flows, performer: AsyncPerformer, question: str, options: QueryOptions
    ) -> AsyncIterator[str]:
        prepared = await performer.run(flows.prepare(question, options))
        if isinstance(prepared, Answer):
            self.answer = prepared
            yield prepared.text
            return
        started, said = time.perf_counter(), []
        async for piece in performer.stream(prepared.request):
            said.append(piece)
            yield piece
        self.answer = await performer.run(flows.finish(prepared, "".join(said), time.perf_counter() - started))
