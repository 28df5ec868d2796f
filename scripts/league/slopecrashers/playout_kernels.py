"""Playouts of Slopecrashers for the tree searcher."""

from __future__ import annotations

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.reaching import STATES, may_end, successors
from service.games.slopecrashers.engine.kernels.search import WAY, WEIGHTS, WORTH, shares
from service.games.slopecrashers.engine.kernels.turns import (
    ATTACKING,
    CARDS,
    COURSE,
    DECIDING,
    DRAWING,
    ENDED,
    KINDS,
    MOVES,
    PHASE,
    POOL,
    TURN,
    UNSEEN,
    VECTOR,
    WINNER,
    answer_known,
    draw,
    pass_on,
    progress,
)

AHEAD = 0.8
"""How often a playout goes on to a position further ahead, where there is one."""


@kernel("float64(int64[::1])")
def _chance(seed):
    """The next number from 0 to 1 of a sequence (Marsaglia 2003, xorshift)."""
    x = seed[0]
    x ^= x << 13
    x ^= (x >> 7) & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    seed[0] = x
    return float((x >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@kernel(f"void({VECTOR}, {COURSE}, {CARDS}, int64[::1])")
def let_happen(s, fields, uses, seed):
    """Draws a card by its share of the pool; who has a magnet uses it."""
    if s[PHASE] == DRAWING:
        left = 0
        for kind in range(KINDS):
            left += s[POOL + kind]
        chosen = int(_chance(seed) * left)
        card = UNSEEN
        for kind in range(KINDS):
            chosen -= s[POOL + kind]
            if chosen < 0:
                card = kind
                break
        draw(s, card)
    elif s[PHASE] >= ATTACKING:
        answer_known(s, fields, uses)


@kernel(
    f"void({VECTOR}, int64, {COURSE}, {CARDS}, {WAY}, {WORTH}, {WEIGHTS}, {STATES},"
    " int64[::1], float64[::1])"
)
def playout(s, turns, fields, uses, way, worth, weights, scratch, seed, out):
    """Everybody plays on by chance for some turns, mostly ahead; then the evaluator judges.

    Args:
        s: changed.
        scratch: int16[BRANCHES, LENGTH].
        seed: int64[1], positive.
        out: float64[n], the shares of all players.
    """
    for _ in range(turns):
        if s[WINNER] >= 0:
            break
        mover = s[TURN]
        for _ in range(24):
            if s[PHASE] != DECIDING:
                break
            count = successors(s, fields, uses, False, scratch)
            if may_end(s) and (count == 0 or (s[MOVES] == 0 and _chance(seed) < 0.5)):
                break
            if count == 0:
                break
            chosen = int(_chance(seed) * count)
            if _chance(seed) < AHEAD:
                for branch in range(count):
                    further = progress(scratch[branch], mover) > progress(s, mover)
                    if further or scratch[branch, PHASE] == ENDED:
                        chosen = branch
                        break
            s[:] = scratch[chosen]
            let_happen(s, fields, uses, seed)
        if s[PHASE] != ENDED:
            pass_on(s)
    shares(s, way, worth, weights, out)
