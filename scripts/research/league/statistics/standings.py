"""The standings of a tournament: one row per cell, as Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from research.league.running.cells import SNOW_TIME, Cell
from research.league.running.records import GameRecord, Run
from research.league.statistics.intervals import Estimate, estimate

PLAYERS: Final = {
    2: "Two players with two seats each",
    3: "Three players",
    4: "Four players",
    5: "Five players",
}
METHOD: Final = (
    "A win that k players share counts 1/k for each. Intervals are Wilson's at 95 %. They use the "
    "number of independent games that has the variance between groups with the same dice, at "
    "most the number of games."
)


@dataclass(frozen=True)
class Row:
    """The result of a cell.

    Attributes:
        cell: its composition.
        planned: number of games.
        estimate: win share of the odd player in the games so far.
        rounds, seconds: means per game; seconds of processor time.
    """

    cell: Cell
    planned: int
    estimate: Estimate
    rounds: float
    seconds: float


def standings(run: Run, records: Iterable[GameRecord]) -> list[Row]:
    """Return one row per cell of a run, in its order."""
    by_cell: dict[str, list[GameRecord]] = defaultdict(list)
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
    """Return the rows of each game and number of players by heading."""
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(_heading(row.cell), []).append(row)
    return tables


def _heading(cell: Cell) -> str:
    if cell.game == SNOW_TIME:
        return PLAYERS[cell.players]
    if cell.players == 1:
        return f"{cell.game.capitalize()}, solo"
    return f"{cell.game.capitalize()}, {cell.players} players"


def markdown(run: Run, rows: Sequence[Row]) -> str:
    """Return the tables as Markdown."""
    lines = [
        f"Seeds: group k has the dice of seed {run.seed} + k. Evaluator: {run.evaluator}.",
        METHOD,
    ]
    for heading, table in by_table(rows).items():
        lines += [
            "",
            f"### {heading}{_par(table[0].cell)}",
            "",
            "| odd player | against | games | win share | 95 % interval | rounds | s per game |",
            "|---|---|--:|--:|--:|--:|--:|",
            *map(_line, table),
        ]
    return "\n".join(lines) + "\n"


def _par(cell: Cell) -> str:
    """Return the win share of equally strong players, except in solo games."""
    return f" (par {cell.par:.1%})" if cell.players > 1 else ""


def _line(row: Row) -> str:
    cell, estimate = row.cell, row.estimate
    others = cell.players - 1
    games = (
        f"{estimate.games}"
        if estimate.games >= row.planned
        else f"{estimate.games} of {row.planned}"
    )
    cells = [
        cell.odd,
        cell.rest if others < 2 else f"{others} × {cell.rest}",
        games,
        f"{estimate.share:.1%}" if estimate.games else "",
        f"{estimate.low:.1%} to {estimate.high:.1%}" if estimate.games else "",
        f"{row.rounds:.1f}",
        f"{row.seconds:.2f}",
    ]
    return "| " + " | ".join(cells) + " |"
