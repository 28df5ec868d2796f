"""Rounds of final cards resolved on integer arrays; the readable twin is ``resolution.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

NOTHING = 0
BLIZZARD = 8
FIGHT, FRUIT, MANA, BONUS = 0, 1, 2, 3

KIND_BITS, KIND_MASK = 8, 255
"""Points awarded are packed into one integer, eight bits for each kind."""
ARRIVED_SHIFT, TAKEN_SHIFT, SEATS_MASK = 8, 16, 31
"""A mark holds three masks: seats whose champion returns, seats that arrived, levels taken."""


_SEATS = [[seat for seat in range(5) if mask >> seat & 1] for mask in range(32)]
_HOW_MANY = np.array([len(seats) for seats in _SEATS], np.int64)
_FIRST = np.array([seats[0] if seats else -1 for seats in _SEATS], np.int64)


@kernel(
    "void(int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int64,"
    " uint8[:, :, ::1], int32[:, :, ::1], int32[:, ::1])"
)
def fill_cells(finals, counts, fruits, scores, kinds, advances, length, gained, points, marks):
    """Resolves every joint choice of final cards, the last seat turning fastest.

    Args:
        finals: int64[n, 9], the final cards that each seat may show, ``counts`` of them:
            0 nothing, 1 to 7 a champion, 8 a blizzard.
        fruits: int64[batch, 6], tokens on levels 1 to 6, of positions that differ in nothing
            else.
        scores: int64[n], the markers before the round.
        kinds: int64[length + 1], the bonus kind of each space, -1 for none.
        advances: int64[length + 1], the bonus advance of each space.
        length: the last space.
        gained: uint8[batch, cells, n], out: spaces moved.
        points: int32[batch, cells, n], out: points awarded, eight bits for each of fight, fruit,
            mana and bonus.
        marks: int32[batch, cells], out: bit masks of the seats whose champion returns (bits 0 to
            4), of the seats that reached the last space (from bit 8), and of the levels whose
            fruit is taken (from bit 16, level 1 first).
    """
    n = counts.shape[0]
    choice = np.zeros(n, np.int64)
    at = np.zeros(9, np.int64)
    score = np.empty(n, np.int64)
    awarded = np.empty(n, np.int64)
    for seat in range(n):
        at[finals[seat, 0]] |= 1 << seat
    for batch in range(marks.shape[0]):
        fruit = fruits[batch]
        for cell in range(marks.shape[1]):
            for seat in range(n):
                score[seat] = scores[seat]
                awarded[seat] = 0
            standing, taken, arrived = 0, 0, 0
            storms = at[BLIZZARD]

            # A. Blizzard: every champion is discarded, each blizzard counts all of them (R5).
            if storms:
                fallen = n - _HOW_MANY[storms | at[NOTHING]]
                if fallen:
                    for seat in range(n):
                        if storms >> seat & 1:
                            awarded[seat] = fallen << (KIND_BITS * FIGHT)
                            score[seat] += fallen
                            if score[seat] >= length:
                                score[seat] = length
                                arrived |= 1 << seat

            # B and C, level by level from the top (R6).
            else:
                struck = False
                lowest = -1
                for level in range(7, 0, -1):
                    here = at[level]
                    if here == 0 or struck:
                        struck = False
                    elif arrived:
                        # Nothing is awarded any more; who was not knocked down returns (R11).
                        standing |= here
                    elif here & (here - 1) == 0:
                        alone = _FIRST[here]
                        lowest = alone
                        standing |= here
                        space = score[alone]
                        below = at[level - 1] if level > 1 else 0
                        if below:
                            struck = True
                            victims = _HOW_MANY[below]
                            awarded[alone] += victims << (KIND_BITS * FIGHT)
                            space += victims
                        if level < 7 and fruit[level - 1] and space < length:
                            taken |= 1 << (level - 1)
                            awarded[alone] += fruit[level - 1] << (KIND_BITS * FRUIT)
                            space += fruit[level - 1]
                        if space >= length:
                            space = length
                            arrived = here
                        score[alone] = space
                    else:
                        others = _HOW_MANY[here] - 1
                        for seat in range(n):
                            if here >> seat & 1:
                                awarded[seat] = others << (KIND_BITS * FIGHT)
                                score[seat] += others
                                if score[seat] >= length:
                                    score[seat] = length
                                    arrived |= 1 << seat

                # D. Mana to the lowest champion still on the tree.
                if lowest >= 0 and not arrived:
                    awarded[lowest] += 1 << (KIND_BITS * MANA)
                    score[lowest] += 1
                    if score[lowest] == length:
                        arrived = 1 << lowest

            # E. Bonus spaces, all markers simultaneously (R7), automatic (R8).
            if not arrived:
                for seat in range(n):
                    if awarded[seat]:
                        space = score[seat]
                        kind = kinds[space]
                        if kind >= 0 and awarded[seat] >> (KIND_BITS * kind) & KIND_MASK:
                            awarded[seat] += advances[space] << (KIND_BITS * BONUS)
                            space += advances[space]
                            if space >= length:
                                space = length
                                arrived |= 1 << seat
                            score[seat] = space

            marks[batch, cell] = standing | arrived << ARRIVED_SHIFT | taken << TAKEN_SHIFT
            for seat in range(n):
                gained[batch, cell, seat] = score[seat] - scores[seat]
                points[batch, cell, seat] = awarded[seat]

            # The next joint choice; after the last one, the first again.
            for seat in range(n - 1, -1, -1):
                bit = 1 << seat
                at[finals[seat, choice[seat]]] &= ~bit
                choice[seat] += 1
                last = choice[seat] == counts[seat]
                if last:
                    choice[seat] = 0
                at[finals[seat, choice[seat]]] |= bit
                if not last:
                    break
