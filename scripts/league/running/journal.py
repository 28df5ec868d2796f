"""JSON Lines files that are written line by line, so that an interrupted run can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class Journal:
    """Appends JSON lines to a file; starts a new line after one that was cut off."""

    def __init__(self, path: Path) -> None:
        cut_off = path.exists() and path.stat().st_size > 0 and not _ends_with_newline(path)
        self._file = path.open("a", encoding="utf-8")
        if cut_off:
            self._file.write("\n")

    def add(self, document: Mapping[str, Any]) -> None:
        """Write one line and flush it."""
        self._file.write(json.dumps(document) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file; skip lines that were cut off.

    A missing file has no lines.
    """
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                document = json.loads(line)
            except ValueError:
                continue
            if isinstance(document, dict):
                yield document


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step: an interruption leaves the old content."""
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
