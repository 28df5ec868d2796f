"""Watchers of several players who answer the same reveal, each not knowing what the others add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WatcherSubgame:
    """Which watchers they are, and which final cards they may come to.

    Attributes:
        mask: their seats.
        deciding: the players, ascending.
        sizes: how many joint additions each of those has.
        strides: by seat, how its final card counts in the number of a cell, and how many it has.
    """

    mask: int
    deciding: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: Sequence[tuple[int, int]]

    @cached_property
    def _added(self) -> Ints:
        added = np.zeros(1, np.int64)
        for stride, count in self.strides:
            added = (added[:, None] + stride * np.arange(count)).ravel()
        return added

    def cells(self, among: NDArray[np.int32]) -> Ints:
        """int64[k, additions]: all that the watchers can make of each, whatever they add in it."""
        shown = among - sum((among // stride % count) * stride for stride, count in self.strides)
        return shown[:, None] + self._added
