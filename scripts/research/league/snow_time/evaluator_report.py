"""Measure Snow Time evaluators on held-out games: log-loss and calibration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from research.league.snow_time.fitting import TERMS, Floats, Sample, document, fit, held_out
from research.league.snow_time.self_play import track_of
from service.games.snow_time.engine.evaluation import Evaluator, read_evaluator

BINS: Final = 12
"""Bins of predicted shares, each with the same number of positions."""
PULL: Final = 1e-6
PANEL_COLUMNS: Final = 3
EVALUATOR_STYLES: Final = (("#2c5f8a", "o"), ("#c0662b", "^"), ("#8a8a8a", "x"))
"""Colour and marker of each evaluator in the chart."""


@dataclass(frozen=True)
class Assessment:
    """How well an evaluator predicts the winner, for one number of players.

    Attributes:
        name: of the evaluator.
        players: number of players.
        length: of the track.
        games, positions: measured.
        log_loss: in nats per position.
        predicted, actual, error: float64[bins], mean shares, and half a 95 % interval.
    """

    name: str
    players: int
    length: int
    games: int
    positions: int
    log_loss: float
    predicted: Floats
    actual: Floats
    error: Floats


def shares_of(evaluator: Evaluator, sample: Sample) -> Floats:
    """Return float64[n, players]: the win shares that an evaluator predicts."""
    players = int(sample.owners.max()) + 1
    scale = evaluator.tables(track_of(sample.length), players)
    leader = sample.scores.max(axis=1, keepdims=True)
    seats = scale.potentials[leader, sample.scores]
    seats = seats * scale.hands[leader, scale.classes[sample.hands]]
    shares: Floats = seats / seats.sum(axis=1, keepdims=True) @ np.eye(players)[sample.owners]
    return shares


def assess(name: str, evaluator: Evaluator, sample: Sample, *, fitted: bool = True) -> Assessment:
    """Measure an evaluator on a sample.

    Args:
        name: of the evaluator.
        evaluator: to measure.
        sample: positions.
        fitted: whether the evaluator was fitted to the sample; then only held-out games count.
    """
    unseen = held_out(sample) if fitted else np.ones(len(sample.games), np.bool_)
    shares = shares_of(evaluator, sample)[unseen]
    real = sample.shares[unseen]
    games = sample.games[unseen]
    order = np.argsort(shares, axis=None, kind="stable")
    predicted, actual, error = [], [], []
    for indices in np.array_split(order, BINS):
        rows, columns = np.unravel_index(indices, shares.shape)
        wins = real[rows, columns]
        predicted.append(shares[rows, columns].mean())
        actual.append(wins.mean())
        # The positions of one game share a result, so games are the independent units.
        independent = max(1, len(np.unique(games[rows])))
        error.append(1.96 * float(wins.std()) / independent**0.5)
    return Assessment(
        name=name,
        players=shares.shape[1],
        length=sample.length,
        games=len(np.unique(games)),
        positions=len(shares),
        log_loss=float(-(real * np.log(shares + 1e-12)).sum(axis=1).mean()),
        predicted=np.array(predicted),
        actual=np.array(actual),
        error=np.array(error),
    )


def fit_score_only(samples: Mapping[int, Sample]) -> Evaluator:
    """Return an evaluator that uses only scores, fitted to the same games."""
    weights = {}
    for players, sample in samples.items():
        bare = replace(sample, hands=np.zeros_like(sample.hands))
        weights[players] = fit(bare, np.zeros((5, len(TERMS))), PULL).weights
        weights[players][:, 1:] = 0.0
    return read_evaluator(document("score alone", weights))


def markdown(rows: list[Assessment]) -> str:
    """Return the log-losses as a Markdown table."""
    lines = [
        "| players | spaces | evaluator | log-loss | of even shares | held-out games | positions |",
        "|---:|---:|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.players} | {row.length} | {row.name} | {row.log_loss:.4f} |"
        f" {np.log(row.players):.4f} | {row.games} | {row.positions} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def draw_calibration(rows: list[Assessment], path: Path) -> None:
    """Draw predicted against actual shares into an image file.

    There is one panel for each number of players and track length, with the evaluators in the
    order of the rows.
    """
    sizes = list(dict.fromkeys((row.players, row.length) for row in rows))
    lines = -(-len(sizes) // PANEL_COLUMNS)
    figure = Figure(figsize=(4.4 * PANEL_COLUMNS, 4.4 * lines), layout="constrained")
    panels = figure.subplots(lines, PANEL_COLUMNS, squeeze=False).ravel()
    for axes, size in zip(panels, sizes, strict=False):
        _draw_panel(axes, [row for row in rows if (row.players, row.length) == size])
    for axes in panels[len(sizes) :]:
        axes.set_axis_off()
    for axes in panels[::PANEL_COLUMNS]:
        axes.set_ylabel("actual win share")
    panels[0].legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=110)


def _draw_panel(axes: Axes, rows: list[Assessment]) -> None:
    most = max(float(max(row.predicted.max(), (row.actual + row.error).max())) for row in rows)
    most = min(1.0, 1.1 * most)
    axes.plot([0, most], [0, most], color="#777777", linewidth=1, label="perfectly calibrated")
    for row, (colour, marker) in zip(rows, EVALUATOR_STYLES, strict=False):
        axes.errorbar(
            row.predicted, row.actual, row.error, fmt=marker, markersize=4, color=colour,
            label=row.name,
        )  # fmt: skip
    first = rows[0]
    axes.set_title(f"{first.players} players, {first.length} spaces, {first.games} held-out games")
    axes.set_xlabel("predicted win share, 12 bins of equal size")
    axes.set_xlim(0, most)
    axes.set_ylim(0, most)


def read(path: Path) -> Evaluator:
    """Read the evaluator of a data file."""
    return read_evaluator(json.loads(path.read_text(encoding="utf-8")))
