"""Ready-made graphs, as a folder of JSONL files and embeddings: the interchange format."""

from pgrag.interchange.importing import ImportReport, import_graph

__all__ = ["ImportReport", "import_graph"]
