"""Whole graphs, as a folder of JSONL files and embeddings: the interchange format."""

from pgrag.interchange.exporting import ExportReport, export_graph
from pgrag.interchange.importing import ImportReport, import_graph

__all__ = ["ExportReport", "ImportReport", "export_graph", "import_graph"]
