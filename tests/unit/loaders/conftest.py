"""Reading bytes as a file of some name, and being refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pgrag.errors import UnreadableFile
from pgrag.loaders import LoadedFile, load_file

Load = Callable[[str, bytes], LoadedFile]
Refusal = Callable[[str, bytes], str]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """The file of this name and content, read."""

    def read(name: str, content: bytes) -> LoadedFile:
        (tmp_path / name).write_bytes(content)
        return load_file(tmp_path / name)

    return read


@pytest.fixture
def refusal(load: Load) -> Refusal:
    """Why a file of this name and content cannot be read: one sentence, with its path, and the cure if there is one."""

    def reason(name: str, content: bytes) -> str:
        with pytest.raises(UnreadableFile) as caught:
            load(name, content)
        assert f"{name} " in caught.value.message
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return reason
