"""Expected outcomes of one player's plans against given strategies of the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    CELLS,
    FATES,
    KIND_BITS,
    KIND_MASK,
    SEATS_MASK,
    TAKEN_SHIFT,
    add_fate,
)


@kernel("int64(int64[::1], int64[::1], int64)")
def _advance(choice, counts, first):
    """Advance to the next joint choice of the seats from ``first`` on, the last seat fastest.

    Returns:
        The first seat whose choice has changed.
    """
    seat = choice.shape[0] - 1
    while seat >= first:
        choice[seat] += 1
        if choice[seat] < counts[seat]:
            return seat
        choice[seat] = 0
        seat -= 1
    return first


class Lines(NamedTuple):
    """The lines of all seats: complete moves.

    Attributes:
        lines: int64[n, most, 5]: index into the seat's finals, hand after the round without the
            champion played, that champion's bit, first label, second label.
        probabilities: float64[n, most], of each line of the others.
        counts: int64[n], lines by seat.
        final_counts: int64[n], final cards by seat.
    """

    lines: Any
    probabilities: Any
    counts: Any
    final_counts: Any


class Plans(NamedTuple):
    """The plans of the asker, and the rows of their outcomes.

    Attributes:
        lines: int64[plans, own seats], a line for each own seat.
        labels: int64[plans], the labels that distinguish the plan's rows: 0 none, 1 first labels,
            2 second labels.
        rows: int64[plans], the plan's first row.
        strides: int64[3, n], row stride of each seat's label.
    """

    lines: Any
    labels: Any
    rows: Any
    strides: Any


class Potentials(NamedTuple):
    """The evaluator, see ``evaluation.EvaluatorTables``."""

    potentials: Any
    hands: Any
    classes: Any


class After(NamedTuple):
    """What the positions after the round are worth; empty without continuation values.

    Attributes:
        ids: int32[plans * joint lines], the position that each reaches.
        values: float64[positions, 2 * players + 1]: spaces gained by player, shares by player, the
            probability that the shares are estimates.
    """

    ids: Any
    values: Any


LINES = record(
    Lines, lines="int64[:, :, ::1]", probabilities="float64[:, ::1]", counts="int64[::1]",
    final_counts="int64[::1]",
)  # fmt: skip
PLANS = record(
    Plans, lines="int64[:, ::1]", labels="int64[::1]", rows="int64[::1]", strides="int64[:, ::1]"
)
POTENTIALS = record(
    Potentials, potentials="float64[:, ::1]", hands="float64[:, ::1]", classes="int64[::1]"
)
AFTER = record(After, ids="int32[::1]", values="float64[:, ::1]")


@kernel("void(int64, int64[:, ::1], float64[::1])")
def _share_win(arrived, owners, share):
    """Fill in the shares of the win of a game that is over, by player.

    Args:
        arrived: the seats that reached the last space, as a mask.
        owners: int64[n, 1].
        share: float64[players], out.
    """
    winners = 0.0
    share[:] = 0.0
    for seat in range(owners.shape[0]):
        if arrived >> seat & 1 and share[owners[seat, 0]] == 0.0:
            share[owners[seat, 0]] = 1.0
            winners += 1.0
    for player in range(share.shape[0]):
        share[player] /= winners


@kernel(
    f"void(int64[::1], int64[:, ::1], {POTENTIALS}, int64[:, :, ::1], int64[::1], int64,"
    " float64[::1])"
)
def _estimate(reached, owners, evaluator, hand_classes, choice, standing, share):
    """Fill in the estimated shares of the win, by player.

    Args:
        reached: int64[n], the markers after the round.
        owners: int64[n, 1].
        hand_classes: int64[n, lines, 2], of the hand after each line, if its champion falls and if
            it returns.
        choice: int64[n], the line of each seat.
        standing: the seats whose champion returns, as a mask.
        share: float64[players], out.
    """
    leader = 0
    for seat in range(owners.shape[0]):
        leader = max(leader, reached[seat])
    total = 0.0
    share[:] = 0.0
    for seat in range(owners.shape[0]):
        hand_class = hand_classes[seat, choice[seat], standing >> seat & 1]
        potential = evaluator.potentials[leader, reached[seat]]
        potential *= evaluator.hands[leader, hand_class]
        share[owners[seat, 0]] += potential
        total += potential
    for player in range(share.shape[0]):
        share[player] /= total


@kernel(
    f"void({CELLS}, int64[::1], int64[:, ::1], {LINES}, {PLANS}, {POTENTIALS}, {AFTER},"
    " float64[:, :, ::1])"
)
def expect(cells, scores, owners, lines, plans, evaluator, after, out):
    """Compute the expected outcome of each plan of the asker, by the cards that are revealed.

    The loops are here together, because they share the prefixes of the joint line so far.

    A line is one complete move of a seat.  The asker's ``own`` seats come first, and a plan is one
    line for each of them.  The outcome of every joint line of the others, weighted by its
    probability, is added to the row of the labels that the joint line reveals.

    Args:
        cells: of every joint choice of final cards.
        scores: int64[n], the markers before the round.
        owners: int64[n, 1], the player of each seat.
        lines, plans, evaluator, after: see there.
        out: float64[batch, rows, columns], zeroed on entry: spaces gained by player, shares by
            player, the asker's fight, fruit, mana and bonus points, the fates of own champions
            (see ``rounds.add_fate``), the probability that the share is an estimate, and the
            probability of the row.
    """
    gained, points, marks = cells
    moves, probabilities, counts, _ = lines
    n, own = counts.shape[0], plans.lines.shape[1]
    players = 0
    for seat in range(n):
        players = max(players, owners[seat, 0] + 1)
    cell_strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        cell_strides[seat] = cell_strides[seat + 1] * lines.final_counts[seat + 1]
    joint = 1
    for seat in range(own, n):
        joint *= counts[seat]
    choice = np.zeros(n, np.int64)
    reached = np.empty(n, np.int64)
    share = np.empty(players, np.float64)
    hand_classes = np.zeros((n, moves.shape[1], 2), np.int64)
    for seat in range(n):
        for line in range(counts[seat]):
            hand = moves[seat, line, 1]
            hand_classes[seat, line, 0] = evaluator.classes[hand]
            hand_classes[seat, line, 1] = evaluator.classes[hand | moves[seat, line, 2]]
    # Prefix values up to each seat: cell, probability and row.
    cells_to = np.zeros(n + 1, np.int64)
    chances = np.ones(n + 1, np.float64)
    rows = np.zeros(n + 1, np.int64)
    has_continuation = after.ids.shape[0] > 0
    awards = 2 * players
    for batch in range(marks.shape[0]):
        for plan in range(plans.lines.shape[0]):
            for seat in range(own):
                choice[seat] = plans.lines[plan, seat]
            for seat in range(own, n):
                choice[seat] = 0
            level = plans.labels[plan]
            rows[0] = plans.rows[plan]
            changed = 0
            for line in range(joint):
                for seat in range(changed, n):
                    mine = choice[seat]
                    cells_to[seat + 1] = cells_to[seat] + cell_strides[seat] * moves[seat, mine, 0]
                    chances[seat + 1], rows[seat + 1] = chances[seat], rows[seat]
                    if seat >= own:
                        chances[seat + 1] *= probabilities[seat, mine]
                        if level:
                            label = moves[seat, mine, 2 + level]
                            rows[seat + 1] += plans.strides[level, seat] * label
                probability, cell, row = chances[n], cells_to[n], rows[n]
                standing = marks[batch, cell]
                outcome = out[batch, row]
                arrived = standing >> ARRIVED_SHIFT & SEATS_MASK
                estimated = 0.0
                if arrived:
                    _share_win(arrived, owners, share)
                elif has_continuation:
                    reaches = after.ids[plan * joint + line]
                    estimated = after.values[reaches, 2 * players]
                    for player in range(players):
                        share[player] = after.values[reaches, players + player]
                        outcome[player] += probability * after.values[reaches, player]
                else:
                    estimated = 1.0
                    for seat in range(n):
                        reached[seat] = scores[seat] + gained[batch, cell, seat]
                    _estimate(reached, owners, evaluator, hand_classes, choice, standing, share)
                for seat in range(n):
                    outcome[owners[seat, 0]] += probability * gained[batch, cell, seat]
                for player in range(players):
                    outcome[players + player] += probability * share[player]
                for seat in range(own):
                    for kind in range(4):
                        outcome[awards + kind] += probability * (
                            points[batch, cell, seat] >> (KIND_BITS * kind) & KIND_MASK
                        )
                    if moves[seat, choice[seat], 2]:
                        add_fate(outcome, awards + 4, own, seat, standing, seat, probability)
                outcome[awards + 4 + FATES * own] += probability * estimated
                outcome[awards + 5 + FATES * own] += probability
                changed = _advance(choice, counts, own)


@kernel(
    "void(uint8[:, ::1], int32[::1], int64[::1], int64[::1], int64[::1], int64[:, :, ::1],"
    " int64[::1], int64[:, ::1], int64, int16[:, ::1])"
)
def reach(
    gained,
    marks,
    fruit,
    final_counts,
    scores,
    lines,
    counts,
    own_plans,
    first,
    out,
):
    """List the positions after the round, for plans of the asker and joint lines of the others.

    Joint lines are numbered plan by plan, the last seat's line varying fastest.

    Args:
        first: the number of the first joint line to list.
        out: int16[k, 2 n + 7], out: scores, hands, fruit, and 1 if the game is over.

    The other arguments are those of :func:`expect`, its ``Lines`` and ``Plans``, for one position.
    """
    n = counts.shape[0]
    own = own_plans.shape[1]
    joint = 1
    for seat in range(own, n):
        joint *= counts[seat]
    choice = np.zeros(n, np.int64)
    cell_strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        cell_strides[seat] = cell_strides[seat + 1] * final_counts[seat + 1]
    for row in range(out.shape[0]):
        plan, line = (first + row) // joint, (first + row) % joint
        for seat in range(own):
            choice[seat] = own_plans[plan, seat]
        for seat in range(n - 1, own - 1, -1):
            choice[seat] = line % counts[seat]
            line //= counts[seat]
        cell = 0
        for seat in range(n):
            cell += cell_strides[seat] * lines[seat, choice[seat], 0]
        standing, taken = marks[cell], marks[cell] >> TAKEN_SHIFT
        for seat in range(n):
            hand = lines[seat, choice[seat], 1]
            if standing >> seat & 1:
                hand |= lines[seat, choice[seat], 2]
            out[row, seat] = scores[seat] + gained[cell, seat]
            out[row, n + seat] = hand
        for level in range(6):
            out[row, 2 * n + level] = 0 if taken >> level & 1 else fruit[level]
        out[row, 2 * n + 6] = 1 if standing >> ARRIVED_SHIFT & SEATS_MASK else 0
