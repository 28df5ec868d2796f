"""Games in normal form, with fixed or restricted strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.solver.kernels import action_values, logit

MIN_PROBABILITY: Final = 0.01
"""A restricted game leaves out actions with a smaller probability, unless they are best."""
PROBABILITY_GROWTH: Final = 1.25
"""Factor by which that limit grows until the restricted game is small enough."""

RARE: Final = 1e-3
"""Probabilities below this are set to zero if that costs almost nothing."""
RARE_COST: Final = 1e-4
"""Largest increase of epsilon by that, relative to the payoff range."""
SMALL_EPSILON: Final = 1e-6
"""With an epsilon up to this, relative to the payoff range, strategies stay as they are."""


@dataclass(frozen=True)
class NormalForm:
    """The payoffs of all players by the actions that they can still choose.

    Strategies of all players are concatenated in one array, float64[sum of shape].

    Attributes:
        payoffs: float64[players, profiles], the last player's action changing fastest.
        shape: int64[players], number of actions; 1 if the strategy is fixed.
        symmetry_classes: int64[players], the first player with the same game.
    """

    payoffs: Floats
    shape: Ints
    symmetry_classes: Ints

    @cached_property
    def own_action_last(self) -> Floats:
        """The payoffs in the layout of ``kernels.action_values``."""
        own_action_last = np.empty_like(self.payoffs)
        action_values.to_own_action_last(self.payoffs, self.shape, own_action_last)
        return own_action_last

    @property
    def uniform(self) -> Floats:
        """float64[sum of shape], the uniform strategies."""
        return np.repeat(1.0 / self.shape, self.shape)

    @cached_property
    def payoff_range(self) -> float:
        """The largest payoff of any player minus the smallest; 1 if all are equal."""
        return float(self.payoffs.max() - self.payoffs.min()) or 1.0

    def action_values(self, strategies: Floats) -> Floats:
        """Return the value of each action against the others' strategies.

        Returns:
            float64[sum of shape].
        """
        values = np.empty(strategies.shape[0], np.float64)
        buffers = np.empty((2, self.own_action_last.shape[1]), np.float64)
        action_values.action_values(
            self.own_action_last, self.shape, self.symmetry_classes, strategies, buffers, values
        )
        return values

    def epsilon(self, strategies: Floats) -> float:
        """Return the largest gain of any player from a unilateral deviation."""
        return float(action_values.epsilon(self.shape, strategies, self.action_values(strategies)))


def fix_strategies(
    payoffs: Floats,
    counts: Sequence[int],
    symmetry_classes: Sequence[int],
    allowed: Sequence[Floats | None],
) -> NormalForm:
    """Return the game in which players choose only among some mixtures of their moves.

    Args:
        payoffs: float64[players, profiles].
        counts: number of moves of each player.
        symmetry_classes: see :class:`NormalForm`.
        allowed: for each player None (all moves) or float64[mixtures, moves]; one mixture fixes
            the strategy.
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
    """Return the result of :func:`fix_strategies` after a change of some payoffs.

    Args:
        game: the result before the change; it must not be used afterwards.
        profiles: int64[k], the profiles with changed payoffs.
        payoffs, counts, symmetry_classes, allowed: see :func:`fix_strategies`.
    """
    updated = fix_strategies(payoffs, counts, symmetry_classes, allowed)
    if updated.payoffs is game.payoffs:
        action_values.update_own_action_last(payoffs, game.shape, profiles, game.own_action_last)
        # A cached property looks here first.
        updated.__dict__["own_action_last"] = game.own_action_last
    return updated


