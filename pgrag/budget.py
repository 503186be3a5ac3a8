"""How many tokens may be spent, and on whose account they go. Pure: who asks models is `asking`.

A budget is shared by everything that is under way. A document is promised what it is expected to need before it begins,
so that documents are finished one after the other rather than all begun and none ended; each request then reserves what
it may cost, and settles what it did cost. Nothing waits in here: `False` means: not now, ask again.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pgrag.errors import BudgetExceeded
from pgrag.models.protocols import Role

MIN_REPLY_TOKENS = 256
"""What is reserved for a reply at least."""


class Budget:
    """Tokens that may be spent, sent and received, chat and embeddings together; for any number of threads.

    limit: None: as many as are wanted.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.spent = 0
        self.is_exceeded = False
        self._reserved = 0
        self._longest_reply = MIN_REPLY_TOKENS
        self._promised: dict[str, int] = {}
        self._lock = threading.Lock()

    def promise(self, document: str, tokens: int) -> bool:
        """Whether a document may begin: what it needs is left, or no other is under way. False: not yet.

        Raises BudgetExceeded once a request did not fit.
        """
        with self._lock:
            if self.is_exceeded:
                raise self._exceeded(tokens)
            committed = self.spent + self._reserved + sum(self._promised.values())
            if self.limit is not None and self._promised and committed + tokens > self.limit:
                return False
            self._promised[document] = tokens
            return True

    def end(self, document: str) -> None:
        """A document has ended, however it did: what it was promised and did not need is free again."""
        with self._lock:
            self._promised.pop(document, None)

    def reserve(self, document: str | None, tokens: int) -> bool:
        """Whether a request of so many tokens may be sent. False: not before those under way have settled.

        Raises BudgetExceeded when it will not fit then either.
        """
        with self._lock:
            if self.limit is not None and self.spent + self._reserved + tokens > self.limit:
                if self._reserved:
                    return False
                self.is_exceeded = True
                raise self._exceeded(tokens)
            self._reserved += tokens
            if document in self._promised:
                self._promised[document] = max(0, self._promised[document] - tokens)
            return True

    def settle(self, reserved: int, sent: int, received: int) -> None:
        """A request that was reserved has cost so much."""
        with self._lock:
            self._reserved -= reserved
            self.spent += sent + received
            self._longest_reply = max(self._longest_reply, received)

    def reply_tokens(self, text_tokens: int) -> int:
        """What to reserve for a reply about a text: as long as the text, and no less than the longest reply so far."""
        return max(self._longest_reply, text_tokens)

    def _exceeded(self, tokens: int) -> BudgetExceeded:
        return BudgetExceeded(
            f"the budget of {self.limit} tokens has {max(0, (self.limit or 0) - self.spent)} left, "
            f"the next request needs about {tokens}"
        )


@dataclass(frozen=True)
class Usage:
    """What was asked of one model in one role."""

    calls: int = 0
    cached: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.cached + other.cached,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


Account = tuple[Role | Literal["embed"], str]


class Meter:
    """Counts, for one document or for none, what is asked of models by role; for any number of threads."""

    def __init__(self, budget: Budget | None = None, document: str | None = None) -> None:
        self.budget = budget or Budget()
        self.document = document
        self._usage: dict[Account, Usage] = {}
        self._taken: dict[Account, Usage] = {}
        self._lock = threading.Lock()

    def note(self, account: Account, usage: Usage) -> None:
        """Something was asked, or saved because the reply was kept."""
        with self._lock:
            self._usage[account] = self._usage.get(account, Usage()) + usage

    def calls(self, role: str) -> int:
        """Requests sent in this role."""
        with self._lock:
            counted = (*self._usage.items(), *self._taken.items())
        return sum(usage.calls for (played, _), usage in counted if played == role)

    @property
    def pending_calls(self) -> int:
        """Requests that were not taken yet."""
        with self._lock:
            return sum(usage.calls for usage in self._usage.values())

    def take(self) -> Mapping[Account, Usage]:
        """What was counted and not taken yet."""
        with self._lock:
            taken, self._usage = self._usage, {}
            for account, usage in taken.items():
                self._taken[account] = self._taken.get(account, Usage()) + usage
            return taken
