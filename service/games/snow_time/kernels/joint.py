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
from service.games.snow_time.kernels.effects import FINALS, OWNER
from service.games.snow_time.kernels.rounds import (
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


@kernel(
    "void(int64[::1], int64[:, ::1], uint32[::1], uint32[::1], int64[:, ::1], uint32[:, ::1],"
    " float64[:, :, ::1], int64[:, ::1], int64, float64[::1], boolean, float64, int32[::1])"
)
def answer(
    own,
    adding,
    offsets,
    bases,
    seats,
    numbers,
    tables,
    rows,
    added,
    totals,
    on_shares,
    against,
    answers,
):
    """The best final cards of some watchers of one player for each choice of everybody else.

    Args:
        own: int64[k], the seats of that player.
        adding: int64[choices, k], the final cards that the watchers may add, in order; -1 for a
            seat of the player that has shown its card.
        offsets: uint32[choices], how many cells these are after the first choice.
        bases: uint32[b], the cells in which the watchers make the first choice.
        seats, numbers, tables, added: see ``effects.add_worths``.
        rows: int64[n, 9], the row of the table for each final card where it is shown at once.
        totals: float64[cells], of all seats together where all show their final cards at once.
        on_shares: whether players pursue shares of the win, or spaces.
        against: what a space gained by others counts against the own ones.
        answers: int32[cells], out: the cell with the best cards, at each of ``bases``.
    """
    many = bases.shape[0]
    most = np.full(many, -np.inf)
    best = np.zeros(many, np.uint32)
    worth, change = np.empty(many, np.float64), np.empty(many, np.float64)
    for choice in range(offsets.shape[0]):
        offset = offsets[choice]
        for place in range(many):
            worth[place] = 0.0
            change[place] = 0.0
        for which in range(own.shape[0]):
            seat, final = own[which], adding[choice, which]
            effects = numbers[seat]
            if final >= 0:
                later, shown = tables[seat, added + final], tables[seat, rows[seat, final]]
                for place in range(many):
                    effect = effects[np.uint32(bases[place] + offset)]
                    worth[place] += later[effect]
                    change[place] += later[effect] - shown[effect]
            else:
                stride = 1
                for other in range(seat + 1, seats.shape[0]):
                    stride *= seats[other, FINALS]
                for place in range(many):
                    final = bases[place] // stride % seats[seat, FINALS]
                    effect = effects[np.uint32(bases[place] + offset)]
                    worth[place] += tables[seat, rows[seat, final], effect]
        for place in range(many):
            cell = np.uint32(bases[place] + offset)
            if on_shares:
                value = worth[place] / (totals[cell] + change[place])
            else:
                value = worth[place] - against * (totals[cell] - worth[place])
            if value > most[place] + LEAST_GAIN:
                most[place] = value
                best[place] = cell
    for place in range(many):
        answers[bases[place]] = best[place]


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
        further: whether any are.
        later: float64[players, profiles], spaces gained in further rounds.
        cells: int32[profiles], the final cards of each, or ``-1 - k`` where they are mixed.
        starts: int64[mixed + 1], where the cells of each mixed profile begin.
        mixed_cells, mixed_chances: int32 and float64[...], the cells and their probabilities.
        points: int32[cells, n], packed, see ``rounds.fill_cells``.
        out: float64[moves of the asker, columns], zeroed: spaces gained by player, shares by
            player, the asker's fight, fruit, mana and bonus points, the fates of own champions
            (see ``rounds.add_fate``), whether the game is over, whether the share is an
            estimate, 1.

    The other arguments are those of :func:`answer`.
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
