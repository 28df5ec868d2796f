"""Violation codes of Slopecrashers and their meanings."""

from __future__ import annotations

from typing import Final

VIOLATION_CODES: Final = {
    "unknown-piece": "No piece has this name (S1).",
    "duplicate-piece": "A piece is on the track twice (S1).",
    "no-pieces": "`pieces` is empty (S1).",
    "too-many-pieces": "`pieces` has more than 12 pieces (S1).",
    "uneven-lanes": "The rows of all pieces do not have the same number of lanes (S1).",
    "too-short": "The track has fewer than four rows (S1).",
    "deck-too-large": "The deck has more than 200 cards.",
    "off-course": "The track has no such space.",
    "half-placed": "Some but not all of `lap`, `row` and `lane` are given.",
    "not-enterable": "No character can enter the space (S5).",
    "space-taken": "Another character or a snowman is on the space (S5, S12).",
    "not-a-snowman": "The card cannot be used as a snowman (S12).",
    "winner-on-course": "The winner has a place on the track.",
    "course-or-seed": "Exactly one of `course` and `seed` is required.",
    "wrong-moment": "A character is placed once, as the first action (S3).",
    "no-movement-left": "The player has no movements left (S5).",
    "returns": "The turn was already here with the same movements and stack (S5).",
    "no-certain-end": "The turn cannot certainly end on a free space (S5).",
    "occupied-at-end": "A turn cannot end on an occupied space (S5).",
    "surplus-lane": "`lane` is allowed only when crossing the line on the first lap (S4).",
    "wrong-row": "A snowman is placed three rows ahead or one row behind (S12).",
    "no-gift": "The stack is empty (S14).",
    "not-on-top": "Another card is on top of the stack (S14).",
    "not-in-the-pool": "Every copy of the card is known to be elsewhere (S15).",
    "not-a-use": "The card does not have this use (S14).",
    "magnet-in-own-turn": "In the own turn a magnet can only be discarded (S13).",
    "no-magnet": "The attacked player does not have this magnet on top (S13).",
}
