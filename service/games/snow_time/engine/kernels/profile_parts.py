"""The parts of moves against mixed strategies of the other players, see ``parts.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.engine.kernels.effects import (
    FINALS,
    OPEN,
    OPTIONS,
    OPTIONS_OF_SEATS,
    OWNER,
)
from service.games.snow_time.engine.kernels.joint import PROFILE_CELLS, find_supports
from service.games.snow_time.engine.kernels.parts import (
    AFTER,
    CHANGES,
    END,
    SPACES,
    add_payoff_in_spaces,
    add_spaces,
    add_weighted_changes,
    sides,
    won_share,
)
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, RESULTS, SEATS_MASK


@kernel(
    f"void(int64, boolean, float64, int64[::1], float64[::1], {OPTIONS_OF_SEATS}, {PROFILE_CELLS},"
    f" {CHANGES}, {RESULTS}, float64[:, ::1])"
)
def add_profile_parts(
    asker, on_shares, opponent_weight, moves, strategies, options, profile_cells, changes, results,
    out,
):  # fmt: skip
    """Add the parts of a player's moves against the others' strategies.

    The loops are here together, because they share what is known of the profiles so far.

    Args:
        asker: the player.
        on_shares: whether the payoffs are shares of the win; otherwise they are spaces.
        opponent_weight: of the others' spaces; not read with ``on_shares``.
        moves, strategies: see ``joint.outcomes``.
        options: of all seats.
        profile_cells: the cells of the profiles.
        changes: of the position.
        results: of every cell.
        out: float64[moves of the asker, parts], in and out: own spaces of each kind, then the
            parts in ``parts.py``.
    """
    (seats, rows, added), (before, numbers, tables) = options, changes
    (cells, starts, mixed_cells, mixed_chances), (gained, points, marks) = profile_cells, results
    n, players = seats.shape[0], moves.shape[0]
    own_before, others_before = sides(before, seats, asker)
    potentials = np.ascontiguousarray(tables[:, :, :, AFTER])
    support = np.empty((players, moves.max()), np.int64)
    likely = np.empty((players, moves.max()), np.float64)
    sizes = np.zeros(players, np.int64)
    joint = find_supports(asker, moves, strategies, support, likely, sizes) // sizes[asker]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    first_seats = np.zeros(players + 1, np.int64)
    for seat in range(n):
        first_seats[seats[seat, OWNER] + 1] = seat + 1
    option_rows, rows_here = np.empty(n, np.int64), np.empty(n, np.int64)
    # The weights of the changes of each seat, by its row and effect.
    weights = np.empty(potentials.shape)
    # Profile numbers and probabilities of the first players' moves.  Only the entries from the
    # player whose move changed last are computed again.
    profiles, chances = np.zeros(players + 1, np.int64), np.ones(players + 1)
    move = np.zeros(players, np.int64)
    for own_move in range(moves[asker]):
        weights[:] = 0.0
        into = out[own_move]
        move[:] = 0
        move[asker] = own_move
        changed = 0
        for _ in range(joint):
            for player in range(changed, players):
                number = support[player, move[player]]
                profiles[player + 1] = profiles[player] * moves[player] + number
                chances[player + 1] = chances[player] * likely[player, move[player]]
                for seat in range(first_seats[player + 1] - 1, first_seats[player] - 1, -1):
                    option_rows[seat] = rows[seat, number % seats[seat, OPTIONS]]
                    number //= seats[seat, OPTIONS]
            profile, chance = profiles[players], chances[players]
            begin, end = 0, 1
            mixed = cells[profile] < 0
            if mixed:
                begin, end = starts[-1 - cells[profile]], starts[-cells[profile]]
            for place in range(begin, end):
                cell = np.int64(mixed_cells[place] if mixed else cells[profile])
                mass = chance * mixed_chances[place] if mixed else chance
                if not on_shares:
                    add_payoff_in_spaces(
                        into, mass, opponent_weight, asker, seats, gained[cell], points[cell]
                    )
                    continue
                own_after, others_after = 0.0, 0.0
                for seat in range(n):
                    row = option_rows[seat]
                    if row == OPEN:
                        row = added + cell // strides[seat] % seats[seat, FINALS]
                    rows_here[seat] = row
                    potential = potentials[seat, row, numbers[seat, cell]]
                    if seats[seat, OWNER] == asker:
                        own_after += potential
                    else:
                        others_after += potential
                after = own_after + others_after
                scale = 0.5 * mass / ((own_before + others_before) * after)
                own_weight = scale * (others_before + others_after)
                weight = scale * (own_before + own_after)
                for seat in range(n):
                    row, number, moved = rows_here[seat], numbers[seat, cell], gained[cell, seat]
                    if seats[seat, OWNER] != asker:
                        weights[seat, row, number] += weight
                        continue
                    weights[seat, row, number] += own_weight
                    if moved:
                        space = own_weight * tables[seat, row, number, SPACES] / moved
                        add_spaces(into, space, np.int64(moved), np.int64(points[cell, seat]))
                if marks[cell] >> ARRIVED_SHIFT & SEATS_MASK:
                    won = won_share(np.int64(marks[cell]), seats, asker)
                    into[END] += mass * (won - own_after / after)
            for player in range(players - 1, -1, -1):
                if player != asker:
                    changed = player
                    move[player] += 1
                    if move[player] < sizes[player]:
                        break
                    move[player] = 0
        add_weighted_changes(into, asker, weights, tables, seats)
