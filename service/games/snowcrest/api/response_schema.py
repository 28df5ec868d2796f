"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.metadata import GameMetadata, GradeLimits, Names
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
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Verbatim,
)
from service.games.snowcrest.api.reasons import REASON_CODES
from service.games.snowcrest.api.schema import (
    ITEMS,
    MOST_SEATS,
    ActionSchema,
    PaymentSchema,
    StateSchema,
    card_name,
    list_of_actions,
)
from service.games.snowcrest.catalogue.schema import (
    BUILDINGS,
    GAIN_LABELS,
    RESOURCES,
)
from service.games.snowcrest.rules.choices import DECISIONS
from service.games.snowcrest.rules.record import EVENTS
from service.games.snowcrest.rules.solo import CURSED, GRADES

PILES = ("card", "guardian", "forest", "common", "hand")


class NewResponse(ResponseSchema):
    component = "SnowcrestNewAnswer"

    state = Nested(StateSchema, required=True)


class ProbableCard(ResponseSchema):
    component = "SnowcrestProbableCard"

    card = card_name(required=True)
    probability = fields.Float(required=True)


class LegalMovesResponse(ResponseSchema):
    component = "SnowcrestLegalMovesAnswer"

    decision = OneOf(
        (*DECISIONS, "draw", "none"),
        required=True,
        metadata={"description": "`draw`: a card has to come; `none`: the turn is complete."},
    )
    moves = MapOf(
        keys=Name(),
        values=fields.List(Nested(ActionSchema)),
        required=True,
        metadata={
            "description": "What whoever has to decide now may do.  Payments and bids that others "
            "dominate are legal but not listed, nor is what is beyond some hundreds (C4)."
        },
    )
    pile = OneOf(
        PILES,
        metadata={
            "description": "Where a card is due from: the own deck (`card`), the `guardian`, "
            "`forest` or `common` pile; or an unknown `hand` that is counted at the end."
        },
    )
    draw = fields.List(
        Nested(ProbableCard), metadata={"description": "What may come, if a card is due."}
    )
    cost = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "What has to be paid, at `pay`."},
    )
    items = fields.List(
        OneOf(ITEMS),
        metadata={"description": "What is left of a penalty, the item that is due first."},
    )
    count = fields.Integer(metadata={"description": "How many are left to be gained, at `gain`."})
    bids = MapOf(
        keys=Name(),
        values=fields.Integer(),
        metadata={"description": "How many bells each has bid, at `bid`."},
    )
    game_over = fields.Boolean(required=True)


class EventSchema(ResponseSchema):
    component = "SnowcrestEvent"

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
    card = card_name()
    cell = fields.Integer()
    owner = Name()
    what = OneOf(GAIN_LABELS)
    count = fields.Integer()
    omen = fields.Integer()
    building = OneOf(BUILDINGS)
    payment = Nested(PaymentSchema)
    items = fields.List(OneOf(ITEMS))
    challenge = card_name()
    action = fields.String()


class ScoreSchema(ResponseSchema):
    component = "SnowcrestScore"

    points = fields.Integer(required=True)
    scrolls = fields.Integer(required=True)
    buildings = fields.Integer(required=True)
    omen = fields.Integer(required=True)
    omen_tokens = fields.Integer(required=True, metadata={"description": "Negative, or 0."})
    majorities = MapOf(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "1 for each resource of which nobody has more."},
    )
    resources = MapOf(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Tokens, once everything has been turned into them."},
    )


class SoloSchema(ResponseSchema):
    component = "SnowcrestSolo"

    won = fields.Boolean(required=True)
    grade = OneOf(
        (*(code for _, code in GRADES), CURSED),
        metadata={"description": "By points; absent if the game was lost by resting."},
    )


class ResolveResponse(ResponseSchema):
    component = "SnowcrestResolveAnswer"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_actions(
        "The whole turn with its draws and answers; sent again, it gives the same.", required=True
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, MOST_SEATS, required=True)
    scores = MapOf(
        keys=Name(),
        values=Nested(ScoreSchema),
        metadata={"description": "What everybody's points consist of, once the game is over."},
    )
    solo = Nested(SoloSchema, metadata={"description": "How the game of one ended."})


class SnowcrestReasonParams(ReasonParams):
    component = "SnowcrestReasonParams"

    gained = MapOf(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "How many of each, by what they are called in `kinds`."},
    )


class GameReason(Reason):
    component = "SnowcrestReason"

    code = reason_code(REASON_CODES)
    params = Verbatim(SnowcrestReasonParams, required=True, metadata={"description": PARAMS_NOTE})


ActionValue = action_value_schema(
    "SnowcrestAtomValue",
    ActionSchema,
    GameReason,
    value_note=" In a solo game: the probability of winning.",
)
Graded = grade_schema("SnowcrestGraded", ActionSchema)
SuggestResponse = suggest_response_schema(
    "SnowcrestSuggestAnswer",
    ActionSchema,
    ActionValue,
    Graded,
    DECISIONS,
    moves_note=" Also the chosen move, if it is legal but not listed.",
    shares_note=" In a solo game: the probability of winning.",
)

ReviewResponse = review_response_schema(
    "SnowcrestReviewAnswer",
    turn_decision_schema("SnowcrestReviewDecision", ActionSchema, DECISIONS),
)


class DifficultySchema(ResponseSchema):
    component = "SnowcrestDifficulty"

    scrolls = fields.Integer(required=True)
    barley = fields.Integer(required=True)
    rests = fields.Integer(required=True, metadata={"description": "The one that loses."})


class GradeSchema(ResponseSchema):
    component = "SnowcrestGrade"

    code = fields.String(required=True)
    points = fields.Integer(metadata={"description": "At least; absent for the last one."})
    text = Nested(Names, required=True)


class MetadataResponse(GameMetadata):
    component = "SnowcrestAboutAnswer"

    difficulties = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(DifficultySchema),
        required=True,
        metadata={"description": "Of the game of one (C13)."},
    )
    grades = fields.List(
        Nested(GradeSchema),
        required=True,
        metadata={"description": "Of the game of one, the best first."},
    )
    buildings = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "How many of each kind there are (C21)."},
    )
    catalogues = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Where the house catalogue and its JSON Schema are to be read."},
    )
    hint_grades = Nested(GradeLimits, required=True)
    suggest = Nested(
        SuggestMetadata, required=True, metadata={"description": "What can be asked for by now."}
    )


class CatalogueSchemaResponse(ResponseSchema):
    """A JSON Schema (draft 2020-12)."""

    component = "SnowcrestCatalogueSchemaAnswer"

    dialect = fields.String(required=True, data_key="$schema")
    title = fields.String(required=True)
    type = fields.String(required=True)
    properties = fields.Dict(required=True)
    required = fields.List(fields.String(), required=True)
    closed = fields.Boolean(required=True, data_key="additionalProperties")
