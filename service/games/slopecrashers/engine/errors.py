"""The errors of shares: the players' model and the evaluator.

That of a share is larger near the finish, where a single movement decides.
"""

from __future__ import annotations

from typing import Final

from service.core.sequential import ErrorModel
from service.games.slopecrashers.rules.state import LAPS, State

DEAL_VARIANCE: Final = 0.01
AT_FINISH: Final = 2.5
"""Divided by the rows that the first character has left, this is the error of a share."""
LEAST: Final = 0.06
MOST: Final = 0.6
DIFFERENCE: Final = 0.08


def error_model(state: State) -> ErrorModel:
    """Return the errors in a position."""
    share = min(max(AT_FINISH / rows_left(state), LEAST), MOST)
    return ErrorModel(DEAL_VARIANCE, share, DIFFERENCE)


def rows_left(state: State) -> int:
    """Return how many rows the first character has left, at least 1."""
    length = state.course.length
    places = (seat.place for seat in state.seats)
    return min(
        LAPS * length if place is None else (LAPS + 1 - place.lap) * length - place.row
        for place in places
    )
