"""Fits the evaluator's weights to games: who won from which positions.

The model is that of ``service/games/snow_time/engine/evaluation.py``: a seat's potential is the
exponential of a sum of terms, each of which has a weight at every knot of the leader's distance to
the end.  Weights maximise the likelihood of the shares of the win (a conditional logit, McFadden
1974), pulled towards a prior, from which they should differ alike at neighbouring knots.  Champions
in hand count by how many there are: a line with bends at four, two and none, so that hands never
seen are judged by their neighbours.  Players of unlike strength would be taken for the effect of
what they hold, so each kind of player has a strength of its own, which is dropped after the fit.
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
"""Weights of a space are about this size and the others about ten times as much."""
LOW_FOR_HIGH: Final = len(LOW) / len(HIGH)
"""So much a high champion counts against a low one in the term ``low``: a full hand is even."""


@dataclass(frozen=True)
class Sample:
    """Positions of games with so many players, and how they ended.

    Attributes:
        scores, hands: int64[n, seats], hands as bits.
        kinds: int64[n, seats], who played each seat.
        owners: int64[seats], the player of each seat.
        shares: float64[n, players], of the win in the end.
        games: int64[n], the number of each position's game.
        length: the last space.
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
    """Weights and how well they tell who wins.

    Attributes:
        weights: float64[knots, terms].
        log_loss: of games that the fit has not seen, in nats.
    """

    weights: Floats
    log_loss: float


def terms(scores: Ints, hands: Ints) -> Floats:
    """float64[n, seats, terms]: what the terms count."""
    held = {card: (hands >> (card - 1) & 1).astype(np.float64) for card in Card}
    low = sum((held[card] for card in LOW), np.zeros(hands.shape))
    high = sum((held[card] for card in HIGH), np.zeros(hands.shape))
    count = low + high
    return np.stack(
        [
            scores.astype(np.float64),
            count,
            np.maximum(4.0 - count, 0.0),
            np.maximum(2.0 - count, 0.0),
            (count == 0.0).astype(np.float64),
            low - LOW_FOR_HIGH * high,
            held[Card.WATCHER],
            held[Card.BLIZZARD],
        ],
        axis=-1,
    )


def knot_shares(distances: Ints) -> Floats:
    """float64[n, knots]: how much each knot counts at a distance."""
    return np.stack([np.interp(distances, KNOTS, one) for one in np.eye(len(KNOTS))], axis=1)


def fit(sample: Sample, prior: Floats, pull: float) -> Fit:
    """The weights of greatest likelihood.

    Args:
        sample: positions.
        prior: float64[knots, terms], where weights are pulled.
        pull: how strongly; 0 not at all.
    """
    told = terms(sample.scores, sample.hands)
    kinds = np.unique(sample.kinds)[1:]
    strengths = [(sample.kinds == kind).astype(np.float64)[..., None] for kind in kinds]
    inputs = np.concatenate([told, *strengths], axis=-1)
    knots = knot_shares(sample.length - sample.scores.max(axis=1))
    size = (len(KNOTS), inputs.shape[-1])
    start = np.zeros(size)
    start[:, : len(TERMS)] = prior
    scale = np.ones(size[1])
    scale[0] = 1.0 / SPACES
    kept = held_out(sample)
    members = np.eye(int(sample.owners.max()) + 1)[sample.owners]

    def likelihood(weights: Floats, rows: NDArray[np.bool_]) -> tuple[float, Floats]:
        sums = np.einsum("nst,nt->ns", inputs[rows], knots[rows] @ weights)
        potentials = np.exp(sums - sums.max(axis=1, keepdims=True))
        seats = potentials / potentials.sum(axis=1, keepdims=True)
        players = seats @ members + 1e-12
        shares = sample.shares[rows]
        loss = float(-(shares * np.log(players)).sum(axis=1).mean())
        slopes = seats * (1.0 - (shares / players) @ members.T) / len(seats)
        return loss, knots[rows].T @ np.einsum("ns,nst->nt", slopes, inputs[rows])

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(size)
        loss, slope = likelihood(weights, ~kept)
        off = (weights - start) * scale
        bend = np.diff(off, axis=0)
        loss += pull * (float((off**2).sum()) + 3.0 * float((bend**2).sum()))
        slope = slope + 2.0 * pull * off * scale
        slope[1:] += 6.0 * pull * bend * scale
        slope[:-1] -= 6.0 * pull * bend * scale
        return loss, slope.ravel()

    found = minimize(objective, start.ravel(), jac=True, method="L-BFGS-B")
    weights = found.x.reshape(size)
    return Fit(weights[:, : len(TERMS)].copy(), likelihood(weights, kept)[0])


def held_out(sample: Sample) -> NDArray[np.bool_]:
    """bool[n]: positions of the games that a fit does not see: each fifth, by its number."""
    found: NDArray[np.bool_] = sample.games % 5 == 0
    return found


def log_loss(sample: Sample, weights: Floats) -> float:
    """The mean log-loss of weights, in nats a position."""
    knots = knot_shares(sample.length - sample.scores.max(axis=1))
    told = terms(sample.scores, sample.hands)
    sums = np.einsum("nst,nt->ns", told, knots @ weights)
    potentials = np.exp(sums - sums.max(axis=1, keepdims=True))
    members = np.eye(int(sample.owners.max()) + 1)[sample.owners]
    players = potentials / potentials.sum(axis=1, keepdims=True) @ members
    return float(-(sample.shares * np.log(players + 1e-12)).sum(axis=1).mean())


def document(version: str, weights: Mapping[int, Floats]) -> dict[str, Any]:
    """The data file of an evaluator, see ``evaluation.read_evaluator``."""
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
    """By low and high champions in hand, their worth against that of all seven."""

    def worth(low: int, high: int) -> float:
        count = low + high
        told = (
            count,
            max(4 - count, 0),
            max(2 - count, 0),
            float(count == 0),
            low - LOW_FOR_HIGH * high,
        )
        return float(np.dot(row[1:6], told))

    full = worth(len(LOW), len(HIGH))
    return [
        [round(worth(low, high) - full, 4) for high in range(len(HIGH) + 1)]
        for low in range(len(LOW) + 1)
    ]


def simple_prior(champion: float, watcher: float, blizzard: float) -> Floats:
    """float64[knots, terms]: cards worth so many spaces at any distance."""
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
