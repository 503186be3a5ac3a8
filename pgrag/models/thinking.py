"""Reasoning models think aloud between `<think>` and `</think>`; nobody asked to read that.

`ThinkingFilter` takes a reply in pieces and lets through what is meant for the reader, holding back only what may yet
turn out to be a thought. `without_thinking` is the same filter fed with one piece, so a streamed reply and a whole one
read alike.

A block that is never closed is a thought when it opens the reply (the model ran out of tokens), and mere text later on
(an answer may quote the tag). Some chat templates open the block in the prompt, so that the reply holds `</think>`
alone: of a whole reply what precedes it goes too; a stream has shown it by then, and goes on.
"""

from __future__ import annotations

OPEN = "<think>"
CLOSE = "</think>"


def without_thinking(text: str) -> str:
    """The reply without its thoughts and without leading white space."""
    if OPEN not in text and CLOSE in text:
        text = text.rpartition(CLOSE)[2]
    thoughts = ThinkingFilter()
    return thoughts.feed(text) + thoughts.end()


class ThinkingFilter:
    """Takes pieces of one reply by `feed`, returns what may be shown; `end` returns what was still held back."""

    def __init__(self) -> None:
        self._held = ""
        self._thought: list[str] = []
        self._is_thinking = False
        self._has_begun = False

    def feed(self, piece: str) -> str:
        """What of the reply so far can be shown now, and was not yet; may be empty."""
        self._held += piece
        shown: list[str] = []
        while (passed := self._next_thought() if self._is_thinking else self._next_text()) is not None:
            shown.append(passed)
        return self._begun("".join(shown))

    def end(self) -> str:
        """What was held back and is text after all."""
        if self._is_thinking and not self._has_begun:
            return ""
        return self._begun("".join([*self._thought, self._held]))

    def _next_text(self) -> str | None:
        """Text up to the next thought; None when all that can be told is told."""
        at = self._held.find(OPEN)
        if at >= 0:
            self._is_thinking = True
            # The tag is kept with the thought: should it never be closed, both are text.
            self._thought = [OPEN]
            text, self._held = self._held[:at], self._held[at + len(OPEN) :]
            return text
        cut = len(self._held) - _beginning_of_tag(self._held)
        text, self._held = self._held[:cut], self._held[cut:]
        return text or None

    def _next_thought(self) -> str | None:
        """Nothing, once the thought is over and dropped; None while it goes on."""
        at = self._held.find(CLOSE)
        if at < 0:
            cut = max(0, len(self._held) - len(CLOSE) + 1)
            self._thought.append(self._held[:cut])
            self._held = self._held[cut:]
            return None
        self._is_thinking, self._thought = False, []
        self._held = self._held[at + len(CLOSE) :]
        return ""

    def _begun(self, text: str) -> str:
        if not self._has_begun:
            text = text.lstrip()
            self._has_begun = bool(text)
        return text


def _beginning_of_tag(text: str) -> int:
    """How many of the last characters may be the beginning of `<think>`."""
    return next((size for size in range(len(OPEN) - 1, 0, -1) if text.endswith(OPEN[:size])), 0)
