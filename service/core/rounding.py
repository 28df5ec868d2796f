"""Numbers as they are printed: nine decimals, and sums that hold in print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

DECIMALS: Final = 9
UNITS: Final = 10**DECIMALS


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
    whole_units = round(whole * UNITS)
    exact = [share / total * whole_units for share in given]
    units = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_remainder[: whole_units - sum(units)]:
        units[place] += 1
    return [unit / UNITS for unit in units]


def apportion_mirrored(shares: Iterable[float], mirror: Sequence[int]) -> list[float]:
    """As :func:`apportion` for a whole of 1, a share and its mirror image being equal in print.

    ``mirror`` names the image of each share; images of images are the shares themselves.
    """
    given = [float(share) for share in shares]
    even = [(share + given[image]) / 2 for share, image in zip(given, mirror, strict=True)]
    units = [int(part * UNITS) for part in apportion(even)]
    units = [min(count, units[image]) for count, image in zip(units, mirror, strict=True)]
    left = UNITS - sum(units)
    by_size = sorted(range(len(units)), key=lambda place: (-units[place], place))
    for place in by_size:
        pair = {place, mirror[place]}
        if len(pair) <= left and units[place]:
            each = left // 2 if len(pair) == 2 else left % 2
            for one in pair:
                units[one] += each
            left -= each * len(pair)
    return [unit / UNITS for unit in units]
