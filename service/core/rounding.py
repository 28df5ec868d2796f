"""Numbers as they are printed: nine decimals, and sums that hold in print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

DECIMALS: Final = 9
UNITS: Final = 10**DECIMALS
TIE: Final = 1.5 / UNITS
"""Printed numbers closer than that are told as equal."""


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
    units = [round(part * UNITS) for part in apportion(even)]
    units = [min(count, units[image]) for count, image in zip(units, mirror, strict=True)]
    left = UNITS - sum(units)
    own_image = [place for place, image in enumerate(mirror) if place == image and units[place]]
    if left % 2:
        # The whole is even and pairs count twice, so one of these is there.
        units[max(own_image, key=units.__getitem__)] += 1
    most = max(range(len(units)), key=units.__getitem__)
    for place in {most, mirror[most]}:
        units[place] += left // 2 * (2 if mirror[most] == most else 1)
    return [unit / UNITS for unit in units]
