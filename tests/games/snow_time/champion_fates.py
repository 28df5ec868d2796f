"""The fate of each champion in a round, derived from the event log."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.snow_time.rules.resolution import Resolution
from service.games.snow_time.rules.state import Move

FATES = ("played", "survived", "brawled", "struck", "buried", "saved")


def fates_of(moves: Sequence[Move], resolution: Resolution) -> dict[str, set[str]]:
    """Return the :data:`FATES` of the champion of each seat that played one."""
    levels = {
        seat.name: move.champion
        for seat, move in zip(resolution.state.seats, moves, strict=True)
        if move.champion is not None
    }
    fallen = {
        seat: {"blizzard": "buried", "brawl": "brawled", "strike": "struck"}[event.type]
        for event in resolution.events
        for seat in event.fallen
    }
    fates = {seat: {"played", fallen.get(seat, "survived")} for seat in levels}
    for seat in levels.keys() - fallen.keys():
        if levels[seat] + 1 in levels.values():
            fates[seat].add("saved")
    return fates
