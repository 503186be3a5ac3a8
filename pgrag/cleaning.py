"""From what a model wrote to names, types and texts that can be stored.

Three layers, each on top of the one before: `sanitize_document` makes any text storable, `clean_text` makes a
description tidy, `clean_name`, `clean_type` and `clean_keywords` make identifiers. The rules are LightRAG 1.5.7's, so
that the same reply gives the same names. Like LightRAG's they are applied once and not until nothing changes: a
second pass may undo a second level of quotes (`'"a"'`), of HTML escapes (`&amp;lt;`) or of tags (`<<p>p>`). On text
without quotes, `&` and `<` a second pass changes nothing.
"""

from __future__ import annotations

import html
import math
import re
import string
import unicodedata
from dataclasses import dataclass

from pgrag.models.replies import EntityRecord, ExtractionReply, RelationRecord

MAX_NAME_CHARACTERS = 256
MAX_NAME_BYTES = 512

_CJK = "\u4e00-\u9fa5"
_LATIN = r"a-zA-Z0-9()\[\]@#$%!&*\-=+_"
_UNSTORABLE = re.compile("[\ud800-\udfff\ufffe\uffff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PARAGRAPH_TAG = re.compile(r"</?p\s*>|<p/>", re.IGNORECASE)
_LINE_BREAK_TAG = re.compile(r"</?br\s*>|<br/>", re.IGNORECASE)
_BLANK_AT_CJK = re.compile(rf"(?<=[{_CJK}])\s+(?=[{_CJK}{_LATIN}])|(?<=[{_LATIN}])\s+(?=[{_CJK}])")
# The look-behind keeps a long run of quotes from being tried once for each of its quotes.
_QUOTES_BEFORE_CJK = re.compile(rf"(?<!['\"])['\"]+(?=[{_CJK}])")
_QUOTES_AFTER_CJK = re.compile(rf"(?<=[{_CJK}])['\"]+")
_NARROW_BLANK = re.compile(r"(?<=\D)\u202f")
_SHORT_NUMBER = re.compile(r"[0-9]{1,2}")
_QUOTE_PAIRS = (('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("《", "》"))
_CHINESE_QUOTES = str.maketrans("", "", "\u201c\u201d\u2018\u2019")
# The full-width forms of ASCII lie 0xFEE0 above it.
_HALF_WIDTH = string.ascii_letters + string.digits + "-+/*()"
_TO_HALF_WIDTH = {ord(sign) + 0xFEE0: sign for sign in _HALF_WIDTH} | {ord("\u2014"): "-", ord("\u3000"): " "}
_FULL_WIDTH_COMMA = "\uff0c"
_NOT_IN_A_TYPE = frozenset("'()<>|/\\")
# LightRAG's web page trips over these as keys of an object; they are no types.
_RESERVED_TYPES = frozenset({"__proto__", "constructor", "prototype"})
_LATEX_LOST_IN_JSON = (re.compile(r"\x0c(?=[A-Za-z])"), r"\\f"), (re.compile(r"\x08(?=[A-Za-z])"), r"\\b")


@dataclass(frozen=True)
class CleanEntity:
    """An entity as one chunk describes it; no field is empty."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class CleanRelation:
    """A relation as one chunk describes it: two names that differ, a description, a finite weight above 0."""

    source: str
    target: str
    keywords: tuple[str, ...]
    description: str
    weight: float


@dataclass(frozen=True)
class CleanExtraction:
    """What one reply says, in the order of the reply, without the records that say nothing."""

    entities: tuple[CleanEntity, ...]
    relations: tuple[CleanRelation, ...]


def sanitize_document(text: str) -> str:
    """The text as it can be stored: HTML escapes resolved, no surrogates, no control characters, no blanks around it.

    Tab, line feed and carriage return stay. Nothing that PostgreSQL refuses is left (it takes no NUL character).
    """
    return _UNSTORABLE.sub("", _unescape(text.strip())).strip()


def clean_text(text: str) -> str:
    """A description, tidied; "" for nothing, and for a bare short number, which says nothing.

    Paragraph and line break tags are dropped, full-width letters and signs become plain ones, blanks at Chinese
    characters go, and so does one pair of quotes around the whole.
    """
    return _drop_short_number(_tidy(text).strip())


def clean_name(name: str) -> str:
    """The name of an entity, in its own case, at most 256 characters and 512 bytes long; "" if it is to be dropped.

    As `clean_text`; besides, Chinese quotes and quotes beside Chinese characters go. `12` and `12.5` are no names,
    `123` and `1.2.3.4` are.
    """
    return _shorten(_clean_identifier(name))


def clean_type(type: str) -> str | None:
    """The type of an entity, lower-case and without blanks, the first of a comma list; None if it is to be refused."""
    cleaned = _clean_identifier(type)
    if _NOT_IN_A_TYPE & set(cleaned):
        return None
    first = next((part.strip() for part in cleaned.split(",") if part.strip()), "").replace(" ", "").lower()
    return None if not first or first in _RESERVED_TYPES else first


def clean_keywords(keywords: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The keywords of a relation, each once, in their order; a keyword with commas is several.

    They are cleaned as one text, joined by commas, because LightRAG has them as one.
    """
    cleaned = _clean_identifier(",".join(keywords)).replace(_FULL_WIDTH_COMMA, ",")
    return tuple(dict.fromkeys(word.strip() for word in cleaned.split(",") if word.strip()))


def clean_extraction(reply: ExtractionReply) -> CleanExtraction:
    """The reply's records, cleaned; those without a name, a valid type or a description are dropped, and self-loops."""
    entities = (_clean_entity(record) for record in reply.entities)
    relations = (_clean_relation(record) for record in reply.relations)
    return CleanExtraction(
        tuple(entity for entity in entities if entity is not None),
        tuple(relation for relation in relations if relation is not None),
    )


def _clean_entity(record: EntityRecord) -> CleanEntity | None:
    name = clean_name(_restore_latex(record.name))
    kind = clean_type(_restore_latex(record.type))
    description = clean_text(_restore_latex(record.description))
    return CleanEntity(name, kind, description) if name and kind and description else None


def _clean_relation(record: RelationRecord) -> CleanRelation | None:
    source = clean_name(_restore_latex(record.source))
    target = clean_name(_restore_latex(record.target))
    description = clean_text(_restore_latex(record.description))
    if not (source and target and description) or _folded(source) == _folded(target):
        return None
    keywords = clean_keywords([_restore_latex(word) for word in record.keywords])
    weight = record.weight if math.isfinite(record.weight) and record.weight > 0 else 1.0
    return CleanRelation(source, target, keywords, description, weight)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).lower()


def _restore_latex(text: str) -> str:
    """Undo what JSON makes of an unescaped `\\frac` or `\\beta`: a form feed or backspace before a letter."""
    for lost, command in _LATEX_LOST_IN_JSON:
        text = lost.sub(command, text)
    return text


def _unescape(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:  # a character reference with more digits than Python reads as one number
        return text


def _tidy(text: str) -> str:
    text = _LINE_BREAK_TAG.sub("", _PARAGRAPH_TAG.sub("", sanitize_document(text)))
    text = _BLANK_AT_CJK.sub("", text.translate(_TO_HALF_WIDTH))
    return _unquote(text)


def _unquote(text: str) -> str:
    if len(text) < 2:
        return text
    for opening, closing in _QUOTE_PAIRS:
        if text.startswith(opening) and text.endswith(closing):
            inner = text[1:-1]
            text = text if opening in inner or closing in inner else inner
    return text


def _clean_identifier(text: str) -> str:
    text = _tidy(text).translate(_CHINESE_QUOTES)
    text = _QUOTES_AFTER_CJK.sub("", _QUOTES_BEFORE_CJK.sub("", text))
    text = _NARROW_BLANK.sub(" ", text.replace("\u00a0", " "))
    return _drop_short_number(text.strip())


def _drop_short_number(text: str) -> str:
    if _SHORT_NUMBER.fullmatch(text):
        return ""
    is_dotted_number = "." in text and len(text) < 6 and all(sign == "." or sign.isdigit() for sign in text)
    return "" if is_dotted_number else text


def _shorten(name: str) -> str:
    start = name[:MAX_NAME_CHARACTERS].encode()[:MAX_NAME_BYTES]
    return start.decode(errors="ignore").strip()
