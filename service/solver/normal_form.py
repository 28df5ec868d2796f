"""A game in normal form as the solver works on it: some strategies given, the rest to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.solver.kernels import regret_matching

LEAST_LIKELY: Final = 0.01
"""What is played more rarely is left out of a part of a game."""
LIKELIER: Final = 1.25
"""The factor by which that is raised until the part is small enough."""

RARE: Final = 1e-3
"""Probabilities below this are dropped where that costs hardly anything."""
HARDLY: Final = 1e-4
"""What dropping them may add to the gap, relative to the spread of payoffs."""
FINE: Final = 1e-6
"""A gap, likewise, with which nothing is dropped."""


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
    symmetry_classes: Ints

    @cached_property
    def own_action_last(self) -> Floats:
        """See ``mixed.turn``."""
        own_action_last = np.empty_like(self.payoffs)
        regret_matching.to_own_action_last(self.payoffs, self.shape, own_action_last)
        return own_action_last

    @property
    def uniform(self) -> Floats:
        """float64[sum of shape]: everybody chooses evenly."""
        return np.concatenate([np.full(count, 1.0 / count) for count in self.shape])

    @cached_property
    def payoff_range(self) -> float:
        """From the least to the most that anybody can get; 1 where there is nothing to gain."""
        return float(self.payoffs.max() - self.payoffs.min()) or 1.0

    def action_values(self, strategies: Floats) -> Floats:
        """float64[sum of shape]: what every choice is worth while the others play so."""
        values = np.empty(strategies.shape[0], np.float64)
        buffers = np.empty((2, self.own_action_last.shape[1]), np.float64)
        regret_matching.action_values(
            self.own_action_last, self.shape, self.symmetry_classes, strategies, buffers, values
        )
        return values

    def epsilon(self, strategies: Floats) -> float:
        """The most that anybody could gain by leaving its strategy."""
        return float(
            regret_matching.epsilon(self.shape, strategies, self.action_values(strategies))
        )


def fix_strategies(
    payoffs: Floats,
    counts: Sequence[int],
    symmetry_classes: Sequence[int],
    allowed: Sequence[Floats | None],
) -> NormalForm:
    """The game left when players can only choose among some mixtures of their moves.

    Args:
        payoffs: float64[players, profiles].
        counts: moves of each player.
        alike: see :class:`NormalForm`.
        ways: for each player None, or float64[choices, moves].
    """
    shape = list(counts)
    for player, own in enumerate(allowed):
        if own is not None:
            before, after = prod(shape[:player]), prod(shape[player + 1 :])
            by_move = payoffs.reshape(len(payoffs), before, 1, shape[player], after)
            payoffs = (own[:, :, None] * by_move).sum(axis=3).reshape(len(payoffs), -1)
            shape[player] = len(own)
    return NormalForm(np.ascontiguousarray(payoffs), np.array(shape), np.array(symmetry_classes))


def update_profiles(
    game: NormalForm,
    profiles: Ints,
    payoffs: Floats,
    counts: Sequence[int],
    symmetry_classes: Sequence[int],
    allowed: Sequence[Floats | None],
) -> NormalForm:
    """What :func:`fix_strategies` makes of payoffs that have changed in some profiles alone.

    Args:
        game: what it made of them before; out of date from now on.
        profiles: int64[k].

    The others are those of :func:`fix_strategies`.
    """
    found = fix_strategies(payoffs, counts, symmetry_classes, allowed)
    if found.payoffs is game.payoffs:
        regret_matching.update_own_action_last(payoffs, game.shape, profiles, game.own_action_last)
        # Where a cached property looks first.
        found.__dict__["turned"] = game.own_action_last
    return found


@dataclass(frozen=True)
class RestrictedGame:
    """A game in which only some choices of everybody are left.

    Attributes:
        game: the smaller game.
        places: int64[sum of its shape], where its choices stand in the larger one.
        size: how many those are.
    """

    game: NormalForm
    indices: Ints
    size: int

    @staticmethod
    def of(
        game: NormalForm,
        played: Sequence[Floats],
        values: Sequence[Floats],
        most: int,
        likely: float = LEAST_LIKELY,
    ) -> RestrictedGame:
        """What is played most in some strategies, and the best responses.

        Args:
            played: strategies of all players.
            values: what every choice is worth against some strategies.
            most: profiles left, unless there are more of best responses alone.
            likely: what is played more rarely is left out.
        """
        often = np.max(np.stack(played), axis=0)
        best = np.zeros(len(often), np.bool_)
        starts = np.cumsum(game.shape) - game.shape
        for value in values:
            best[
                [
                    at + own.argmax()
                    for at, own in zip(starts, split(value, game.shape), strict=True)
                ]
            ] = True
        while True:
            kept = [np.flatnonzero(own) for own in split((often >= likely) | best, game.shape)]
            if likely > 1.0 or prod(len(own) for own in kept) <= most:
                break
            likely *= LIKELIER
        payoffs = game.payoffs.reshape(len(kept), *game.shape)
        payoffs = payoffs[np.ix_(np.arange(len(kept)), *kept)]
        small = NormalForm(
            payoffs.reshape(len(kept), -1),
            np.array([len(own) for own in kept]),
            game.symmetry_classes,
        )
        indices = np.concatenate([own + at for own, at in zip(kept, starts, strict=True)])
        return RestrictedGame(small, indices, int(game.shape.sum()))

    def restrict(self, strategies: Floats) -> Floats:
        """Strategies of the larger game without the choices left out."""
        kept = [
            own / own.sum() if own.any() else np.full(len(own), 1.0 / len(own))
            for own in split(strategies[self.indices], self.game.shape)
        ]
        return np.concatenate(kept)

    def extend(self, strategies: Floats) -> Floats:
        """The same strategies in the larger game."""
        found = np.zeros(self.size)
        found[self.indices] = strategies
        return found


def drop_rare_actions(game: NormalForm, strategies: Floats) -> Floats:
    """The same without moves played hardly ever, if that is as good."""
    kept = []
    for own in split(strategies, game.shape):
        often = np.where(own < RARE, 0.0, own)
        kept.append(often / often.sum())
    plain = np.concatenate(kept)
    epsilon = game.epsilon(strategies)
    if epsilon <= FINE * game.payoff_range:
        return strategies
    allowed = epsilon + HARDLY * game.payoff_range
    return plain if game.epsilon(plain) <= allowed else strategies


def logit_responses(game: NormalForm, values: Floats, precision: float) -> Floats:
    """Everybody's quantal response to what its choices are worth."""
    return np.concatenate([logit_response(own, precision) for own in split(values, game.shape)])


def logit_response(values: Floats, precision: float) -> Floats:
    """The quantal response of one player to what its choices are worth."""
    most = values.max()
    weights = np.array(
        [regret_matching.exponential(precision * (value - most)) for value in values]
    )
    answer: Floats = weights / weights.sum()
    return answer


def split(strategies: Floats, shape: Sequence[int] | Ints) -> list[Floats]:
    """The strategies one after the other, each by itself."""
    # As np.split does, in a tenth of the time; solves do it hundreds of times.
    sizes = shape.tolist() if isinstance(shape, np.ndarray) else shape
    ends = list(accumulate(sizes))
    return [strategies[end - size : end] for size, end in zip(sizes, ends, strict=True)]
