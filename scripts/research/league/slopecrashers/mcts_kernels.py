"""Compiled information-set Monte Carlo tree search of Slopecrashers, see ``mcts``.

Positions are packed as in ``kernels.turns``; they are dealt anew in each iteration. A position that
looks like another to the searcher has the same node: a slot of a hash table.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from research.league.random_kernels import next_random
from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.estimation import RACE, shares
from service.games.slopecrashers.engine.kernels.reaching import (
    BRANCHES,
    STATES,
    hash_words,
    may_end,
    successors,
)
from service.games.slopecrashers.engine.kernels.search import deal_sample
from service.games.slopecrashers.engine.kernels.turns import (
    ATTACKING,
    CARDS,
    COURSE,
    DECIDING,
    DRAWING,
    EMPTY_HASH,
    ENDED,
    GIFTS,
    KINDS,
    LENGTH,
    MOVES,
    PHASE,
    POOL,
    SEAT,
    SEAT_SIZE,
    STACK,
    TURN,
    UNSEEN,
    VECTOR,
    WINNER,
    N,
    answer_known,
    copy_position,
    draw,
    end_turn,
    progress,
)

AHEAD = 0.8
"""Probability that a playout prefers a position further ahead, if one is reachable."""
MAX_ACTIONS = 24
"""Actions of a turn in a playout."""
MAX_DEPTH = 60
"""Actions on a path in the tree."""
VISITS, AVAILABLE = 0, 1
"""Rows of the counts of nodes."""
DEALS = 1 << 20
"""Numbers of deals, see ``deal_sample``."""
DECIDED_EVERY = 64
"""Iterations after which it is checked whether the choice can still change."""
FREE = 0
"""The key of a free slot."""


@kernel(f"void({VECTOR}, {COURSE}, {CARDS}, int64[::1])")
def let_happen(s, fields, uses, seed):
    """Resolve chance: draw a card with its probability, and answer an attack with a magnet."""
    if s[PHASE] == DRAWING:
        left = 0
        for kind in range(KINDS):
            left += s[POOL + kind]
        chosen = int(next_random(seed) * left)
        card = UNSEEN
        for kind in range(KINDS):
            chosen -= s[POOL + kind]
            if chosen < 0:
                card = kind
                break
        draw(s, card)
    elif s[PHASE] >= ATTACKING:
        answer_known(s, fields, uses)


@kernel(f"void({VECTOR}, int64, {RACE}, {STATES}, int64[::1], float64[::1])")
def playout(s, turns, race, scratch, seed, out):
    """Play some random turns, mostly forward; then evaluate the position.

    Args:
        s: position, changed in place.
        turns: to play.
        scratch: int16[BRANCHES, LENGTH].
        seed: int64[1], state of the generator, not 0; changed in place.
        out: float64[n], win shares of all players.
    """
    for _ in range(turns):
        if s[WINNER] >= 0:
            break
        mover = s[TURN]
        for _ in range(MAX_ACTIONS):
            if s[PHASE] != DECIDING:
                break
            count = successors(s, race.fields, race.uses, False, scratch)
            if may_end(s) and (count == 0 or (s[MOVES] == 0 and next_random(seed) < 0.5)):
                break
            if count == 0:
                break
            chosen = int(next_random(seed) * count)
            if next_random(seed) < AHEAD:
                for branch in range(count):
                    further = progress(scratch[branch], mover) > progress(s, mover)
                    if further or scratch[branch, PHASE] == ENDED:
                        chosen = branch
                        break
            copy_position(scratch[chosen], s)
            let_happen(s, race.fields, race.uses, seed)
        if s[PHASE] != ENDED:
            end_turn(s)
    shares(s, race, out)


# The tree -------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, {VECTOR})")
def _information_set(s, searcher, visible):
    """Return the key of a position as the searcher sees it: without the other players' cards."""
    copy_position(s, visible)
    for seat in range(s[N]):
        if seat != searcher:
            first = SEAT + seat * SEAT_SIZE + GIFTS
            for place in range(first, first + STACK):
                visible[place] = 0
    key = np.int64(EMPTY_HASH)
    for place in range(0, POOL, 4):  # POOL is a multiple of 4.
        key = hash_words(visible, place, key)
    key ^= key >> 29
    return key + (key == FREE)


@kernel("int64(int64[::1], int64)")
def _find_or_insert(keys, key):
    """Return the slot of a key (open addressing)."""
    last = keys.shape[0] - 1
    slot = key & last
    while keys[slot] != key and keys[slot] != FREE:
        slot = (slot + 1) & last
    keys[slot] = key
    return slot


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, {STATES})")
def _expand(s, fields, uses, branches):
    """Write the positions after each legal action or the end of the turn; return their number."""
    count = successors(s, fields, uses, False, branches)
    if may_end(s) or count == 0:
        copy_position(s, branches[count])
        end_turn(branches[count])
        count += 1
    return count


