"""The difference between two choices, as a sum of parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from service.core.rounding import UNITS, rounded

Move = TypeVar("Move")
Argument = TypeVar("Argument")


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

    If the whole differs by more than rounding, the largest part takes the rest.

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
    if rest:
        units[max(present, key=lambda name: abs(exact[name]))] += rest
    return {name: rounded(count / UNITS) for name, count in units.items() if count}


def by_size(parts: Mapping[str, float], sign: int) -> list[str]:
    """Return the names of the parts of one sign, the largest first."""
    return sorted(
        (name for name, value in parts.items() if value * sign > 0.0),
        key=lambda name: -abs(parts[name]),
    )


def leaning(
    gains: Sequence[Argument],
    costs: Sequence[Argument],
    difference: float,
    value: Callable[[Argument], float],
    pros: int,
    cons: int,
    room: int,
) -> list[Argument]:
    """Return the largest gains, then the largest costs, whose sum has the sign of the difference.

    Arguments whose sum has the other sign would argue for the opposite.  More of the right sign
    are added then; if there is no room, those of the other sign are left out.

    Args:
        gains, costs: arguments, the largest first.
        difference: what they explain.
        value: returns what an argument explains, of any sign.
        pros, cons: numbers of gains and costs to begin with.
        room: for so many arguments.
    """
    least, other = (pros, cons) if difference >= 0.0 else (cons, pros)
    for count, rest in (*((count, other) for count in range(least, room - other + 1)), (room, 0)):
        first, last = (count, rest) if difference >= 0.0 else (rest, count)
        chosen = [*gains[:first], *costs[:last]]
        if sum(map(value, chosen)) * difference > 0.0:
            return chosen
    return [*gains[:pros], *costs[:cons]]
