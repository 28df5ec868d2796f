"""The final cards of settled profiles: several cells each, with their probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cells = NDArray[np.int32]


Joined = tuple[Ints, Cells, Floats]
"""int64[mixtures + 1], where each begins, and int32 and float64[...], all one after the other."""


class MixedCells:
    """Mixtures of cells, numbered in the order in which they came."""

    def __init__(self) -> None:
        self._joined: Joined = np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0)
        self._parts: list[Joined] = []
        self._many = 0

    def __len__(self) -> int:
        return self._many

    def add(self, cells: Cells, chances: Floats) -> None:
        """Adds mixtures without what never happens in them.

        Args:
            cells: int32[k, most].
            chances: float64[k, most].
        """
        played = chances != 0.0
        self._many += len(cells)
        self._parts.append((played.sum(axis=1).cumsum(), cells[played], chances[played]))

    def joined(self) -> Joined:
        """All of them."""
        if self._parts:
            starts, cells, chances = zip(self._joined, *self._parts, strict=True)
            before = np.cumsum([0, *(len(some) for some in cells)])
            self._joined = (
                np.concatenate([own + more for own, more in zip(starts, before, strict=False)]),
                np.concatenate(cells),
                np.concatenate(chances),
            )
            self._parts = []
        return self._joined

    def of(self, number: int) -> tuple[Cells, Floats]:
        """One of them."""
        starts, cells, chances = self.joined()
        some = slice(starts[number], starts[number + 1])
        return cells[some], chances[some]
