"""The JSON shapes of positions, atoms and requests.

Shape only: what the rules allow is legality's matter.
"""

from __future__ import annotations

from typing import Any

from service.games.common.turn_hint_schema import (
    MOST_TURNS,
    deadline,
    objective,
    review_deadline,
    tier,
)
from service.games.common.validation import Flag, Integer, ListOf, Name, Nested, OneOf, Shape, Table
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL
from service.games.slopecrashers.rules.gifts import CARD_BY_LABEL, GIFT_BY_LABEL, UNKNOWN_LABEL
from service.games.slopecrashers.rules.state import AHEAD, LAPS, MOST_ATOMS, Act

MOST_SEATS = 6
MOST_PIECES, MOST_ROWS, MOST_LANES = 12, 12, 8
LARGEST_DECK = 200
LAST_ROW = MOST_PIECES * MOST_ROWS - 1
MOST_TOLD = 3 * MOST_ATOMS + MOST_ATOMS * MOST_SEATS
"""Atoms, each with a draw and the others' answers at most, and something to spare."""


class CardName(OneOf):
    """A card: a gift, two of them joined by ``-or-`` in deck order, or ``unknown``."""

    def __init__(self, *, unknown: bool = False, **kwargs: Any) -> None:
        words = (*CARD_BY_LABEL, UNKNOWN_LABEL) if unknown else tuple(CARD_BY_LABEL)
        super().__init__(words, **kwargs)


