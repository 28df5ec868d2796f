"""JSON Lines files that grow line by line, so that an interrupted run can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any


def append_json_lines(path: Path, documents: Iterable[Mapping[str, Any]]) -> None:
    """Write each document when it arrives; start a new line after one that was cut off."""
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                file.write(b"\n")
        for document in documents:
            file.write(json.dumps(document).encode() + b"\n")
            file.flush()


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
