"""Each move of a hint compared with another one: the difference of their values, by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.comparison import Comparison, compare
from service.core.game import Choice
from service.core.rounding import TIE, rounded

LATER: Final = "later"
"""Name of the part that comes from the rounds after this one."""


def compare_moves(
    moves: Sequence[Mapping[str, Choice]],
    values: Sequence[float],
    order: Sequence[int],
    pick: int,
    part_names: Sequence[str],
    parts: Floats,
    *,
    further: bool,
) -> list[Comparison[Mapping[str, Choice]] | None]:
    """Return the comparison of each move: the others with the pick.

    The pick is compared with the best move that differs from it in value or in any part.

    Args:
        moves: in deck order, like all other sequences.
        values: rounded.
        order: indices of the moves in the order of recommendation; it decides between equal values.
        pick: index of the pick.
        part_names: names of the parts of this round.
        parts: float64[moves, parts].
        further: whether the values contain further rounds; they are then the last part.

    Returns:
        None for a move without an alternative.
    """
    alternatives = [index for index in order if index != pick]
    if not alternatives:
        return [None]
    different = [
        index
        for index in alternatives
        if abs(values[index] - values[pick]) > TIE
        or float(np.abs(parts[index] - parts[pick]).max(initial=0.0)) > TIE
    ]
    best = max(different or alternatives, key=lambda index: values[index])

    def compared(index: int) -> Comparison[Mapping[str, Choice]]:
        other = best if index == pick else pick
        difference = rounded(values[index] - values[other])
        amounts = (parts[index] - parts[other]).tolist()
        by_part = dict(zip(part_names, amounts, strict=True))
        if further:
            by_part[LATER] = values[index] - values[other] - sum(amounts)
        return compare(moves[other], difference, by_part)

    return [compared(index) for index in range(len(moves))]
