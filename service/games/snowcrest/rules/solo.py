"""The solo game: difficulties, rests and grades (C13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.snowcrest.rules.state import State


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A difficulty of the solo game.

    Attributes:
        scrolls: scrolls in the supply.
        barley: barley at the start.
        rests: number of the rest that loses the game.
    """

    scrolls: int
    barley: int
    rests: int = 4


DIFFICULTIES: Final = {
    1: Difficulty(10, 3),
    2: Difficulty(11, 3),
    3: Difficulty(12, 3),
    4: Difficulty(13, 3),
    5: Difficulty(13, 2),
    6: Difficulty(13, 1),
    7: Difficulty(13, 0),
    8: Difficulty(14, 0),
    9: Difficulty(15, 0),
    10: Difficulty(15, 0, rests=3),
}
SOLO_CHALLENGES: Final = 2
"""Challenges on the board."""
MIN_WINNING_POINTS: Final = 10
"""Points needed to win."""

GRADES: Final = (
    (20, "inner-peace"),
    (17, "lasting-fame"),
    (14, "widely-known"),
    (11, "well-earned-rest"),
    (10, "survived"),
)
"""Minimum points of each grade; with fewer points the grade is ``CURSED``."""
CURSED: Final = "cursed"


def lost_by_resting(state: State) -> bool:
    """Return whether the rest that has just begun loses the game.

    A player who has already emptied the supply does not lose; the game ends with this turn.
    """
    return state.rests >= DIFFICULTIES[state.difficulty].rests and not state.ending


def is_won(state: State, points: int) -> bool:
    """Return whether a finished solo game is won."""
    return state.ending and points >= MIN_WINNING_POINTS


def grade(points: int) -> str:
    """Return the code of the grade for a number of points."""
    return next((code for minimum, code in GRADES if points >= minimum), CURSED)
