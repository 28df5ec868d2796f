"""Every joint choice of final cards from a position, resolved at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.kernels import rounds
from service.games.snow_time.engine.packing import pack_track
from service.games.snow_time.rules.state import Track


@dataclass(frozen=True)
class Cells:
    """Results by joint choice of final cards, the last seat turning fastest.

    Attributes:
        gained: uint8[batch, cells, seats], spaces moved.
        points: int32[batch, cells, seats], points awarded, packed, see ``kernels/rounds.py``.
        marks: int32[batch, cells], who returns or how champions fall, who arrived, what fruit is
            taken, see ``kernels/rounds.py``.
    """

    gained: NDArray[np.uint8]
    points: NDArray[np.int32]
    marks: NDArray[np.int32]


def resolve_cells(
    finals: NDArray[np.int64],
    counts: NDArray[np.int64],
    fruits: NDArray[np.int64],
    scores: NDArray[np.int64],
    track: Track,
) -> Cells:
    """Resolves all joint choices in positions that differ in their fruit only.

    Args:
        finals: int64[seats, 9], the final cards of each seat, ``counts`` of them.
        counts: int64[seats].
        fruits: int64[batch, 6].
        scores: int64[seats].
        track: with its bonus spaces.
    """
    batch, joint, seats = len(fruits), int(counts.prod()), len(counts)
    cells = Cells(
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
        cells.gained,
        cells.points,
        cells.marks,
    )
    return cells
