"""Several games of one shape, computed together: a decision under several valuations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from service.core.arrays import Floats, Ints
from service.solver.kernels import action_values, logit
from service.solver.normal_form import NormalForm


@dataclass(frozen=True)
class NormalForms:
    """The payoffs of all players in each game; see :class:`~service.solver.normal_form.NormalForm`.

    Strategies and values are float64[games, sum of shape].

    Attributes:
        payoffs: float64[games, players, profiles], the last player's action changing fastest.
        shape: int64[players], number of actions.
        symmetry_classes: int64[players], the first player with the same game.
    """

    payoffs: Floats
    shape: Ints
    symmetry_classes: Ints

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.payoffs)

    def games(self) -> list[NormalForm]:
        """Return each game alone."""
        return [NormalForm(own, self.shape, self.symmetry_classes) for own in self.payoffs]

    @cached_property
    def own_action_last(self) -> Floats:
        """The payoffs in the layout of ``kernels.action_values``."""
        own_action_last = np.empty_like(self.payoffs)
        action_values.batch_to_own_action_last(self.payoffs, self.shape, own_action_last)
        return own_action_last

    @property
    def uniform(self) -> Floats:
        """The uniform strategies."""
        return np.tile(np.repeat(1.0 / self.shape, self.shape), (len(self), 1))

    @cached_property
    def uniform_values(self) -> Floats:
        """The values of actions against uniform play."""
        return self.action_values(self.uniform)

    def action_values(self, strategies: Floats) -> Floats:
        """Return the value of each action against the others' strategies."""
        values = np.empty_like(strategies)
        action_values.batch_action_values(
            self.own_action_last, self.shape, self.symmetry_classes, strategies, values
        )
        return values

    def logit_responses(self, values: Floats, precision: float) -> Floats:
        """Return the logit response of every player to the values of its actions.

        Args:
            values: of the actions.
            precision: per unit of payoff.
        """
        responses = np.empty_like(values)
        logit.batch_logit_responses(self.shape, precision, values, responses)
        return responses
