"""The positions in which the ends of turns are evaluated, for the explanation of hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from service.core.arrays import Bools, Floats, Ints
from service.core.sequential import ENDINGS, NEXT_TURN, OTHERS, RIVALS, Leaves, endings_of
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.search import (
    LATER,
    LATER_GIFTS,
    LATER_SNOWMEN,
    LATER_WORTH,
)
from service.games.slopecrashers.engine.packing import Board, Vector, distances, gift_fields
from service.games.slopecrashers.rules.course import Course
from service.games.slopecrashers.rules.gifts import Gift

PARTS: Final = ("progress", "gifts", NEXT_TURN, OTHERS)
"""Parts of an estimate, in the order of ``kernels/estimation.py``."""
GIFT_MEASURES: Final = {f"gift-{gift.label}": gift for gift in Gift}
NEXT_RIVALS: Final = tuple(f"next-{rival}" for rival in RIVALS)
MEASURES: Final = (
    "movements", "way", "gift-fields", "gifts", *GIFT_MEASURES, "gifts-worth", "misses-turn",
    "stung", "next-movements", "later-gift-fields", "next-gifts", "next-gifts-worth", "snowmen",
    *RIVALS, *NEXT_RIVALS, *ENDINGS,
)  # fmt: skip
"""What is counted.

- of the asker at the end of the turn: minus the movements left to the finish; those on the best way
  less what its gift fields save, and how many these are; gifts in hand, how many are each
  gift and how many movements they save; and whether it misses its next turn or begins it with one
  movement
- of the asker after its next turn: how many movements nearer to the finish it is than before, gift
  fields on the best way, how many more gifts it has than before, how many more movements these
  save, and movements that snowmen cost
- of the others: movements left before the asker's next turn, and what that turn adds
"""


class PlayedEnd(NamedTuple):
    """What followed the end of a turn in each deal, see ``kernels/search.evaluate_end``.

    Attributes:
        shares: float64[deals], of the asker.
        chances: float64[deals], the probability of each deal.
        terms: float64[deals, parts, seats].
        later: float64[deals, LATER], of the asker.
    """

    shares: Floats
    chances: Floats
    terms: Floats
    later: Floats

    @classmethod
    def decided(cls, won: bool, end: Vector, asker: int) -> PlayedEnd:
        """Return the end of a turn after which the result is certain."""
        at, later = turns.SEAT + asker * turns.SEAT_SIZE + turns.LAP, np.zeros((1, LATER))
        later[0, :LATER_GIFTS] = end[at : at + LATER_GIFTS]
        if won:
            later[0, 0] = -1.0
        terms = np.full((1, len(PARTS), end[turns.N]), np.nan)
        return cls(np.array([float(won)]), np.ones(1), terms, later)


def leaves_of(
    ends: Sequence[Vector], played: Sequence[PlayedEnd], asker: int, board: Board, gift_field: float
) -> Leaves:
    """Return the leaves of ends.

    Args:
        ends: the packed positions.
        played: what followed each of them.
        asker: seat of the asker.
        board: of the game.
        gift_field: what a gift field on the way saves, in movements.
    """
    terms = np.concatenate([each.terms for each in played])
    shares = np.concatenate([each.shares for each in played])
    later = np.concatenate([each.later for each in played])
    of_end = np.repeat(np.arange(len(ends)), [len(each.chances) for each in played])
    finished = np.isnan(terms[:, 0, 0])
    measures = _measures_before(np.stack(ends), asker, board, gift_field)[of_end]
    worth = -terms[:, PARTS.index("gifts"), asker]
    _add_later(measures, later, worth, finished, board.course, gift_field)
    following = (asker + np.arange(1, terms.shape[2])) % terms.shape[2]
    for names, part in ((RIVALS, OTHERS), (NEXT_RIVALS, NEXT_TURN)):
        of_others = np.where(finished[:, None], 0.0, terms[:, PARTS.index(part), following])
        first = MEASURES.index(names[0])
        measures[:, first : first + len(following)] = of_others
    results = np.where(finished, shares, np.nan)
    measures[:, -len(ENDINGS) :] = np.stack(endings_of(results), axis=1)
    return Leaves(
        ends=of_end,
        probabilities=np.concatenate([each.chances for each in played]),
        results=results,
        terms=terms,
        measures=measures,
    )


def _measures_before(vectors: Ints, asker: int, board: Board, gift_field: float) -> Floats:
    """Return float64[ends, measures] with those of the end of the turn."""
    at = turns.SEAT + asker * turns.SEAT_SIZE
    own = vectors[:, at : at + turns.SEAT_SIZE]
    places = own[:, [turns.LAP, turns.ROW, turns.LANE]].astype(np.int64)
    places[vectors[:, turns.WINNER] == asker, 0] = -1
    held = np.arange(turns.STACK) < own[:, turns.COUNT, None]
    uses = np.where(held, board.uses[own[:, turns.GIFTS : turns.GIFTS + turns.STACK]], 0)
    measures = np.zeros((len(vectors), len(MEASURES)))
    for name, column in (
        ("movements", -_at(distances(board.course), places)),
        ("way", _at(distances(board.course, gift_field), places)),
        ("gift-fields", _at(gift_fields(board.course, gift_field), places)),
        ("gifts", own[:, turns.COUNT]),
        ("misses-turn", own[:, turns.MISSES]),
        ("stung", own[:, turns.STUNG]),
        *((name, (uses >> gift & 1).sum(axis=1)) for name, gift in GIFT_MEASURES.items()),
    ):
        measures[:, MEASURES.index(name)] = column
    return measures


def _add_later(
    measures: Floats,
    later: Floats,
    worth: Floats,
    finished: Bools,
    course: Course,
    gift_field: float,
) -> None:
    """Add the measures of the asker after its next turn, and what its gifts are worth before."""
    places = later[:, :LATER_GIFTS].astype(np.int64)
    movements, gifts = (measures[:, MEASURES.index(name)] for name in ("movements", "gifts"))
    measures[:, MEASURES.index("next-movements")] = -movements - _at(distances(course), places)
    for name, column in (
        ("gifts-worth", worth),
        ("next-gifts-worth", later[:, LATER_WORTH] - worth),
        ("later-gift-fields", _at(gift_fields(course, gift_field), places)),
        ("next-gifts", later[:, LATER_GIFTS] - gifts),
        ("snowmen", later[:, LATER_SNOWMEN]),
    ):
        measures[:, MEASURES.index(name)] = np.where(finished, 0.0, column)


def _at(numbers: Floats, places: Ints) -> Floats:
    """Return the numbers of places; 0 where the lap is -1, after the finish."""
    laps, rows, lanes = places.T
    return np.where(laps < 0, 0.0, numbers[np.maximum(laps, 0), rows, lanes])
