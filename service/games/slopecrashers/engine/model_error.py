"""The error of a share for other reasons than hidden cards: the players' model and the evaluator.

It is larger near the finish, where a single movement decides; ``solver/README.md`` has figures.
"""

from __future__ import annotations

from typing import Final

from service.games.slopecrashers.rules.state import LAPS, State

AT_FINISH: Final = 2.5
"""Divided by the rows that the first character has left, this is the error."""
LEAST: Final = 0.06
MOST: Final = 0.6


def model_error(state: State) -> float:
    """Return the error of a share s in a position, as a part of √(s (1 - s))."""
    return min(max(AT_FINISH / rows_left(state), LEAST), MOST)


def rows_left(state: State) -> int:
    """Return how many rows the first character has left, at least 1."""
    length = state.course.length
    places = (seat.place for seat in state.seats)
    return min(
        LAPS * length if place is None else (LAPS + 1 - place.lap) * length - place.row
        for place in places
    )
