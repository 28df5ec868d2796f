"""A game in normal form as the solver works on it: some strategies given, the rest to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from service.solver import kernels

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class NormalForm:
    """Payoffs of everybody by what everybody can still choose.

    Attributes:
        payoffs: float64[players, profiles], the last player's choice turning fastest.
        shape: int64[players], choices of each; 1 where the strategy is given.
        alike: int64[players], the first player with the same game before it.
    """

    payoffs: Floats
    shape: Ints
    alike: Ints

    @cached_property
    def turned(self) -> Floats:
        """See ``kernels.turn``."""
        turned = np.empty_like(self.payoffs)
        kernels.turn(self.payoffs, self.shape, turned)
        return turned

    @property
    def uniform(self) -> Floats:
        """float64[sum of shape]: everybody chooses evenly."""
        return np.concatenate([np.full(count, 1.0 / count) for count in self.shape])

    def respond(self, strategies: Floats) -> Floats:
        """float64[sum of shape]: what every choice is worth while the others play so."""
        values = np.empty(strategies.shape[0], np.float64)
        buffers = np.empty_like(self.turned[:1]).repeat(2, axis=0)
        kernels.respond(self.turned, self.shape, self.alike, strategies, buffers, values)
        return values

    def gap(self, strategies: Floats) -> float:
        """The most that anybody could gain by leaving its strategy."""
        return float(kernels.gap(self.shape, strategies, self.respond(strategies)))


def reduced(
    payoffs: Floats, counts: Sequence[int], alike: Sequence[int], ways: Sequence[Floats | None]
) -> NormalForm:
    """The game left when players can only choose among some mixtures of their moves.

    Args:
        payoffs: float64[players, profiles].
        counts: moves of each player.
        alike: see :class:`NormalForm`.
        ways: for each player None, or float64[choices, moves].
    """
    shape = list(counts)
    for player, own in enumerate(ways):
        if own is not None:
            before, after = prod(shape[:player]), prod(shape[player + 1 :])
            by_move = payoffs.reshape(len(payoffs), before, 1, shape[player], after)
            payoffs = (own[:, :, None] * by_move).sum(axis=3).reshape(len(payoffs), -1)
            shape[player] = len(own)
    return NormalForm(np.ascontiguousarray(payoffs), np.array(shape), np.array(alike))


def split(strategies: Floats, shape: Sequence[int] | Ints) -> list[Floats]:
    """The strategies one after the other, each by itself."""
    return np.split(strategies, np.cumsum(shape)[:-1])
