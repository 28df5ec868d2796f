"""What an evaluator knows: log-loss and calibration on games that it has not learned from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from league.snow_time.fitting import TERMS, Floats, Sample, document, fit, held_out
from league.snow_time.self_play import track_of
from service.games.snow_time.engine.evaluation import Evaluator, read_evaluator

BINS: Final = 12
"""Of predicted shares, with equally many positions in each."""
PULL: Final = 1e-6
ACROSS: Final = 3
"""Panels beside each other in the picture."""
MARKS: Final = (("#2c5f8a", "o"), ("#c0662b", "^"), ("#8a8a8a", "x"))
"""Colour and marker of each evaluator in the picture."""


@dataclass(frozen=True)
class Known:
    """How well some evaluator tells who wins at tables of one size.

    Attributes:
        name: of the evaluator.
        players: at the table.
        length: of the track.
        games, positions: looked at.
        log_loss: in nats a position.
        predicted, happened, error: float64[bins], mean shares, and half a 95 % interval.
    """

    name: str
    players: int
    length: int
    games: int
    positions: int
    log_loss: float
    predicted: Floats
    happened: Floats
    error: Floats


def shares_of(evaluator: Evaluator, sample: Sample) -> Floats:
    """float64[n, players]: the shares of the win that an evaluator gives each player."""
    players = int(sample.owners.max()) + 1
    scale = evaluator.tables(track_of(sample.length), players)
    leader = sample.scores.max(axis=1, keepdims=True)
    seats = scale.potentials[leader, sample.scores]
    seats = seats * scale.hands[leader, scale.classes[sample.hands]]
    found: Floats = seats / seats.sum(axis=1, keepdims=True) @ np.eye(players)[sample.owners]
    return found


def known(name: str, evaluator: Evaluator, sample: Sample, *, fitted: bool = True) -> Known:
    """How well it does on the games of a sample; if any were fitted to, on the others."""
    unseen = held_out(sample) if fitted else np.ones(len(sample.games), np.bool_)
    told = shares_of(evaluator, sample)[unseen]
    real = sample.shares[unseen]
    games = sample.games[unseen]
    order = np.argsort(told, axis=None, kind="stable")
    predicted, happened, error = [], [], []
    for some in np.array_split(order, BINS):
        rows, columns = np.unravel_index(some, told.shape)
        wins = real[rows, columns]
        predicted.append(told[rows, columns].mean())
        happened.append(wins.mean())
        # Positions of one game end alike: games are what is drawn, not positions.
        independent = max(1, len(np.unique(games[rows])))
        error.append(1.96 * float(wins.std()) / independent**0.5)
    return Known(
        name=name,
        players=told.shape[1],
        length=sample.length,
        games=len(np.unique(games)),
        positions=len(told),
        log_loss=float(-(real * np.log(told + 1e-12)).sum(axis=1).mean()),
        predicted=np.array(predicted),
        happened=np.array(happened),
        error=np.array(error),
    )


def by_score_alone(samples: Mapping[int, Sample]) -> Evaluator:
    """An evaluator that looks at nothing but spaces, fitted to the same games."""
    weights = {}
    for players, sample in samples.items():
        bare = replace(sample, hands=np.zeros_like(sample.hands))
        weights[players] = fit(bare, np.zeros((5, len(TERMS))), PULL).weights
        weights[players][:, 1:] = 0.0
    return read_evaluator(document("score alone", weights))


def markdown(rows: list[Known]) -> str:
    """The log-losses as a table."""
    lines = [
        "| players | spaces | evaluator | log-loss | of even shares | unseen games | positions |",
        "|---:|---:|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.players} | {row.length} | {row.name} | {row.log_loss:.4f} |"
        f" {np.log(row.players):.4f} | {row.games} | {row.positions} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def draw_calibration(rows: list[Known], path: Path) -> None:
    """Draws what was predicted against what happened: a panel for each kind of table, in it the
    evaluators in the order of the rows.
    """
    sizes = list(dict.fromkeys((row.players, row.length) for row in rows))
    lines = -(-len(sizes) // ACROSS)
    figure = Figure(figsize=(4.4 * ACROSS, 4.4 * lines), layout="constrained")
    panels = figure.subplots(lines, ACROSS, squeeze=False).ravel()
    for axes, size in zip(panels, sizes, strict=False):
        _draw_panel(axes, [row for row in rows if (row.players, row.length) == size])
    for axes in panels[len(sizes) :]:
        axes.set_axis_off()
    for axes in panels[::ACROSS]:
        axes.set_ylabel("share of the win in the end")
    panels[0].legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=110)


def _draw_panel(axes: Axes, rows: list[Known]) -> None:
    most = max(float(max(row.predicted.max(), (row.happened + row.error).max())) for row in rows)
    most = min(1.0, 1.1 * most)
    axes.plot([0, most], [0, most], color="#777777", linewidth=1, label="perfectly calibrated")
    for row, (colour, marker) in zip(rows, MARKS, strict=False):
        axes.errorbar(
            row.predicted, row.happened, row.error, fmt=marker, markersize=4, color=colour,
            label=row.name,
        )  # fmt: skip
    first = rows[0]
    axes.set_title(f"{first.players} players, {first.length} spaces, {first.games} unseen games")
    axes.set_xlabel("predicted share, in twelfths of the positions")
    axes.set_xlim(0, most)
    axes.set_ylim(0, most)


def read(path: Path) -> Evaluator:
    """The evaluator of a data file."""
    return read_evaluator(json.loads(path.read_text(encoding="utf-8")))
