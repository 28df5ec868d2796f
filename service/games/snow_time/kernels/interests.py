"""What players pursue who mind nothing but what they gain and keep themselves, compiled."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.kernels.joint import FINALS, OPEN, OPTIONS, OWNER


@kernel(
    "void(int32[::1], uint8[:, ::1], int32[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1],"
    " int64[:, :, ::1], float64[::1], float64[:, ::1])"
)
def fill_interests(cells, gained, marks, seats, finals, classes, added_class, worths, values):
    """Spaces gained plus the worth of the own hand after the round, in every profile.

    Args:
        cells: int32[profiles], the final cards of each.
        worths: float64[classes], of hands, in spaces.
        values: float64[players, profiles], out.

    The other arguments are those of ``joint.value``.
    """
    n = seats.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    option = np.zeros(n, np.int64)
    for profile in range(cells.shape[0]):
        cell = cells[profile]
        mark = marks[cell]
        for player in range(values.shape[0]):
            values[player, profile] = 0.0
        for seat in range(n):
            back = mark >> seat & 1
            if finals[seat, option[seat]] == OPEN:
                kept = added_class[seat, cell // strides[seat] % seats[seat, FINALS], back]
            else:
                kept = classes[seat, option[seat], back]
            values[seats[seat, OWNER], profile] += gained[cell, seat] + worths[kept]
        for seat in range(n - 1, -1, -1):
            option[seat] += 1
            if option[seat] < seats[seat, OPTIONS]:
                break
            option[seat] = 0
