"""A decision of all players at once as a game in normal form, later decisions folded in.

A *profile* is one option of every seat, the last seat's turning fastest.  An option shows a final
card at once or leaves it open, for its watcher adds one after the reveal.  The final cards of all
seats are a *cell*, numbered in the same way.  Where one player's watchers are alone they answer
what everybody shows with the cards that are best for them.  Where several players' watchers meet,
each answers at first as if the others added nothing, until the profile is settled.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.engine.kernels.effects import (
    FINALS,
    NOTHING,
    OPEN,
    OPTIONS,
    OWNER,
    add_values,
)
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    FATES,
    KIND_BITS,
    KIND_MASK,
    KINDS,
    SEATS_MASK,
    add_fate,
)

LEAST_GAIN = 1e-12
"""An answer is better than an earlier one only by more than rounding noise."""


@kernel("uint32[::1](uint32[::1], uint32[::1])")
def _sums(some, more):
    """All sums of one of each, the latter turning fastest."""
    return (some.reshape((-1, 1)) + more).ravel()


@kernel(
    "void(int64[::1], int64[:, ::1], uint32[:, ::1], float64[:, :, ::1], int64[:, ::1], int64,"
    " boolean, float64, int32[:, ::1])"
)
def best_added_cards(
    watchers, seats, numbers, tables, rows, added, win_shares, opponent_weight, answers
):
    """The best final cards of one player's watchers for each choice of everybody else.

    Args:
        watchers: int64[sets], seats of one player whose final cards are open, as masks.
        seats, numbers, tables, added: see ``effects.add_worths``.
        rows: int64[n, 9], the row of the table for each final card where it is shown at once.
        on_shares: whether players pursue shares of the win, or spaces.
        against: what a space gained by others counts against the own ones.
        answers: int32[sets, cells], out: the cell with the best cards, at the cell where the
            watchers show their first ones.
    """
    n = seats.shape[0]
    cells = numbers.shape[1]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    # Of all seats together where all show their final cards at once.
    together = seats.copy()
    together[:, OPTIONS] = seats[:, FINALS]
    together[:, OWNER] = 0
    totals = np.zeros(cells, np.float64)
    everything = np.arange(cells).astype(np.uint32)
    unused = np.zeros((1, cells), np.float64)
    add_values(everything, numbers, tables, together, rows, added, unused, totals)
    most = np.empty(cells, np.float64)
    worth, change = np.empty(cells, np.float64), np.empty(cells, np.float64)
    for which in range(watchers.shape[0]):
        watching = watchers[which]
        best = answers[which]
        # The cells where the watchers show their first cards, and how far it is from there.
        bases, offsets = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
        owner = 0
        for seat in range(n):
            steps = (np.arange(seats[seat, FINALS]) * strides[seat]).astype(np.uint32)
            if watching >> seat & 1:
                owner = seats[seat, OWNER]
                offsets = _sums(offsets, steps)
            else:
                bases = _sums(bases, steps)
        many = bases.shape[0]
        most[:many] = -np.inf
        for offset in offsets:
            worth[:many] = 0.0
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
                        worth[place] += later[effect]
                        change[place] += later[effect] - shown[effect]
                else:
                    for place in range(many):
                        final = bases[place] // strides[seat] % seats[seat, FINALS]
                        effect = effects[np.uint32(bases[place] + offset)]
                        worth[place] += tables[seat, rows[seat, final], effect]
            for place in range(many):
                base = bases[place]
                total = totals[np.uint32(base + offset)]
                if win_shares:
                    value = worth[place] / (total + change[place])
                else:
                    value = worth[place] - opponent_weight * (total - worth[place])
                if value > most[place] + LEAST_GAIN:
                    most[place] = value
                    best[base] = base + offset


@kernel("void(int64[:, ::1], int64[:, ::1], int64[::1], int32[:, ::1], int32[::1], int32[::1])")
def choose_cells(seats, finals, rows, answers, masks, cells):
    """The final cards that everybody shows in every profile.

    Args:
        seats: int64[n, 5], see the columns above; players ascend.
        finals: int64[n, most options], the final card of each option as an index, or ``OPEN``.
        rows: int64[32], the row in ``answers`` of each mask of watchers.
        answers: int32[sets, cells], see :func:`best_added_cards`.
        masks: int32[profiles], out: the seats whose final cards are open.
        cells: int32[profiles], out.
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
    for profile in range(cells.shape[0]):
        watching, shown = 0, 0
        for seat in range(n):
            final = finals[seat, option[seat]]
            if final == OPEN:
                watching |= 1 << seat
            else:
                shown += strides[seat] * final
        cell = shown
        for player in range(players):
            own = watching & seats_of[player]
            if own:
                alike = shown
                for seat in range(n):
                    if (watching & ~own) >> seat & 1:
                        alike += strides[seat] * seats[seat, NOTHING]
                # What the own watchers add is all that the answer differs in.
                cell += answers[rows[own], alike] - alike
        masks[profile] = watching
        cells[profile] = cell
        for seat in range(n - 1, -1, -1):
            option[seat] += 1
            if option[seat] < seats[seat, OPTIONS]:
                break
            option[seat] = 0