@kernel("int64(int64[::1], int64, int64[:, ::1], float64[::1], float64)")
def _select(nodes, count, counts, sums, exploration):
    """Return the place of the highest upper confidence bound (Cowling et al., eq. 1).

    A node without visits comes first.
    """
    chosen, most = 0, -1.0
    for place in range(count):
        node = nodes[place]
        visits = counts[VISITS, node]
        if visits == 0:
            return place
        bound = sums[node] / visits + exploration * sqrt(log(counts[AVAILABLE, node]) / visits)
        if bound > most:
            chosen, most = place, bound
    return chosen


@kernel("int64(int64[::1], int64, int64[:, ::1], int64[::1])")
def _draw_new(nodes, count, counts, seed):
    """Return the place of a random node without visits; -1 if there is none."""
    new = 0
    for place in range(count):
        new += counts[VISITS, nodes[place]] == 0
    left = int(next_random(seed) * new) if new else 0
    for place in range(count):
        if counts[VISITS, nodes[place]] == 0:
            if left == 0:
                return place
            left -= 1
    return -1


@kernel("boolean(int64[::1], int64)")
def is_decided(visits, left):
    """Return whether the most visited choice stays so, whatever is visited in iterations left."""
    most, second = np.int64(0), np.int64(0)
    for count in visits:
        if count > most:
            most, second = count, most
        elif count > second:
            second = count
    return most - second > left


@kernel(
    f"int64({STATES}, int64, {RACE},"
    " int64, boolean, int64, float64, int64[::1], int64[::1], int64[:, ::1], float64[::1])"
)
def search(starts, searcher, race, iterations,
           decide, turns, exploration, seed, keys, counts, sums):  # fmt: skip
    """Search from the positions after each choice.

    Args:
        starts: int16[choices, LENGTH].
        searcher: seat from whose view positions look alike.
        iterations: number of simulations.
        decide: whether to stop as soon as the most visited choice cannot change.
        turns: of a playout, see :func:`playout`.
        exploration: factor of the upper confidence bound.
        seed: int64[1], state of the generator, not 0; changed in place.
        keys: int64[power of two], zeroed, in and out: the slots of the hash table, at least 1024.
        counts: int64[2, slots + choices], zeroed, in and out: by node, how often a choice led to
            it, and how often that choice was legal. The last nodes are those of ``starts``.
        sums: float64[slots + choices], zeroed, in and out: win shares of the player who chose.

    Returns:
        The number of simulations; the search stops, too, when the table is half full.
    """
    slots, choices, players = keys.shape[0], starts.shape[0], starts[0, N]
    s, visible = np.empty(LENGTH, np.int16), np.empty(LENGTH, np.int16)
    branches = np.empty((BRANCHES + 1, LENGTH), np.int16)
    nodes = np.empty(BRANCHES + 1, np.int64)
    path, movers = np.empty(MAX_DEPTH + 1, np.int64), np.empty(MAX_DEPTH + 1, np.int64)
    values = np.empty(players, np.float64)
    roots = np.arange(slots, slots + choices)
    used = 0
    for simulation in range(iterations):
        if 2 * (used + BRANCHES + 1) > slots:
            return simulation
        checks = decide and simulation % DECIDED_EVERY == 0
        if checks and is_decided(counts[VISITS, slots:], iterations - simulation):
            return simulation
        for root in roots:
            counts[AVAILABLE, root] += 1
        chosen = _select(roots, choices, counts, sums, exploration)
        path[0], movers[0], depth = roots[chosen], searcher, 1
        copy_position(starts[chosen], s)
        deal_sample(s, int(next_random(seed) * DEALS), 1)
        let_happen(s, race.fields, race.uses, seed)
        is_new = False
        while s[WINNER] < 0 and depth <= MAX_DEPTH and not is_new:
            movers[depth] = s[TURN]
            count = _expand(s, race.fields, race.uses, branches)
            for branch in range(count):
                key = _information_set(branches[branch], searcher, visible)
                node = _find_or_insert(keys, key)
                used += counts[AVAILABLE, node] == 0
                counts[AVAILABLE, node] += 1
                nodes[branch] = node
            chosen = _draw_new(nodes, count, counts, seed)
            is_new = chosen >= 0
            if not is_new:
                chosen = _select(nodes, count, counts, sums, exploration)
            copy_position(branches[chosen], s)
            let_happen(s, race.fields, race.uses, seed)
            path[depth] = nodes[chosen]
            depth += 1
        playout(s, turns, race, branches, seed, values)
        for step in range(depth):
            counts[VISITS, path[step]] += 1
            sums[path[step]] += values[movers[step]]
    return iterations
