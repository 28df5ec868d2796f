"""What follows a decision, for the search tree of a turn."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.candidates import list_candidates
from service.games.snowcrest.engine.kernels.choices.endings import ends_game
from service.games.snowcrest.engine.kernels.choices.estimation import (
    MODELS,
    next_turn,
    phase,
    shares,
)
from service.games.snowcrest.engine.kernels.choices.last_turn import SOME, list_last_turn
from service.games.snowcrest.engine.kernels.rules.acting import act
from service.games.snowcrest.engine.kernels.rules.layout import VECTOR
from service.games.snowcrest.engine.kernels.searching import POSITIONS, SEARCH, settle


@kernel(f"UniTuple(int64, 2)({VECTOR}, {SEARCH}, int64, int64, boolean, {POSITIONS}, int64[::1])")
def expand(s, search, asker, limit, exact, after, kinds):
    """Follow the choices of a decision of the asker to its next decision, an event, or the end.

    Args:
        limit: most choices, about; in the last turn all that can make a difference.
        exact: whether the last turn is followed exactly.
        after: int16[rows, length], filled in: the positions.
        kinds: int64[rows], filled in: what ``searching.settle`` returns.

    Returns:
        Their number, and whether they are all choices that can make a difference.
    """
    c, m = search.cards, search.models[phase(s, search.models)]
    if exact and ends_game(s):
        number, every = list_last_turn(s, c, m, search.actions, search.scratch)
    else:
        number, every = list_candidates(s, c, m, limit, search.actions, search.scratch), SOME
    choices = search.actions[:number].copy()
    for place in range(number):
        after[place] = s
        act(after[place], c, choices[place])
        kinds[place] = settle(after[place], search, asker, exact)
    return number, every


@kernel(f"void({POSITIONS}, {SEARCH}, {MODELS})")
def estimate(positions, search, out):
    """Fill in the win shares of positions as if the turn ended there, float64[positions, seats]."""
    for number in range(len(positions)):
        s = positions[number]
        shares(s, search.cards, search.models, next_turn(s), search.memos, out[number])
