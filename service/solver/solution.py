"""What a search found out of a decision, free of names, so that it serves every asker at every
table that looks alike, and can be kept as bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.solver.codec import pack_arrays, unpack_arrays
from service.solver.normal_form import Floats

PACKING: Final = "2"
"""Version of the bytes that :meth:`Solution.pack` makes."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Everybody's strategies, and what each move comes to against them.

    Attributes:
        strategies: by player, float64[moves], as printed; None where models that are given say
            how the others play.
        outcomes: by player, float64[moves, width], see
            :class:`~service.core.best_response_model.Columns`; without rows for players about whom
            nobody asked.
        gap: see :class:`~service.core.hints.Search`, as the next one; with a gap players mix,
            without one the asker plays what is best.
        residual: how far quantal strategies are from the response to each other.
        method: the algorithm.
        depth: rounds looked ahead.
        settled: no choice behind the values was cut or guessed.
        complete: False if the deadline stopped the search.
        resolved: rounds resolved.
        left_out: the greatest share of what a move may come to that was not looked beyond.
    """

    strategies: Sequence[Floats] | None
    outcomes: Sequence[Floats]
    gap: float | None
    residual: float | None
    method: str
    depth: int
    settled: bool
    complete: bool
    resolved: int
    left_out: float

    @property
    def mixtures(self) -> Sequence[Floats] | None:
        """The strategies, where the asker draws from its own too."""
        return None if self.gap is None else self.strategies

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
        told = {
            "strategies": None if self.strategies is None else len(strategies),
            "gap": self.gap,
            "residual": self.residual,
            "method": self.method,
            "depth": self.depth,
            "settled": self.settled,
            "complete": self.complete,
            "resolved": self.resolved,
            "left_out": self.left_out,
        }
        return pack_arrays(told, arrays)


def unpack(packed: bytes) -> Solution:
    """What :meth:`Solution.pack` made.

    Raises:
        ValueError: if nothing did that made this.
    """
    try:
        told, arrays = unpack_arrays(packed)
        many = told.pop("strategies")
        strategies = None if many is None else arrays[:many]
        return Solution(strategies=strategies, outcomes=arrays[many or 0 :], **told)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError("this is no packed solve") from error
