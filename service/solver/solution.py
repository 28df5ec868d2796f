"""The result of a search, without names, so that it serves every player at equivalent positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from service.core.arrays import Floats
from service.core.hints import LearnedSearch
from service.solver.codec import pack_arrays, unpack_arrays

PACKING: Final = "6"
"""Version of the bytes that :meth:`Solution.pack` returns."""

_HEAD_FIELDS: Final = (
    "epsilon",
    "quantal_residual",
    "method",
    "depth",
    "choices_exact",
    "complete",
    "nodes",
    "unsearched",
)
"""Fields of :class:`Solution` in the packed head; the others are arrays."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The strategies of all players and the outcome of each move against them.

    Attributes:
        strategies: by player, float64[moves], rounded; None if a fixed model says how the other
            players choose.
        outcomes: by player, float64[moves, width], see
            :class:`~service.core.best_response_model.OutcomeColumns`; players whom it does not
            serve have no rows.
        parts: by player, float64[moves, parts], see
            :meth:`~service.core.simultaneous.SimultaneousGame.parts`; likewise.
        replies: by player, see :func:`~service.solver.search.replies.reply_values`; likewise, and
            nobody has rows under fixed models. They are grouped, because a healer has many moves.
        epsilon: see :class:`~service.core.hints.Search`; None if the asker plays its best move
            and does not mix.
        quantal_residual: see :class:`~service.core.hints.Search`.
        method: the algorithm.
        depth: rounds looked ahead.
        choices_exact: whether all choices behind the values were searched without pruning or
            estimates.
        complete: False if the deadline stopped the search.
        nodes: rounds resolved.
        unsearched: see :class:`~service.core.hints.Search`.
        learned: see :class:`~service.core.hints.Search`; such a solution serves one asker, and is
            not packed.
    """

    strategies: Sequence[Floats] | None
    outcomes: Sequence[Floats]
    parts: Sequence[Floats]
    replies: Sequence[Floats]
    epsilon: float | None
    quantal_residual: float | None
    method: str
    depth: int
    choices_exact: bool
    complete: bool
    nodes: int
    unsearched: float
    learned: LearnedSearch | None = None

    @property
    def mixtures(self) -> Sequence[Floats] | None:
        """The strategies if the asker mixes too, otherwise None."""
        return None if self.epsilon is None and self.learned is None else self.strategies

    def common_outcome(self) -> Floats | None:
        """Return the expected outcome that is the same for every asker.

        Returns:
            float64[width]; None if each asker has its own outcome.
        """
        if self.mixtures is None:
            return None
        player = next(player for player, own in enumerate(self.outcomes) if len(own))
        total: Floats = (self.mixtures[player][:, None] * self.outcomes[player]).sum(axis=0)
        return total

    def pack(self) -> bytes:
        """Return the solution as bytes, bit for bit; see ``codec.py``."""
        strategies = self.strategies or ()
        arrays = [*strategies, *self.outcomes, *self.parts, *self.replies]
        head = {
            "strategies": None if self.strategies is None else len(strategies),
            **{field: getattr(self, field) for field in _HEAD_FIELDS},
        }
        return pack_arrays(head, arrays)


def unpack(packed: bytes) -> Solution:
    """Return the solution that :meth:`Solution.pack` packed; ``cached_values.py`` checks it.

    Raises:
        ValueError: if the bytes are not a packed solution.
    """
    try:
        head, arrays = unpack_arrays(packed)
        count = head.pop("strategies")
        strategies, rest = arrays[: count or 0], arrays[count or 0 :]
        players = len(rest) // 3
        return Solution(
            strategies=None if count is None else strategies,
            outcomes=rest[:players],
            parts=rest[players : 2 * players],
            replies=rest[2 * players :],
            **{field: head[field] for field in _HEAD_FIELDS},
        )
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not a packed solution") from error
