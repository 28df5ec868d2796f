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
from service.games.snow_time.kernels.rounds import (
    ARRIVED_SHIFT,
    FATES,
    KIND_BITS,
    KIND_MASK,
    SEATS_MASK,
    add_fate,
)

OPEN = -1
"""The final card of an option that leaves it open."""
LEAST_GAIN = 1e-12
"""An answer is better than an earlier one only by more than rounding noise."""
SCORE, OWNER, FINALS, OPTIONS, NOTHING = 0, 1, 2, 3, 4
"""Columns of a seat: marker, player, how many final cards and options, the final card for none."""


@kernel(
    "void(int64[::1], boolean, float64, uint8[:, ::1], int32[::1], int64[:, ::1],"
    " int64[:, :, ::1], int64[:, :, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1],"
    " int32[:, ::1])"
)
def answer(
    watchers,
    on_shares,
    against,
    gained,
    marks,
    seats,
    shown_class,
    added_class,
    potentials,
    hands,
    values,
    answers,
):
    """The best final cards of one player's watchers for each choice of everybody else.

    Args:
        watchers: int64[sets], seats of one player whose final cards are open, as masks.
        on_shares: whether players pursue shares of the win, or spaces.
        against: what a space gained by others counts against the own ones.
        gained, marks: of every cell, see ``rounds.fill_cells``.
        seats: int64[n, 5], see the columns above; players ascend.
        shown_class: int64[n, 9, 2], the class of the hand after the round, by the final card
            where it was shown at once, and whether the champion returns.
        added_class: int64[n, 9, 2], the same where a watcher added it.
        potentials, hands: the evaluator, see ``evaluation.Scale``.
        values: float64[sets, cells], a buffer.
        answers: int32[sets, cells], out: the cell with the best cards, at the cell where the
            watchers show their first ones.
    """
    n = seats.shape[0]
    sets = watchers.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    owner = np.zeros(sets, np.int64)
    alone = np.full(sets, -1, np.int64)
    for which in range(sets):
        own_seats = 0
        for seat in range(n):
            if watchers[which] >> seat & 1:
                owner[which] = seats[seat, OWNER]
                alone[which] = seat
        for seat in range(n):
            own_seats += seats[seat, OWNER] == owner[which]
        if own_seats > 1:
            alone[which] = -1
    final = np.zeros(n, np.int64)
    shown = np.zeros(n, np.float64)
    added = np.zeros(n, np.float64)
    for cell in range(marks.shape[0]):
        mark = marks[cell]
        arrived = mark >> ARRIVED_SHIFT & SEATS_MASK
        total = 0.0
        won, winners = 0, 0
        if not on_shares:
            for seat in range(n):
                shown[seat] = gained[cell, seat]
                added[seat] = shown[seat]
                total += shown[seat]
        elif arrived:
            for seat in range(n):
                if arrived >> seat & 1 and not won >> seats[seat, OWNER] & 1:
                    won |= 1 << seats[seat, OWNER]
                    winners += 1
        else:
            leader = 0
            for seat in range(n):
                leader = max(leader, seats[seat, SCORE] + gained[cell, seat])
            for seat in range(n):
                potential = potentials[leader, seats[seat, SCORE] + gained[cell, seat]]
                back = mark >> seat & 1
                shown[seat] = potential * hands[leader, shown_class[seat, final[seat], back]]
                added[seat] = potential * hands[leader, added_class[seat, final[seat], back]]
                total += shown[seat]
        for which in range(sets):
            own, change = 0.0, 0.0
            alike = cell
            if alone[which] >= 0:
                seat = alone[which]
                alike -= strides[seat] * final[seat]
                own = added[seat]
                change = own - shown[seat]
            else:
                for seat in range(n):
                    if seats[seat, OWNER] == owner[which]:
                        if watchers[which] >> seat & 1:
                            alike -= strides[seat] * final[seat]
                            own += added[seat]
                            change += added[seat] - shown[seat]
                        else:
                            own += shown[seat]
            if not on_shares:
                value = own - against * (total - own)
            elif arrived:
                value = 1.0 / winners if won >> owner[which] & 1 else 0.0
            else:
                value = own / (total + change)
            # The first cell of those alike is the one that names them.
            if alike == cell or value > values[which, alike] + LEAST_GAIN:
                values[which, alike] = value
                answers[which, alike] = cell
        for seat in range(n - 1, -1, -1):
            final[seat] += 1
            if final[seat] < seats[seat, FINALS]:
                break
            final[seat] = 0


