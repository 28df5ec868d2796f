"""Compiled playouts of Slopecrashers for the tree search."""

from __future__ import annotations

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.estimation import (
    CARD_VALUES,
    DETOURS,
    DISTANCES,
    WEIGHTS,
    shares,
)
from service.games.slopecrashers.engine.kernels.reaching import STATES, may_end, successors
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
    copy_position,
    draw,
    end_turn,
    progress,
)

AHEAD = 0.8
"""Probability that a playout prefers a position further ahead, if one is reachable."""


@kernel("float64(int64[::1])")
def _chance(seed):
    """Return the next pseudorandom number in [0, 1) (xorshift64: Marsaglia 2003)."""
    x = seed[0]
    x ^= x << 13
    x ^= (x >> 7) & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    seed[0] = x
    return float((x >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@kernel(f"void({VECTOR}, {COURSE}, {CARDS}, int64[::1])")
def let_happen(s, fields, uses, seed):
    """Resolve chance: draw a card with its probability, and answer an attack with a magnet."""
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
    f"void({VECTOR}, int64, {COURSE}, {CARDS}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS}, {DETOURS},"
    f" {STATES}, int64[::1], float64[::1])"
)
def playout(s, turns, fields, uses, way, worth, weights, detours, scratch, seed, out):
    """Play some random turns, mostly forward; then evaluate the position.

    Args:
        s: position, changed in place.
        turns: to play.
        scratch: int16[BRANCHES, LENGTH].
        seed: int64[1], state of the generator, positive; changed in place.
        out: float64[n], win shares of all players.
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
            copy_position(scratch[chosen], s)
            let_happen(s, fields, uses, seed)
        if s[PHASE] != ENDED:
            end_turn(s)
    shares(s, way, worth, weights, detours, out)
