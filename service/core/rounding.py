"""Numbers as they are printed: nine decimals, and sums that hold in print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

DECIMALS: Final = 9
_UNITS: Final = 10**DECIMALS


def rounded(value: float) -> float:
    """The value with nine decimals, never minus zero."""
    return round(value, DECIMALS) + 0.0


def apportion(shares: Iterable[float], whole: float = 1.0) -> list[float]:
    """Non-negative numbers scaled and rounded so that the printed ones sum to ``whole``.

    ``whole`` is itself a printed number; numbers that are all zero stay so.  Largest remainders
    are rounded up (Hare and Niemeyer's method), the first of equals first.
    """
    given = [float(share) for share in shares]
    total = sum(given)
    if not total:
        return given
    whole_units = round(whole * _UNITS)
    exact = [share / total * whole_units for share in given]
    units = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_remainder[: whole_units - sum(units)]:
        units[place] += 1
    return [unit / _UNITS for unit in units]
