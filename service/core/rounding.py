"""Rounding to nine decimals that preserves sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

DECIMALS: Final = 9
UNITS: Final = 10**DECIMALS
TIE: Final = 1.5 / UNITS
"""Rounded numbers that differ by less count as equal."""


def rounded(value: float) -> float:
    """Return the value with nine decimals, never minus zero."""
    return round(value, DECIMALS) + 0.0


def apportion(shares: Iterable[float], whole: float = 1.0) -> list[float]:
    """Scale and round non-negative numbers so that the rounded numbers sum to ``whole``.

    ``whole`` must itself be rounded.  If all numbers are zero, they stay zero.  The largest
    remainders are rounded up (Hare–Niemeyer method), the first of equal ones first.
    """
    values = [float(share) for share in shares]
    total = sum(values)
    if not total:
        return values
    whole_units = round(whole * UNITS)
    exact = [share / total * whole_units for share in values]
    units = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: units[place] - exact[place])
    for place in by_remainder[: whole_units - sum(units)]:
        units[place] += 1
    return [unit / UNITS for unit in units]


def apportion_mirrored(shares: Iterable[float], mirror: Sequence[int]) -> list[float]:
    """Round like :func:`apportion` to a sum of 1, and make mirror images equal.

    Args:
        shares: non-negative numbers.
        mirror: the index of each share's mirror image; the image of an image is the share itself.
    """
    values = [float(share) for share in shares]
    even = [(share + values[image]) / 2 for share, image in zip(values, mirror, strict=True)]
    units = [round(part * UNITS) for part in apportion(even)]
    units = [min(count, units[image]) for count, image in zip(units, mirror, strict=True)]
    left = UNITS - sum(units)
    own_image = [place for place, image in enumerate(mirror) if place == image and units[place]]
    if left % 2:
        # The whole is even and pairs count twice, so at least one share is its own image.
        units[max(own_image, key=units.__getitem__)] += 1
    most = max(range(len(units)), key=units.__getitem__)
    for place in {most, mirror[most]}:
        units[place] += left // 2 * (2 if mirror[most] == most else 1)
    return [unit / UNITS for unit in units]
