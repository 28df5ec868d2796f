"""Values of the ends of a turn that do not end the game: estimates after the turns of the others.

The estimate at the end of the turn itself counts, too: it has no sampling error, so it decides
among ends that a few deals cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

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
        played = [self._played.get((end, rounds, determinizations)) for end in ends]
        vectors = np.array([end.vector for end in ends])
        described = self._look_ahead.terms_of(vectors, ~np.isnan(results))
        ahead = iter(self._look_ahead.terms_of_leaves([each for each in played if each]))
        by_end = [
            _Leaves(np.ones(1), np.array([result]), terms[None])
            for result, terms in zip(results, described, strict=True)
        ]
        for place, found in enumerate(played):
            if found is not None:
                of_deals = _Leaves(
                    np.full(len(found.finished), 1.0 / len(found.finished)),
                    np.where(found.finished, found.shares[:, self._asker], np.nan),
                    next(ahead),
                )
                weight = _static_weight(found, determinizations)
                by_end[place] = _mixed(by_end[place], of_deals, weight)
        of_end: Ints = np.repeat(np.arange(len(by_end)), [len(each.results) for each in by_end])
        return Leaves(of_end, *map(np.concatenate, zip(*by_end, strict=True)))


class _Leaves(NamedTuple):
    """The leaves of one end.

    Attributes:
        probabilities, results, terms: see :class:`~service.core.sequential.Leaves`.
    """

    probabilities: Floats
    results: Floats
    terms: Floats


def _mixed(own: _Leaves, of_deals: _Leaves, weight: float) -> _Leaves:
    """Return the leaves of an end that counts with a weight itself."""
    probabilities, *others = map(np.concatenate, zip(own, of_deals, strict=True))
    probabilities[:1] *= weight
    probabilities[1:] *= 1.0 - weight
    return _Leaves(probabilities, *others)


def _static_weight(played: Played, determinizations: int) -> float:
    """Return the weight of the estimate at the end of the turn itself.

    It counts like :data:`STATIC_DEALS` deals if all leaves are estimated, and nothing if all games
    are over.
    """
    estimated = STATIC_DEALS * float(np.mean(~played.finished))
    return estimated / (estimated + determinizations)
