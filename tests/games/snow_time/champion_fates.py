"""The fate of each champion in a round, derived from the event log."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.snow_time.rules.resolution import Resolution
from service.games.snow_time.rules.state import Move

FATES = ("played", "survived")


def fates_of(moves: Sequence[Move], resolution: Resolution) -> dict[str, set[str]]:
    """Return the :data:`FATES` of the champion of each seat that played one."""
    fallen = {seat for event in resolution.events for seat in event.fallen}
    return {
        seat.name: {"played"} if seat.name in fallen else {*FATES}
        for seat, move in zip(resolution.state.seats, moves, strict=True)
        if move.champion is not None
    }
