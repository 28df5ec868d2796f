"""Rounds of final cards resolved on integer arrays; the readable twin is ``resolution.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

NOTHING = 0
BLIZZARD = 8
FIGHT, FRUIT, MANA, BONUS, KINDS = 0, 1, 2, 3, 4

KIND_BITS, KIND_MASK = 8, 255
"""Points awarded are packed into one integer, eight bits for each kind."""
BURIED_BIT, ARRIVED_SHIFT, TAKEN_SHIFT, SAVED_SHIFT = 5, 6, 11, 17
SEATS_MASK = 31
"""A mark holds masks: seats whose champion returns, whether a blizzard buried the champions, seats
that arrived, levels taken, seats that were saved from above.
"""

PLAYED, RETURNED, BRAWLED, STRUCK, BURIED, SAVED, FATES = 0, 1, 2, 3, 4, 5, 6
"""What becomes of a champion played: columns of an outcome, a block of seats for each."""


_SEATS = [[seat for seat in range(5) if mask >> seat & 1] for mask in range(32)]
_HOW_MANY = np.array([len(seats) for seats in _SEATS], np.int64)
_FIRST = np.array([seats[0] if seats else -1 for seats in _SEATS], np.int64)
_TOP = np.array([max(mask.bit_length() - 1, 0) for mask in range(256)], np.int64)
"""The highest level of a mask."""
_NO_KIND = 7 * KIND_BITS
"""Where nothing stands in points awarded."""


@kernel("void(float64[::1], int64, int64, int64, int64, int64, int64, float64)")
def add_fate(told, first, own, place, mark, seat, awarded, mass):
    """Adds what becomes of a seat's champion to an outcome.

    Args:
        told: float64[columns], the outcome.
        first: the first column of fates.
        own: how many seats a block of them has.
        place: the seat's among those.
        mark: of the cell, see :func:`fill_cells`.
        seat: the seat's number in it.
        awarded: the seat's points in it, likewise.
        mass: the probability of the cell.
    """
    # Whoever falls in a brawl gains a point at least, and whoever is struck gains nothing.
    fate = BRAWLED if awarded >> (KIND_BITS * FIGHT) & KIND_MASK else STRUCK
    fate = BURIED if mark >> BURIED_BIT & 1 else fate
    fate = RETURNED if mark >> seat & 1 else fate
    told[first + PLAYED * own + place] += mass
    told[first + fate * own + place] += mass
    told[first + SAVED * own + place] += mass * (mark >> (SAVED_SHIFT + seat) & 1)


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
            4), whether there was a blizzard (bit 5), and masks of the seats that reached the last
            space (from bit 6), of the levels whose fruit is taken (from bit 11, level 1 first), and
            of the seats whose champion returns though one was played on the level above (from bit
            17).
    """
    n = counts.shape[0]
    choice = np.zeros(n, np.int64)
    at = np.zeros(9, np.int64)
    score = np.empty(n, np.int64)
    awarded = np.empty(n, np.int64)
    shifts = np.empty(length + 1, np.int64)
    for space in range(length + 1):
        shifts[space] = KIND_BITS * kinds[space] if kinds[space] >= 0 else _NO_KIND
    for seat in range(n):
        at[finals[seat, 0]] |= 1 << seat
    for batch in range(marks.shape[0]):
        fruit = fruits[batch]
        for cell in range(marks.shape[1]):
            for seat in range(n):
                score[seat] = scores[seat]
                awarded[seat] = 0
            standing, buried, taken, arrived, saved = 0, 0, 0, 0, 0
            storms = at[BLIZZARD]

            # Loops over seats compute with noughts rather than branch: what is played where
            # changes with every cell, so that no processor foresees the branch.

            # A. Blizzard: every champion is discarded, each blizzard counts all of them (R5).
            if storms:
                buried = 1 << BURIED_BIT
                fallen = n - _HOW_MANY[storms | at[NOTHING]]
                for seat in range(n):
                    more = (storms >> seat & 1) * fallen
                    awarded[seat] = more << (KIND_BITS * FIGHT)
                    score[seat] = min(score[seat] + more, length)
                    arrived |= (1 if score[seat] >= length else 0) << seat

            # B and C, level by level from the top (R6).
            else:
                lowest = -1
                standing_on = 0
                for level in range(1, 8):
                    standing_on |= (1 if at[level] else 0) << level
                while standing_on:
                    level = _TOP[standing_on]
                    standing_on ^= 1 << level
                    here = at[level]
                    if arrived:
                        # Nothing is awarded any more; who was not knocked down returns (R11).
                        standing |= here
                        # Above level 7 nobody is: there is no blizzard.
                        if at[level + 1]:
                            saved |= here
                    elif here & (here - 1) == 0:
                        alone = _FIRST[here]
                        lowest = alone
                        standing |= here
                        # Above level 7 nobody is: there is no blizzard.
                        if at[level + 1]:
                            saved |= here
                        # Whoever is struck is gone.
                        standing_on &= ~(1 << (level - 1))
                        victims = _HOW_MANY[at[level - 1]] if level > 1 else 0
                        awarded[alone] = victims << (KIND_BITS * FIGHT)
                        space = score[alone] + victims
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
                            more = (here >> seat & 1) * others
                            awarded[seat] += more << (KIND_BITS * FIGHT)
                            score[seat] = min(score[seat] + more, length)
                            arrived |= (1 if score[seat] >= length else 0) << seat

                # D. Mana to the lowest champion still on the tree.
                if lowest >= 0 and not arrived:
                    awarded[lowest] += 1 << (KIND_BITS * MANA)
                    score[lowest] += 1
                    if score[lowest] == length:
                        arrived = 1 << lowest

            # E. Bonus spaces, all markers simultaneously (R7), automatic (R8).
            if not arrived:
                for seat in range(n):
                    space = score[seat]
                    fits = awarded[seat] >> shifts[space] & KIND_MASK
                    more = advances[space] if fits else 0
                    awarded[seat] += more << (KIND_BITS * BONUS)
                    score[seat] = min(space + more, length)
                    arrived |= (1 if score[seat] >= length else 0) << seat

            marks[batch, cell] = (
                standing
                | buried
                | arrived << ARRIVED_SHIFT
                | taken << TAKEN_SHIFT
                | saved << SAVED_SHIFT
            )
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
