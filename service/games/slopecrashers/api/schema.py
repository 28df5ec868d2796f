"""The JSON shapes of positions, atoms and requests.

Shape only: what the rules allow is legality's matter.
"""

from __future__ import annotations

from typing import Any

from service.games.common.turn_request_schema import (
    SO_FAR,
    review_request_schema,
    seed_field,
    suggest_request_schema,
)
from service.games.common.validation import (
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    StrictSchema,
)
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL
from service.games.slopecrashers.rules.gifts import CARD_BY_LABEL, GIFT_BY_LABEL, UNKNOWN_LABEL
from service.games.slopecrashers.rules.state import LAPS, MAX_ACTIONS, STEP_DIRECTIONS, ActionType

MAX_SEATS = 6
MAX_PIECES, MAX_ROWS, MAX_LANES = 12, 12, 8
MAX_DECK_SIZE = 200
LAST_ROW = MAX_PIECES * MAX_ROWS - 1
MAX_ACTIONS_WITH_EVENTS = 3 * MAX_ACTIONS + MAX_ACTIONS * MAX_SEATS
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
    return Integer(0, MAX_LANES - 1, metadata={"description": "From the left, from 0."}, **kwargs)


class SeatSchema(StrictSchema):
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
        MAX_DECK_SIZE,
        metadata={"description": "The stack, top first; `unknown` what has not been seen."},
    )
    misses_turn = Boolean(metadata={"description": "Misses the next turn (S11)."})
    stung = Boolean(metadata={"description": "Begins the next turn with one movement (S10)."})


class SnowmanSchema(StrictSchema):
    component = "SlopecrashersSnowman"

    row = _row(required=True)
    lane = _lane(required=True)
    card = CardName(metadata={"description": "The card that put it there; `snowman` by default."})


PIECES_NOTE = (
    "Own pieces by name, row by row in the direction of the race; without them the house pieces "
    "are there (S1)."
)
DECK_NOTE = "How many of each card there are; without it the house deck is used (S1)."


def pieces_by_name(**kwargs: Any) -> MapOf:
    """Pieces of the track, as rows of fields."""
    row = ListOf(OneOf(tuple(FIELD_BY_LABEL)), 2, MAX_LANES)
    return MapOf(
        keys=Name(),
        values=ListOf(row, 1, MAX_ROWS),
        metadata={"description": PIECES_NOTE},
        **kwargs,
    )


def deck_by_card(**kwargs: Any) -> MapOf:
    """How many of each card."""
    return MapOf(
        keys=CardName(),
        values=Integer(0, MAX_DECK_SIZE),
        metadata={"description": DECK_NOTE},
        **kwargs,
    )


def course_of_names(**kwargs: Any) -> ListOf:
    """The pieces as they are laid."""
    return ListOf(
        Name(),
        1,
        MAX_PIECES,
        metadata={"description": "Names of pieces, from the start to the line, each once."},
        **kwargs,
    )


class StateSchema(StrictSchema):
    component = "SlopecrashersState"

    seats = ListOf(
        Nested(SeatSchema),
        2,
        MAX_SEATS,
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
        MAX_DECK_SIZE,
        metadata={"description": "In any order. What is nowhere else lies in the pile."},
    )
    snowmen = ListOf(Nested(SnowmanSchema), 0, MAX_DECK_SIZE)
    winner = Name(metadata={"description": "Who has won; this player is nowhere any more."})


# Atoms ----------------------------------------------------------------------------------------


class AtomSchema(StrictSchema):
    component = "SlopecrashersAction"

    type = OneOf(
        tuple(act.label for act in ActionType),
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
    direction = OneOf(tuple(direction.label for direction in STEP_DIRECTIONS))
    gift = GiftName()
    card = CardName(
        unknown=True,
        metadata={
            "description": "May be left out where it is known, or where the plain card is meant."
        },
    )
    row = _row()
    lane = _lane()
    magnet = Boolean()


def list_of_actions(note: str, **kwargs: Any) -> ListOf:
    """What has been done in a turn, in order."""
    return ListOf(
        Nested(AtomSchema), 0, MAX_ACTIONS_WITH_EVENTS, metadata={"description": note}, **kwargs
    )


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(StrictSchema):
    component = "SlopecrashersNewSeat"

    player = Name(required=True)


class NewRequest(StrictSchema):
    component = "SlopecrashersNewRequest"

    seats = ListOf(
        Nested(NewSeatSchema),
        2,
        MAX_SEATS,
        required=True,
        metadata={"description": "In the order of turns."},
    )
    course = course_of_names()
    seed = seed_field("In place of `course`: lays all pieces; same seed, same course.")
    pieces = pieces_by_name()
    deck = deck_by_card()


class LegalMovesRequest(StrictSchema):
    component = "SlopecrashersLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    so_far = list_of_actions(SO_FAR)


class ResolveRequest(StrictSchema):
    component = "SlopecrashersResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = list_of_actions("The whole turn, in order.", required=True)
    seed = seed_field("Draws whatever gifts `moves` leave out; same seed, same gifts.")


SuggestRequest = suggest_request_schema(
    "SlopecrashersSuggestRequest", StateSchema, AtomSchema, list_of_actions
)
ReviewRequest = review_request_schema("SlopecrashersReviewRequest", StateSchema, list_of_actions)
