"""The parts of plans against given lines of the other seats, see ``parts.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.engine.kernels.contractions import OTHERS
from service.games.snow_time.engine.kernels.effects import OWNER
from service.games.snow_time.engine.kernels.parts import (
    AFTER,
    CHANGES,
    END,
    OTHERS_SPACES,
    SPACES,
    add_spaces,
    add_weighted_changes,
    sides,
    won_share,
)
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, RESULTS, SEATS_MASK


@kernel(
    f"void(float64, int64[::1], {OTHERS}, boolean[:, :, ::1], int64[:, ::1], {RESULTS},"
    " float64[:, ::1])"
)
def add_plan_spaces(opponent_weight, plan_cells, others, taken, seats, results, out):
    """Add the parts of the asker's payoff in spaces where its plans are taken.

    Spaces depend on the final cards only, so the probabilities of the joint lines with the same
    final cards are summed first.

    Args:
        opponent_weight: of the others' spaces.
        plan_cells: see ``contractions.add_shares``, also for the order of the seats.
        others, taken: see there.
        seats: int64[n, 6], see the columns of ``effects``; the asker's come first.
        results: of every cell.
        out: float64[plans, parts], in and out, see ``parts.add_payoff_in_spaces``.
    """
    _, inner_cells, inner_labels, inner_chances = others[:4]
    starts, outer_cells, _, outer_labels, outer_chances = others[4:]
    gained, points, _ = results
    n, labels, finals = seats.shape[0], taken.shape[1], inner_cells.max() + 1
    own = 1
    while seats[own, OWNER] == seats[0, OWNER]:
        own += 1
    mass = np.empty(finals)
    # By outer joint label: the probabilities of the inner final cards where the plan is taken.
    active, masses = np.empty(labels, np.bool_), np.empty((labels, finals))
    for plan in range(plan_cells.shape[0]):
        into, of_others = out[plan], 0.0
        masses[:] = 0.0
        for label in range(labels):
            active[label] = False
            for line in range(inner_cells.shape[0]):
                if taken[plan, label, inner_labels[line]]:
                    active[label] = True
                    masses[label, inner_cells[line]] += inner_chances[line]
        for joint in range(outer_cells.shape[0]):
            mass[:] = 0.0
            for which in range(starts[joint], starts[joint + 1]):
                label, chance = outer_labels[which], outer_chances[which]
                if active[label]:
                    for final in range(finals):
                        mass[final] += chance * masses[label, final]
            for final in range(finals):
                chance, cell = mass[final], plan_cells[plan] + outer_cells[joint] + final
                if chance == 0.0:
                    continue
                moved = 0
                for seat in range(own, n):
                    moved += gained[cell, seat]
                of_others += chance * moved
                for seat in range(own):
                    if gained[cell, seat]:
                        spaces = np.int64(gained[cell, seat])
                        add_spaces(into, chance, spaces, np.int64(points[cell, seat]))
        into[OTHERS_SPACES] -= opponent_weight * of_others


@kernel(
    f"void(int64[::1], int64[:, ::1], {CHANGES}, {OTHERS}, boolean[:, :, ::1], int64[:, ::1],"
    f" {RESULTS}, float64[:, ::1])"
)
def add_plan_shares(plan_cells, own_lines, changes, others, taken, seats, results, out):
    """Add the parts of the asker's share of the win where its plans are taken.

    All loops are here, because they share ten arrays over the inner lines.

    Args:
        plan_cells, own_lines: see ``contractions.add_shares``, also for the order of the seats.
        changes: of the position.
        others: see ``contractions.Others``.
        taken: bool[plans, outer joint labels, inner joint labels].
        seats: int64[n, 6], see the columns of ``effects``; the asker's come first.
        results: of every cell.
        out: float64[plans, parts], in and out, see ``parts.add_weighted_changes``.
    """
    inner_lines, inner_cells, inner_labels, inner_chances = others[:4]
    starts, outer_cells, outer_lines, outer_labels, outer_chances = others[4:]
    (before, numbers, tables), (gained, points, marks) = changes, results
    own, outer, inner = own_lines.shape[1], outer_lines.shape[1], inner_lines.shape[0]
    size, lines = inner_cells.shape[0], tables.shape[1]
    asker = seats[0, OWNER]
    own_before, others_before = sides(before, seats, asker)
    scale = 0.5 / (own_before + others_before)
    potentials = np.ascontiguousarray(tables[:, :, :, AFTER])
    # Unsigned indices need no check for negative values.
    cells = np.empty(size, np.uint32)
    mine, known = np.empty(size), np.empty(size)
    inverse, inverses, mass = np.empty(size), np.empty(size), np.empty(size)
    factors, own_weights = np.empty(size), np.empty(size)
    active, masks = np.empty(taken.shape[1], np.bool_), np.empty((taken.shape[1], size))
    # By line of each outer seat: its potentials, and the sums of the inverses where it is chosen.
    theirs, chosen_inverses = np.empty((outer, lines, size)), np.empty((outer, lines, size))
    chosen_in = np.full((outer, lines), -1, np.int64)
    # The weights of the changes of each seat, by its line and effect; the asker's, by cell.
    weights = np.empty(potentials.shape)
    by_cell = np.empty(outer_cells.max() + inner_cells.max() + 1)
    block = -1
    for plan in range(plan_cells.shape[0]):
        into = out[plan]
        weights[:] = 0.0
        by_cell[:] = 0.0
        for label in range(taken.shape[1]):
            active[label] = False
            for line in range(size):
                counts = taken[plan, label, inner_labels[line]]
                masks[label, line] = 1.0 if counts else 0.0
                active[label] |= counts
        for joint in range(outer_cells.shape[0]):
            used = False
            for which in range(starts[joint], starts[joint + 1]):
                used |= active[outer_labels[which]]
            if not used:
                continue
            block += 1
            for line in range(size):
                cells[line] = np.uint32(plan_cells[plan] + outer_cells[joint] + inner_cells[line])
                mine[line], inverses[line], mass[line] = 0.0, 0.0, 0.0
            for seat in range(own):
                table, effects = potentials[seat, own_lines[plan, seat]], numbers[seat]
                for line in range(size):
                    mine[line] += table[effects[cells[line]]]
            for line in range(size):
                known[line] = mine[line]
            for place in range(inner):
                seat = own + outer + place
                table, effects = potentials[seat], numbers[seat]
                for line in range(size):
                    known[line] += table[inner_lines[place, line], effects[cells[line]]]
            for which in range(starts[joint], starts[joint + 1]):
                label, chance = outer_labels[which], outer_chances[which]
                if not active[label]:
                    continue
                mask = masks[label]
                for line in range(size):
                    inverse[line] = known[line]
                for place in range(outer):
                    chosen = outer_lines[which, place]
                    if chosen_in[place, chosen] != block:
                        chosen_in[place, chosen] = block
                        table, effects = potentials[own + place, chosen], numbers[own + place]
                        for line in range(size):
                            theirs[place, chosen, line] = table[effects[cells[line]]]
                            chosen_inverses[place, chosen, line] = 0.0
                    other = theirs[place, chosen]
                    for line in range(size):
                        inverse[line] += other[line]
                for line in range(size):
                    weight = chance * mask[line]
                    mass[line] += weight
                    inverse[line] = weight / inverse[line]
                    inverses[line] += inverse[line]
                for place in range(outer):
                    sums = chosen_inverses[place, outer_lines[which, place]]
                    for line in range(size):
                        sums[line] += inverse[line]
            for line in range(size):
                chance = scale * inner_chances[line]
                # The others' potentials after the round times the inverse are 1 - mine × inverse.
                share = mine[line] * inverses[line]
                own_weights[line] = chance * (others_before * inverses[line] + mass[line] - share)
                factors[line] = chance * (own_before + mine[line])
            for line in range(size):
                by_cell[outer_cells[joint] + inner_cells[line]] += own_weights[line]
            for line in range(size):
                mark = np.int64(marks[cells[line]])
                if mark >> ARRIVED_SHIFT & SEATS_MASK:
                    won = won_share(mark, seats, asker)
                    share = mine[line] * inverses[line]
                    into[END] += inner_chances[line] * (mass[line] * won - share)
            for place in range(inner):
                seat = own + outer + place
                by_line, effects = weights[seat], numbers[seat]
                for line in range(size):
                    weight = factors[line] * inverses[line]
                    by_line[inner_lines[place, line], effects[cells[line]]] += weight
            for place in range(outer):
                seat = own + place
                for chosen in range(lines):
                    if chosen_in[place, chosen] != block:
                        continue
                    sums, by_effect = chosen_inverses[place, chosen], weights[seat, chosen]
                    effects = numbers[seat]
                    for line in range(size):
                        by_effect[effects[cells[line]]] += factors[line] * sums[line]
        for other in range(by_cell.shape[0]):
            weight = by_cell[other]
            if weight == 0.0:
                continue
            cell = plan_cells[plan] + other
            for seat in range(own):
                chosen, number = own_lines[plan, seat], numbers[seat, cell]
                moved = np.int64(gained[cell, seat])
                weights[seat, chosen, number] += weight
                if moved:
                    space = weight * tables[seat, chosen, number, SPACES] / moved
                    add_spaces(into, space, moved, np.int64(points[cell, seat]))
        add_weighted_changes(into, asker, weights, tables, seats)
