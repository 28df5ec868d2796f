"""Points of a round, and what stays in hand, of every joint choice; compiled.

The round itself is resolved by the service (``kernels/rounds.fill_cells``); a *profile* is one
option of every seat and a *cell* one final card of every seat, the last seat turning fastest.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

OPEN = -1
"""The final card of an option whose watcher adds one after the reveal."""


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[:, ::1], float64[:, :, ::1],"
    " float64[:, :, ::1], int64[::1], uint8[:, ::1], int32[::1], float64[:, ::1])"
)
def fill_payoffs(owners, finals, options, shown, worth, added, nothing, gained, marks, payoffs):
    """What every player gets from every profile: spaces, and the worth of its hands afterwards.

    A player's watchers add what is best for it after the reveal, jointly; where several players'
    watchers meet, each answers as if the others added nothing.

    Args:
        owners: int64[n], the player of each seat, ascending.
        finals: int64[n], how many final cards each seat can show.
        options: int64[n], how many options it has.
        shown: int64[n, most options], the final card of each option as an index, or ``OPEN``.
        worth: float64[n, most options, 2], spaces that the hand is worth after the round if the
            champion falls or returns.
        added: float64[n, most finals, 2], the same of a final card that a watcher added.
        nothing: int64[n], the final card of a watcher that adds nothing.
        gained: uint8[cells, n], spaces moved.
        marks: int32[cells], its lowest bits the seats whose champion returns.
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
                    # The next cards of the player's watchers; after the last ones it is done.
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
                kept = added[seat, answer[seat], back]
            else:
                kept = worth[seat, option[seat], back]
            payoffs[owners[seat], profile] += gained[cell, seat] + kept
        for seat in range(n - 1, -1, -1):
            option[seat] += 1
            if option[seat] < options[seat]:
                break
            option[seat] = 0
