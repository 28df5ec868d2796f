"""Subgames in which watchers of several players add cards after the same reveal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WatcherSubgame:
    """The watchers of a subgame and the cells that they can reach.

    Attributes:
        mask: the seats of the watchers.
        deciding: the players, ascending.
        sizes: number of joint additions of each of these players.
        steps: for each watcher its stride in cell numbers, its number of final cards and how many
            of these it can add.
    """

    mask: int
    deciding: tuple[int, ...]
    sizes: tuple[int, ...]
    steps: Sequence[tuple[int, int, int]]

    @cached_property
    def _offsets(self) -> Ints:
        offsets = np.zeros(1, np.int64)
        for stride, _, addable in self.steps:
            offsets = (offsets[:, None] + stride * np.arange(addable)).ravel()
        return offsets

    def cells(self, bases: NDArray[np.int32]) -> Ints:
        """Return int64[k, additions], the cells that the watchers can reach from each base cell."""
        shown = bases - sum((bases // stride % count) * stride for stride, count, _ in self.steps)
        return shown[:, None] + self._offsets
