"""Response schemas of Slopecrashers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.fields import (
    RULE_NOTE,
    Integer,
    ListOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Ruling,
)
from service.games.common.metadata import GradedGameMetadata
from service.games.common.turns.hint_schema import (
    SuggestMetadata,
    action_value_schema,
    fact_schema,
    grade_schema,
    reason_schema,
    suggest_response_schema,
)
from service.games.common.turns.moves_schema import ALWAYS, COMPLETE, DRAW, legal_moves_schema
from service.games.common.turns.review_schema import review_response_schema, turn_decision_schema
from service.games.common.unions import Kind, Union, merge_kinds
from service.games.slopecrashers.api.consequences import CONSEQUENCE_CODES
from service.games.slopecrashers.api.reasons import FACT_CODES
from service.games.slopecrashers.api.schema import (
    ActionSchema,
    CardName,
    GiftName,
    StateSchema,
    course_of_names,
    deck_by_card,
    list_of_actions,
    pieces_by_name,
)
from service.games.slopecrashers.rules.record import EVENTS

DECISIONS = ("place", "turn", "answer")


class NewResponse(ResponseSchema):
    """The position at the start of a game."""

    component = "SlopecrashersNewResponse"

    state = Nested(StateSchema, required=True)


class ProbableCard(ResponseSchema):
    """A possible draw with its probability; it can be appended to `so_far` as it is."""

    component = "SlopecrashersProbableCard"

    type = OneOf((DRAW,), required=True)
    card = CardName(required=True)
    probability = fields.Float(required=True)


class LegalMovesResponse(
    legal_moves_schema(DECISIONS, StateSchema, ActionSchema, ProbableCard)  # type: ignore[misc]
):
    """What is next in the turn, by ``decision``."""

    component = "SlopecrashersLegalMovesResponse"

    union = Union(
        "decision",
        {
            "choice": Kind(
                ("player", "movements", *ALWAYS),
                description="The player in turn decides.",
                values=("place", "turn"),
            ),
            "answer": Kind(
                ("player", "gift", "waiting", "movements", *ALWAYS),
                description="An attacked player decides.",
            ),
            "draw": Kind(
                ("player", "draw", "movements", *ALWAYS), description="A gift must be drawn."
            ),
            "complete": COMPLETE,
        },
    )

    movements = fields.Integer(metadata={"description": "Movements left."})
    gift = GiftName()
    waiting = fields.List(
        Name(),
        metadata={"description": "Attacked players, in order. All of them may answer at once."},
    )


class PlaceSchema(ResponseSchema):
    """A space of the track on a lap."""

    component = "SlopecrashersPlace"

    lap = Integer(1, 2, required=True)
    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class SpaceSchema(ResponseSchema):
    """A space of the track."""

    component = "SlopecrashersSpace"

    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class EventSchema(ResponseSchema):
    """An event of a turn, by ``type``."""

    component = "SlopecrashersEvent"

    union = Union(
        "type",
        merge_kinds(EVENTS, plain="missed", movements="boost", card="draw"),
        RULE_NOTE,
    )

    type = OneOf(tuple(EVENTS), required=True)
    rule = Ruling()
    player = Name()
    start = Nested(PlaceSchema)
    end = Nested(PlaceSchema)
    space = Nested(SpaceSchema)
    card = CardName(unknown=True)
    gift = GiftName()
    movements = fields.Integer()
    targets = fields.List(Name())


class ResolveResponse(ResponseSchema):
    """The position after a turn, and its events."""

    component = "SlopecrashersResolveResponse"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_actions(
        "The turn with all draws and the answers of all targets with gifts: valid in every view.",
        required=True,
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, 1, required=True)


class SlopecrashersFactParams(ResponseSchema):
    """Only the parameters of the code."""

    component = "SlopecrashersFactParams"

    count = fields.Integer()

    rows = fields.Integer()
    gift = GiftName()
    targets = fields.List(Name())


GameReason = reason_schema("SlopecrashersReason", CONSEQUENCE_CODES)
GameFact = fact_schema("SlopecrashersFact", FACT_CODES, SlopecrashersFactParams)
ActionValue = action_value_schema("SlopecrashersActionValue", ActionSchema, GameReason, GameFact)
Grade = grade_schema("SlopecrashersGrade", ActionSchema)
SuggestResponse = suggest_response_schema(
    "SlopecrashersSuggestResponse",
    StateSchema,
    ActionSchema,
    ActionValue,
    Grade,
    DECISIONS,
    LegalMovesResponse,
    list_of_actions,
)

ReviewResponse = review_response_schema(
    "SlopecrashersReviewResponse",
    turn_decision_schema("SlopecrashersReviewDecision", ActionSchema, DECISIONS, GameReason),
)


class MetadataResponse(GradedGameMetadata):
    """Names, data and rulings of Slopecrashers."""

    component = "SlopecrashersAboutResponse"

    default_pieces = pieces_by_name(required=True)
    default_course = course_of_names(required=True)
    default_deck = deck_by_card(required=True)
    suggest = Nested(SuggestMetadata, required=True)
