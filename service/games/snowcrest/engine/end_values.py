"""Values of the ends of a turn that do not end the game: estimates after the turns of the others.

The estimate at the end of the turn itself counts, too: it has no sampling error, so it decides
among ends that a few deals cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.sequential import EndValue, Leaves
from service.games.snowcrest.engine.evaluation import Evaluator
from service.games.snowcrest.engine.lookahead import LookAhead, Played
from service.games.snowcrest.engine.position import Position
from service.games.snowcrest.engine.turn_ends import has_small_turns
from service.games.snowcrest.rules.state import State

STATIC_DEALS: Final = 6
"""About as many deals as say as much about which end is better as the estimates there do."""
LEAST_DEALS: Final = 2
"""A single deal would have no visible error."""
DRAWN_DIVISOR: Final = 3
"""Ends after an event get this fraction of the determinizations, because an event has several."""


class EndValues:
    """Evaluates the ends of a turn; the turns of others follow each one at most once.

    Args:
        state: the position of the decision.
        asker: index of the asker's seat.
        evaluator: estimates positions, and the choices of all players.

    Attributes:
        models: the weights of all players, see :func:`evaluation.models_of`.
        looks_ahead: whether the turns of others follow an end.  False in solo games, and for
            catalogues with large turns, because the compiled look-ahead cannot be interrupted.
    """

    def __init__(self, state: State, asker: int, evaluator: Evaluator) -> None:
        self._asker, self._evaluator = asker, evaluator
        self._look_ahead = LookAhead(state, asker, evaluator)
        self.models = self._look_ahead.models
        self.looks_ahead = len(state.seats) > 1 and has_small_turns(state.catalogue)
        self._played: dict[tuple[Position, int, int], Played] = {}

    def stated(self, estimated: Floats) -> Floats:
        """Return the stated shares of estimated ones, float64[positions, seats]."""
        return self._evaluator.stated(estimated, self._asker)

    def evaluate(
        self, end: Position, estimated: Floats, rounds: int, determinizations: int
    ) -> EndValue:
        """Return the value of an end, see :class:`~service.core.sequential.TurnTree`.

        Args:
            estimated: float64[1, seats], the win shares at the end itself.
        """
        static = self.stated(estimated)
        if not rounds or not self.looks_ahead:
            return EndValue(static, 1, 1)
        key = end, rounds, determinizations
        if key not in self._played:
            deals = max(LEAST_DEALS, determinizations // DRAWN_DIVISOR**end.events)
            self._played[key] = self._look_ahead.play_on(end.vector, rounds, deals)
        played = self._played[key]
        weight = _static_weight(played, determinizations)
        shares = (1.0 - weight) * played.shares + weight * static
        return EndValue(shares, len(shares), played.turns)

    def leaves(
        self, ends: Sequence[Position], results: Floats, rounds: int, determinizations: int
    ) -> Leaves:
        """Return the leaves of ends, or of other positions, which are only estimated.

        Args:
            results: float64[ends], the asker's share where the game is over, otherwise NaN.
        """
        probabilities, shares, vectors = [], [], []
        for end, result in zip(ends, results.tolist(), strict=True):
            probabilities.append(np.ones(1))
            shares.append(np.array([result]))
            vectors.append(end.vector[None])
            played = self._played.get((end, rounds, determinizations))
            if played is not None:
                weight, deals = _static_weight(played, determinizations), len(played.finished)
                own = np.where(played.finished, played.shares[:, self._asker], np.nan)
                probabilities[-1] = np.array([weight, *[(1.0 - weight) / deals] * deals])
                shares[-1] = np.concatenate([shares[-1], own])
                vectors[-1] = np.concatenate([vectors[-1], played.leaves])
        of_end: Ints = np.repeat(np.arange(len(ends)), [*map(len, shares)])
        found = np.concatenate(shares)
        terms = self._look_ahead.terms_of(np.concatenate(vectors), ~np.isnan(found))
        return Leaves(of_end, np.concatenate(probabilities), found, terms)


def _static_weight(played: Played, determinizations: int) -> float:
    """Return the weight of the estimate at the end of the turn itself.

    It counts like :data:`STATIC_DEALS` deals if all leaves are estimated, and nothing if all games
    are over.
    """
    estimated = STATIC_DEALS * float(np.mean(~played.finished))
    return estimated / (estimated + determinizations)
