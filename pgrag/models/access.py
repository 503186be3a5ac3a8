"""Where an OpenAI-compatible server is, and the key to it: from arguments, else from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pgrag.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""Sent to servers that need no key: the openai package insists on one."""
SHORTEST_SECRET = 6


@dataclass(frozen=True)
class Access:
    """Where the server is, and the key to it."""

    url: str = field(repr=False)
    key: str = field(repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no message may hold. Short words are placeholders, and taking them out would only garble messages."""
        return tuple(word for word in (self.key, urlsplit(self.url).password) if word and len(word) >= SHORTEST_SECRET)


def access_to(base_url: str | None, api_key: str | None) -> Access:
    """The access that the arguments give; what they leave out the environment tells, where an empty variable is none.

    Raises ConfigurationError without a key for OpenAI itself, or for an address that is none.
    """
    url = base_url or os.environ.get("OPENAI_BASE_URL")
    key = api_key or os.environ.get("OPENAI_API_KEY")
    if url and not url.startswith(("http://", "https://")):
        raise ConfigurationError(
            f"the model server's address {url.rpartition('@')[2]!r} does not begin with http:// or https://",
            "set OPENAI_BASE_URL to something like http://localhost:11434/v1",
        )
    if not key and not url:
        raise ConfigurationError(
            "there is no OPENAI_API_KEY",
            "set it, or OPENAI_BASE_URL for a server that needs none, or PGRAG_MODELS=offline",
        )
    return Access(url or OPENAI_URL, key or NO_KEY)
