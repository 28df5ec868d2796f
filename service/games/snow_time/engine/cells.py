"""Resolve all joint choices of final cards from a position at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.kernels import rounds
from service.games.snow_time.engine.packing import pack_track
from service.games.snow_time.rules.state import Track


def resolve_cells(
    finals: NDArray[np.int64],
    counts: NDArray[np.int64],
    fruits: NDArray[np.int64],
    scores: NDArray[np.int64],
    track: Track,
) -> rounds.Cells:
    """Resolve all joint choices of final cards in positions that differ only in their fruit.

    Args:
        finals: int64[seats, 16], the final cards of each seat.
        counts: int64[seats], number of final cards of each seat.
        fruits: int64[batch, 6], tokens on levels 1 to 6.
        scores: int64[seats], the markers.
        track: the track in use.
    """
    batch, joint, seats = len(fruits), int(counts.prod()), len(counts)
    cells = rounds.Cells(
        np.empty((batch, joint, seats), np.uint8),
        np.empty((batch, joint, seats), np.int32),
        np.empty((batch, joint), np.int32),
    )
    kinds, advances = pack_track(track)
    rounds.fill_cells(
        finals,
        counts,
        fruits,
        scores,
        kinds,
        advances,
        track.length,
        cells,
    )
    return cells
