"""Finished games in a file, one JSON line each, so that a tournament can go on where it stopped.

A run's folder holds ``run.json`` (what it is a run of) and ``games.jsonl``, which only grows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from league.running.cells import Cell, Target
from league.running.journal import read_lines, write_whole

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
        evaluator, engine: the versions of the service's evaluator and solver.
        cells: what is played.
        games: how many, by the name of a cell.
    """

    seed: int
    evaluator: str
    engine: str
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
        for name in ("seed", "evaluator", "engine"):
            then, now = getattr(before, name), getattr(run, name)
            if then != now:
                raise WrongRun(f"{folder} holds games with the {name} {then}, not {now}")
        named = {cell.name: cell for cell in (*before.cells, *run.cells)}
        games = {name: max(before.games.get(name, 0), run.games.get(name, 0)) for name in named}
        run = Run(run.seed, run.evaluator, run.engine, list(named.values()), games)
    write_whole(folder / RUN, json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n")
    return run


def read_run(folder: Path) -> Run:
    """What a folder holds games of."""
    told: dict[str, Any] = json.loads((folder / RUN).read_text(encoding="utf-8"))
    cells = [
        Cell(**{**cell, "target": cell["target"] and Target(**cell["target"])})
        for cell in told["cells"]
    ]
    return Run(told["seed"], told["evaluator"], told.get("engine", "unknown"), cells, told["games"])


def read_records(folder: Path) -> dict[tuple[str, int, int], Record]:
    """The finished games of a folder."""
    found: dict[tuple[str, int, int], Record] = {}
    for told in read_lines(folder / GAMES):
        try:
            record = Record(**told)
        except TypeError:
            continue
        found[record.key] = record
    return found
