"""Compiled payoffs of a round: points and the worth of hands, for every joint choice.

The service resolves the round (``kernels/rounds.fill_cells``). A *profile* is one option of every
seat, a *cell* one final card of every seat; the last seat varies fastest.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

OPEN = -1
"""Final card of an option whose watcher adds a card after the reveal."""


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[:, ::1], float64[:, :, ::1],"
    " float64[:, :, ::1], int64[::1], uint8[:, ::1], int32[::1], float64[:, ::1])"
)
def fill_payoffs(owners, finals, options, shown, worth, added, nothing, gained, marks, payoffs):
    """Compute every player's payoff of every profile: spaces, and the worth of hands afterwards.

    After the reveal, a player's watchers jointly add the cards that are best for that player. If
    several players have watchers, each one assumes that the others add nothing.

    Args:
        owners: int64[n], the player of each seat, ascending.
        finals: int64[n], number of final cards that each seat can play.
        options: int64[n], number of options of each seat.
        shown: int64[n, max options], index of the final card of each option, or ``OPEN``.
        worth: float64[n, max options, 2], worth of the hand after the round in spaces, if the
            champion is discarded, and if it returns.
        added: float64[n, max finals, 2], the same for a final card that a watcher added.
        nothing: int64[n], index of the final card of a watcher that adds nothing.
        gained: uint8[cells, n], spaces moved.
        marks: int32[cells]; the lowest bits are the seats whose champion returns.
        payoffs: float64[players, profiles], out.
    """
    n = owners.shape[0]
    players = payoffs.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * finals[seat + 1]
    option = np.zeros(n, np.int64)
    final = np.zeros(n, np.int64)
    tried = np.zeros(n, np.int64)
    answer = np.zeros(n, np.int64)
    for profile in range(payoffs.shape[1]):
        watching, shown_cell = 0, 0
        for seat in range(n):
            final[seat] = shown[seat, option[seat]]
            if final[seat] == OPEN:
                watching |= 1 << seat
                shown_cell += strides[seat] * nothing[seat]
            else:
                shown_cell += strides[seat] * final[seat]
        cell = shown_cell
        if watching:
            for player in range(players):
                begin = shown_cell
                waits = False
                for seat in range(n):
                    if owners[seat] == player and watching >> seat & 1:
                        begin -= strides[seat] * nothing[seat]
                        tried[seat] = 0
                        waits = True
                if not waits:
                    continue
                best = -1.0
                while waits:
                    at = begin
                    for seat in range(n):
                        if owners[seat] == player and watching >> seat & 1:
                            at += strides[seat] * tried[seat]
                    value = 0.0
                    for seat in range(n):
                        if owners[seat] == player:
                            back = marks[at] >> seat & 1
                            if watching >> seat & 1:
                                value += gained[at, seat] + added[seat, tried[seat], back]
                            else:
                                value += gained[at, seat] + worth[seat, option[seat], back]
                    if value > best:
                        best = value
                        for seat in range(n):
                            if owners[seat] == player and watching >> seat & 1:
                                answer[seat] = tried[seat]
                    # Advance to the next cards of the player's watchers; stop after the last ones.
                    waits = False
                    for seat in range(n - 1, -1, -1):
                        if owners[seat] == player and watching >> seat & 1:
                            tried[seat] += 1
                            if tried[seat] < finals[seat]:
                                waits = True
                                break
                            tried[seat] = 0
            for seat in range(n):
                if watching >> seat & 1:
                    cell += strides[seat] * (answer[seat] - nothing[seat])
        for player in range(players):
            payoffs[player, profile] = 0.0
        for seat in range(n):
            back = marks[cell] >> seat & 1
            if watching >> seat & 1:
                hand = added[seat, answer[seat], back]
            else:
                hand = worth[seat, option[seat], back]
            payoffs[owners[seat], profile] += gained[cell, seat] + hand
        for seat in range(n - 1, -1, -1):
            option[seat] += 1
            if option[seat] < options[seat]:
                break
            option[seat] = 0
