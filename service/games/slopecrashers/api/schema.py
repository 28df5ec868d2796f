"""Schemas of states, actions and requests of Slopecrashers.

They check the shape only; ``legality`` checks the rules.
"""

from __future__ import annotations

from typing import Any, ClassVar

from service.games.common.display_names import DisplayName
from service.games.common.fields import (
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    StrictSchema,
)
from service.games.common.request_fields import seed_field
from service.games.common.turns.request_schema import (
    SO_FAR,
    drawn_with,
    review_request_schema,
    suggest_request_schema,
)
from service.games.common.unions import Union, kind
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL, MAX_LANES, MAX_PIECES
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    GIFT_BY_LABEL,
    MAX_DECK_SIZE,
    UNKNOWN_LABEL,
)
from service.games.slopecrashers.rules.state import LAPS, MAX_ACTIONS, STEP_DIRECTIONS, ActionType

MAX_SEATS = 6
SEATING = f"2 to {MAX_SEATS} players with one seat each"
"""In messages."""
MIN_LANES, MAX_ROWS = 2, 12
"""Of a piece."""
LAST_ROW = MAX_PIECES * MAX_ROWS - 1
MAX_TURN_LENGTH = 3 * MAX_ACTIONS + MAX_ACTIONS * MAX_SEATS
"""Upper bound for actions in a turn, each with a draw and the answers of all other players."""


class CardName(OneOf):
    """A card: one gift, two gifts joined by ``-or-`` in deck order, or ``unknown``."""

    def __init__(self, *, unknown: bool = False, **kwargs: Any) -> None:
        words = (*CARD_BY_LABEL, UNKNOWN_LABEL) if unknown else tuple(CARD_BY_LABEL)
        super().__init__(words, **kwargs)


