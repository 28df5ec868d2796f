"""A mixture that gains against predicted play and stays safe if the prediction is wrong.

A pure best response is a function of public information: an opponent who asks the same question
knows it and answers it. The mixture here lies on a line from an equilibrium strategy to a response
to predicted play. Where on the line depends on the trust in the prediction, and on what the most
dangerous single opponent would gain (after Johanson, Zinkevich, Bowling 2007, *Computing Robust
Counter-Strategies*; Ganzfried, Sandholm 2015, *Safe Opponent Exploitation*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.rounding import TIE
from service.solver.kernels.logit import exponential
from service.solver.normal_form import expected_payoffs

WEIGHTS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The points of the line: weights of the response to predicted play."""
MAX_TRUST: Final = 0.9
CAUTIOUS_TRUST: Final = 0.7
"""Highest trust as long as some opponent is more likely than not to follow the hints."""
NATS: Final = 3.0
"""Recent evidence over the equilibrium at which the trust is 63 % of its maximum.  It grows with
the square of less evidence: an adversary who pretends gives little, predictable players give much.
"""


def trust_in(nats: float, equilibrium: float) -> float:
    """Return the trust in predictions, from 0 to ``MAX_TRUST``.

    Args:
        nats: the recent evidence about all opponents, see ``inference.Evidence``.
        equilibrium: the highest probability of any opponent to play the equilibrium.
    """
    evidence = max(0.0, nats) / NATS
    trust: float = MAX_TRUST * (1.0 - exponential(-evidence * evidence))
    return min(trust, CAUTIOUS_TRUST) if equilibrium > 0.5 else trust


@dataclass(frozen=True, slots=True)
class SafeMixture:
    """A strategy for one player, and what it risks.

    Attributes:
        strategy: float64[own moves].
        weight: of the response to predicted play; 0 for the equilibrium strategy.
        value: expected payoff if all opponents play as predicted.
        risk: the worst case of the equilibrium strategy minus that of this one, see
            :func:`worst_case`; negative if this one is safer.
    """

    strategy: Floats
    weight: float
    value: float
    risk: float


@dataclass(frozen=True, slots=True)
class _Duel:
    """The payoffs of the asker and of one opponent while all others play fixed strategies.

    Attributes:
        own: float64[own moves, moves of the opponent].
        other: the same for the opponent.
    """

    own: Floats
    other: Floats


def safe_mixture(
    payoffs: Floats,
    shape: Sequence[int],
    asker: int,
    equilibrium: Sequence[Floats],
    predicted: Sequence[Floats],
    trust: float,
) -> SafeMixture:
    """Return the best point of the line for a player.

    A point is worth ``trust`` × its value against predicted play + (1 − ``trust``) × its worst
    case. A better worst case than that of the equilibrium strategy does not count: it considers one
    opponent, and would be a reason to leave the equilibrium without any trust. The weight of the
    response is at most ``trust / MAX_TRUST``. Of equally good points the one closest to the
    equilibrium is returned.

    Args:
        payoffs: float64[players, profiles], the last player's move changing fastest.
        shape: number of moves of each player.
        asker: number of the player.
        equilibrium: by player, float64[moves]; a player's own part is the start of the line.
        predicted: by player, float64[moves]; the own part is not used.
        trust: in the prediction, from 0 to 1.
    """
    by_move = payoffs.reshape(len(shape), *shape)
    values = expected_payoffs(by_move[asker], predicted, keep=(asker,))
    response = np.zeros(shape[asker])
    response[int(np.argmax(values))] = 1.0
    duels = _duels(by_move, asker, (predicted, equilibrium))
    safest = _worst_case(equilibrium[asker], duels)
    best: SafeMixture | None = None
    most = -np.inf
    for weight in WEIGHTS:
        if weight > trust / MAX_TRUST:
            break
        strategy = (1.0 - weight) * equilibrium[asker] + weight * response
        value, worst = float((strategy * values).sum()), _worst_case(strategy, duels)
        worth = trust * value + (1.0 - trust) * min(worst, safest)
        if worth > most + TIE:
            most, best = worth, SafeMixture(strategy, weight, value, safest - worst)
    assert best is not None
    return best


def worst_case(
    payoffs: Floats,
    shape: Sequence[int],
    asker: int,
    strategy: Floats,
    others: Sequence[Sequence[Floats]],
) -> float:
    """Return the payoff of a strategy if one opponent knows it and answers it best for itself.

    The opponent, and how the others play, are those that are worst for the asker. Of answers that
    are equally good for the opponent, the worst one counts too.

    Args:
        payoffs, shape, asker: see :func:`safe_mixture`.
        strategy: float64[own moves].
        others: ways in which the remaining players may play, each with a part for every player.
    """
    by_move = payoffs.reshape(len(shape), *shape)
    return _worst_case(strategy, _duels(by_move, asker, others))


def _duels(by_move: Floats, asker: int, others: Sequence[Sequence[Floats]]) -> list[_Duel]:
    duels = []
    for opponent in range(len(by_move)):
        if opponent != asker:
            keep = (asker, opponent)
            for strategies in others:
                own, other = (expected_payoffs(by_move[each], strategies, keep) for each in keep)
                if opponent < asker:
                    own, other = own.T, other.T
                duels.append(_Duel(own, other))
    return duels


def _worst_case(strategy: Floats, duels: Sequence[_Duel]) -> float:
    worst = np.inf
    for duel in duels:
        gains = (strategy[:, None] * duel.other).sum(axis=0)
        answers = gains >= gains.max() - TIE
        worst = min(worst, float((strategy[:, None] * duel.own).sum(axis=0)[answers].min()))
    return worst
