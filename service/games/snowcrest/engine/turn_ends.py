"""Ends of turns, and of games, in the search."""

from __future__ import annotations

from typing import Final

from service.games.snowcrest.engine.final_scores import is_last_turn
from service.games.snowcrest.rules.state import Phase
from service.games.snowcrest.rules.turn import FillRow, RevealHands, Turn

_MOST_SCROLLS: Final = 6
"""Scrolls that a turn takes at most, about."""


def is_end(turn: Turn) -> bool:
    """Return whether only draws for the row or for unknown hands are left."""
    return not turn.tasks or isinstance(turn.task, (FillRow, RevealHands))


def ends_game(turn: Turn) -> bool:
    """Return whether the game is over after the turn, as far as is known by now (C9)."""
    if not turn.tasks:
        return turn.state.phase is Phase.OVER
    # Hands are revealed after the turn has passed to the first seat.
    return isinstance(turn.task, RevealHands) or is_last_turn(turn.state)


def may_end_game(turn: Turn) -> bool:
    """Return whether the game may be over after the turn: its last scroll may be taken (C9)."""
    state = turn.state
    in_last_seat = bool(turn.tasks) and state.turn + 1 == len(state.seats)
    return ends_game(turn) or (in_last_seat and state.supply <= _MOST_SCROLLS)


def is_decided(turn: Turn) -> bool:
    """Return whether the winners of a game that ends with the turn are certain."""
    return ends_game(turn) and not any(seat.unknown_count for seat in turn.state.seats)


def next_turn(turn: Turn) -> int:
    """Return the index of the next seat; the number of seats if a new round begins."""
    state = turn.state
    if turn.tasks:
        return state.turn + 1
    return state.turn or len(state.seats)
