"""Expected outcomes of large rounds, one seat's axis at a time.

Most numbers of an outcome depend only on the final cards, so a table over the cells is multiplied
by one seat's probabilities after the other.  Only shares of the win need every joint line.  There
the innermost loops run over the joint lines of the last two seats so that the compiler can
vectorise them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.core.arrays import Floats, Ints
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    FATES,
    KIND_BITS,
    KIND_MASK,
    KINDS,
    RESULTS,
    SEATS_MASK,
    add_fate,
)


class Others(NamedTuple):
    """The joint lines of the other seats: of the inner ones, and of the outer ones before them.

    Attributes:
        inner_lines: int64[inner seats, inner joint lines].
        inner_cells, inner_labels: int64[inner joint lines], their parts of the cell and the joint
            label of the inner seats.
        inner_chances: float64[inner joint lines].
        starts: int64[outer final cards + 1], the first joint line of each of the outer seats'
            joint final cards.
        outer_cells: int64[outer final cards], their part of the cell.
        outer_lines: int64[outer joint lines, outer seats].
        outer_labels: int64[outer joint lines], the joint label of the outer seats.
        outer_chances: float64[outer joint lines].
    """

    inner_lines: Ints
    inner_cells: Ints
    inner_labels: Ints
    inner_chances: Floats
    starts: Ints
    outer_cells: Ints
    outer_lines: Ints
    outer_labels: Ints
    outer_chances: Floats


OTHERS = record(
    Others,
    inner_lines="int64[:, ::1]",
    inner_cells="int64[::1]",
    inner_labels="int64[::1]",
    inner_chances="float64[::1]",
    starts="int64[::1]",
    outer_cells="int64[::1]",
    outer_lines="int64[:, ::1]",
    outer_labels="int64[::1]",
    outer_chances="float64[::1]",
)


@kernel("void(float64[:, :, ::1], uint32[::1], uint32[::1], float64[::1], float64[:, :, ::1])")
def contract(values, olds, news, weights, out):
    """Replace the middle axis of a table by another one, with a sparse matrix.

    Args:
        values: float64[before, old, after].
        olds, news: uint32[entries], indices of the matrix; they may repeat.
        weights: float64[entries].
        out: float64[before, new, after], in and out: the products are added.
    """
    after = values.shape[2]
    for before in range(values.shape[0]):
        for entry in range(weights.shape[0]):
            old, new, weight = olds[entry], news[entry], weights[entry]
            if after == 1:
                out[before, new, 0] += weight * values[before, old, 0]
            else:
                taken, into = values[before, old], out[before, new]
                for place in range(after):
                    into[place] += weight * taken[place]


@kernel(
    f"void(int64[::1], boolean[:, ::1], float64[:, ::1], {RESULTS}, int64[:, ::1], float64[:, ::1])"
)
def add_cells(plan_cells, champions, masses, results, owners, out):
    """Add all numbers that depend on the final cards only: everything but the shares.

    Args:
        plan_cells: int64[plans], the first cell of each plan; the cells of the others follow.
        champions: bool[plans, own seats], whether the plan plays a champion.
        masses: float64[plans, cells of the others].
        results: of every cell.
        owners: int64[n, 1], the player of each seat.
        out: float64[plans, columns], in and out, see ``expectations.expect``.
    """
    gained, points, marks = results
    n = owners.shape[0]
    own = champions.shape[1]
    players = 0
    for seat in range(n):
        players = max(players, owners[seat, 0] + 1)
    awards = 2 * players
    fates = awards + KINDS
    estimated = fates + FATES * own
    for plan in range(plan_cells.shape[0]):
        outcome = out[plan]
        for other in range(masses.shape[1]):
            mass = masses[plan, other]
            if mass == 0.0:
                continue
            cell = plan_cells[plan] + other
            for seat in range(n):
                outcome[owners[seat, 0]] += mass * gained[cell, seat]
            mark = marks[cell]
            for seat in range(own):
                awarded = points[cell, seat]
                for kind in range(KINDS):
                    outcome[awards + kind] += mass * (awarded >> (KIND_BITS * kind) & KIND_MASK)
                if champions[plan, seat]:
                    add_fate(outcome, fates, own, seat, mark, seat, mass)
            if not mark >> ARRIVED_SHIFT & SEATS_MASK:
                outcome[estimated] += mass
            outcome[estimated + 1] += mass


@kernel(
    f"void(int64[::1], int64[:, ::1], uint32[:, ::1], float64[:, :, ::1], {OTHERS}, boolean,"
    " boolean[:, :, ::1], float64[:, :, ::1], float64[:, ::1])"
)
def add_shares(plan_cells, own_lines, numbers, tables, others, by_label, taken, shares, masses):
    """Add the expected shares of the win, by joint line of the inner seats.

    All loops are here, because they share ten arrays over the inner lines.

    The seats are the asker's, then the *outer* seats, then the *inner* ones.  A cell is the sum of
    the parts of the asker, the outer and the inner seats.

    Args:
        plan_cells: int64[plans], the asker's part.
        own_lines: int64[plans, own seats], a line for each own seat.
        numbers: uint32[n, cells], see ``effects.number_effects``.
        tables: float64[n, lines, effects], potentials, see ``effects.tabulate_shares``.
        others: the joint lines of the outer and the inner seats.
        by_label: whether to add the asker's share by outer joint label, or the shares of all seats
            where the plans are taken.
        taken: bool[plans, outer joint labels, inner joint labels], where the plans are taken;
            not read with ``by_label``.
        shares: float64[plans, outer joint labels or n, inner joint lines], in and out, not yet
            multiplied by the inner chances.  The asker's total is at its first seat.
        masses: float64[plans, cells of the others], in and out: their probabilities where the plan
            is taken; unchanged with ``by_label``.
    """
    inner_lines, inner_cells, inner_labels, inner_chances = others[:4]
    starts, outer_cells, outer_lines, outer_labels, outer_chances = others[4:]
    own, outer, inner = own_lines.shape[1], outer_lines.shape[1], inner_lines.shape[0]
    size, labels = inner_cells.shape[0], taken.shape[1]
    fixed = own + outer
    flat = tables.reshape(-1)
    begins = np.empty((inner, size), np.uint32)
    for place in range(inner):
        for line in range(size):
            row = (fixed + place) * tables.shape[1] + inner_lines[place, line]
            begins[place, line] = row * tables.shape[2]
    cells = np.empty(size, np.uint32)
    mine, known, inverse, inverses = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    theirs = np.empty((inner, size))
    # The potentials of each line of the outer seats, and the block for which they were computed.
    potentials = np.empty((outer, tables.shape[1], size))
    computed = np.full((outer, tables.shape[1]), -1, np.int64)
    block = -1
    active = np.empty(labels, np.bool_)
    masks, mass = np.empty((labels, size)), np.empty(size)
    for plan in range(plan_cells.shape[0]):
        for label in range(labels):
            active[label] = False
            for line in range(size):
                counts = taken[plan, label, inner_labels[line]]
                masks[label, line] = 1.0 if counts else 0.0
                active[label] |= counts
        for joint in range(outer_cells.shape[0]):
            used = by_label
            for which in range(starts[joint], starts[joint + 1]):
                used = used or active[outer_labels[which]]
            if not used:
                continue
            block += 1
            first = plan_cells[plan] + outer_cells[joint]
            for line in range(size):
                cells[line] = np.uint32(first + inner_cells[line])
                mine[line] = 0.0
                inverses[line] = 0.0
                mass[line] = 0.0
            for seat in range(own):
                table, effects = tables[seat, own_lines[plan, seat]], numbers[seat]
                for line in range(size):
                    mine[line] += table[effects[cells[line]]]
            for line in range(size):
                known[line] = mine[line]
            for place in range(inner):
                effects = numbers[fixed + place]
                for line in range(size):
                    value = flat[np.uint32(begins[place, line] + effects[cells[line]])]
                    theirs[place, line] = value
                    known[line] += value
            for which in range(starts[joint], starts[joint + 1]):
                label, chance = outer_labels[which], outer_chances[which]
                if not (by_label or active[label]):
                    continue
                for line in range(size):
                    inverse[line] = known[line]
                for place in range(outer):
                    chosen = outer_lines[which, place]
                    other = potentials[place, chosen]
                    if computed[place, chosen] != block:
                        computed[place, chosen] = block
                        table, effects = tables[own + place, chosen], numbers[own + place]
                        for line in range(size):
                            other[line] = table[effects[cells[line]]]
                    for line in range(size):
                        inverse[line] += other[line]
                if by_label:
                    into = shares[plan, label]
                    for line in range(size):
                        into[line] += mine[line] * (chance / inverse[line])
                    continue
                mask = masks[label]
                for line in range(size):
                    weight = chance * mask[line]
                    inverse[line] = weight / inverse[line]
                    inverses[line] += inverse[line]
                    mass[line] += weight
                for place in range(outer):
                    into = shares[plan, own + place]
                    other = potentials[place, outer_lines[which, place]]
                    for line in range(size):
                        into[line] += other[line] * inverse[line]
            if not by_label:
                for line in range(size):
                    shares[plan, 0, line] += mine[line] * inverses[line]
                    cell = outer_cells[joint] + inner_cells[line]
                    masses[plan, cell] += mass[line] * inner_chances[line]
                for place in range(inner):
                    into = shares[plan, fixed + place]
                    for line in range(size):
                        into[line] += theirs[place, line] * inverses[line]
