"""Resolve rounds of final cards on integer arrays; the readable twin is ``rules/resolution.py``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record

NOTHING = 0
BLIZZARD = 8
SPARED = BLIZZARD
"""Final cards: 0 nothing, 1 to 7 a champion, 8 a blizzard, from 9 on a champion that a blizzard
spares: its level plus ``SPARED``.
"""
FIGHT, FRUIT, MANA, BONUS, KINDS = 0, 1, 2, 3, 4

KIND_BITS, KIND_MASK = 8, 255
"""Awarded points are packed into one integer with eight bits for each kind."""
ARRIVED_SHIFT, TAKEN_SHIFT = 5, 10
SEATS_MASK = 31
"""Layout of a mark: seats whose champion returns (from bit 0), seats that arrived, levels whose
fruit is taken.
"""


class Cells(NamedTuple):
    """Results of joint choices of final cards (*cells*) in a batch, see :func:`fill_cells`.

    Attributes:
        gained: uint8[batch, cells, n], spaces moved.
        points: int32[batch, cells, n], awarded points, eight bits for each of fight, fruit, mana
            and bonus.
        marks: int32[batch, cells], the mask of seats whose champion returns (bits 0 to 4), the mask
            of seats that reached the last space (from bit 5), and the mask of levels whose fruit
            is taken (from bit 10, level 1 first).
    """

    gained: Any
    points: Any
    marks: Any

    @property
    def first(self) -> Results:
        """The results in the first position."""
        return Results(self.gained[0], self.points[0], self.marks[0])


class Results(NamedTuple):
    """Results of cells in one position, see :class:`Cells`.

    Attributes:
        gained: uint8[cells, n].
        points: int32[cells, n].
        marks: int32[cells].
    """

    gained: Any
    points: Any
    marks: Any


CELLS = record(Cells, gained="uint8[:, :, ::1]", points="int32[:, :, ::1]", marks="int32[:, ::1]")
RESULTS = record(Results, gained="uint8[:, ::1]", points="int32[:, ::1]", marks="int32[::1]")

FATES = 2
"""Blocks of outcome columns, each with one column per own seat: the champion is played, returns."""


_SEATS = [[seat for seat in range(5) if mask >> seat & 1] for mask in range(32)]
_HOW_MANY = np.array([len(seats) for seats in _SEATS], np.int64)
_FIRST = np.array([seats[0] if seats else -1 for seats in _SEATS], np.int64)
_TOP = np.array([max(mask.bit_length() - 1, 0) for mask in range(256)], np.int64)
"""The highest level in a mask."""
_NO_KIND = 7 * KIND_BITS
"""A shift beyond all awarded points: it always yields 0."""


@kernel("void(float64[::1], int64, int64, int64, int64, int64, float64)")
def add_fate(outcome, first, own, place, mark, seat, mass):
    """Add to an outcome that a seat's champion is played, and whether it returns.

    Args:
        outcome: float64[columns], in and out.
        first: the first of the columns.
        own: number of own seats, which is the size of a block.
        place: index of the seat among the own seats.
        mark: mark of the cell, see :func:`fill_cells`.
        seat: index of the seat among all seats.
        mass: probability of the cell.
    """
    outcome[first + place] += mass
    outcome[first + own + place] += mass * (mark >> seat & 1)


@kernel(
    "void(int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int64,"
    f" {CELLS})"
)
def fill_cells(finals, counts, fruits, scores, kinds, advances, length, cells):
    """Resolve every joint choice of final cards (a *cell*), the last seat varying fastest.

    All steps of a round are here, so that a cell's markers and masks stay in registers.

    Args:
        finals: int64[n, 16], the final cards that each seat can show.
        counts: int64[n], number of final cards of each seat.
        fruits: int64[batch, 6], tokens on levels 1 to 6; positions of a batch differ only here.
        scores: int64[n], the markers before the round.
        kinds: int64[length + 1], the bonus kind of each space, -1 for none.
        advances: int64[length + 1], the bonus advance of each space.
        length: the last space.
        cells: out.
    """
    gained, points, marks = cells
    n = counts.shape[0]
    choice = np.zeros(n, np.int64)
    # Seats by final card, and by level.
    at, on = np.zeros(16, np.int64), np.zeros(8, np.int64)
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
            standing, taken, arrived = 0, 0, 0
            storms = at[BLIZZARD]

            # Loops over seats multiply by 0 or 1 instead of branching: the cards change with
            # every cell, so a branch would often be mispredicted.

            # The champions that take part in B and C.
            spared, standing_on, lowest = 0, 0, -1
            for level in range(1, 8):
                on[level] = at[SPARED + level]
                spared |= on[level]
                if not storms:
                    on[level] |= at[level]
                standing_on |= (1 if on[level] else 0) << level

            # A. Blizzard: the others are discarded, each blizzard counts all of them (R5).
            if storms:
                fallen = n - _HOW_MANY[storms | at[NOTHING] | spared]
                for seat in range(n):
                    more = (storms >> seat & 1) * fallen
                    awarded[seat] = more << (KIND_BITS * FIGHT)
                    score[seat] = min(score[seat] + more, length)
                    arrived |= (1 if score[seat] >= length else 0) << seat

            # B and C, level by level from the top (R6).
            while standing_on:
                level = _TOP[standing_on]
                standing_on ^= 1 << level
                here = on[level]
                if arrived:
                    # Nothing more is awarded; champions not knocked down return (R11).
                    standing |= here
                elif here & (here - 1) == 0:
                    alone = _FIRST[here]
                    lowest = alone
                    standing |= here
                    # Struck champions leave the tree.
                    standing_on &= ~(1 << (level - 1))
                    victims = _HOW_MANY[on[level - 1]] if level > 1 else 0
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

            # E. Bonus spaces: all markers simultaneously (R7), automatic (R8).
            if not arrived:
                for seat in range(n):
                    space = score[seat]
                    fits = awarded[seat] >> shifts[space] & KIND_MASK
                    more = advances[space] if fits else 0
                    awarded[seat] += more << (KIND_BITS * BONUS)
                    score[seat] = min(space + more, length)
                    arrived |= (1 if score[seat] >= length else 0) << seat

            marks[batch, cell] = standing | arrived << ARRIVED_SHIFT | taken << TAKEN_SHIFT
            for seat in range(n):
                gained[batch, cell, seat] = score[seat] - scores[seat]
                points[batch, cell, seat] = awarded[seat]

            # The next joint choice; the first one follows the last.
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
