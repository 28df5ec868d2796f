"""What is finished, written down at once as JSON lines: a run can go on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


class Journal:
    """Appends lines to a file; one torn by an interruption stays a line of its own."""

    def __init__(self, path: Path) -> None:
        torn = path.exists() and path.stat().st_size > 0 and not _ends_a_line(path)
        self._file = path.open("a", encoding="utf-8")
        if torn:
            self._file.write("\n")

    def add(self, told: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(told) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, if there is one; a line whose writing was interrupted is none."""
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if isinstance(told, dict):
                yield told


def write_whole(path: Path, text: str) -> None:
    """Writes a file aside first: an interruption leaves the old one, or none."""
    aside = path.with_name(path.name + ".new")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
