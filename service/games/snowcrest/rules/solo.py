"""The game of one: its difficulties, its rests, its grades (C13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.snowcrest.rules.state import State


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A difficulty.

    Attributes:
        scrolls: of the supply.
        barley: at the start.
        rests: the one that loses the game.
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
MIN_WINNING_POINTS: Final = 10
"""To win."""

GRADES: Final = (
    (20, "inner-peace"),
    (17, "lasting-fame"),
    (14, "widely-known"),
    (11, "well-earned-rest"),
    (10, "survived"),
)
"""From how many points on; below the last one, the village is cursed."""
CURSED: Final = "cursed"


def lost_by_resting(state: State) -> bool:
    """Whether the rest that has just begun is the one too many.

    Who had emptied the supply before it has what was asked for, and the game ends with the turn.
    """
    return state.rests >= DIFFICULTIES[state.difficulty].rests and not state.ending


def is_won(state: State, points: int) -> bool:
    """Whether a finished game of one is won."""
    return state.ending and points >= MIN_WINNING_POINTS


def grade(points: int) -> str:
    return next((code for least, code in GRADES if points >= least), CURSED)