@dataclass(frozen=True)
class RestrictedGame:
    """A game with a subset of the actions of a larger game.

    Attributes:
        game: the smaller game.
        indices: int64[sum of its shape], the indices of its actions in the larger game.
        size: number of actions of the larger game.
    """

    game: NormalForm
    indices: Ints
    size: int

    @staticmethod
    def of(
        game: NormalForm,
        strategies: Sequence[Floats],
        values: Sequence[Floats],
        max_profiles: int,
        min_probability: float = MIN_PROBABILITY,
    ) -> RestrictedGame:
        """Keep the likeliest actions of some strategies and the best responses.

        Args:
            game: the larger game.
            strategies: float64[sum of shape] each, of all players.
            values: float64[sum of shape] each, action values; the best actions are kept.
            max_profiles: size limit; best responses alone may exceed it.
            min_probability: less likely actions are left out.
        """
        likeliest = np.max(np.stack(strategies), axis=0)
        best = np.zeros(len(likeliest), np.bool_)
        starts = np.cumsum(game.shape) - game.shape
        for value in values:
            best[
                [
                    start + own.argmax()
                    for start, own in zip(starts, split(value, game.shape), strict=True)
                ]
            ] = True
        while True:
            kept = [
                np.flatnonzero(own)
                for own in split((likeliest >= min_probability) | best, game.shape)
            ]
            if min_probability > 1.0 or prod(len(own) for own in kept) <= max_profiles:
                break
            min_probability *= PROBABILITY_GROWTH
        payoffs = game.payoffs.reshape(len(kept), *game.shape)
        payoffs = payoffs[np.ix_(np.arange(len(kept)), *kept)]
        smaller = NormalForm(
            payoffs.reshape(len(kept), -1),
            np.array([len(own) for own in kept]),
            game.symmetry_classes,
        )
        indices = np.concatenate([own + start for own, start in zip(kept, starts, strict=True)])
        return RestrictedGame(smaller, indices, int(game.shape.sum()))

    def restrict(self, strategies: Floats) -> Floats:
        """Return strategies of the larger game, normalized to the smaller one."""
        restricted = [
            own / own.sum() if own.any() else np.full(len(own), 1.0 / len(own))
            for own in split(strategies[self.indices], self.game.shape)
        ]
        return np.concatenate(restricted)

    def extend(self, strategies: Floats) -> Floats:
        """Return strategies of the smaller game as strategies of the larger one."""
        extended = np.zeros(self.size)
        extended[self.indices] = strategies
        return extended


def drop_rare_actions(game: NormalForm, strategies: Floats) -> Floats:
    """Set very small probabilities to zero if epsilon hardly increases."""
    without_rare = []
    for own in split(strategies, game.shape):
        likely = np.where(own < RARE, 0.0, own)
        without_rare.append(likely / likely.sum())
    simpler = np.concatenate(without_rare)
    epsilon = game.epsilon(strategies)
    if epsilon <= SMALL_EPSILON * game.payoff_range:
        return strategies
    limit = epsilon + RARE_COST * game.payoff_range
    return simpler if game.epsilon(simpler) <= limit else strategies


def logit_responses(game: NormalForm, values: Floats, precision: float) -> Floats:
    """Return the logit response of every player to the values of its actions."""
    return np.concatenate([logit_response(own, precision) for own in split(values, game.shape)])


def logit_response(values: Floats, precision: float) -> Floats:
    """Return the logit (quantal) response of one player to the values of its actions.

    Args:
        values: float64[actions].
        precision: per unit of payoff.
    """
    weights = precision * (values - values.max())
    logit.exponentiate(weights)
    probabilities: Floats = weights / weights.sum()
    return probabilities


def split(strategies: Floats, shape: Sequence[int] | Ints) -> list[Floats]:
    """Split a concatenated array into one part for each player."""
    # Like np.split in a tenth of the time; a solution calls it hundreds of times.
    sizes = shape.tolist() if isinstance(shape, np.ndarray) else shape
    ends = list(accumulate(sizes))
    return [strategies[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def expected_payoffs(payoffs: Floats, strategies: Sequence[Floats], keep: Sequence[int]) -> Floats:
    """Return expected payoffs of one player by the moves of some players, in their order.

    Args:
        payoffs: float64[moves of the first player, moves of the second one, ...].
        strategies: by player, float64[moves]; those of the players to keep are not used.
        keep: numbers of the players whose moves remain.
    """
    for player in reversed(range(len(strategies))):
        if player not in keep:
            weights = strategies[player].reshape(-1, *(1,) * (payoffs.ndim - 1 - player))
            payoffs = (payoffs * weights).sum(axis=player)
    return payoffs
