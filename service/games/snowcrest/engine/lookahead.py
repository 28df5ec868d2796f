"""Look over the turns of the other players from the end of a turn, with the compiled rules.

All players choose by a one-turn search with the same evaluator.  The cards that the asker does not
know are sampled.  Positions after the last turn are estimated; finished games are scored.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Bools, Floats, Ints
from service.games.snowcrest.engine.evaluation import KNOTS, Evaluator, knot_weights, models_of
from service.games.snowcrest.engine.features import PLAIN_FEATURES
from service.games.snowcrest.engine.kernels.choices.estimation import next_turn
from service.games.snowcrest.engine.kernels.choices.features import features_of
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.self_play import FINISHED, look_ahead
from service.games.snowcrest.engine.packing import Vector, packing_of
from service.games.snowcrest.engine.parts import terms_of_features
from service.games.snowcrest.rules.state import State

SEED: Final = 20261125
"""Seed of the first deal: always the same, so that equal positions have equal values."""

MOST_DEALS: Final = 4
"""Games that end soon take less time and differ more, so more deals of them are played."""


_UNCERTAIN: Final = 1e-6
"""Part of the win of an uncertain result that is shared equally."""


class Played(NamedTuple):
    """What followed the end of a turn in each deal of the hidden cards.

    Attributes:
        leaves: int16[deals, length], the last positions, packed, as the asker sees them.
        shares: float64[deals, seats], of the win.
        finished: bool[deals], whether the game is over.
        turns: number of turns played.
    """

    leaves: NDArray[np.int16]
    shares: Floats
    finished: Bools
    turns: int


class LookAhead:
    """Plays on from the ends of a turn.

    Args:
        state: a position of the turn.
        asker: index of the asker's seat.
        evaluator: of all players, and of the leaves.

    Attributes:
        models: the weights of all players, see :func:`evaluation.models_of`.
    """

    def __init__(self, state: State, asker: int, evaluator: Evaluator) -> None:
        self._asker, self._evaluator, self._catalogue = asker, evaluator, state.catalogue
        self._packing = packing_of(state.catalogue, len(state.seats))
        self.models = models_of(evaluator, state.catalogue, len(state.seats))

    def play_on(self, end: Vector, rounds: int, deals: int) -> Played:
        """Return what follows the end of a turn: the turns of the others with sampled cards.

        Args:
            end: int16[length], packed, with only draws left, as the asker sees it.
            rounds: of all players; the last one ends before the turn of the asker.
            deals: of the hidden cards; up to :data:`MOST_DEALS` times as many if games end soon.
        """
        players = self._packing.players
        most = deals * MOST_DEALS
        leaves = np.zeros((most, len(end)), np.int16)
        shares, kinds = np.full((most, players), 1.0 / players), np.zeros(most, np.int64)
        count, turns = look_ahead(
            end, self._packing.cards, self.models, self._asker, rounds * players - 1, deals,
            SEED, leaves, shares, kinds,
        )  # fmt: skip
        finished = kinds[:count] == FINISHED
        # Deals and predicted choices prove nothing.
        won, estimated = uncertain(shares[:count]), self._evaluator.stated(shares, self._asker)
        played = np.where(finished[:, None], won, estimated[:count])
        return Played(leaves[:count], played, finished, turns)

    def terms_of(self, positions: NDArray[np.int16], finished: Bools) -> Floats:
        """Return the terms of the estimates of packed positions between two turns.

        Args:
            positions: int16[positions, length]; unknown hand cards count nothing.
            finished: bool[positions], whether the game is over.

        Returns:
            float64[positions, parts, features], see ``parts.py``; NaN where the game is over.
        """
        players, cards = self._packing.players, len(self._catalogue.villagers)
        plain = np.zeros((len(positions), players, len(PLAIN_FEATURES)))
        copies = np.zeros((len(positions), players, 3, cards))
        next_seats: Ints = np.array([next_turn(each) for each in positions], np.int64)
        features_of(positions, self._packing.cards, next_seats, plain, copies)
        knots = np.zeros((len(positions), len(KNOTS) + 1))
        for place, (supply, ending) in enumerate(positions[:, [at.SUPPLY, at.ENDING]].tolist()):
            knots[place] = knot_weights(supply, players, ending=bool(ending))
        terms = terms_of_features(
            self._evaluator, self._catalogue, self._asker, plain, copies, knots
        )
        terms[finished] = np.nan
        return terms


def uncertain(shares: Floats) -> Floats:
    """Return shares of a game that may go otherwise; exactly 1 would be called certain.

    Args:
        shares: float64[games, seats].
    """
    mixed: Floats = (1.0 - _UNCERTAIN) * shares + _UNCERTAIN / shares.shape[1]
    return mixed
