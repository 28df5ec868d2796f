"""Charts of learning: how well cards are predicted, and what it wins, by the rounds seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from research.league.running.cells import LEARNED, LEARNED_ROUNDS, learning_cells
from research.league.statistics.standings import Row

MAX_ROUNDS: Final = 16
"""Later rounds are not drawn: many games have ended by then."""
WINDOW: Final = 1
"""Rounds before and after that are averaged with each round."""
PANEL_COLUMNS: Final = 3
COLOURS: Final = {"equilibrium": "#8a8a8a", "prior": "#c0662b", "learned": "#2c5f8a"}

Floats = NDArray[np.float64]


def learning_curve(nats: Floats, rounds: NDArray[np.int64]) -> Floats:
    """Return float64[rounds, models], the mean nats around each round.

    Args:
        nats: float64[cards, models].
        rounds: int64[cards], the round of each card, from 1.
    """
    return np.array(
        [
            nats[np.abs(rounds - number) <= WINDOW].mean(axis=0)
            for number in range(1, min(MAX_ROUNDS, int(rounds.max())) + 1)
        ]
    )


def draw_learning(curves: Mapping[str, Floats], models: Sequence[str], path: Path) -> None:
    """Draw one panel for each table into an image file.

    Args:
        curves: by name of the table, see :func:`learning_curve`.
        models: names of the models.
        path: of the image.
    """
    lines = -(-len(curves) // PANEL_COLUMNS)
    figure = Figure(figsize=(4.0 * PANEL_COLUMNS, 2.6 * lines), layout="constrained")
    panels = figure.subplots(lines, PANEL_COLUMNS, squeeze=False, sharex=True).ravel()
    for axes, (name, curve) in zip(panels, curves.items(), strict=False):
        for model, values in zip(models, curve.T, strict=True):
            seen = np.arange(len(values))
            axes.plot(seen, values, color=COLOURS[model], label=model, linewidth=1.6)
        axes.axhline(0.0, color="#777777", linewidth=0.8)
        axes.set_title(name, fontsize=10)
        axes.set_xticks(range(0, MAX_ROUNDS, 4))
        axes.tick_params(labelbottom=True)
        axes.set_ylim(min(-0.3, float(curve.min())), max(0.6, 1.05 * float(curve.max())))
    for axes in panels[len(curves) :]:
        axes.set_axis_off()
    for axes in panels[::PANEL_COLUMNS]:
        axes.set_ylabel("nats per card over chance")
    for axes in panels[max(0, len(curves) - PANEL_COLUMNS) : len(curves)]:
        axes.set_xlabel("rounds seen")
    panels[0].legend(loc="best", frameon=False, fontsize=8)
    figure.savefig(path, dpi=75)


def wins_by_rounds(rows: Sequence[Row]) -> dict[str, dict[int, Row]]:
    """Return the rows of :func:`~league.running.cells.learning_cells` that have games.

    Returns:
        By the other players, then by the rounds that the odd player learns from; a hint without a
        history learns from none, and a learner that never stops from ``MAX_ROUNDS``. Others with
        fewer than three numbers of rounds are left out.
    """
    rounds = {"service": 0, LEARNED: MAX_ROUNDS}
    rounds |= {f"{LEARNED}:rounds={number}": number for number in LEARNED_ROUNDS}
    wanted = {cell.name for cell in learning_cells()}
    wins: dict[str, dict[int, Row]] = {}
    for row in rows:
        if row.cell.name in wanted and row.estimate.games:
            wins.setdefault(row.cell.rest, {})[rounds[row.cell.odd]] = row
    return {rest: by_rounds for rest, by_rounds in wins.items() if len(by_rounds) > 2}


def draw_wins(wins: Mapping[str, Mapping[int, Row]], path: Path) -> None:
    """Draw one line for each kind of other players into an image file.

    Args:
        wins: see :func:`wins_by_rounds`.
        path: of the image.
    """
    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    for place, (rest, by_rounds) in enumerate(wins.items()):
        # Intervals side by side instead of one over the other.
        seen = np.array(sorted(by_rounds))
        estimates = [by_rounds[number].estimate for number in seen.tolist()]
        share, low, high = 100.0 * np.array([(own.share, own.low, own.high) for own in estimates]).T
        bars = [share - low, high - share]
        axes.errorbar(seen + 0.12 * place, share, yerr=bars, marker="o", capsize=3.0, label=rest)
    axes.axhline(25.0, color="#777777", linestyle="--", linewidth=0.8)
    axes.set_xticks([0, *LEARNED_ROUNDS, MAX_ROUNDS], ["0", *map(str, LEARNED_ROUNDS), "all"])
    axes.set_xlabel("rounds from the start of the game that one player learns from")
    axes.set_ylabel("wins against three, %, with the 95 % interval")
    axes.legend(loc="best", frameon=False, fontsize=8)
    figure.savefig(path, dpi=90)
