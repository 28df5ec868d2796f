"""Numbers as people say them: whole per cent, spaces to one decimal, nothing beyond the error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ALMOST_SURE: Final = 0.95
"""Chances from here on are said to be almost sure, except a certain one."""
PERCENT_STEPS: Final = (1, 2, 5, 10, 20, 50)
"""Per cents are rounded to the smallest of these steps that is not below the error."""
SPACE_STEP: Final = 0.1


@dataclass(frozen=True, slots=True)
class Spoken:
    """A rounded size.

    Attributes:
        amount: a whole number of per cent, or spaces with one decimal.
        below: whether the size is not 0 but less than ``amount``.
        exact: whether the size is the amount, not about the amount.
    """

    amount: float
    below: bool = False
    exact: bool = False


def spoken_percent(share: float, error: float = 0.0) -> Spoken:
    """Return the size of a share or a difference of shares in per cent.

    Args:
        share: of any sign.
        error: standard error of the share.
    """
    size = abs(share) * 100.0
    step = next((step for step in PERCENT_STEPS if step >= error * 100.0), PERCENT_STEPS[-1])
    amount = step * round(size / step)
    if 0.0 < size < step:
        return Spoken(step, below=True)
    if amount >= 100 and size < 100.0:
        amount = 100 - step
    return Spoken(amount, exact=size in (0.0, 100.0))


def spoken_spaces(spaces: float) -> Spoken:
    """Return the size of a number of spaces with one decimal; of any sign."""
    size = abs(spaces)
    amount = round(size, 1)
    if size and not amount:
        return Spoken(SPACE_STEP, below=True)
    return Spoken(amount, exact=abs(amount - size) < 1e-9)