class GiftName(OneOf):
    """A use of a card."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tuple(GIFT_BY_LABEL), **kwargs)


# States ---------------------------------------------------------------------------------------


def _row(**kwargs: Any) -> Integer:
    return Integer(
        0, LAST_ROW, metadata={"description": "Row, counted from 0 at the start."}, **kwargs
    )


def _lane(**kwargs: Any) -> Integer:
    return Integer(
        0, MAX_LANES - 1, metadata={"description": "Lane, counted from 0 at the left."}, **kwargs
    )


class SeatSchema(StrictSchema):
    """A player with character and gifts."""

    component = "SlopecrashersSeat"

    player = Name(required=True)
    name = DisplayName()
    lap = Integer(
        1,
        LAPS,
        metadata={
            "description": "Given together with `row` and `lane`; all absent before the first turn."
        },
    )
    row = _row()
    lane = _lane()
    gifts = ListOf(
        CardName(unknown=True),
        0,
        MAX_DECK_SIZE,
        metadata={"description": "The stack, top first."},
    )
    misses_turn = Boolean(
        metadata={"description": "Whether the player misses the next turn (S11)."}
    )
    stung = Boolean(
        metadata={"description": "Whether the next turn starts with one movement (S10)."}
    )


class SnowmanSchema(StrictSchema):
    """A snowman on the track."""

    component = "SlopecrashersSnowman"

    row = _row(required=True)
    lane = _lane(required=True)
    card = CardName(metadata={"description": "The card of the snowman; default: `snowman`."})


PIECES_NOTE = (
    "Track pieces by name, as rows of equal width in race direction. "
    "`GET /v1/games/slopecrashers` has the default (S1), which an empty object means, too."
)
DECK_NOTE = "Number of each card. `GET /v1/games/slopecrashers` has the default (S1)."


def _piece() -> Name:
    return Name(examples=("cedar", "fir"))


def pieces_by_name(**kwargs: Any) -> MapOf:
    """Return a field for pieces, as rows of fields."""
    row = ListOf(OneOf(tuple(FIELD_BY_LABEL)), MIN_LANES, MAX_LANES)
    return MapOf(
        keys=_piece(),
        values=ListOf(row, 1, MAX_ROWS),
        metadata={"description": PIECES_NOTE},
        **kwargs,
    )


def deck_by_card(**kwargs: Any) -> MapOf:
    """Return a field for the number of each card."""
    return MapOf(
        keys=CardName(),
        values=Integer(0, MAX_DECK_SIZE),
        metadata={"description": DECK_NOTE},
        **kwargs,
    )


def course_of_names(**kwargs: Any) -> ListOf:
    """Return a field for the order of the pieces on the track."""
    return ListOf(
        _piece(),
        1,
        MAX_PIECES,
        metadata={
            "description": "Names of pieces from the start to the finish line; each at most once."
        },
        **kwargs,
    )


def reversed_pieces() -> ListOf:
    """Return a field for the pieces that lie the other way round."""
    return ListOf(
        _piece(),
        0,
        MAX_PIECES,
        metadata={
            "description": "Names of pieces of the course that lie rotated by 180 degrees, as "
            "their arrows show: the order of rows and of lanes in `pieces` is reversed (S1)."
        },
    )


def offsets_by_piece() -> MapOf:
    """Return a field for the places of pieces that do not begin in lane 0."""
    return MapOf(
        keys=_piece(),
        values=Integer(0, MAX_LANES - MIN_LANES),
        metadata={
            "description": "Number of lanes to the left of a piece; default: 0, which at least one "
            "piece has. Lanes that it leaves open are off the course. Neighbouring pieces share a "
            "lane (S1)."
        },
    )


class StateSchema(StrictSchema):
    """A position: players, track and cards."""

    component = "SlopecrashersState"

    seats = ListOf(
        Nested(SeatSchema),
        2,
        MAX_SEATS,
        expected=SEATING,
        required=True,
        metadata={"description": "In turn order."},
    )
    turn = Name(required=True, metadata={"description": "The player whose turn is next."})
    course = course_of_names(required=True)
    reversed = reversed_pieces()
    offsets = offsets_by_piece()
    pieces = pieces_by_name()
    deck = deck_by_card()
    discards = ListOf(
        CardName(),
        0,
        MAX_DECK_SIZE,
        metadata={
            "description": "In any order. Cards that are not listed anywhere are in the pile."
        },
    )
    snowmen = ListOf(Nested(SnowmanSchema), 0, MAX_DECK_SIZE)
    winner = Name(metadata={"description": "The winner, who has no place on the track."})


# Actions --------------------------------------------------------------------------------------


class ActionSchema(StrictSchema):
    """An action, an answer or a draw, by ``type``."""

    component = "SlopecrashersAction"
    example: ClassVar = {"type": "step", "direction": "forward"}
    union = Union(
        "type",
        {
            "place": kind("lane", "", "Enter the track in the first turn, in row 0 (S3)."),
            "step": kind(
                "direction", "lane", "`lane`: the new lane when crossing the line on lap 1 (S4)."
            ),
            "play": kind(
                "gift",
                "card direction lane row",
                "Play the top card as `gift`. A spring has a `direction`, and a `lane` when "
                "crossing the line; a snowman has `row` and `lane`.",
            ),
            "discard": kind("", "card", "Discard the top card."),
            "end": kind("", "", "End the turn."),
            "answer": kind(
                "magnet",
                "card player",
                "Answer an attack with a magnet or not; every target may answer `false`.",
            ),
            "draw": kind("card", "probability", "Draw a card, which may be `unknown`."),
        },
        "The default of `card` is the top card or, if it is unknown, the card with this use only.",
    )

    type = OneOf(tuple(act.label for act in ActionType), required=True)
    player = Name(metadata={"description": "Who answers. Optional for the player who is asked."})
    direction = OneOf(tuple(direction.label for direction in STEP_DIRECTIONS))
    gift = GiftName()
    card = CardName(unknown=True)
    row = _row()
    lane = _lane()
    magnet = Boolean()
    probability = drawn_with()


def list_of_actions(note: str | None = None, **kwargs: Any) -> ListOf:
    """Return a field for the actions of a turn, in order."""
    if note is not None:
        kwargs["metadata"] = {"description": note}
    return ListOf(Nested(ActionSchema), 0, MAX_TURN_LENGTH, **kwargs)


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(StrictSchema):
    """A player of a new game."""

    component = "SlopecrashersNewSeat"

    player = Name(required=True)
    name = DisplayName()


class NewRequest(StrictSchema):
    """A request to set up a game."""

    component = "SlopecrashersNewRequest"

    seats = ListOf(
        Nested(NewSeatSchema),
        2,
        MAX_SEATS,
        expected=SEATING,
        required=True,
        metadata={"description": "In turn order."},
    )
    course = course_of_names(example=["cedar", "fir"])
    seed = seed_field(
        "Instead of `course`: shuffles all pieces. The same seed gives the same course."
    )
    reversed = reversed_pieces()
    offsets = offsets_by_piece()
    pieces = pieces_by_name()
    deck = deck_by_card()


class LegalMovesRequest(StrictSchema):
    """A request for the legal actions."""

    component = "SlopecrashersLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    so_far = list_of_actions(SO_FAR)


class ResolveRequest(StrictSchema):
    """A request to resolve a turn."""

    component = "SlopecrashersResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = list_of_actions("The complete turn with all answers.", required=True)
    seed = seed_field("Makes the draws that `moves` omits. The same seed gives the same draws.")


SuggestRequest = suggest_request_schema(
    "SlopecrashersSuggestRequest", StateSchema, ActionSchema, list_of_actions
)
ReviewRequest = review_request_schema("SlopecrashersReviewRequest", StateSchema, list_of_actions)
