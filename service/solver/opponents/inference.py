"""Inference: how the other players choose, from what they have chosen so far.

For each player, every pair of a style and a habit is an expert with a weight.

    prediction of an expert  p(a) = 0.96 × row(a) + 0.04 / number of moves
    Bayes                    w ∝ w × Σ p(a) over the moves a that agree with what is known
    fixed share              w ← 0.98 × w + 0.02 × prior, after each round: people change
    pooling                  v = 0.9 × w + 0.1 × mean of w of the other opponents
    prediction               Σ v × p

Fixed share is due to Herbster and Warmuth (1998, *Tracking the best expert*), the share of the
prior instead of a uniform one to Bousquet and Warmuth (2002, *Tracking a small set of experts by
mixing past posteriors*); smoothing and mixtures of such styles to Southey et al. (2005, *Bayes'
Bluff: Opponent Modelling in Poker*).  The order of players is irrelevant: sums over players are
taken in the order of the numbers.  The order of rounds matters through fixed share and habits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import frexp
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.styles import StyleLibrary
from service.solver.opponents import habits
from service.solver.opponents.habits import HABITS, Labels, Memory
from service.solver.opponents.predictions import Rows

SMOOTHING: Final = 0.04
"""Part of uniform play in the prediction of an expert."""
SHARE: Final = 0.02
"""Part of the prior that the weights get after each round."""
POOLED: Final = 0.1
"""Part of the other opponents' weights in a prediction."""
RECENCY: Final = 0.7
"""The factor by which a round counts less for the recent evidence after each later round."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The moves of one player at one decision, and how each style chooses among them.

    Attributes:
        rows: see :data:`~service.solver.opponents.predictions.Rows`.
        labels: of the moves; choices with equal labels in different rounds are the same.
        habitual: whether habits apply; only the first decision of a round.
    """

    rows: Rows
    labels: Labels
    habitual: bool = True


@dataclass(frozen=True, slots=True)
class Observation:
    """What one player chose at one decision, as far as it is known.

    Attributes:
        choices: the moves.
        agreeing: indices of the moves that agree with what is known; one if the move is known.
    """

    choices: Choices
    agreeing: Collection[int]


