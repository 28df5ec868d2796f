"""The positions in which the ends of turns are evaluated, for the explanation of hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from service.core.arrays import Floats
from service.core.sequential import NEXT_TURN, OTHERS, Leaves
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.packing import Vector

PARTS: Final = ("progress", "gifts", NEXT_TURN, OTHERS)
"""Parts of an estimate, in the order of ``kernels/estimation.py``."""


class PlayedEnd(NamedTuple):
    """What followed the end of a turn in each deal, see ``kernels/search.evaluate_end``.

    Attributes:
        shares: float64[deals], of the asker.
        chances: float64[deals], the probability of each deal.
        terms: float64[deals, parts, seats].
    """

    shares: Floats
    chances: Floats
    terms: Floats

    @classmethod
    def decided(cls, won: bool, end: Vector) -> PlayedEnd:
        """Return the end of a turn after which the result is certain."""
        terms = np.full((1, len(PARTS), end[turns.N]), np.nan)
        return cls(np.array([float(won)]), np.ones(1), terms)


def leaves_of(played: Sequence[PlayedEnd]) -> Leaves:
    """Return the leaves of ends, given what followed each of them."""
    terms = np.concatenate([each.terms for each in played])
    shares = np.concatenate([each.shares for each in played])
    return Leaves(
        ends=np.repeat(np.arange(len(played)), [len(each.chances) for each in played]),
        probabilities=np.concatenate([each.chances for each in played]),
        results=np.where(np.isnan(terms[:, 0, 0]), shares, np.nan),
        terms=terms,
    )
