"""The columns of an outcome, as the kernels fill them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.core.best_response_model import Columns
from service.games.snow_time.rules.resolution import POINT_KINDS

FATES: Final = ("played", "survived", "brawled", "struck", "buried", "saved")
"""What becomes of a champion, as ``kernels.rounds.add_fate`` counts it: of those *played* each
*survived*, fell in a brawl, was struck from above or buried by a blizzard; *saved* are those of the
survivors that were played right below another one.
"""
OVER: Final = "over"
"""Whether the game ends in the round."""


def columns_of(players: int, own: Sequence[str]) -> Columns:
    """Where each number stands, for an asker with these seats at a table of so many players."""
    at = 2 * players
    measures = {name: at + place for place, name in enumerate(POINT_KINDS)}
    for place, name in enumerate(own):
        for block, fate in enumerate(FATES):
            measures[f"{fate}:{name}"] = at + 4 + block * len(own) + place
    measures[OVER] = at + 4 + len(FATES) * len(own)
    estimated = measures[OVER] + 1
    return Columns(
        gains=slice(0, players),
        shares=slice(players, at),
        measures=measures,
        estimated=estimated,
        mass=estimated + 1,
        width=estimated + 2,
    )
