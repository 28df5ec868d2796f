"""Confidence intervals of win shares: Wilson's interval for grouped games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist


@dataclass(frozen=True)
class Estimate:
    """A win share with its interval.

    Attributes:
        share: mean over all games.
        low, high: confidence interval.
        games: number of games.
        effective: number of independent games with the same variance.
    """

    share: float
    low: float
    high: float
    games: int
    effective: float


def estimate(groups: Sequence[Sequence[float]], confidence: float = 0.95) -> Estimate:
    """Return the win share and Wilson's score interval, with groups as the independent units.

    Games of a group share their dice, so they are not independent.  The variance of the
    share is that of a ratio of sums over groups; the number of independent games with the same
    variance takes the place of the number of games in Wilson's interval (Korn, Graubard 1998,
    *Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data*; Wilson 1927).  The estimate never exceeds the number
    of games, although common dice can reduce the variance: the interval is conservative.

    Args:
        groups: win shares of the games of each group with the same dice, 0 to 1.
        confidence: two-sided confidence level.
    """
    games = sum(len(group) for group in groups)
    if not games:
        return Estimate(0.5, 0.0, 1.0, 0, 0.0)
    share = sum(map(sum, groups)) / games
    effective = float(games)
    if len(groups) > 1:
        squares = sum((sum(group) - share * len(group)) ** 2 for group in groups)
        variance = len(groups) / (len(groups) - 1) * squares / games**2
        if variance > 0.0:
            effective = min(effective, share * (1.0 - share) / variance)
    else:
        effective = 1.0
    low, high = wilson(share, effective, confidence)
    return Estimate(share, low, high, games, effective)


def wilson(share: float, games: float, confidence: float) -> tuple[float, float]:
    """Return Wilson's score interval for a proportion of independent games."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    scale = 1.0 + z * z / games
    middle = (share + z * z / (2.0 * games)) / scale
    half = z * sqrt(share * (1.0 - share) / games + (z / (2.0 * games)) ** 2) / scale
    # Rounding could exclude the share itself if that is 0 or 1.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
