"""What a run came to: a row for each cell, as a table, as JSON and for the picture."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from league.running.cells import SNOW_TIME, Cell
from league.running.records import Record, Run
from league.statistics.intervals import Estimate, estimate

PLAYERS: Final = {
    2: "Two players with two seats each",
    3: "Three players",
    4: "Four players",
    5: "Five players",
}
METHOD: Final = (
    "A win that k players share counts 1/k for each. Intervals are Wilson's at 95 %, with the "
    "number of independent games that the variance between groups of common dice amounts to, and "
    "never more than were played."
)


@dataclass(frozen=True)
class Row:
    """How a cell stands.

    Attributes:
        cell: its composition.
        planned: games.
        estimate: of the win share of the odd one out, by the games played so far.
        rounds, seconds: of a game, on average; seconds of processor time.
    """

    cell: Cell
    planned: int
    estimate: Estimate
    rounds: float
    seconds: float

    @property
    def verdict(self) -> str:
        """Whether the target is met, by the games played so far."""
        if self.cell.target is None:
            return ""
        if not self.estimate.games:
            return "open"
        met = self.cell.target.met(self.estimate.low, self.estimate.high)
        return "met" if met else "missed"


def standings(run: Run, records: Iterable[Record]) -> list[Row]:
    """A row for each cell of a run, in its order."""
    by_cell: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        by_cell[record.cell].append(record)
    rows = []
    for cell in run.cells:
        played = by_cell[cell.name]
        groups: dict[int, list[float]] = defaultdict(list)
        for record in sorted(played, key=lambda record: record.key):
            groups[record.group].append(record.share)
        count = max(1, len(played))
        rows.append(
            Row(
                cell=cell,
                planned=run.games.get(cell.name, 0),
                estimate=estimate(list(groups.values())),
                rounds=sum(record.rounds for record in played) / count,
                seconds=sum(record.seconds for record in played) / count,
            )
        )
    return rows


def by_table(rows: Sequence[Row]) -> Mapping[str, list[Row]]:
    """The rows of each game and number of players under a heading, in their order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(_heading(row.cell), []).append(row)
    return found


def _heading(cell: Cell) -> str:
    if cell.game == SNOW_TIME:
        return PLAYERS[cell.players]
    if cell.players == 1:
        return f"{cell.game.capitalize()}, alone"
    return f"{cell.game.capitalize()}, {cell.players} players"


def markdown(run: Run, rows: Sequence[Row]) -> str:
    """The tables as Markdown."""
    lines = [
        f"Seeds: the dice of group k are those of {run.seed} + k. Evaluator: {run.evaluator}.",
        METHOD,
    ]
    for heading, some in by_table(rows).items():
        lines += [
            "",
            f"### {heading}"
            + (f" (par {some[0].cell.par:.1%})" if some[0].cell.players > 1 else ""),
            "",
            "| one | against | games | win share | 95 % interval | target | verdict "
            "| rounds | s a game |",
            "|---|---|--:|--:|--:|--:|---|--:|--:|",
            *map(_line, some),
        ]
    judged = [row for row in rows if row.cell.target is not None]
    if judged:
        met = sum(row.verdict == "met" for row in judged)
        lines += ["", f"Targets met: {met} of {len(judged)}."]
    return "\n".join(lines) + "\n"


def _par(cell: Cell) -> str:
    """What equals would win; alone, there are none."""
    return f" (par {cell.par:.1%})" if cell.players > 1 else ""


def _line(row: Row) -> str:
    cell, found = row.cell, row.estimate
    others = cell.players - 1
    games = f"{found.games}" if found.games >= row.planned else f"{found.games} of {row.planned}"
    cells = [
        cell.odd,
        cell.rest if others < 2 else f"{others} × {cell.rest}",
        games,
        f"{found.share:.1%}" if found.games else "",
        f"{found.low:.1%} to {found.high:.1%}" if found.games else "",
        "" if cell.target is None else str(cell.target),
        row.verdict,
        f"{row.rounds:.1f}",
        f"{row.seconds:.2f}",
    ]
    return "| " + " | ".join(cells) + " |"


def as_json(run: Run, rows: Sequence[Row]) -> str:
    """The same as JSON."""
    told: dict[str, Any] = {
        "seed": run.seed,
        "evaluator": run.evaluator,
        "method": METHOD,
        "cells": [_document(row) for row in rows],
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _document(row: Row) -> dict[str, Any]:
    cell, found = row.cell, row.estimate
    target = cell.target
    return {
        "cell": cell.name,
        "odd": cell.odd,
        "rest": cell.rest,
        "players": cell.players,
        "par": cell.par,
        "planned": row.planned,
        "games": found.games,
        "share": found.share if found.games else None,
        "low": found.low if found.games else None,
        "high": found.high if found.games else None,
        "effective_games": found.effective,
        "target": None if target is None else {"share": target.share, "at_least": target.at_least},
        "verdict": row.verdict or None,
        "rounds": row.rounds,
        "seconds": row.seconds,
    }
