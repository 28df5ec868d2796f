"""JSON Lines files that grow line by line, so that an interrupted run can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from research.league.running.engine import Engine

Key = TypeVar("Key", bound=Hashable)
Case = TypeVar("Case")


def saved_results(
    path: Path,
    key_of: Callable[[Mapping[str, Any]], Key],
    work: Callable[[Case], Mapping[str, Any]],
    cases: Mapping[Key, Case],
    engine: Engine,
    title: str = "",
    unit: str = "game",
) -> list[dict[str, Any]]:
    """Return the result of each case, in their order; compute those that a file does not have.

    Args:
        path: of the file, which gets the new results.
        key_of: returns the key of a result.
        work: returns the result of a case; see :meth:`~league.running.engine.Engine.run`.
        cases: by key.
        title: of the progress bar.
        unit: of the progress bar.
    """
    finished = {key_of(document) for document in read_json_lines(path)}
    missing = [case for key, case in cases.items() if key not in finished]
    found = engine.run(work, missing, title, unit, finished=len(cases) - len(missing))
    append_json_lines(path, (document for _, document in found))
    results = {key_of(document): document for document in read_json_lines(path)}
    return [results[key] for key in cases]


def check_start(path: Path, text: str, other: str) -> None:
    """Write what a new run starts from.

    Args:
        path: of a file in the folder of the run.
        text: what the run starts from.
        other: describes a run that started from something else.

    Raises:
        ValueError: if the folder has a run that started from something else.
    """
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        raise ValueError(f"{path.parent} has a run {other}; use another folder")


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
