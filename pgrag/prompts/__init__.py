"""The prompts: one Markdown template each, rendered here and nowhere else; their digest is part of every cache key."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources

import jinja2

from pgrag.models.replies import EXTRACTION_SCHEMA
from pgrag.options import ExtractionOptions, QueryOptions


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt: the system message and the user's."""

    system: str
    user: str


def extraction(text: str, section: str, options: ExtractionOptions) -> Prompt:
    """Ask for the entities and relations of a text. `section`: the headings it stands under, on one line; none: ""."""
    system = _render(
        "extract_system.md",
        entity_types=options.entity_types,
        language=options.language,
        examples=options.examples,
        max_entities=options.max_entities,
        max_records=options.max_records,
    )
    return Prompt(system, _render("extract_user.md", text=text, section=section))


def gleaning(options: ExtractionOptions) -> str:
    """Ask, after a first reply, for what it has missed: the user message."""
    return _render(
        "extract_gleaning.md",
        language=options.language,
        max_entities=options.max_entities,
        max_records=options.max_records,
    )


@functools.lru_cache(maxsize=64)
def extraction_digest(options: ExtractionOptions, rounds: int) -> str:
    """Digest of everything but text and section that shapes what is known of a chunk after so many gleaning rounds."""
    prompt = extraction("", "-", options)
    asked = digest(prompt.system, prompt.user, EXTRACTION_SCHEMA.name)
    if not rounds:
        return asked
    return digest(asked, gleaning(options), str(rounds), str(options.max_extract_input_tokens))


@dataclass(frozen=True)
class Summary:
    """What is to be summarised: the kind and the name of the thing, its descriptions as lines of JSON."""

    kind: str
    name: str
    lines: tuple[str, ...]
    recommended_tokens: int
    language: str = "the language of the descriptions"


def summary(asked: Summary) -> Prompt:
    """Ask for one description out of several."""
    system = _render(
        "summary_system.md",
        kind=asked.kind,
        recommended_tokens=asked.recommended_tokens,
        language=asked.language,
    )
    return Prompt(system, _render("summary_user.md", kind=asked.kind, subject=asked.name, lines=asked.lines))


def summary_digest(asked: Summary) -> str:
    """Digest of everything but the thing and its descriptions that shapes a summary."""
    return digest(summary(replace(asked, kind="", name="", lines=())).system, _source("summary_user.md"))


def keywords(question: str, language: str = "the language of the question") -> Prompt:
    """Ask for the keywords of a question."""
    return Prompt(_render("keywords_system.md", language=language), _render("keywords_user.md", question=question))


def answer_system(context: str, options: QueryOptions) -> str:
    """The system message of an answer: the caller's own text with `{context_data}` filled in, or our template."""
    if options.system_prompt is not None:
        return options.system_prompt.replace("{context_data}", context)
    return _render(
        "answer_system.md",
        context=context,
        with_graph=options.mode != "naive",
        response_type=options.response_type,
        user_prompt=options.user_prompt,
    )


def context(
    *,
    with_graph: bool,
    entity_lines: Sequence[str],
    relation_lines: Sequence[str],
    as_triples: bool = False,
    chunk_lines: Sequence[str],
    reference_lines: Sequence[str],
) -> str:
    """The context as the model reads it: sections of JSON lines, and the list of references."""
    return _render(
        "context.md",
        with_graph=with_graph,
        entity_lines=entity_lines,
        relation_lines=relation_lines,
        as_triples=as_triples,
        chunk_lines=chunk_lines,
        reference_lines=reference_lines,
    )


def question_digest() -> str:
    """Digest of the templates that shape keywords and answers."""
    names = ("keywords_system.md", "keywords_user.md", "answer_system.md", "context.md")
    return digest(*(_source(name) for name in names))


def digest(*parts: str) -> str:
    """SHA-256 over parts, each with its length, so that no two lists of parts look alike."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode()
        sha.update(f"{len(data)}:".encode())
        sha.update(data)
    return sha.hexdigest()


@functools.cache
def _environment() -> jinja2.Environment:
    # The output is a prompt, not HTML: nothing is escaped, which S701 would have.
    return jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=False, autoescape=False)  # noqa: S701 - see above


@functools.cache
def _source(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


@functools.cache
def _template(name: str) -> jinja2.Template:
    return _environment().from_string(_source(name))


def _render(name: str, **values: object) -> str:
    return _template(name).render(**values)
