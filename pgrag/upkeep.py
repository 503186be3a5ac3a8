"""Constructors like those of `calls`, for the functions by which one looks after documents."""

from __future__ import annotations

from datetime import timedelta

from pgrag.flow import Flow, call
from pgrag.rows import CountedLine, DocumentDetails


def document_details(workspace: str, document: str) -> Flow[list[DocumentDetails]]:
    return call(DocumentDetails, "document_details", workspace=workspace, named=document)


def forget(workspace: str, kind: str, older_than: timedelta) -> Flow[list[int]]:
    return call(int, "forget", workspace=workspace, kind=kind, older_than=older_than)


def sample_of_lines(sample_rows: int) -> Flow[list[CountedLine]]:
    return call(CountedLine, "sample_of_lines", sample_rows=sample_rows)
