"""A regression of winners: which changes of weights make players win, or explain who won.

The model is a conditional logit (McFadden 1974): the share of each player is proportional to
exp(offset + the sum of its inputs times the effects).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import minimize

from service.core.arrays import Floats

PRIOR: Final = 20.0
"""Precision of the normal prior of the effects; its mean is 0."""
SIGNIFICANT: Final = 2.0
"""A step ignores effects that are less than this number of standard errors."""


@dataclass(frozen=True)
class Outcome:
    """A finished game, with one row or several.

    Attributes:
        offsets: float64[rows, players].
        inputs: float64[rows, players, effects].
        won: float64[players], shares of the win.
    """

    offsets: Floats
    inputs: Floats
    won: Floats


def effects(games: Sequence[Outcome]) -> tuple[Floats, Floats]:
    """Return the most probable effects and their standard errors, float64[effects] each.

    All games have the same number of players, and all rows of a game count together like one.
    """
    offsets = np.concatenate([game.offsets for game in games])
    inputs = np.concatenate([game.inputs for game in games])
    lengths = [len(game.offsets) for game in games]
    won = np.repeat([game.won for game in games], lengths, axis=0)
    weights = np.repeat(1.0 / np.array(lengths), lengths)
    count = inputs.shape[2]

    def shares(values: Floats) -> Floats:
        utilities = offsets + inputs @ values
        powers = np.exp(utilities - utilities.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def posterior(values: Floats) -> tuple[float, Floats]:
        """Return the negative logarithm of the posterior density, and its gradient."""
        predicted = shares(values)
        loss = -float(weights @ (won * np.log(np.maximum(predicted, 1e-12))).sum(axis=1))
        gradient = np.einsum("n,np,npk->k", weights, predicted - won, inputs)
        return loss + 0.5 * PRIOR * float(values @ values), gradient + PRIOR * values

    found = minimize(posterior, np.zeros(count), jac=True, method="BFGS").x
    predicted = shares(found)
    apart = inputs - np.einsum("np,npk->nk", predicted, inputs)[:, None]
    information = np.einsum("n,np,npk,npl->kl", weights, predicted, apart, apart, optimize=True)
    precision = PRIOR * np.eye(count) + information
    return found, np.sqrt(np.diag(np.linalg.inv(precision)))


def step(found: Floats, errors: Floats, length: float) -> Floats:
    """Return changes along the significant effects; none if there are none.

    Args:
        found: see :func:`effects`.
        errors: of the effects.
        length: of the step.
    """
    direction = np.where(np.abs(found) >= SIGNIFICANT * errors, found, 0.0)
    size = float(np.linalg.norm(direction))
    return direction * (length / size) if size else direction
