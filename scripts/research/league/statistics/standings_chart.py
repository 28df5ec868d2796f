"""The chart of a tournament: win shares with intervals, par and targets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from research.league.statistics.standings import Row, by_table

COLOURS: Final = {"met": "#1b7837", "missed": "#b2182b", "": "#2c5f8a"}
"""Colour of an interval by verdict; the chart also writes the verdict as a word."""
PAR, TARGET, GRID = "#777777", "#111111", "#dddddd"
PANEL_COLUMNS: Final = 2
ROW_INCHES, WIDTH_INCHES, SPARE_INCHES = 0.34, 7.5, 1.2
"""Height of a row, width of a panel, and height of a panel's title and axis."""


def draw_standings(rows: Sequence[Row], path: Path) -> None:
    """Draw a panel for each game and number of players into a PNG file."""
    played = [row for row in rows if row.estimate.games]
    panels = list(by_table(played).items()) or [("No games yet", [])]
    columns = min(PANEL_COLUMNS, len(panels))
    panel_rows = [panels[first : first + columns] for first in range(0, len(panels), columns)]
    heights = [
        ROW_INCHES * max(len(table) for _, table in panel_row) + SPARE_INCHES
        for panel_row in panel_rows
    ]
    figure = Figure(figsize=(WIDTH_INCHES * columns, sum(heights) + 0.4), layout="constrained")
    grid = figure.subplots(len(panel_rows), columns, squeeze=False, height_ratios=heights)
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    for (heading, table), axes in zip(panels, grid.flat, strict=False):
        _draw_panel(axes, heading, table)
    _add_legend(grid.flat[0], played)
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
    for index, row in enumerate(rows):
        _draw_row(axes, index, row)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=9.0)
    axes.set_ylim(max(1, len(rows)) - 0.5, -0.5)
    axes.set_xlim(-2.0, 102.0)
    par_text = f" (par {par:.1f} %)" if par < 100.0 else ""
    axes.set_title(heading + par_text, loc="left", fontsize=11.0)
    axes.set_xlabel("win share of the odd player, %, with its 95 % interval", fontsize=9.0)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_row(axes: Axes, index: int, row: Row) -> None:
    estimate, target = row.estimate, row.cell.target
    below, above = estimate.share - estimate.low, estimate.high - estimate.share
    axes.errorbar(
        100.0 * estimate.share,
        index,
        xerr=[[100.0 * below], [100.0 * above]],
        fmt="o",
        color=COLOURS[row.verdict],
        capsize=3.0,
        markersize=5.0,
    )
    if target is not None:
        axes.plot(
            100.0 * target.share,
            index,
            ">" if target.at_least else "<",
            color=TARGET,
            markersize=6.5,
            markerfacecolor="none",
        )
    axes.annotate(
        f"{100.0 * estimate.share:.1f} %  {row.verdict}",
        (1.01, index),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=8.5,
        color=COLOURS[row.verdict],
        annotation_clip=False,
    )


def _add_legend(axes: Axes, rows: Sequence[Row]) -> None:
    """Add legend entries for the markers in use."""
    axes.plot([], [], color=PAR, linestyle="--", linewidth=1.0, label="par")
    targets = [row.cell.target for row in rows if row.cell.target is not None]
    for at_least, marker, words in (
        (True, ">", "target: the interval lies to the right"),
        (False, "<", "target: the interval lies to the left"),
    ):
        if any(target.at_least == at_least for target in targets):
            axes.plot([], [], marker, color=TARGET, markerfacecolor="none", label=words)


def _label(row: Row) -> str:
    others = row.cell.players - 1
    rest = row.cell.rest if others == 1 else f"{others} × {row.cell.rest}"
    return f"{row.cell.odd}  against  {rest}"
