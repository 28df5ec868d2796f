"""What the codes of Slopecrashers' own faults mean."""

from __future__ import annotations

from typing import Final

VIOLATION_CODES: Final = {
    "unknown-piece": "There is no such piece (S1).",
    "duplicate-piece": "A piece is laid twice (S1).",
    "no-pieces": "Own pieces are one at least (S1).",
    "too-many-pieces": "Own pieces are too many (S1).",
    "uneven-lanes": "Not all rows of all pieces have the same number of lanes (S1).",
    "too-short": "The pieces laid have fewer than four rows (S1).",
    "deck-too-large": "The deck holds more than 200 cards.",
    "off-course": "There is no such space.",
    "half-placed": "Of `lap`, `row` and `lane` some are told and some are not.",
    "not-enterable": "No character can be there (S5).",
    "space-taken": "Somebody, or a snowman, is on the space already (S5, S12).",
    "not-a-snowman": "The card cannot be used as a snowman (S12).",
    "winner-on-course": "Who has won is nowhere on the course.",
    "course-or-seed": "Exactly one of `course` and `seed` is due.",
    "wrong-moment": "A character is placed once, before anything else (S3).",
    "no-movement-left": "No movement is left (S5).",
    "returns": "The turn was here with the same movements and the same stack (S5).",
    "no-certain-end": "It would not be certain that the turn can end on a free space (S5).",
    "occupied-at-end": "A turn may not end on an occupied space (S5).",
    "surplus-lane": "A lane is chosen only where the line is crossed on the first lap (S4).",
    "wrong-row": "A snowman is put three rows ahead or one behind (S12).",
    "no-gift": "The stack is empty (S14).",
    "not-on-top": "Another card lies on top of the stack (S14).",
    "not-in-the-pool": "All cards of that name are known to be elsewhere (S15).",
    "not-a-use": "The card cannot be used as that (S14).",
    "magnet-in-own-turn": "In one's own turn a magnet can only be discarded (S13).",
    "no-magnet": "The attacked player has no such magnet on top (S13).",
}
