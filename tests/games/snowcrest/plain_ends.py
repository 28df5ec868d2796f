"""Ends of turns and games with the readable rules."""

from __future__ import annotations

from service.games.snowcrest.rules.scoring import scores, winners
from service.games.snowcrest.rules.state import Phase, State
from service.games.snowcrest.rules.turn import FillRow, RevealHands, Turn


def is_end(turn: Turn) -> bool:
    """Return whether only draws for the row or for unknown hands are left."""
    return not turn.tasks or isinstance(turn.task, FillRow | RevealHands)


def ends_game(turn: Turn) -> bool:
    """Return whether the game is over after the turn, as far as is known by now (C9)."""
    if not turn.tasks:
        return turn.state.phase is Phase.OVER
    state = turn.state
    is_last = state.phase is Phase.OVER or (state.ending and state.turn + 1 == len(state.seats))
    return isinstance(turn.task, RevealHands) or is_last


def next_turn(turn: Turn) -> int:
    """Return the index of the next seat; the number of seats if a new round begins."""
    state = turn.state
    return state.turn + 1 if turn.tasks else state.turn or len(state.seats)


def standing(state: State, seat: int) -> float:
    """Return the share of the win, then points more than the best other seat, then resources.

    Unknown cards count nothing.
    """
    table, winning = scores(state), winners(state)
    others = (score.points for score in table if score is not table[seat])
    margin = table[seat].points - max(others, default=0)
    share = (state.players[seat] in winning) / max(1, len(winning))
    return share + (margin + 0.001 * sum(table[seat].resources)) / 100.0