@kernel(
    "void(int64, int64[::1], float64[::1], int64[:, ::1], int64[:, ::1], float64[:, ::1], boolean,"
    " float64[:, ::1], int32[::1], int64[::1], int32[::1], float64[::1], uint8[:, ::1],"
    " int32[:, ::1], int32[::1], float64[:, ::1])"
)
def outcomes(
    asker,
    moves,
    strategies,
    seats,
    cards,
    shares,
    further,
    later,
    cells,
    starts,
    mixed_cells,
    mixed_chances,
    gained,
    points,
    marks,
    out,
):
    """What one player's moves lead to while the others play their strategies.

    Args:
        asker: the player whose moves are told.
        moves: int64[players], how many each has: joint options of its seats.
        strategies: float64[sum of moves], of all players one after the other.
        cards: int64[n, 9], the final cards of each seat: 0 nothing, 1 to 7 a champion, 8 a
            blizzard.
        shares: float64[players, profiles], of the win.
        further: whether anything but noughts is in ``later``.
        later: float64[players, profiles], spaces gained in further rounds.
        cells: int32[profiles], the final cards of each, or ``-1 - k`` where they are mixed.
        starts: int64[mixed + 1], where the cells of each mixed profile begin.
        mixed_cells, mixed_chances: int32 and float64[...], the cells and their probabilities.
        points: int32[cells, n], packed, see ``rounds.fill_cells``.
        out: float64[moves of the asker, columns], zeroed: spaces gained by player, shares by
            player, the asker's fight, fruit, mana and bonus points, the fates of own champions
            (see ``rounds.add_fate``), whether the game is over, whether the share is an
            estimate, 1.

        gained, marks: of every cell, likewise.
        seats: int64[n, 5], see ``effects.SCORE`` and its like; players ascend.
    """
    n = seats.shape[0]
    players = moves.shape[0]
    first_seat, own = -1, 0
    for seat in range(n):
        if seats[seat, OWNER] == asker:
            if first_seat < 0:
                first_seat = seat
            own += 1
    # Who plays what how likely; the asker every move.
    support = np.empty((players, moves.max()), np.int64)
    likely = np.ones((players, moves.max()), np.float64)
    sizes = np.zeros(players, np.int64)
    joint, first = 1, 0
    for player in range(players):
        for number in range(moves[player]):
            chance = strategies[first + number]
            if player == asker or chance > 0.0:
                support[player, sizes[player]] = number
                if player != asker:
                    likely[player, sizes[player]] = chance
                sizes[player] += 1
        first += moves[player]
        joint *= sizes[player]
    # Fewer divisions: a cell's own cards are counted in this many others.
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    awards = 2 * players
    fates = awards + KINDS
    over = fates + FATES * own
    # The numbers of profiles and their chances, by how many players' moves are counted in; those
    # of the players before the one whose move changed last stay.
    profiles, chances = np.zeros(players + 1, np.int64), np.ones(players + 1, np.float64)
    move = np.zeros(players, np.int64)
    changed = 0
    for _ in range(joint):
        for player in range(changed, players):
            number = support[player, move[player]]
            profiles[player + 1] = profiles[player] * moves[player] + number
            chances[player + 1] = chances[player] * likely[player, move[player]]
        profile, chance = profiles[players], chances[players]
        told = out[support[asker, move[asker]]]
        if further:
            for player in range(players):
                told[player] += chance * later[player, profile]
        for player in range(players):
            told[players + player] += chance * shares[player, profile]
        begin, end = 0, 1
        mixed = cells[profile] < 0
        if mixed:
            begin, end = starts[-1 - cells[profile]], starts[-cells[profile]]
        for entry in range(begin, end):
            cell = mixed_cells[entry] if mixed else cells[profile]
            mass = chance * mixed_chances[entry] if mixed else chance
            mark = marks[cell]
            for seat in range(n):
                told[seats[seat, OWNER]] += mass * gained[cell, seat]
            for place in range(own):
                seat = first_seat + place
                awarded = points[cell, seat]
                for kind in range(KINDS):
                    told[awards + kind] += mass * (awarded >> (KIND_BITS * kind) & KIND_MASK)
                back = mark >> seat & 1
                card = 1
                if not back:
                    card = cards[seat, cell // strides[seat] % seats[seat, FINALS]]
                if 1 <= card <= 7:
                    add_fate(told, fates, own, place, mark, seat, awarded, mass)
            goes_on = 0 if mark >> ARRIVED_SHIFT & SEATS_MASK else 1
            told[over + goes_on] += mass
            told[over + 2] += mass
        for player in range(players - 1, -1, -1):
            changed = player
            move[player] += 1
            if move[player] < sizes[player]:
                break
            move[player] = 0
