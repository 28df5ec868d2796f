"""Columns of an outcome, as the kernels fill them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.core.best_response_model import OutcomeColumns
from service.games.snow_time.rules.resolution import POINT_KINDS

FATES: Final = ("played", "survived")
"""Fates of a champion, in the order of ``kernels.rounds.add_fate``."""


def columns_of(players: int, own: Sequence[str]) -> OutcomeColumns:
    """Return the column of each number for a player count and the asker's seats."""
    at = 2 * players
    measures = {name: at + place for place, name in enumerate(POINT_KINDS)}
    for place, name in enumerate(own):
        for block, fate in enumerate(FATES):
            measures[f"{fate}:{name}"] = at + 4 + block * len(own) + place
    estimated = at + 4 + len(FATES) * len(own)
    return OutcomeColumns(
        gains=slice(0, players),
        shares=slice(players, at),
        measures=measures,
        estimated=estimated,
        mass=estimated + 1,
        width=estimated + 2,
    )
