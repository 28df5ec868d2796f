"""The picture of a tournament: win shares with their intervals, par and targets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from league.statistics.standings import Row, by_table

COLOURS: Final = {"met": "#1b7837", "missed": "#b2182b", "": "#2c5f8a"}
"""Of an interval, by verdict; the verdict also stands beside it in words."""
PAR, TARGET, GRID = "#777777", "#111111", "#dddddd"
ACROSS: Final = 2
"""Panels side by side."""
ROW_INCHES, WIDTH_INCHES, SPARE_INCHES = 0.34, 7.5, 1.2
"""Of a row, of a panel, and for a panel's title and axis."""


def draw_standings(rows: Sequence[Row], path: Path) -> None:
    """Draws a panel for each number of players into a PNG file."""
    played = [row for row in rows if row.estimate.games]
    panels = list(by_table(played).items()) or [("No games yet", [])]
    across = min(ACROSS, len(panels))
    in_rows = [panels[first : first + across] for first in range(0, len(panels), across)]
    heights = [
        ROW_INCHES * max(len(some) for _, some in beside) + SPARE_INCHES for beside in in_rows
    ]
    figure = Figure(figsize=(WIDTH_INCHES * across, sum(heights) + 0.4), layout="constrained")
    grid = figure.subplots(len(in_rows), across, squeeze=False, height_ratios=heights)
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    for (heading, some), axes in zip(panels, grid.flat, strict=False):
        _draw_panel(axes, heading, some)
    _explain(grid.flat[0], played)
    figure.legend(
        *grid.flat[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    figure.savefig(path, dpi=130)


def _draw_panel(axes: Axes, heading: str, rows: Sequence[Row]) -> None:
    par = 100.0 * rows[0].cell.par if rows else 25.0
    if par < 100.0:
        axes.axvline(par, color=PAR, linestyle="--", linewidth=1.0)
    for place, row in enumerate(rows):
        _draw_row(axes, place, row)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=9.0)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_xlim(-2.0, 102.0)
    told = f" (par {par:.1f} %)" if par < 100.0 else ""
    axes.set_title(heading + told, loc="left", fontsize=11.0)
    axes.set_xlabel("win share of the one, %, with its 95 % interval", fontsize=9.0)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_row(axes: Axes, place: int, row: Row) -> None:
    found, target = row.estimate, row.cell.target
    axes.errorbar(
        100.0 * found.share,
        place,
        xerr=[[100.0 * (found.share - found.low)], [100.0 * (found.high - found.share)]],
        fmt="o",
        color=COLOURS[row.verdict],
        capsize=3.0,
        markersize=5.0,
    )
    if target is not None:
        axes.plot(
            100.0 * target.share,
            place,
            ">" if target.at_least else "<",
            color=TARGET,
            markersize=6.5,
            markerfacecolor="none",
        )
    axes.annotate(
        f"{100.0 * found.share:.1f} %  {row.verdict}",
        (1.01, place),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=8.5,
        color=COLOURS[row.verdict],
        annotation_clip=False,
    )


def _explain(axes: Axes, rows: Sequence[Row]) -> None:
    """Entries of the legend for what is drawn."""
    axes.plot([], [], color=PAR, linestyle="--", linewidth=1.0, label="par")
    targets = [row.cell.target for row in rows if row.cell.target is not None]
    for at_least, marker, words in (
        (True, ">", "target: the interval is right of it"),
        (False, "<", "target: the interval is left of it"),
    ):
        if any(target.at_least == at_least for target in targets):
            axes.plot([], [], marker, color=TARGET, markerfacecolor="none", label=words)


def _label(row: Row) -> str:
    others = row.cell.players - 1
    rest = row.cell.rest if others == 1 else f"{others} × {row.cell.rest}"
    return f"{row.cell.odd}  against  {rest}"
