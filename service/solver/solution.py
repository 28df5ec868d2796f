"""What a search found out of a decision, free of names, so that it serves every asker at every
table that looks alike, and can be kept as bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.core.arrays import Floats
from service.solver.codec import pack_arrays, unpack_arrays

PACKING: Final = "2"
"""Version of the bytes that :meth:`Solution.pack` returns."""

_HEAD_FIELDS: Final = {
    "gap": "epsilon",
    "residual": "quantal_residual",
    "method": "method",
    "depth": "depth",
    "settled": "choices_exact",
    "complete": "complete",
    "resolved": "nodes",
    "left_out": "unsearched",
}
"""JSON key in the packed head and the field of :class:`Solution` that it stores."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Everybody's strategies, and what each move comes to against them.

    Attributes:
        strategies: by player, float64[moves], as printed; None where models that are given say
            how the others play.
        outcomes: by player, float64[moves, width], see
            :class:`~service.core.best_response_model.OutcomeColumns`; without rows for players
            about whom nobody asked.
        gap: see :class:`~service.core.hints.Search`, as the next one; with a gap players mix,
            without one the asker plays what is best.
        quantal_residual: how far quantal strategies are from the response to each other.
        method: the algorithm.
        depth: rounds looked ahead.
        choices_exact: no choice behind the values was cut or guessed.
        complete: False if the deadline stopped the search.
        nodes: rounds resolved.
        unsearched: the greatest share of what a move may come to that was not looked beyond.
    """

    strategies: Sequence[Floats] | None
    outcomes: Sequence[Floats]
    epsilon: float | None
    quantal_residual: float | None
    method: str
    depth: int
    choices_exact: bool
    complete: bool
    nodes: int
    unsearched: float

    @property
    def mixtures(self) -> Sequence[Floats] | None:
        """The strategies, where the asker draws from its own too."""
        return None if self.epsilon is None else self.strategies

    def common(self) -> Floats | None:
        """float64[width]: what all expect of the decision, told from one side, whoever asks; None
        where each asker has its own.
        """
        if self.mixtures is None:
            return None
        total: Floats = (self.mixtures[0][:, None] * self.outcomes[0]).sum(axis=0)
        return total

    def pack(self) -> bytes:
        """All of it: a head in JSON that tells the shapes, then the numbers, bit by bit."""
        strategies = self.strategies or ()
        arrays = [*strategies, *self.outcomes]
        head = {
            "strategies": None if self.strategies is None else len(strategies),
            **{key: getattr(self, field) for key, field in _HEAD_FIELDS.items()},
        }
        return pack_arrays(head, arrays)


def unpack(packed: bytes) -> Solution:
    """Return the solution that :meth:`Solution.pack` packed.

    Raises:
        ValueError: if the bytes are not a packed solution.
    """
    try:
        head, arrays = unpack_arrays(packed)
        count = head.pop("strategies")
        return Solution(
            strategies=None if count is None else arrays[:count],
            outcomes=arrays[count or 0 :],
            **{_HEAD_FIELDS[key]: value for key, value in head.items()},
        )
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not a packed solution") from error
