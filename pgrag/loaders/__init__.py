"""From paths to texts: `find_files` says which files are meant and what their ids are, `load_entries` reads one."""

from pgrag.loaders.files import Found, FoundFile, find_files
from pgrag.loaders.limits import MAX_FILE_BYTES
from pgrag.loaders.load import SUFFIXES, load_entries, load_file
from pgrag.loaders.loaded import Entry, LoadedFile, Part

__all__ = [
    "MAX_FILE_BYTES",
    "SUFFIXES",
    "Entry",
    "Found",
    "FoundFile",
    "LoadedFile",
    "Part",
    "find_files",
    "load_entries",
    "load_file",
]
