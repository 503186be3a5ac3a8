"""From paths to texts: `find_files` says which files are meant and what their ids are, `load_file` reads one."""

from pgrag.loaders.files import Found, FoundFile, find_files
from pgrag.loaders.load import MAX_FILE_BYTES, SUFFIXES, load_file
from pgrag.loaders.loaded import LoadedFile, Part

__all__ = ["MAX_FILE_BYTES", "SUFFIXES", "Found", "FoundFile", "LoadedFile", "Part", "find_files", "load_file"]
