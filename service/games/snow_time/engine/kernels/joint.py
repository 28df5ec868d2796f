"""A simultaneous decision of all players as a game in normal form, with later decisions included.

A *profile* is one option of every seat, the last seat varying fastest.  An option shows a final
card at once or leaves it open because its watcher adds a card after the reveal.  The final cards of
all seats are a *cell*, numbered in the same way.  If only one player has open watchers, they add
the cards that are best for that player.  If several players have open watchers, each adds at first
the best cards against others that add nothing, until the solver settles the profile as a subgame.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snow_time.engine.kernels.effects import (
    ADDABLE,
    FINALS,
    NOTHING,
    OPEN,
    OPTIONS,
    OWNER,
    Options,
    add_values,
)
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    FATES,
    KIND_BITS,
    KIND_MASK,
    KINDS,
    RESULTS,
    SEATS_MASK,
    SPARED,
    add_fate,
)


class ProfileCells(NamedTuple):
    """The cells of profiles.

    Attributes:
        cells: int32[profiles], the cell of each profile, or ``-1 - k`` for the k-th mixture.
        starts: int64[mixtures + 1], index of the first cell of each mixture.
        mixed_cells: int32[...], the cells of the mixtures.
        mixed_chances: float64[...], their probabilities.
    """

    cells: Any
    starts: Any
    mixed_cells: Any
    mixed_chances: Any


PROFILE_CELLS = record(
    ProfileCells, cells="int32[::1]", starts="int64[::1]", mixed_cells="int32[::1]",
    mixed_chances="float64[::1]",
)  # fmt: skip
MIN_GAIN = 1e-12
"""A later candidate replaces an earlier one only if it is better by more than rounding noise."""


@kernel("uint32[::1](uint32[::1], uint32[::1])")
def _sums(some, more):
    """Return all sums of one element of each array, the second varying fastest."""
    return (some.reshape((-1, 1)) + more).ravel()


@kernel(
    "void(int64[::1], int64[:, ::1], uint32[:, ::1], float64[:, :, ::1], int64[:, ::1], int64,"
    " boolean, float64, int32[:, ::1])"
)
def best_added_cards(
    watchers, seats, numbers, tables, rows, added, win_shares, opponent_weight, answers
):
    """Find the best final cards of one player's watchers for each choice of all other seats.

    Args:
        watchers: int64[sets], sets of open seats of one player, as masks.
        seats, numbers, tables, added: see ``effects.add_values``.
        rows: int64[n, 16], the table row of each final card that is shown at once.
        win_shares: whether values are shares of the win; else they are spaces.
        opponent_weight: how much a space gained by others counts against an own space.
        answers: int32[sets, cells], out: the cell with the best cards, stored at the cell in which
            the watchers show their first final cards.
    """
    n = seats.shape[0]
    cells = numbers.shape[1]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    # Totals of all seats if all of them show their final cards at once.
    together = seats.copy()
    for seat in range(n):
        together[seat, OPTIONS], together[seat, OWNER] = seats[seat, FINALS], 0
    totals = np.zeros(cells, np.float64)
    others_count = win_shares or opponent_weight != 0.0
    if others_count:
        everything = np.arange(cells).astype(np.uint32)
        unused = np.zeros((1, cells), np.float64)
        options = Options(together, rows, added)
        add_values(everything, numbers, tables, options, unused, totals)
    most = np.empty(cells, np.float64)
    own_value, change = np.empty(cells, np.float64), np.empty(cells, np.float64)
    for which in range(watchers.shape[0]):
        watching = watchers[which]
        best = answers[which]
        # The cells in which the watchers show their first cards, and the offsets to other cards.
        bases, offsets = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
        owner = 0
        for seat in range(n):
            steps = (np.arange(seats[seat, FINALS]) * strides[seat]).astype(np.uint32)
            if watching >> seat & 1:
                owner = seats[seat, OWNER]
                offsets = _sums(offsets, steps[: seats[seat, ADDABLE]])
            else:
                bases = _sums(bases, steps)
        many = bases.shape[0]
        most[:many] = -np.inf
        for offset in offsets:
            own_value[:many] = 0.0
            change[:many] = 0.0
            for seat in range(n):
                if seats[seat, OWNER] != owner:
                    continue
                effects = numbers[seat]
                if watching >> seat & 1:
                    final = offset // strides[seat] % seats[seat, FINALS]
                    later, shown = tables[seat, added + final], tables[seat, rows[seat, final]]
                    for place in range(many):
                        effect = effects[np.uint32(bases[place] + offset)]
                        own_value[place] += later[effect]
                        change[place] += later[effect] - shown[effect]
                else:
                    for place in range(many):
                        final = bases[place] // strides[seat] % seats[seat, FINALS]
                        effect = effects[np.uint32(bases[place] + offset)]
                        own_value[place] += tables[seat, rows[seat, final], effect]
            for place in range(many):
                base = bases[place]
                value = own_value[place]
                if others_count:
                    total = totals[np.uint32(base + offset)]
                    if win_shares:
                        value /= total + change[place]
                    else:
                        value -= opponent_weight * (total - value)
                if value > most[place] + MIN_GAIN:
                    most[place] = value
                    best[base] = base + offset


@kernel(
    "int64(int64[:, ::1], int64[:, ::1], int64[::1], int64, int32[::1], int32[::1], int32[:, ::1])"
)
def list_additions(seats, finals, rows, cells, masks, shown, additions):
    """List where watchers add cards, and which answers of ``best_added_cards`` say what they add.

    Args:
        seats: int64[n, 6], see the columns above; players ascend.
        finals: int64[n, most options], the final card of each option as an index, or ``OPEN``.
        rows: int64[32], the row in the answers of each mask of watchers.
        cells: number of cells.
        masks: int32[profiles], out: the seats whose final cards are open.
        shown: int32[profiles], out: the cell without the cards that watchers add.
        additions: int32[k, 3], out, one row for each player with open seats in a profile: the
            profile, the place in the flattened answers, and the base of the answer there.

    Returns:
        The number of additions.
    """
    n = seats.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    players = seats[n - 1, OWNER] + 1
    seats_of = np.zeros(players, np.int64)
    for seat in range(n):
        seats_of[seats[seat, OWNER]] |= 1 << seat
    option = np.zeros(n, np.int64)
    count = 0
    for profile in range(shown.shape[0]):
        watching, cell = 0, 0
        for seat in range(n):
            final = finals[seat, option[seat]]
            if final == OPEN:
                watching |= 1 << seat
            else:
                cell += strides[seat] * final
        masks[profile], shown[profile] = watching, cell
        for player in range(players):
            own = watching & seats_of[player]
            if own:
                base = cell
                for seat in range(n):
                    if (watching & ~own) >> seat & 1:
                        base += strides[seat] * seats[seat, NOTHING]
                additions[count, 0] = profile
                additions[count, 1] = rows[own] * cells + base
                additions[count, 2] = base
                count += 1
        for seat in range(n - 1, -1, -1):
            option[seat] += 1
            if option[seat] < seats[seat, OPTIONS]:
                break
            option[seat] = 0
    return count


@kernel("void(int32[:, ::1], int32[::1], int32[::1])")
def add_cards(additions, answers, cells):
    """Change the cell of every profile by the cards that watchers add.

    Args:
        additions: int32[k, 3], see :func:`list_additions`.
        answers: int32[sets × cells], see :func:`best_added_cards`.
        cells: int32[profiles], in: without these cards; out: with them.
    """
    for which in range(additions.shape[0]):
        # The answer differs from its base only in the cards that the own watchers add.
        cells[additions[which, 0]] += answers[additions[which, 1]] - additions[which, 2]


@kernel("int64(int64, int64[::1], float64[::1], int64[:, ::1], float64[:, ::1], int64[::1])")
def find_supports(asker, moves, strategies, support, likely, sizes):
    """List the moves of each player that have positive probability, and all moves of the asker.

    Args:
        asker: the player.
        moves: int64[players], number of moves of each player.
        strategies: float64[sum of moves], the strategies of all players, concatenated.
        support: int64[players, most moves], out.
        likely: float64[players, most moves], out: the probabilities, 1 for the asker.
        sizes: int64[players], zeroed on entry, out.

    Returns:
        The number of joint moves.
    """
    joint, first = 1, 0
    for player in range(moves.shape[0]):
        for number in range(moves[player]):
            chance = strategies[first + number]
            if player == asker or chance > 0.0:
                support[player, sizes[player]] = number
                likely[player, sizes[player]] = 1.0 if player == asker else chance
                sizes[player] += 1
        first += moves[player]
        joint *= sizes[player]
    return joint


@kernel(
    f"void(int64, int64[::1], float64[::1], int64[:, ::1], int64[:, ::1], float64[:, ::1],"
    f" float64[:, ::1], {PROFILE_CELLS}, {RESULTS}, float64[:, ::1])"
)
def outcomes(asker, moves, strategies, seats, cards, shares, later, profile_cells, results, out):
    """Compute the expected outcome of each move of a player against the others' strategies.

    The loops are here together, because they share what is known of the profiles so far.

    Args:
        asker: the player whose moves are evaluated.
        moves: int64[players], number of moves (joint options of its seats) of each player.
        strategies: float64[sum of moves], the strategies of all players, concatenated.
        seats: int64[n, 6], see the columns of ``effects``; players ascend.
        cards: int64[n, 16], the final cards of each seat, see ``rounds.SPARED``.
        shares: float64[players, profiles], shares of the win.
        later: float64[players, profiles], spaces gained in further rounds; or float64[players, 0].
        profile_cells: the cells of the profiles.
        results: of every cell.
        out: float64[moves of the asker, columns], zeroed on entry: spaces gained by player, shares
            by player, the asker's fight, fruit, mana and bonus points, the fates of own champions
            (see ``rounds.add_fate``), the probability that the share is an estimate, and the total
            probability.
    """
    (cells, starts, mixed_cells, mixed_chances), (gained, points, marks) = profile_cells, results
    n, players, further = seats.shape[0], moves.shape[0], later.shape[1] > 0
    first_seat, own = -1, 0
    for seat in range(n):
        if seats[seat, OWNER] == asker:
            if first_seat < 0:
                first_seat = seat
            own += 1
    support = np.empty((players, moves.max()), np.int64)
    likely = np.empty((players, moves.max()), np.float64)
    sizes = np.zeros(players, np.int64)
    joint = find_supports(asker, moves, strategies, support, likely, sizes)
    # How far apart two consecutive final cards of a seat are in the numbering of cells.
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    awards = 2 * players
    fates = awards + KINDS
    estimated = fates + FATES * own
    # Profile numbers and probabilities of the first players' moves.  Only the entries from the
    # player whose move changed last are computed again.
    profiles, chances = np.zeros(players + 1, np.int64), np.ones(players + 1, np.float64)
    move = np.zeros(players, np.int64)
    changed = 0
    for _ in range(joint):
        for player in range(changed, players):
            number = support[player, move[player]]
            profiles[player + 1] = profiles[player] * moves[player] + number
            chances[player + 1] = chances[player] * likely[player, move[player]]
        profile, chance = profiles[players], chances[players]
        outcome = out[support[asker, move[asker]]]
        if further:
            for player in range(players):
                outcome[player] += chance * later[player, profile]
        for player in range(players):
            outcome[players + player] += chance * shares[player, profile]
        begin, end = 0, 1
        mixed = cells[profile] < 0
        if mixed:
            begin, end = starts[-1 - cells[profile]], starts[-cells[profile]]
        for place_in_mixture in range(begin, end):
            cell = mixed_cells[place_in_mixture] if mixed else cells[profile]
            mass = chance * mixed_chances[place_in_mixture] if mixed else chance
            mark = marks[cell]
            for seat in range(n):
                outcome[seats[seat, OWNER]] += mass * gained[cell, seat]
            for place in range(own):
                seat = first_seat + place
                awarded = points[cell, seat]
                for kind in range(KINDS):
                    outcome[awards + kind] += mass * (awarded >> (KIND_BITS * kind) & KIND_MASK)
                back = mark >> seat & 1
                card = 1
                if not back:
                    card = cards[seat, cell // strides[seat] % seats[seat, FINALS]]
                if card % SPARED:
                    add_fate(outcome, fates, own, place, mark, seat, mass)
            if not mark >> ARRIVED_SHIFT & SEATS_MASK:
                outcome[estimated] += mass
            outcome[estimated + 1] += mass
        for player in range(players - 1, -1, -1):
            changed = player
            move[player] += 1
            if move[player] < sizes[player]:
                break
            move[player] = 0
