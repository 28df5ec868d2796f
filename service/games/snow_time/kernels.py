"""Snow Time compiled: the rules on integer arrays, and expectations over joint choices.

The readable twin is ``resolution.py``; tests hold the two equal.  Everything here works on plain
arrays with an own layout, described in ``packing.py``; packing in and out happens there.

Compiled ahead of use by their signatures.  The compile cache is used where a writable place for
it exists and done without elsewhere (a read-only file system).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

NOTHING = 0
BLIZZARD = 8
FIGHT, FRUIT, MANA, BONUS = 0, 1, 2, 3


def kernel(signature: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compiles without the interpreter lock, cached on disk where that is possible."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            ready: Callable[..., Any] = njit(signature, nogil=True, cache=True)(function)
        except RuntimeError:  # No writable place for the cache.
            ready = njit(signature, nogil=True)(function)
        return ready

    return compiled


@kernel("boolean(int64[::1], int64, int64, int64, int64[:, ::1], int64)")
def _award(score, seat, points, kind, points_of, length):
    """Adds points of a kind, moves the marker to the last space at most (R9); True on arrival."""
    points_of[seat, kind] += points
    score[seat] = min(score[seat] + points, length)
    return score[seat] == length


@kernel(
    "UniTuple(int64, 3)(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64,"
    " int64[::1], int64[:, ::1])"
)
def resolve(finals, fruit, scores, kinds, advances, length, score, points):
    """Resolves one round of final cards.

    Args:
        finals: int64[n], each seat's last card: 0 nothing, 1 to 7 a champion, 8 a blizzard.
        fruit: int64[6], tokens on levels 1 to 6.
        scores: int64[n], the markers before the round.
        kinds: int64[length + 1], the bonus kind of each space, -1 for none.
        advances: int64[length + 1], the bonus advance of each space.
        length: the last space.
        score: int64[n], out, the markers after the round.
        points: int64[n, 4], out, points awarded: fight, fruit, mana, bonus.

    Returns:
        Bit masks: seats whose champion returns, levels whose fruit is taken (bit level - 1),
        seats that reached the last space.
    """
    n = finals.shape[0]
    standing, taken, arrived = 0, 0, 0
    champions, storms = 0, 0
    for seat in range(n):
        score[seat] = scores[seat]
        for kind in range(4):
            points[seat, kind] = 0
        if finals[seat] == BLIZZARD:
            storms += 1
        elif finals[seat] != NOTHING:
            champions += 1
            standing |= 1 << seat

    # A. Blizzard: every champion is discarded, each blizzard counts all of them (R5).
    if storms:
        standing = 0
        if champions:
            for seat in range(n):
                if finals[seat] == BLIZZARD and _award(
                    score, seat, champions, FIGHT, points, length
                ):
                    arrived |= 1 << seat

    # B and C, level by level from the top (R6).
    if not storms:
        for level in range(7, 0, -1):
            present, alone = 0, -1
            for seat in range(n):
                if finals[seat] == level and standing >> seat & 1:
                    present += 1
                    alone = seat
            if present > 1:
                for seat in range(n):
                    if finals[seat] == level and standing >> seat & 1:
                        standing &= ~(1 << seat)
                        if _award(score, seat, present - 1, FIGHT, points, length):
                            arrived |= 1 << seat
            elif present == 1:
                struck = 0
                for seat in range(n):
                    if finals[seat] == level - 1 and standing >> seat & 1:
                        struck += 1
                        standing &= ~(1 << seat)
                if struck and _award(score, alone, struck, FIGHT, points, length):
                    arrived |= 1 << alone
                if not arrived and level <= 6 and fruit[level - 1]:
                    taken |= 1 << (level - 1)
                    if _award(score, alone, fruit[level - 1], FRUIT, points, length):
                        arrived |= 1 << alone
            if arrived:
                break

    # D. Mana to the lowest champion still on the tree.
    if not arrived and standing:
        lowest = -1
        for seat in range(n):
            if standing >> seat & 1 and (lowest < 0 or finals[seat] < finals[lowest]):
                lowest = seat
        if _award(score, lowest, 1, MANA, points, length):
            arrived |= 1 << lowest

    # E. Bonus spaces, all markers simultaneously (R7), automatic (R8).
    if not arrived:
        for seat in range(n):
            kind = kinds[score[seat]]
            if (
                kind >= 0
                and points[seat, kind]
                and _award(score, seat, advances[score[seat]], BONUS, points, length)
            ):
                arrived |= 1 << seat
    return standing, taken, arrived


@kernel("void(int64[::1], int64[::1], int64)")
def _advance(choice, counts, first):
    """The next joint choice of the seats from ``first`` on, the last seat turning fastest."""
    seat = choice.shape[0] - 1
    while seat >= first:
        choice[seat] += 1
        if choice[seat] < counts[seat]:
            return
        choice[seat] = 0
        seat -= 1


@kernel(
    "void(int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64,"
    " int8[:, ::1], int8[:, :, ::1], int64[:, ::1])"
)
def resolve_cells(finals, counts, fruit, scores, kinds, advances, length, gained, points, masks):
    """Resolves every joint choice of final cards, the last seat turning fastest.

    Args:
        finals: int64[n, 9], the final cards that each seat may show, ``counts`` of them.
        gained: int8[cells, n], out: spaces moved.
        points: int8[cells, n, 4], out.
        masks: int64[cells, 3], out: what :func:`resolve` returns.

    The other arguments are those of :func:`resolve`.
    """
    n = counts.shape[0]
    choice = np.zeros(n, np.int64)
    shown = np.empty(n, np.int64)
    score = np.empty(n, np.int64)
    awarded = np.empty((n, 4), np.int64)
    for cell in range(masks.shape[0]):
        for seat in range(n):
            shown[seat] = finals[seat, choice[seat]]
        standing, taken, arrived = resolve(
            shown, fruit, scores, kinds, advances, length, score, awarded
        )
        masks[cell, 0], masks[cell, 1], masks[cell, 2] = standing, taken, arrived
        for seat in range(n):
            gained[cell, seat] = score[seat] - scores[seat]
            for kind in range(4):
                points[cell, seat, kind] = awarded[seat, kind]
        _advance(choice, counts, 0)


@kernel(
    "void(int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int64, int64[::1],"
    " int64[:, ::1], int64[:, :, ::1], float64[:, ::1], int64[::1], int64[:, ::1], int64[::1],"
    " int64[::1], int64[:, ::1], float64[:, ::1], int64[::1], int32[::1], float64[:, ::1],"
    " float64[:, :, ::1])"
)
def expect(
    fruits,
    finals,
    final_counts,
    scores,
    kinds,
    length,
    advances,
    owners,
    lines,
    probabilities,
    counts,
    own_plans,
    plan_labels,
    plan_rows,
    label_strides,
    potentials,
    worth,
    after_ids,
    after_values,
    out,
):
    """Expected outcome of each plan of the asker, by what has been revealed.

    The asker's ``own`` seats come first; a plan fixes their lines.  For every joint line of the
    others, weighted by its probability, the outcome is added to the row of what that line
    reveals.  A line is one complete move of a seat.

    Args:
        fruits: int64[batch, 6], positions that differ in their fruit only.
        finals, final_counts, scores, kinds, length, advances: as for :func:`resolve_cells`.
        owners: int64[n, 1], the player of each seat.
        lines: int64[n, most, 5]: index into the seat's finals, hand after the round without
            the champion played, that champion's bit, first label, second label.
        probabilities: float64[n, most], of each line of the others.
        counts: int64[n], lines by seat.
        own_plans: int64[plans, own seats], a line for each own seat.
        plan_labels: int64[plans], what the outcome is told apart by: 0 nothing, 1 first
            labels, 2 second labels.
        plan_rows: int64[plans], first row in ``out``.
        label_strides: int64[3, n], row stride of each seat's label.
        potentials: float64[length + 1, cells], by the leader's score and 4 * score + worth.
        worth: int64[1024], of a hand, in quarter spaces.
        after_ids: int32[plans * joint lines], position reached by each, or empty.
        after_values: float64[positions, 2 * players + 1], what is expected from there on:
            spaces gained, shares, whether estimated.
        out: float64[batch, rows, columns], zeroed: spaces gained by player, shares by player,
            the asker's fight, fruit, mana and bonus points, own seats with a champion, own
            seats whose champion returns, whether the share is an estimate, 1.
    """
    n = counts.shape[0]
    own = own_plans.shape[1]
    players = 0
    for seat in range(n):
        players = max(players, owners[seat, 0] + 1)
    cells = 1
    cell_strides = np.ones(n, np.int64)
    for seat in range(n - 1, -1, -1):
        cell_strides[seat] = cells
        cells *= final_counts[seat]
    joint = 1
    for seat in range(own, n):
        joint *= counts[seat]
    gained = np.empty((cells, n), np.int8)
    points = np.empty((cells, n, 4), np.int8)
    masks = np.empty((cells, 3), np.int64)
    choice = np.zeros(n, np.int64)
    reached = np.empty(n, np.int64)
    share = np.empty(players, np.float64)
    looking_on = after_ids.shape[0] > 0
    awards = 2 * players
    for batch in range(fruits.shape[0]):
        resolve_cells(
            finals, final_counts, fruits[batch], scores, kinds, advances, length,
            gained, points, masks,
        )  # fmt: skip
        for plan in range(own_plans.shape[0]):
            for seat in range(own):
                choice[seat] = own_plans[plan, seat]
            for seat in range(own, n):
                choice[seat] = 0
            level = plan_labels[plan]
            for line in range(joint):
                probability, cell, row = 1.0, 0, plan_rows[plan]
                for seat in range(n):
                    cell += cell_strides[seat] * lines[seat, choice[seat], 0]
                    if seat >= own:
                        probability *= probabilities[seat, choice[seat]]
                        if level:
                            label = lines[seat, choice[seat], 2 + level]
                            row += label_strides[level, seat] * label
                standing, arrived = masks[cell, 0], masks[cell, 2]
                estimated = 0.0
                if arrived:
                    winners = 0.0
                    for player in range(players):
                        share[player] = 0.0
                    for seat in range(n):
                        if arrived >> seat & 1 and share[owners[seat, 0]] == 0.0:
                            share[owners[seat, 0]] = 1.0
                            winners += 1.0
                    for player in range(players):
                        share[player] /= winners
                elif looking_on:
                    after = after_ids[plan * joint + line]
                    estimated = after_values[after, 2 * players]
                    for player in range(players):
                        share[player] = after_values[after, players + player]
                        out[batch, row, player] += probability * after_values[after, player]
                else:
                    estimated = 1.0
                    leader = 0
                    for seat in range(n):
                        reached[seat] = scores[seat] + gained[cell, seat]
                        leader = max(leader, reached[seat])
                    total = 0.0
                    for player in range(players):
                        share[player] = 0.0
                    for seat in range(n):
                        hand = lines[seat, choice[seat], 1]
                        if standing >> seat & 1:
                            hand |= lines[seat, choice[seat], 2]
                        potential = potentials[leader, 4 * reached[seat] + worth[hand]]
                        share[owners[seat, 0]] += potential
                        total += potential
                    for player in range(players):
                        share[player] /= total
                for seat in range(n):
                    out[batch, row, owners[seat, 0]] += probability * gained[cell, seat]
                for player in range(players):
                    out[batch, row, players + player] += probability * share[player]
                for seat in range(own):
                    for kind in range(4):
                        out[batch, row, awards + kind] += probability * points[cell, seat, kind]
                    if lines[seat, choice[seat], 2]:
                        out[batch, row, awards + 4 + seat] += probability
                        if standing >> seat & 1:
                            out[batch, row, awards + 4 + own + seat] += probability
                out[batch, row, awards + 4 + 2 * own] += probability * estimated
                out[batch, row, awards + 5 + 2 * own] += probability
                _advance(choice, counts, own)


@kernel(
    "void(int64[::1], int64[:, ::1], int64[::1], int64[::1], int64, int64[::1],"
    " int64[:, :, ::1], int64[::1], int64[:, ::1], int64, int16[:, ::1])"
)
def reach(
    fruit,
    finals,
    scores,
    kinds,
    length,
    advances,
    lines,
    counts,
    own_plans,
    first,
    out,
):
    """The position after the round, for plans of the asker and joint lines of the others.

    Joint lines are numbered plan by plan, the last seat's line turning fastest.  Args are those
    of :func:`expect`, ``first`` is the number to begin with, and ``out`` is int16[some, 2 n + 7]:
    scores, hands, fruit, and 1 where the game is over.
    """
    n = counts.shape[0]
    own = own_plans.shape[1]
    joint = 1
    for seat in range(own, n):
        joint *= counts[seat]
    choice = np.zeros(n, np.int64)
    shown = np.empty(n, np.int64)
    score = np.empty(n, np.int64)
    awarded = np.empty((n, 4), np.int64)
    for row in range(out.shape[0]):
        plan, line = (first + row) // joint, (first + row) % joint
        for seat in range(own):
            choice[seat] = own_plans[plan, seat]
        for seat in range(n - 1, own - 1, -1):
            choice[seat] = line % counts[seat]
            line //= counts[seat]
        for seat in range(n):
            shown[seat] = finals[seat, lines[seat, choice[seat], 0]]
        standing, taken, arrived = resolve(
            shown, fruit, scores, kinds, advances, length, score, awarded
        )
        for seat in range(n):
            hand = lines[seat, choice[seat], 1]
            if standing >> seat & 1:
                hand |= lines[seat, choice[seat], 2]
            out[row, seat] = score[seat]
            out[row, n + seat] = hand
        for level in range(6):
            out[row, 2 * n + level] = 0 if taken >> level & 1 else fruit[level]
        out[row, 2 * n + 6] = 1 if arrived else 0
