"""A chart of how well cards are predicted, by the number of rounds seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

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
