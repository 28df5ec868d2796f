"""The folder of a tournament: its plan and its finished games.

``run.json`` has the plan. ``games.jsonl`` has one line per finished game and only grows, so that an
interrupted tournament can continue.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from research.league.running.cells import Cell
from research.league.running.journal import read_json_lines, write_atomically

GAMES: Final = "games.jsonl"
RUN: Final = "run.json"


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    Attributes:
        cell: name of the cell.
        group, place, seed: as in ``cells.ScheduledGame``.
        share: of the win, of the odd player.
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
        """What identifies the game: that of its ``cells.ScheduledGame``."""
        return self.cell, self.group, self.place


@dataclass(frozen=True)
class Run:
    """The plan of a tournament.

    Attributes:
        seed: of the dice of group 0.
        evaluator, engine: versions of the service's evaluator and solver.
        cells: to play.
        games: number of games, by the name of a cell.
    """

    seed: int
    evaluator: str
    engine: str
    cells: Sequence[Cell]
    games: Mapping[str, int]


class RunMismatch(Exception):
    """The folder has games of a run that cannot be compared."""


def open_run(folder: Path, run: Run) -> Run:
    """Write the plan into a folder, merged with the plan that is already there.

    Raises:
        RunMismatch: if the folder has games with another seed, evaluator or engine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / RUN).exists():
        before = read_run(folder)
        for name in ("seed", "evaluator", "engine"):
            old, new = getattr(before, name), getattr(run, name)
            if old != new:
                raise RunMismatch(f"{folder} has games with the {name} {old}, not {new}")
        cells = {cell.name: cell for cell in (*before.cells, *run.cells)}
        games = {name: max(before.games.get(name, 0), run.games.get(name, 0)) for name in cells}
        run = Run(run.seed, run.evaluator, run.engine, list(cells.values()), games)
    write_atomically(folder / RUN, json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n")
    return run


def read_run(folder: Path) -> Run:
    """Return the plan in a folder."""
    document: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    return Run(**{**document, "cells": [Cell(**cell) for cell in document["cells"]]})


def read_records(folder: Path) -> dict[tuple[str, int, int], GameRecord]:
    """Return the finished games in a folder, by cell, group and place."""
    records: dict[tuple[str, int, int], GameRecord] = {}
    for document in read_json_lines(folder / GAMES):
        try:
            record = GameRecord(**document)
        except TypeError:
            continue
        records[record.key] = record
    return records