@kernel("void(int64[:, ::1], int64[:, ::1], int64[::1], int32[:, ::1], int32[::1], int32[::1])")
def choose_cells(seats, finals, rows, answers, masks, cells):
    """The final cards that everybody shows in every profile.

    Args:
        seats: int64[n, 5], see the columns above; players ascend.
        finals: int64[n, most options], the final card of each option as an index, or ``OPEN``.
        rows: int64[32], the row in ``answers`` of each mask of watchers.
        answers: int32[sets, cells], see :func:`answer`.
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
    "void(int64[::1], int32[::1], boolean, float64, uint8[:, ::1], int32[::1], int64[:, ::1],"
    " int64[:, ::1], int64[:, :, ::1], int64[:, :, ::1], float64[:, ::1], float64[:, ::1],"
    " float64[:, ::1])"
)
def value(
    profiles,
    cells,
    on_shares,
    against,
    gained,
    marks,
    seats,
    finals,
    classes,
    added_class,
    potentials,
    hands,
    values,
):
    """What every player gets from some profiles with these final cards.

    Args:
        profiles: int64[k]; fastest where each is the one before or the next one.
        cells: int32[k].
        classes: int64[n, most options, 2], the class of the hand after the round by whether the
            champion returns, of options that show their final card.
        values: float64[players, k], out.

    The other arguments are those of :func:`answer` and :func:`choose_cells`.
    """
    n = seats.shape[0]
    players = values.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    option = np.zeros(n, np.int64)
    own = np.zeros(players, np.float64)
    before = -2
    for which in range(profiles.shape[0]):
        if profiles[which] == before + 1:
            for seat in range(n - 1, -1, -1):
                option[seat] += 1
                if option[seat] < seats[seat, OPTIONS]:
                    break
                option[seat] = 0
        elif profiles[which] != before:
            rest = profiles[which]
            for seat in range(n - 1, -1, -1):
                option[seat] = rest % seats[seat, OPTIONS]
                rest //= seats[seat, OPTIONS]
        before = profiles[which]
        cell = cells[which]
        mark = marks[cell]
        arrived = mark >> ARRIVED_SHIFT & SEATS_MASK
        total = 0.0
        for player in range(players):
            own[player] = 0.0
        if not on_shares:
            for seat in range(n):
                own[seats[seat, OWNER]] += gained[cell, seat]
                total += gained[cell, seat]
            for player in range(players):
                values[player, which] = own[player] - against * (total - own[player])
            continue
        if arrived:
            for seat in range(n):
                if arrived >> seat & 1 and own[seats[seat, OWNER]] == 0.0:
                    own[seats[seat, OWNER]] = 1.0
                    total += 1.0
        else:
            leader = 0
            for seat in range(n):
                leader = max(leader, seats[seat, SCORE] + gained[cell, seat])
            for seat in range(n):
                back = mark >> seat & 1
                if finals[seat, option[seat]] == OPEN:
                    final = cell // strides[seat] % seats[seat, FINALS]
                    kept = added_class[seat, final, back]
                else:
                    kept = classes[seat, option[seat], back]
                space = seats[seat, SCORE] + gained[cell, seat]
                potential = potentials[leader, space] * hands[leader, kept]
                own[seats[seat, OWNER]] += potential
                total += potential
        for player in range(players):
            values[player, which] = own[player] / total


@kernel(
    "void(int64, int64[::1], float64[::1], int64[:, ::1], int64[:, ::1], float64[:, ::1],"
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
    first = np.zeros(players, np.int64)
    for player in range(1, players):
        first[player] = first[player - 1] + moves[player - 1]
    move = np.zeros(players, np.int64)
    # Who plays what with some probability; the asker every move.
    support = np.empty((players, moves.max()), np.int64)
    sizes = np.zeros(players, np.int64)
    for player in range(players):
        for number in range(moves[player]):
            if player == asker or strategies[first[player] + number] > 0.0:
                support[player, sizes[player]] = number
                sizes[player] += 1
    joint = 1
    for player in range(players):
        joint *= sizes[player]
    # Fewer divisions: a cell's own cards are counted in this many others.
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    awards = 2 * players
    for _ in range(joint):
        chance, profile = 1.0, 0
        for player in range(players):
            number = support[player, move[player]]
            profile = profile * moves[player] + number
            if player != asker:
                chance *= strategies[first[player] + number]
        row = support[asker, move[asker]]
        for player in range(players):
            out[row, player] += chance * later[player, profile]
            out[row, players + player] += chance * shares[player, profile]
        begin, end = 0, 1
        mixed = cells[profile] < 0
        if mixed:
            begin, end = starts[-1 - cells[profile]], starts[-cells[profile]]
        for entry in range(begin, end):
            cell = mixed_cells[entry] if mixed else cells[profile]
            mass = chance * mixed_chances[entry] if mixed else chance
            for seat in range(n):
                out[row, seats[seat, OWNER]] += mass * gained[cell, seat]
            for place in range(own):
                seat = first_seat + place
                for kind in range(4):
                    award = points[cell, seat] >> (KIND_BITS * kind) & KIND_MASK
                    out[row, awards + kind] += mass * award
                if 1 <= cards[seat, cell // strides[seat] % seats[seat, FINALS]] <= 7:
                    awarded = points[cell, seat]
                    add_fate(out[row], awards + 4, own, place, marks[cell], seat, awarded, mass)
            over = marks[cell] >> ARRIVED_SHIFT & SEATS_MASK != 0
            out[row, awards + 4 + FATES * own + (0 if over else 1)] += mass
            out[row, awards + 6 + FATES * own] += mass
        for player in range(players - 1, -1, -1):
            move[player] += 1
            if move[player] < sizes[player]:
                break
            move[player] = 0
