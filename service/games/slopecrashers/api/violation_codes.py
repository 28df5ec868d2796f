"""Violation codes of Slopecrashers, each with its cause and its remedy."""

from __future__ import annotations

from typing import Final

from service.core.violation_codes import ErrorCode

VIOLATION_CODES: Final = {
    "unknown-piece": ErrorCode(
        "The course contains an unknown piece (S1).",
        "Use the names in `pieces`, or, without `pieces`, the names of the default pieces.",
    ),
    "duplicate-piece": ErrorCode(
        "`course` or `reversed` contains a piece twice (S1).",
        "List each piece once.",
    ),
    "too-many-pieces": ErrorCode(
        "`pieces` has more than 12 pieces (S1).",
        "Remove the pieces that the course does not use.",
    ),
    "uneven-lanes": ErrorCode(
        "The rows of a piece do not all have the same number of lanes (S1).",
        "Give every row of the piece the same number of fields; pieces can have different widths.",
    ),
    "not-on-course": ErrorCode(
        "`reversed` or `offsets` has a piece that is not on the course (S1).",
        "Add the piece to `course`, or remove it from `reversed` and `offsets`.",
    ),
    "too-wide": ErrorCode(
        "With its offset, a piece extends beyond the eighth lane (S1).",
        "Reduce its offset; the widest course has 8 lanes.",
    ),
    "empty-lane": ErrorCode(
        "All pieces of the course have an offset, so lane 0 is empty (S1).",
        "Reduce all offsets by the smallest one, so that a piece begins at the left edge.",
    ),
    "pieces-apart": ErrorCode(
        "A piece and the next one on the course share no lane (S1).",
        "Change the offset of one of them, so that a character can step from one to the other.",
    ),
    "too-short": ErrorCode(
        "The course has fewer than four rows (S1).",
        "Add pieces to the course.",
    ),
    "deck-too-large": ErrorCode(
        "The deck has more than 200 cards.",
        "Reduce the counts in `deck`.",
    ),
    "off-course": ErrorCode(
        "The course has no such space.",
        "Use a `row` and a `lane` of the course; both are counted from 0.",
    ),
    "half-placed": ErrorCode(
        "A seat has some of `lap`, `row` and `lane` but not all of them.",
        "Give all three, or none of them for a character that is not on the course.",
    ),
    "not-enterable": ErrorCode(
        "No character can enter this space (S5).",
        "Use a space that `legal-moves` lists. An `abyss`, an `obstacle` and places outside the "
        "course cannot be entered.",
    ),
    "space-taken": ErrorCode(
        "A character or a snowman is already on the space (S5, S12).",
        "Use a free space, and check the positions of all seats and snowmen.",
    ),
    "not-a-snowman": ErrorCode(
        "The card cannot be used as a snowman (S12).",
        "Set `card` to a card with `snowman` in its name, or remove it for the plain card.",
    ),
    "winner-on-course": ErrorCode(
        "The winner still has a place on the course (S16).",
        "Remove `lap`, `row` and `lane` from the winner's seat.",
    ),
    "course-or-seed": ErrorCode(
        "The request has both `course` and `seed`, or neither.",
        "Send `course` with the pieces in order, or `seed` for a course in random order.",
    ),
    "wrong-moment": ErrorCode(
        "`place` is the first action of a character's first turn, and occurs only there (S3).",
        "Send `place` first in the first turn, and in no other turn.",
    ),
    "no-movement-left": ErrorCode(
        "The player has used all movements of the turn (S5).",
        "Play or discard a gift, or end the turn.",
    ),
    "returns": ErrorCode(
        "The character has already been on this space in this turn, with the same movements and "
        "the same stack (S5).",
        "Choose an action that leads to another space or changes the stack.",
    ),
    "no-certain-end": ErrorCode(
        "After this action the turn might not be able to end on a free space (S5).",
        "Choose one of the actions that `legal-moves` lists.",
    ),
    "occupied-at-end": ErrorCode(
        "A turn cannot end on a space with another character (S5).",
        "Step on or play a gift before `end`.",
    ),
    "surplus-lane": ErrorCode(
        "The action has a `lane`, but the player chooses no lane here (S4).",
        "Remove `lane`; the player chooses it only when crossing the line on the first lap.",
    ),
    "wrong-row": ErrorCode(
        "The snowman is neither three rows ahead of the character nor one row behind it (S12).",
        "Use one of these rows.",
    ),
    "no-gift": ErrorCode(
        "The player has no gift (S14).",
        "Step or end the turn, or add the stack to `gifts` of the seat.",
    ),
    "not-on-top": ErrorCode(
        "Another card is on top of the stack (S14).",
        "Use the first card of `gifts`; the stack is listed top first.",
    ),
    "not-in-the-pool": ErrorCode(
        "The positions of all copies of the card are known (S15).",
        "Use a card of which a copy is still unseen, or correct the position.",
    ),
    "not-a-use": ErrorCode(
        "The card does not have this gift (S14).",
        "Set `gift` to one of the gifts in the name of the card.",
    ),
    "magnet-in-own-turn": ErrorCode(
        "A magnet only answers attacks; in their own turn, players can only discard it (S13).",
        "Use `discard`, or choose the other gift of the card.",
    ),
    "no-magnet": ErrorCode(
        "The top card of the attacked player is not this magnet (S13).",
        "Answer without a magnet, or correct `card`.",
    ),
}
