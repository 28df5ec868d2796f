"""Finished games in a file, one JSON line each, so that a tournament can go on where it stopped.

A run's folder holds ``run.json`` (what it is a run of) and ``games.jsonl``, which only grows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from league.cells import Cell, Target

GAMES: Final = "games.jsonl"
RUN: Final = "run.json"


@dataclass(frozen=True)
class Record:
    """A finished game.

    Attributes:
        cell: its name.
        group, place, seed: see ``cells.Fixture``.
        share: of the win, of the odd one out.
        rounds: played.
        seconds: of processor time.
    """

    cell: str
    group: int
    place: int
    seed: int
    share: float
    rounds: int
    seconds: float

    @property
    def key(self) -> tuple[str, int, int]:
        return self.cell, self.group, self.place


@dataclass(frozen=True)
class Run:
    """What a folder holds games of.

    Attributes:
        seed: of the dice of group 0.
        evaluator: the version of the service's evaluator.
        cells: what is played.
        games: how many, by the name of a cell.
    """

    seed: int
    evaluator: str
    cells: Sequence[Cell]
    games: Mapping[str, int]


class WrongRun(Exception):
    """A folder holds games of another run."""


def open_run(folder: Path, run: Run) -> Run:
    """Says in a folder what is played there; what was planned there before stays planned.

    Raises:
        WrongRun: if games lie there that do not compare with those to come.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / RUN).exists():
        before = read_run(folder)
        for name in ("seed", "evaluator"):
            then, now = getattr(before, name), getattr(run, name)
            if then != now:
                raise WrongRun(f"{folder} holds games with the {name} {then}, not {now}")
        named = {cell.name: cell for cell in (*before.cells, *run.cells)}
        games = {name: max(before.games.get(name, 0), run.games.get(name, 0)) for name in named}
        run = Run(run.seed, run.evaluator, list(named.values()), games)
    text = json.dumps(asdict(run), indent=1, ensure_ascii=False)
    # Written aside first: an interruption leaves the old file.
    aside = folder / (RUN + ".new")
    aside.write_text(text + "\n", encoding="utf-8")
    aside.replace(folder / RUN)
    return run


def read_run(folder: Path) -> Run:
    """What a folder holds games of."""
    told: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    cells = [
        Cell(**{**cell, "target": cell["target"] and Target(**cell["target"])})
        for cell in told["cells"]
    ]
    return Run(told["seed"], told["evaluator"], cells, told["games"])


def read_records(folder: Path) -> dict[tuple[str, int, int], Record]:
    """The finished games of a folder; a line whose writing was interrupted is no game."""
    found: dict[tuple[str, int, int], Record] = {}
    path = folder / GAMES
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                record = Record(**json.loads(line))
            except (ValueError, TypeError):
                continue
            found[record.key] = record
    return found


class Journal:
    """Appends finished games to a folder's file, each at once."""

    def __init__(self, folder: Path) -> None:
        path = folder / GAMES
        torn = path.exists() and path.stat().st_size > 0 and not _ends_a_line(path)
        self._file = path.open("a", encoding="utf-8")
        if torn:
            self._file.write("\n")

    def add(self, record: Record) -> None:
        self._file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
