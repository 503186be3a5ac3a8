"""What the openai package raises, told as pgrag's errors: one sentence, the server's own words, the cure.

The original is not kept as `__cause__`: it carries the request with its Authorization header, and the server's words
unshortened, which may quote the key. What is worth knowing of it stands in the message, with the key taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import openai

from pgrag.errors import ModelError, ModelRefused, ModelTimeout, ModelUnreachable, RateLimited, UnreadableReply
from pgrag.models.retrying import LONGEST_ASKED_WAIT, asked_wait

_LONGEST_QUOTE = 300
_CHECK_KEY = "check OPENAI_API_KEY, and that it may use this model"
_HINTS = {
    401: _CHECK_KEY,
    403: _CHECK_KEY,
    404: "check the model's name and OPENAI_BASE_URL, which usually ends in /v1",
}


@dataclass(frozen=True)
class Server:
    """Whom we talk to: what an error may say about it, and the secrets that it may not."""

    base_url: str
    tries: int
    secrets: tuple[str, ...] = field(repr=False)

    @contextmanager
    def failures_of(self, model: str, timeout: float, timeout_variable: str) -> Iterator[None]:
        """Raises pgrag's ModelError for whatever the openai package raises inside."""
        try:
            yield
        except openai.APITimeoutError as error:
            failure = self._timed_out(error, model, timeout, timeout_variable)
        except openai.APIConnectionError as error:
            failure = self._unreachable(error)
        except openai.APIStatusError as error:
            failure = self._refused(error, model)
        except openai.OpenAIError as error:
            failure = ModelError(f"model {model} failed: {self.quote(_said(error))}")
        else:
            return
        raise failure from None

    @contextmanager
    def interruptions_of(self, model: str) -> Iterator[None]:
        """Raises ModelError when a stream that has begun breaks off inside."""
        try:
            yield
        except openai.OpenAIError as error:
            kind = ModelTimeout if isinstance(error, openai.APITimeoutError) else ModelError
            reason = _root(error) if isinstance(error, openai.APIConnectionError) else _said(error)
            failure = kind(f"the reply of model {model} broke off: {self.quote(str(reason))}")
        else:
            return
        raise failure from None

    def _timed_out(self, error: openai.APIConnectionError, model: str, timeout: float, variable: str) -> ModelError:
        if type(error.__cause__).__name__ == "ConnectTimeout":
            return self._unreachable(error)
        return ModelTimeout(
            f"model {model} did not reply within {timeout:g} s, tried {self.tries} times", f"raise {variable}"
        )

    def _unreachable(self, error: openai.APIConnectionError) -> ModelUnreachable:
        reason = self.quote(str(_root(error)))
        return ModelUnreachable(
            f"no model server answers at {self.base_url}, tried {self.tries} times: {reason}", "check OPENAI_BASE_URL"
        )

    def _refused(self, error: openai.APIStatusError, model: str) -> ModelError:
        status, said = error.status_code, self.quote(_said(error))
        if status == 429:
            return self._rate_limited(error, model, said)
        if status >= 500:
            return ModelError(f"the server of model {model} failed with status {status} {self.tries} times: {said}")
        return ModelRefused(f"the server refused model {model} with status {status}: {said}", _HINTS.get(status))

    def _rate_limited(self, error: openai.APIStatusError, model: str, said: str) -> RateLimited:
        if error.code == "insufficient_quota":
            hint = "the account has no credit left"
        else:
            hint = "lower PGRAG_LLM_CONCURRENCY or PGRAG_EMBEDDING_CONCURRENCY, or try later"
        wait = asked_wait(error)
        if wait > LONGEST_ASKED_WAIT:
            return RateLimited(f"the server of model {model} asks to wait {wait:.0f} s (status 429): {said}", hint)
        return RateLimited(f"the server of model {model} still says 429 after {self.tries} tries: {said}", hint)

    def quote(self, words: str) -> str:
        """The server's words on one line, without our secrets, and not too many."""
        for secret in self.secrets:
            words = words.replace(secret, "***")
        plain = " ".join(words.split()) or "no reason given"
        return plain if len(plain) <= _LONGEST_QUOTE else plain[: _LONGEST_QUOTE - 1] + "…"


def without_credentials(url: str) -> str:
    """The address alone: no user, no password, no query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="", fragment="").geturl().rstrip("/")


@contextmanager
def reading(response: Any) -> Iterator[None]:
    """What goes wrong while an answer is read, as the openai package itself would say it.

    Older versions of it let the HTTP library's own errors through, and every version those of the JSON decoder. The
    HTTP library differs by version too, so its timeouts are known by name.
    """
    try:
        yield
    except openai.OpenAIError:
        raise
    except ValueError:
        raise UnreadableReply("the model server's reply is not JSON") from None
    except Exception as error:
        if response is None:
            raise
        request = response.request
        if type(error).__name__.endswith("Timeout"):
            raise openai.APITimeoutError(request=request) from error
        raise openai.APIConnectionError(request=request) from error


def is_about_format(error: openai.APIStatusError) -> bool:
    """Whether a refusal may be one of `response_format`: any 400 or 422 but that of a prompt that is too long."""
    return error.status_code in (400, 422) and error.code != "context_length_exceeded"


def _said(error: openai.OpenAIError) -> str:
    """The server's own words; the servers agree on no one place for them."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        inner = next((inner[key] for key in ("message", "detail", "msg") if inner.get(key)), inner)
    return str(inner) if inner else getattr(error, "message", str(error))


def _root(error: BaseException) -> BaseException:
    """The first cause: "connection refused" says more than "connection error"."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error
