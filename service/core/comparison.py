"""The difference between two choices, as a sum of parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from service.core.rounding import UNITS, rounded

Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Comparison(Generic[Move]):
    """A choice compared with another one.

    Attributes:
        other: the other choice.
        difference: the value of the choice minus that of the other one, rounded.
        parts: what the difference consists of, by name; rounded numbers that sum to the
            difference.  Parts of 0 are absent.
    """

    other: Move
    difference: float
    parts: Mapping[str, float]


def compare(other: Move, difference: float, parts: Mapping[str, float]) -> Comparison[Move]:
    """Return a comparison with rounded parts that sum to the rounded difference.

    Args:
        other: the other choice.
        difference: rounded.
        parts: not rounded; they sum to the difference up to its rounding.
    """
    return Comparison(other, difference, round_parts(parts, difference))


def round_parts(parts: Mapping[str, float], whole: float) -> dict[str, float]:
    """Round numbers so that they sum to a rounded whole (largest remainders).

    If the whole differs by more than rounding, the largest part takes the rest, if there is any.

    Args:
        parts: by name, of any sign.
        whole: their sum, rounded.
    """
    exact = {name: value * UNITS for name, value in parts.items()}
    units = {name: round(value) for name, value in exact.items()}
    missing = round(whole * UNITS) - sum(units.values())
    step = 1 if missing > 0 else -1
    by_remainder = sorted(units, key=lambda name: -step * (exact[name] - units[name]))
    # Exact zeros stay zero: nothing of the difference comes from them.
    present = [name for name in by_remainder if exact[name]] or by_remainder
    for name in present[: abs(missing)]:
        units[name] += step
    rest = missing - step * min(abs(missing), len(present))
    if rest and present:
        units[max(present, key=lambda name: abs(exact[name]))] += rest
    return {name: rounded(count / UNITS) for name, count in units.items() if count}
