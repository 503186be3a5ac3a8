"""A model provider that says what it is told to: for tests, without any network.

`ScriptedModels({"answer": "Ada."})` answers every role by its script, a text, a function of the request or an error to
raise; roles without a script get a harmless reply. What was asked stands in `chats` and `embeddings`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from pgrag.models.hashing import hashed_embeddings
from pgrag.models.protocols import ChatReply, ChatRequest, Role, Vectors

Script = str | BaseException | Callable[[ChatRequest], str]

DEFAULT_REPLIES: Mapping[Role, Script] = {
    "extract": '{"entities": [], "relations": []}',
    "keywords": '{"high_level_keywords": [], "low_level_keywords": []}',
    "summary": "A summary.",
    "answer": "An answer. [1]",
}
PIECE = 5
"""Characters in a piece of a streamed reply."""


class ScriptedModels:
    """Deterministic replies and hashed embeddings; safe for any number of threads.

    replies: for each role what `chat` says; see `Script`. Roles not named have DEFAULT_REPLIES.
    chats, embeddings: every request, in the order of arrival, failed ones too.
    """

    embedding_model = "scripted-embedding"
    is_language_model = True

    def __init__(self, replies: Mapping[Role, Script] | None = None, dimensions: int = 8) -> None:
        self.embedding_dimensions = dimensions
        self.replies: dict[Role, Script] = {**DEFAULT_REPLIES, **(replies or {})}
        self.chats: list[ChatRequest] = []
        self.embeddings: list[tuple[str, ...]] = []
        self._chat_errors: deque[BaseException] = deque()
        self._embedding_errors: deque[BaseException] = deque()
        self._lock = threading.Lock()

    def fail_chats(self, *errors: BaseException) -> None:
        """The next chats raise these, one each, whatever their role; then the scripts go on."""
        with self._lock:
            self._chat_errors.extend(errors)

    def fail_embeddings(self, *errors: BaseException) -> None:
        """The next embeddings raise these, one each."""
        with self._lock:
            self._embedding_errors.extend(errors)

    def chat_model(self, role: Role) -> str:
        """A name for each role, so that a test sees which one was asked."""
        return f"scripted-{role}"

    def chat(self, request: ChatRequest) -> ChatReply:
        """The role's reply; its tokens are its words."""
        with self._lock:
            self.chats.append(request)
            error = self._chat_errors.popleft() if self._chat_errors else None
            script = error or self.replies[request.role]
        if isinstance(script, BaseException):
            raise script
        text = script if isinstance(script, str) else script(request)
        sent = (request.system, *(turn.content for turn in request.history), request.user)
        return ChatReply(text, self.chat_model(request.role), sum(map(_word_count, sent)), _word_count(text))

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The role's reply in pieces of PIECE characters."""
        text = self.chat(request).text
        yield from (text[at : at + PIECE] for at in range(0, len(text), PIECE))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, dimensions): equal for equal texts, near for texts that share words."""
        with self._lock:
            self.embeddings.append(tuple(texts))
            error = self._embedding_errors.popleft() if self._embedding_errors else None
        if error is not None:
            raise error
        return hashed_embeddings(texts, self.embedding_dimensions)


def _word_count(text: str) -> int:
    return len(text.split())
