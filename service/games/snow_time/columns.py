"""The columns of an outcome, as the kernels fill them."""

from __future__ import annotations

from collections.abc import Sequence

from service.core.stage import Columns
from service.games.snow_time.resolution import POINT_KINDS


def columns_of(players: int, own: Sequence[str]) -> Columns:
    """Where each number stands, for an asker with these seats at a table of so many players."""
    at = 2 * players
    measures = {name: at + place for place, name in enumerate(POINT_KINDS)}
    for place, name in enumerate(own):
        measures[f"played:{name}"] = at + 4 + place
        measures[f"survived:{name}"] = at + 4 + len(own) + place
    estimated = at + 4 + 2 * len(own)
    return Columns(
        gains=slice(0, players),
        shares=slice(players, at),
        measures=measures,
        estimated=estimated,
        mass=estimated + 1,
        width=estimated + 2,
    )
