"""Stated errors of the values of a turn search, and of their differences.

Each is two standard errors over the sampled deals of hidden cards together with an error of the
model, which is measured (``scripts/research/errors.py``).  It holds in nine of ten positions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.sequential import ErrorModel

PRIOR_DEALS: Final = 3
"""A few deals may agree by chance, so the usual variance counts like so many deals."""


def share_error(model: ErrorModel, shares: Floats) -> float:
    """Return the error of a mean share.

    Args:
        model: of the decision.
        shares: float64[deals].
    """
    spread = _spread(shares)
    prior = PRIOR_DEALS if model.deal_variance else 0
    squares = float(((shares - shares.mean()) ** 2).sum()) + prior * model.deal_variance * spread
    count = len(shares)
    variance = squares / (count - 1 + prior) / count if count > 1 else 0.0
    return float(np.sqrt(4.0 * variance + model.share**2 * spread))


def difference_error(model: ErrorModel, shares: Floats, best: Floats) -> float:
    """Return the error of the difference between two mean shares.

    Args:
        model: of the decision.
        shares: float64[deals], of a choice.
        best: float64[deals], of the best choice; of the same deals if there are as many.
    """
    if len(shares) == len(best) or 1 in (len(shares), len(best)):
        variance = _variance_of_mean(best - shares)
    else:
        variance = _variance_of_mean(shares) + _variance_of_mean(best)
    return float(np.sqrt(4.0 * variance + model.difference**2 * _spread(best)))


def _spread(shares: Floats) -> float:
    """Return s (1 - s) of a mean share s."""
    mean = float(shares.mean())
    return max(0.0, mean * (1.0 - mean))


def _variance_of_mean(numbers: Floats) -> float:
    return float(numbers.var(ddof=1) / len(numbers)) if len(numbers) > 1 else 0.0
