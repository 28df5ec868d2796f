"""What became of each champion of a round, read off the event log."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.snow_time.rules.resolution import Resolution
from service.games.snow_time.rules.state import Move

FATES = ("played", "survived", "brawled", "struck", "buried", "saved")


def fates_of(moves: Sequence[Move], resolution: Resolution) -> dict[str, set[str]]:
    """By seat, which of :data:`FATES` its champion met; nothing for a seat without one."""
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
    met = {seat: {"played", fallen.get(seat, "survived")} for seat in levels}
    for seat in levels.keys() - fallen.keys():
        if levels[seat] + 1 in levels.values():
            met[seat].add("saved")
    return met