class GiftName(OneOf):
    """What a card is used as."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tuple(GIFT_BY_LABEL), **kwargs)


# Positions ------------------------------------------------------------------------------------


def _row(**kwargs: Any) -> Integer:
    return Integer(0, LAST_ROW, metadata={"description": "From the start, from 0."}, **kwargs)


def _lane(**kwargs: Any) -> Integer:
    return Integer(0, MOST_LANES - 1, metadata={"description": "From the left, from 0."}, **kwargs)


class SeatSchema(Shape):
    component = "SlopecrashersSeat"

    player = Name(required=True)
    lap = Integer(
        1,
        LAPS,
        metadata={"description": "With `row` and `lane`; none of them before the first turn."},
    )
    row = _row()
    lane = _lane()
    gifts = ListOf(
        CardName(unknown=True),
        0,
        LARGEST_DECK,
        metadata={"description": "The stack, top first; `unknown` what has not been seen."},
    )
    misses_turn = Flag(metadata={"description": "Misses the next turn (S11)."})
    stung = Flag(metadata={"description": "Begins the next turn with one movement (S10)."})


class SnowmanSchema(Shape):
    component = "SlopecrashersSnowman"

    row = _row(required=True)
    lane = _lane(required=True)
    card = CardName(metadata={"description": "The card that put it there; `snowman` by default."})


PIECES_NOTE = (
    "Own pieces by name, row by row in the direction of the race; without them the house pieces "
    "are there (S1)."
)
DECK_NOTE = "How many of each card there are; without it the house deck is used (S1)."


def pieces_by_name(**kwargs: Any) -> Table:
    """Pieces of the track, as rows of fields."""
    row = ListOf(OneOf(tuple(FIELD_BY_LABEL)), 2, MOST_LANES)
    return Table(
        keys=Name(),
        values=ListOf(row, 1, MOST_ROWS),
        metadata={"description": PIECES_NOTE},
        **kwargs,
    )


def deck_by_card(**kwargs: Any) -> Table:
    """How many of each card."""
    return Table(
        keys=CardName(),
        values=Integer(0, LARGEST_DECK),
        metadata={"description": DECK_NOTE},
        **kwargs,
    )


def course_of_names(**kwargs: Any) -> ListOf:
    """The pieces as they are laid."""
    return ListOf(
        Name(),
        1,
        MOST_PIECES,
        metadata={"description": "Names of pieces, from the start to the line, each once."},
        **kwargs,
    )


class StateSchema(Shape):
    component = "SlopecrashersState"

    seats = ListOf(
        Nested(SeatSchema),
        2,
        MOST_SEATS,
        required=True,
        metadata={"description": "In the order of turns."},
    )
    turn = Name(required=True, metadata={"description": "The player whose turn is next."})
    course = course_of_names(required=True)
    pieces = pieces_by_name()
    deck = deck_by_card()
    discards = ListOf(
        CardName(),
        0,
        LARGEST_DECK,
        metadata={"description": "In any order. What is nowhere else lies in the pile."},
    )
    snowmen = ListOf(Nested(SnowmanSchema), 0, LARGEST_DECK)
    winner = Name(metadata={"description": "Who has won; this player is nowhere any more."})


# Atoms ----------------------------------------------------------------------------------------


class AtomSchema(Shape):
    component = "SlopecrashersAtom"

    type = OneOf(
        tuple(act.label for act in Act),
        required=True,
        metadata={
            "description": "What is done, and the members that belong to it:\n"
            "- `place` the character on `lane` of row 0, in the first turn (S3)\n"
            "- `step` in a `direction`; over the line of the first lap, `lane` says where to (S4)\n"
            "- `play` the top gift: `gift` says as what, `card` which card it is; a spring has a "
            "`direction` and perhaps a `lane`, a snowman `row` and `lane`\n"
            "- `discard` the top gift\n"
            "- `end` the turn\n"
            "- `answer` an attack with a `magnet` or without; `player` says who does\n"
            "- `draw` a `card`, perhaps an `unknown` one"
        },
    )
    player = Name(metadata={"description": "Who answers; may be left out."})
    direction = OneOf(tuple(direction.label for direction in AHEAD))
    gift = GiftName()
    card = CardName(
        unknown=True,
        metadata={
            "description": "May be left out where it is known, or where the plain card is meant."
        },
    )
    row = _row()
    lane = _lane()
    magnet = Flag()


def list_of_atoms(note: str, **kwargs: Any) -> ListOf:
    """What has been done in a turn, in order."""
    return ListOf(Nested(AtomSchema), 0, MOST_TOLD, metadata={"description": note}, **kwargs)


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(Shape):
    component = "SlopecrashersNewSeat"

    player = Name(required=True)


def _seed(note: str) -> Integer:
    return Integer(0, 2**53 - 1, metadata={"description": note})


class NewRequest(Shape):
    component = "SlopecrashersNewRequest"

    seats = ListOf(
        Nested(NewSeatSchema),
        2,
        MOST_SEATS,
        required=True,
        metadata={"description": "In the order of turns."},
    )
    course = course_of_names()
    seed = _seed("In place of `course`: lays all pieces; same seed, same course.")
    pieces = pieces_by_name()
    deck = deck_by_card()


class LegalMovesRequest(Shape):
    component = "SlopecrashersLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    so_far = list_of_atoms("What has been done and drawn in this turn, in order.")


class ResolveRequest(Shape):
    component = "SlopecrashersResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = list_of_atoms("The whole turn, in order.", required=True)
    seed = _seed("Draws whatever gifts `moves` leave out; same seed, same gifts.")


class SuggestRequest(Shape):
    component = "SlopecrashersSuggestRequest"

    state = Nested(StateSchema, required=True)
    player = Name(
        required=True,
        metadata={
            "description": "Who asks. What this player cannot see, the others' gifts above all, "
            "is of no account, even where `state` or `so_far` tells it."
        },
    )
    so_far = list_of_atoms("What has been done and drawn in this turn, in order.")
    objective = objective()
    tier = tier("How much work is done; the clock never decides.")
    deadline_ms = deadline()
    chosen = Nested(AtomSchema, metadata={"description": "What the player chose, to be graded."})


class ReviewRequest(Shape):
    component = "SlopecrashersReviewRequest"

    state = Nested(
        StateSchema,
        required=True,
        metadata={"description": "The position before the first of the turns."},
    )
    turns = ListOf(
        list_of_atoms("A whole turn, with the others' answers and the gifts drawn, in order."),
        1,
        MOST_TURNS,
        required=True,
        metadata={"description": "The turns that were played, one after the other."},
    )
    tier = tier("How much work is done for each decision.")
    deadline_ms = review_deadline()
