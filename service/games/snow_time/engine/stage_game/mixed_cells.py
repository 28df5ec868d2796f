"""Mixtures of cells: the results of settled profiles, with probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cells = NDArray[np.int32]


Mixtures = tuple[Ints, Cells, Floats]
"""All mixtures: int64[mixtures + 1] starts, int32[...] cells and float64[...] probabilities."""


class MixedCells:
    """Mixtures of cells, numbered in the order of their addition."""

    def __init__(self) -> None:
        self._concatenated: Mixtures = np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0)
        self._parts: list[Mixtures] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, cells: Cells, chances: Floats) -> None:
        """Add mixtures; cells of probability 0 are dropped.

        Args:
            cells: int32[k, most].
            chances: float64[k, most].
        """
        played = chances != 0.0
        self._count += len(cells)
        self._parts.append((played.sum(axis=1).cumsum(), cells[played], chances[played]))

    def concatenated(self) -> Mixtures:
        """Return all mixtures."""
        if self._parts:
            starts, cells, chances = zip(self._concatenated, *self._parts, strict=True)
            before = np.cumsum([0, *(len(some) for some in cells)])
            self._concatenated = (
                np.concatenate([own + more for own, more in zip(starts, before, strict=False)]),
                np.concatenate(cells),
                np.concatenate(chances),
            )
            self._parts = []
        return self._concatenated

    def mixture(self, number: int) -> tuple[Cells, Floats]:
        """Return the cells and probabilities of one mixture."""
        starts, cells, chances = self.concatenated()
        some = slice(starts[number], starts[number + 1])
        return cells[some], chances[some]
