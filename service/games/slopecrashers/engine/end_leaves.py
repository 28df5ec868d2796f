"""The positions in which the ends of turns are evaluated, for the explanation of hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.sequential import NEXT_TURN, OTHERS, RIVALS, Leaves
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.packing import Vector

PARTS: Final = ("progress", "gifts", NEXT_TURN, OTHERS)
"""Parts of an estimate, in the order of ``kernels/estimation.py``."""
MEASURES: Final = ("movements", "gifts", "misses-turn", "stung", "next-movements", *RIVALS)
"""Of the asker at the end of the turn: minus the movements left to the finish, gifts in hand, and
whether it misses its next turn or begins it with one movement; and how many movements nearer to the
finish it is after its next turn; of the others: movements left before the asker's next turn."""


class PlayedEnd(NamedTuple):
    """What followed the end of a turn in each deal, see ``kernels/search.evaluate_end``.

    Attributes:
        shares: float64[deals], of the asker.
        chances: float64[deals], the probability of each deal.
        terms: float64[deals, parts, seats].
        places: int64[deals, 3], of the asker.
    """

    shares: Floats
    chances: Floats
    terms: Floats
    places: Ints

    @classmethod
    def decided(cls, won: bool, seats: int) -> PlayedEnd:
        """Return the end of a turn after which the result is certain."""
        place = [-1 if won else 0, 0, 0]
        terms = np.full((1, len(PARTS), seats), np.nan)
        return cls(np.array([float(won)]), np.ones(1), terms, np.array([place]))


def leaves_of(
    ends: Sequence[Vector], played: Sequence[PlayedEnd], asker: int, left: Floats
) -> Leaves:
    """Return the leaves of ends.

    Args:
        ends: the packed positions.
        played: what followed each of them.
        asker: seat of the asker.
        left: float64[laps, rows, lanes], movements left to the finish.
    """
    terms = np.concatenate([each.terms for each in played])
    shares = np.concatenate([each.shares for each in played])
    finished = np.isnan(terms[:, 0, 0])
    of_end = np.repeat(np.arange(len(ends)), [len(each.chances) for each in played])
    seats = len(terms[0, 0])
    at = turns.SEAT + asker * turns.SEAT_SIZE
    vectors = np.stack(ends)
    own = vectors[:, at : at + turns.SEAT_SIZE]
    places = own[:, [turns.LAP, turns.ROW, turns.LANE]].astype(np.int64)
    places[vectors[:, turns.WINNER] == asker, 0] = -1
    before = _movements_left(places, left)
    after = _movements_left(np.concatenate([each.places for each in played]), left)
    measures = np.zeros((len(terms), len(MEASURES)))
    measures[:, MEASURES.index("movements")] = -before[of_end]
    measures[:, MEASURES.index("gifts")] = own[of_end, turns.COUNT]
    measures[:, MEASURES.index("misses-turn")] = own[of_end, turns.MISSES]
    measures[:, MEASURES.index("stung")] = own[of_end, turns.STUNG]
    measures[:, MEASURES.index("next-movements")] = before[of_end] - after
    rivals = terms[:, PARTS.index(OTHERS), (asker + np.arange(1, seats)) % seats]
    first = MEASURES.index(RIVALS[0])
    measures[:, first : first + seats - 1] = np.where(finished[:, None], 0.0, rivals)
    return Leaves(
        ends=of_end,
        probabilities=np.concatenate([each.chances for each in played]),
        results=np.where(finished, shares, np.nan),
        terms=terms,
        measures=measures,
    )


def _movements_left(places: Ints, left: Floats) -> Floats:
    """Return the movements left from places; 0 where the lap is -1, after the finish."""
    laps, rows, lanes = places.T
    return np.where(laps < 0, 0.0, left[np.maximum(laps, 0), rows, lanes])
