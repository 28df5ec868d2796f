"""Fit the weights of the Snow Time evaluator to the winners of games.

The model is that of ``service/games/snow_time/engine/evaluation.py``: a seat's potential is the
exponential of a sum of terms, each with a weight at every knot of the leader's distance to the end.
The weights maximize the likelihood of the win shares (a conditional logit, McFadden 1974). A
penalty pulls them towards a prior and keeps their difference from it smooth over the knots. The
number of champions in hand enters as a piecewise linear function with knots at four, two and none,
so that unseen hands get the value of their neighbours. Strong and weak agents end up with different
hands, so each kind of agent gets a constant for its strength, which is dropped after the fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from service.games.snow_time.engine.evaluation import HIGH, LOW
from service.games.snow_time.rules.state import Card

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

KNOTS: Final = (1.0, 4.0, 9.0, 18.0, 30.0)
TERMS: Final = ("space", "champions", "below 4", "below 2", "none", "low", "watcher", "blizzard")
SPACES: Final = 0.1
"""Scale of the weights of a space; the other weights are about ten times as large."""
LOW_FOR_HIGH: Final = len(LOW) / len(HIGH)
"""Weight of a high champion against a low one in the term ``low``: a full hand gives 0."""


@dataclass(frozen=True)
class Sample:
    """Positions of games with the same number of players, and the results.

    Attributes:
        scores, hands: int64[n, seats], hands as bits.
        kinds: int64[n, seats], the kind of agent of each seat.
        owners: int64[seats], the player of each seat.
        shares: float64[n, players], of the win.
        games: int64[n], number of the game of each position.
        length: of the track.
    """

    scores: Ints
    hands: Ints
    kinds: Ints
    owners: Ints
    shares: Floats
    games: Ints
    length: int


@dataclass(frozen=True)
class Fit:
    """Fitted weights.

    Attributes:
        weights: float64[knots, terms].
        log_loss: on held-out games, in nats per position.
    """

    weights: Floats
    log_loss: float


def terms(scores: Ints, hands: Ints) -> Floats:
    """Return float64[n, seats, terms]: the values of the terms."""
    in_hand = {card: (hands >> (card - 1) & 1).astype(np.float64) for card in Card}
    low = sum((in_hand[card] for card in LOW), np.zeros(hands.shape))
    high = sum((in_hand[card] for card in HIGH), np.zeros(hands.shape))
    count = low + high
    return np.stack(
        [
            scores.astype(np.float64),
            count,
            np.maximum(4.0 - count, 0.0),
            np.maximum(2.0 - count, 0.0),
            (count == 0.0).astype(np.float64),
            low - LOW_FOR_HIGH * high,
            in_hand[Card.WATCHER],
            in_hand[Card.BLIZZARD],
        ],
        axis=-1,
    )


def knot_shares(distances: Ints) -> Floats:
    """Return float64[n, knots]: linear interpolation weights of the knots at each distance."""
    return np.stack([np.interp(distances, KNOTS, one) for one in np.eye(len(KNOTS))], axis=1)


def fit(sample: Sample, prior: Floats, pull: float) -> Fit:
    """Return the weights of maximum penalized likelihood.

    Args:
        sample: positions; held-out games only give the log-loss.
        prior: float64[knots, terms], which the penalty pulls towards.
        pull: strength of the penalty.
    """
    values = terms(sample.scores, sample.hands)
    kinds = np.unique(sample.kinds)[1:]
    strengths = [(sample.kinds == kind).astype(np.float64)[..., None] for kind in kinds]
    inputs = np.concatenate([values, *strengths], axis=-1)
    knots = knot_shares(sample.length - sample.scores.max(axis=1))
    size = (len(KNOTS), inputs.shape[-1])
    start = np.zeros(size)
    start[:, : len(TERMS)] = prior
    scale = np.ones(size[1])
    scale[0] = 1.0 / SPACES
    unseen = held_out(sample)
    members = np.eye(int(sample.owners.max()) + 1)[sample.owners]

    def likelihood(weights: Floats, rows: NDArray[np.bool_]) -> tuple[float, Floats]:
        sums = np.einsum("nst,nt->ns", inputs[rows], knots[rows] @ weights)
        potentials = np.exp(sums - sums.max(axis=1, keepdims=True))
        seats = potentials / potentials.sum(axis=1, keepdims=True)
        players = seats @ members + 1e-12
        shares = sample.shares[rows]
        loss = float(-(shares * np.log(players)).sum(axis=1).mean())
        gradients = seats * (1.0 - (shares / players) @ members.T) / len(seats)
        return loss, knots[rows].T @ np.einsum("ns,nst->nt", gradients, inputs[rows])

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(size)
        loss, gradient = likelihood(weights, ~unseen)
        difference = (weights - start) * scale
        bend = np.diff(difference, axis=0)
        loss += pull * (float((difference**2).sum()) + 3.0 * float((bend**2).sum()))
        gradient = gradient + 2.0 * pull * difference * scale
        gradient[1:] += 6.0 * pull * bend * scale
        gradient[:-1] -= 6.0 * pull * bend * scale
        return loss, gradient.ravel()

    result = minimize(objective, start.ravel(), jac=True, method="L-BFGS-B")
    weights = result.x.reshape(size)
    return Fit(weights[:, : len(TERMS)].copy(), likelihood(weights, unseen)[0])


def held_out(sample: Sample) -> NDArray[np.bool_]:
    """Return bool[n]: positions of held-out games, every fifth by number."""
    mask: NDArray[np.bool_] = sample.games % 5 == 0
    return mask


def log_loss(sample: Sample, weights: Floats) -> float:
    """Return the mean log-loss of weights, in nats per position."""
    knots = knot_shares(sample.length - sample.scores.max(axis=1))
    values = terms(sample.scores, sample.hands)
    sums = np.einsum("nst,nt->ns", values, knots @ weights)
    potentials = np.exp(sums - sums.max(axis=1, keepdims=True))
    members = np.eye(int(sample.owners.max()) + 1)[sample.owners]
    players = potentials / potentials.sum(axis=1, keepdims=True) @ members
    return float(-(sample.shares * np.log(players + 1e-12)).sum(axis=1).mean())


def document(version: str, weights: Mapping[int, Floats]) -> dict[str, Any]:
    """Return the document of an evaluator file, see ``evaluation.read_evaluator``."""
    return {
        "version": version,
        "knots": list(KNOTS),
        "players": {str(players): _numbers(own) for players, own in sorted(weights.items())},
    }


def _numbers(weights: Floats) -> dict[str, Any]:
    return {
        "pace": [round(float(row[0]), 4) for row in weights],
        "champions": [_champions(row) for row in weights],
        "watcher": [round(float(row[TERMS.index("watcher")]), 4) for row in weights],
        "blizzard": [round(float(row[TERMS.index("blizzard")]), 4) for row in weights],
    }


def _champions(row: Floats) -> list[list[float]]:
    """Return the worth by low and high champions in hand, relative to all seven."""

    def worth(low: int, high: int) -> float:
        count = low + high
        values = (
            count,
            max(4 - count, 0),
            max(2 - count, 0),
            float(count == 0),
            low - LOW_FOR_HIGH * high,
        )
        return float(np.dot(row[1:6], values))

    full = worth(len(LOW), len(HIGH))
    return [
        [round(worth(low, high) - full, 4) for high in range(len(HIGH) + 1)]
        for low in range(len(LOW) + 1)
    ]


def simple_prior(champion: float, watcher: float, blizzard: float) -> Floats:
    """Return float64[knots, terms]: weights by hand, from the worth of a card in spaces."""
    pace = np.array([0.36, 0.28, 0.2, 0.165, 0.14])
    prior = np.zeros((len(KNOTS), len(TERMS)))
    for term, worth in (
        ("space", 1.0),
        ("champions", champion),
        ("watcher", watcher),
        ("blizzard", blizzard),
    ):
        prior[:, TERMS.index(term)] = pace * worth
    return prior
