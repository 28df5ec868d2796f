"""What to say about a choice: the few things that happen on the board and matter.

A game lists the consequences of a choice, compared with another one: what happens for certain, the
reply of another player that decides between the two, the danger, the cost.  Each has a weight, the
part of the difference between the values that comes from it.  Weights only rank: what is said
points in the direction of the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.core.hints import Reason

MAX_REASONS: Final = 2
LEAST: Final = 0.01
"""A consequence with a smaller weight is not worth saying, in shares of the win."""
SECOND: Final = 0.4
"""A second consequence, or a danger, has at least this part of the weight of the first."""
BALANCE: Final = "balance"
"""Code of what is said if a choice is better and no consequence stands out."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """Something that happens after a choice and not, or less often, after the other one.

    Attributes:
        code: a row of the game's table of sentences.
        params: cards, levels, players and numbers, by name.
        weight: its part of the difference; above 0 it speaks for the choice.
        rank: 0 for what the choice itself does; a larger one, such as for what another choice
            would suffer, is said only if there is no smaller one or if it weighs more.
    """

    code: str
    params: Mapping[str, Any]
    weight: float
    rank: int = 0

    @property
    def reason(self) -> Reason:
        """What a response lists."""
        return Reason(self.code, self.params)


def explain_best(
    consequences: Sequence[Consequence], difference: float, tolerance: float, unit: float = 1.0
) -> list[Reason]:
    """Return why a choice is recommended: two kinds of gains, or a gain and a danger or a cost.

    The result is empty if there are no gains and hardly any difference: the headline then says
    that the choices are equal.

    Args:
        consequences: of the choice.
        difference: its value minus that of the other choice.
        tolerance: smaller differences count as none.
        unit: the size of weights that matter as much as a share of the win.
    """
    by_code: dict[str, Consequence] = {}
    for each in sorted(_largest(consequences, 1.0, LEAST * unit), key=lambda each: each.rank):
        by_code.setdefault(each.code, each)
    gains = [*by_code.values()]
    costs = _largest(consequences, -1.0, LEAST * unit)[:1]
    if not gains:
        return [Reason(BALANCE, {})] if difference > tolerance else []
    first, *others = gains
    gains = [first, *(each for each in others if _adds(each, first))][:MAX_REASONS]
    costs = [each for each in costs if -each.weight >= SECOND * gains[0].weight]
    if difference > tolerance and sum(each.weight for each in gains + costs) <= 0.0:
        costs = []
    return [each.reason for each in gains[: MAX_REASONS - len(costs)] + costs]


def _adds(gain: Consequence, first: Consequence) -> bool:
    """Return whether a gain is worth saying after the first one."""
    if gain.rank > first.rank + 1:
        return False
    return gain.weight >= (SECOND if gain.rank == first.rank else 1.0) * first.weight


def explain_other(consequences: Sequence[Consequence], unit: float = 1.0) -> list[Reason]:
    """Return what goes wrong with another choice, at most one reason."""
    return [each.reason for each in _largest(consequences, -1.0, LEAST * unit)[:1]]


def explain_alone(consequences: Sequence[Consequence], unit: float = 1.0) -> list[Reason]:
    """Return all that matters of a choice, without a comparison: what it gains, then the rest."""
    found = list[Reason]()
    for sign in (1.0, -1.0):
        for each in _largest(consequences, sign, LEAST * unit):
            if each.reason not in found:
                found.append(each.reason)
    return found


def _largest(consequences: Sequence[Consequence], sign: float, least: float) -> list[Consequence]:
    """Return the consequences of one sign whose weight matters, the largest first."""
    speaking = [each for each in consequences if sign * each.weight >= least]
    return sorted(speaking, key=lambda each: -sign * each.weight)
