"""From a document's text to its chunks: one strategy a module, and `chunk_text`, the door to all of them.

A strategy says where to cut (`spans`); what is common to all is done here: blanks at the ends go, blank spans and
repetitions are left out, and each chunk learns the pages and headings that it stands under.
"""

from pgrag.chunking.by_character import ByCharacter
from pgrag.chunking.by_function import ByFunction, ByRanges
from pgrag.chunking.by_markdown import ByMarkdown
from pgrag.chunking.by_tokens import ByTokens, windows
from pgrag.chunking.chunk import Chunk, ChunkSize, Span, chunks_of
from pgrag.chunking.places import LAST, Mark, place_of
from pgrag.chunking.recursive import Recursive
from pgrag.chunking.strategy import Strategy, chunk_by_tokens, chunk_text, strategy_from_job, strategy_of_job

__all__ = [
    "LAST",
    "ByCharacter",
    "ByFunction",
    "ByMarkdown",
    "ByRanges",
    "ByTokens",
    "Chunk",
    "ChunkSize",
    "Mark",
    "Recursive",
    "Span",
    "Strategy",
    "chunk_by_tokens",
    "chunk_text",
    "chunks_of",
    "place_of",
    "strategy_from_job",
    "strategy_of_job",
    "windows",
]