Round = Mapping[str, Sequence[Observation]]
"""The observations of one round by player, in the order of the decisions."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well a player was predicted.

    Attributes:
        rounds: with an observation of the player.
        nats_over_chance: log-likelihood of the observations, each predicted from the rounds
            before it, minus that of uniform play, in nats.
        nats_over_equilibrium: the same, minus that of the equilibrium, smoothed alike.
        recent_nats: nats over the equilibrium, in which each round counts ``RECENCY`` of the next.
    """

    rounds: int = 0
    nats_over_chance: float = 0.0
    nats_over_equilibrium: float = 0.0
    recent_nats: float = 0.0

    @classmethod
    def even(cls, rounds: int, over_chance: float, over_equilibrium: float) -> Evidence:
        """Return evidence to which all rounds contributed equally."""
        weight = 0.0
        for _ in range(rounds):
            weight = RECENCY * weight + 1.0
        recent = over_equilibrium / max(1, rounds) * weight
        return cls(rounds, over_chance, over_equilibrium, recent)

    def next_round(self) -> Evidence:
        """Return the evidence at the start of one more round with an observation."""
        return replace(self, rounds=self.rounds + 1, recent_nats=RECENCY * self.recent_nats)

    def plus(self, over_chance: float, over_equilibrium: float) -> Evidence:
        """Return the evidence after one more observation of the same round."""
        return Evidence(
            self.rounds,
            self.nats_over_chance + over_chance,
            self.nats_over_equilibrium + over_equilibrium,
            self.recent_nats + over_equilibrium,
        )


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed about one player.

    Attributes:
        weights: float64[styles, habits], the posterior after fixed share; all are positive, and
            the sum is 1.
        memory: for habits.
        evidence: behind the weights.
    """

    weights: Floats
    memory: Memory = field(default_factory=Memory)
    evidence: Evidence = field(default_factory=Evidence)

    @property
    def styles(self) -> Floats:
        """float64[styles], the posterior of the styles."""
        return _sum_habits(self.weights)

    @property
    def habits(self) -> Floats:
        """float64[habits], the posterior of the habits."""
        total: Floats = self.weights.sum(axis=0)
        return total


def prior_belief(library: StyleLibrary) -> Belief:
    """Return what is believed about an unknown player."""
    return Belief(np.array(library.prior)[:, None] * np.array(habits.PRIOR))


def infer(
    library: StyleLibrary,
    players: Sequence[str],
    rounds: Sequence[Round],
    start: Mapping[str, Belief] | None = None,
) -> dict[str, Belief]:
    """Return the beliefs about some players after some rounds.

    Args:
        library: the styles.
        players: the opponents; observations of others are ignored.
        rounds: in the order of play.
        start: beliefs from earlier games; the prior for all other players.
    """
    prior = prior_belief(library)
    beliefs = {player: (start or {}).get(player, prior) for player in players}
    for observed in rounds:
        pooled = pool(beliefs)
        beliefs = {
            player: _after_round(library, prior, belief, pooled[player], observed.get(player, ()))
            for player, belief in beliefs.items()
        }
    return beliefs


def pool(beliefs: Mapping[str, Belief]) -> dict[str, Floats]:
    """Return float64[styles, habits] for each player, the weights for its next prediction."""
    return {
        player: _pooled(belief, [own for name, own in beliefs.items() if name != player])
        for player, belief in beliefs.items()
    }


def _pooled(belief: Belief, others: Sequence[Belief]) -> Floats:
    if not others:
        return belief.weights
    # Sums of sorted numbers do not depend on the order of players.
    total = np.sort(np.stack([own.weights for own in others]), axis=0).sum(axis=0)
    pooled: Floats = (1.0 - POOLED) * belief.weights + POOLED / len(others) * total
    return pooled


def predict_move(weights: Floats, memory: Memory, choices: Choices) -> Floats:
    """Return float64[moves], the prediction of a player's move.

    Args:
        weights: float64[styles, habits], see :func:`pool`.
        memory: of the player.
        choices: its moves.
    """
    experts = _expert_rows(memory, choices)
    return _mix(weights, experts)


def _after_round(
    library: StyleLibrary,
    prior: Belief,
    belief: Belief,
    pooled: Floats,
    observations: Sequence[Observation],
) -> Belief:
    """Return the belief about a player after one round."""
    weights, memory, evidence = belief.weights, belief.memory, belief.evidence
    if observations:
        evidence = evidence.next_round()
    for observation in observations:
        choices, agreeing = observation.choices, sorted(observation.agreeing)
        count = choices.rows.shape[1]
        experts = _expert_rows(memory, choices)
        likelihood: Floats = experts[:, :, agreeing].sum(axis=2)
        by_chance = len(agreeing) / count
        equilibrium = float(likelihood[library.equilibrium, HABITS.index("none")])
        predicted = float((pooled * likelihood).sum())
        evidence = evidence.plus(
            natural_logarithm(predicted / by_chance), natural_logarithm(predicted / equilibrium)
        )
        if choices.habitual:
            plain = _mix(_sum_habits(pooled)[:, None], experts[:, :1])
            chosen = np.zeros(count)
            chosen[agreeing] = plain[agreeing] / plain[agreeing].sum()
            memory = memory.after(choices.labels, plain, chosen)
        weights, pooled = _bayes(weights, likelihood), _bayes(pooled, likelihood)
    return Belief((1.0 - SHARE) * weights + SHARE * prior.weights, memory, evidence)


def _bayes(weights: Floats, likelihood: Floats) -> Floats:
    posterior = weights * likelihood
    normalized: Floats = posterior / posterior.sum()
    return normalized


def _expert_rows(memory: Memory, choices: Choices) -> Floats:
    """Return float64[styles, habits, moves], the smoothed predictions of all experts."""
    rows = choices.rows.astype(np.float64)[:, None, :]
    factors = np.ones((len(HABITS), rows.shape[2]))
    if choices.habitual:
        factors = memory.factors(choices.labels)
    experts = rows * factors
    experts /= experts.sum(axis=2, keepdims=True)
    smoothed: Floats = (1.0 - SMOOTHING) * experts + SMOOTHING / rows.shape[2]
    return smoothed


def _mix(weights: Floats, experts: Floats) -> Floats:
    mixed: Floats = (weights[:, :, None] * experts).sum(axis=(0, 1))
    return mixed


def _sum_habits(weights: Floats) -> Floats:
    styles: Floats = weights.sum(axis=1)
    return styles


_LN2: Final = 0.6931471805599453
_SQRT_HALF: Final = 0.7071067811865476


def natural_logarithm(number: float) -> float:
    """Return ln(number) for a positive number, by + − × ÷ alone, so the same on every machine."""
    mantissa, exponent = frexp(number)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    # ln m = 2 artanh((m − 1) / (m + 1)), and m is close to 1.
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    square = ratio * ratio
    total = 0.0
    for power in range(23, 0, -2):
        total = total * square + 1.0 / power
    return 2.0 * ratio * total + exponent * _LN2
