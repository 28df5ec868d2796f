"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.metadata import GradedGameMetadata
from service.games.common.turn_hint_schema import (
    PARAMS_NOTE,
    Reason,
    ReasonParams,
    SuggestMetadata,
    action_value_schema,
    grade_schema,
    reason_code,
    suggest_response_schema,
)
from service.games.common.turn_review_schema import review_response_schema, turn_decision_schema
from service.games.common.validation import (
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Verbatim,
)
from service.games.slopecrashers.api.reasons import CODES
from service.games.slopecrashers.api.schema import (
    AtomSchema,
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


class NewAnswer(ResponseSchema):
    component = "SlopecrashersNewResponse"

    state = Nested(StateSchema, required=True)


class ProbableCard(ResponseSchema):
    component = "SlopecrashersProbableCard"

    card = CardName(required=True)
    probability = fields.Float(required=True)


class LegalMovesAnswer(ResponseSchema):
    component = "SlopecrashersLegalMovesResponse"

    decision = OneOf(
        (*DECISIONS, "draw", "none"),
        required=True,
        metadata={"description": "`draw`: a gift has to be drawn; `none`: the turn is complete."},
    )
    moves = MapOf(
        keys=Name(),
        values=fields.List(Nested(AtomSchema)),
        required=True,
        metadata={"description": "What whoever has to decide now may do."},
    )
    draw = fields.List(
        Nested(ProbableCard), metadata={"description": "What may be drawn, if that is due."}
    )
    movements = fields.Integer(
        metadata={"description": "How many the player has left, while the turn goes on."}
    )
    game_over = fields.Boolean(required=True)


class PlaceSchema(ResponseSchema):
    component = "SlopecrashersPlace"

    lap = Integer(1, 2, required=True)
    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class SpaceSchema(ResponseSchema):
    component = "SlopecrashersSpace"

    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class EventSchema(ResponseSchema):
    component = "SlopecrashersEvent"

    type = OneOf(
        tuple(EVENTS),
        required=True,
        metadata={
            "description": "What happened, and the members that tell it:\n"
            + "\n".join(f"- `{name}`: {meaning}" for name, meaning in EVENTS.items())
        },
    )
    rule = fields.String(metadata={"description": "The numbered ruling, where one decides."})
    player = Name()
    start = Nested(PlaceSchema)
    end = Nested(PlaceSchema)
    space = Nested(SpaceSchema)
    card = CardName(unknown=True)
    gift = GiftName()
    movements = fields.Integer()
    targets = fields.List(Name())


class ResolveAnswer(ResponseSchema):
    component = "SlopecrashersResolveResponse"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_actions(
        "The whole turn with its draws and answers; sent again, it gives the same.", required=True
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, 1, required=True)


class SlopecrashersReasonParams(ReasonParams):
    component = "SlopecrashersReasonParams"

    rows = fields.Integer()
    gift = GiftName()
    targets = fields.List(Name())


class GameReason(Reason):
    component = "SlopecrashersReason"

    code = reason_code(CODES)
    params = Verbatim(
        SlopecrashersReasonParams, required=True, metadata={"description": PARAMS_NOTE}
    )


AtomValue = action_value_schema("SlopecrashersActionValue", AtomSchema, GameReason)
Grade = grade_schema("SlopecrashersGrade", AtomSchema)
SuggestAnswer = suggest_response_schema(
    "SlopecrashersSuggestResponse", AtomSchema, AtomValue, Grade, DECISIONS
)

ReviewAnswer = review_response_schema(
    "SlopecrashersReviewResponse",
    turn_decision_schema("SlopecrashersReviewDecision", AtomSchema, DECISIONS),
)


class AboutAnswer(GradedGameMetadata):
    component = "SlopecrashersAboutResponse"

    default_pieces = pieces_by_name(required=True)
    default_course = course_of_names(required=True)
    default_deck = deck_by_card(required=True)
    suggest = Nested(
        SuggestMetadata, required=True, metadata={"description": "What can be asked for by now."}
    )
