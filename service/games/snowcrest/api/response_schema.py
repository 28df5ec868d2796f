"""Response schemas of Snowcrest."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.fields import (
    RULE_NOTE,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Ruling,
)
from service.games.common.metadata import GameMetadata, GradeLimits, Names
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
from service.games.snowcrest.api.consequences import CONSEQUENCE_CODES
from service.games.snowcrest.api.reasons import FACT_CODES
from service.games.snowcrest.api.schema import (
    ITEMS,
    MAX_SEATS,
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
from service.games.snowcrest.rules.choice_violations import DECISIONS
from service.games.snowcrest.rules.record import EVENTS
from service.games.snowcrest.rules.solo import CURSED, GRADES

PILES = ("card", "guardian", "forest", "common", "hand")


class NewResponse(ResponseSchema):
    """The position at the start of a game."""

    component = "SnowcrestNewResponse"

    state = Nested(StateSchema, required=True)


class ProbableCard(ResponseSchema):
    """A possible draw with its probability; it can be appended to `so_far` as it is."""

    component = "SnowcrestProbableCard"

    type = OneOf((DRAW,), required=True)
    card = card_name(required=True)
    probability = fields.Float(required=True)


_WITH_DETAILS = ("pay", "gain", "give", "penalty", "bid", "return-bid")
_CUT = ("truncated",)


def _decides(
    detail: str, description: str, optional: tuple[str, ...] = (), values: tuple[str, ...] = ()
) -> Kind:
    return Kind(("player", detail, *ALWAYS), optional, description, values)


class LegalMovesResponse(
    legal_moves_schema(DECISIONS, StateSchema, ActionSchema, ProbableCard)  # type: ignore[misc]
):
    """What is next in the turn, by ``decision``."""

    component = "SnowcrestLegalMovesResponse"

    union = Union(
        "decision",
        {
            "choice": Kind(
                ("player", *ALWAYS),
                _CUT,
                description="The player in turn decides.",
                values=tuple(name for name in DECISIONS if name not in _WITH_DETAILS),
            ),
            "pay": _decides("cost", "The player pays.", _CUT),
            "gain": _decides("count", "The player chooses a resource to gain."),
            "penalty": _decides(
                "items",
                "A player gives an item of a penalty or cost, or settles it, or takes omen.",
                (),
                ("penalty", "give"),
            ),
            "bid": _decides(
                "bids",
                "A player bids bells, or may take a bid back (C6).",
                _CUT,
                ("bid", "return-bid"),
            ),
            "draw": Kind(
                ("player", "pile", "draw", *ALWAYS),
                description="A card must be drawn or revealed.",
            ),
            "complete": COMPLETE,
        },
        "`truncated`: some legal choices are not listed (C4).",
    )

    pile = OneOf(
        PILES,
        metadata={
            "description": "Source of the draw: the deck of the player (`card`), the `guardian`, "
            "`forest` or `common` pile, or an unknown `hand` at the end of the game."
        },
    )
    cost = fields.Dict(keys=fields.String(), values=fields.Integer())
    items = fields.List(
        OneOf(ITEMS),
        metadata={"description": "Items left of a penalty or cost, the next one first."},
    )
    count = fields.Integer(metadata={"description": "Resources left to gain."})
    truncated = fields.Boolean()
    bids = MapOf(
        keys=Name(),
        values=fields.Integer(),
        metadata={"description": "Bells bid so far by player."},
    )


class EventSchema(ResponseSchema):
    """An event of a turn, by ``type``."""

    component = "SnowcrestEvent"

    union = Union(
        "type",
        merge_kinds(
            EVENTS,
            plain="pass",
            game="start",
            villager="play",
            card="discard",
            building="build",
        ),
        RULE_NOTE,
    )

    type = OneOf(tuple(EVENTS), required=True)
    rule = Ruling()
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
    """The final score of a player, by source."""

    component = "SnowcrestScore"

    points = fields.Integer(required=True)
    scrolls = fields.Integer(required=True)
    buildings = fields.Integer(required=True)
    omen = fields.Integer(required=True)
    omen_tokens = fields.Integer(
        required=True, metadata={"description": "Points for omen tokens: negative or 0."}
    )
    majorities = MapOf(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "1 for each resource of which no player has more."},
    )
    resources = MapOf(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Tokens after the conversion."},
    )


class SoloSchema(ResponseSchema):
    """The result of a solo game."""

    component = "SnowcrestSolo"

    won = fields.Boolean(required=True)
    grade = OneOf(
        (*(code for _, code in GRADES), CURSED),
        metadata={"description": "Absent if the game was lost by resting."},
    )


class ResolveResponse(ResponseSchema):
    """The position after a turn, and its events."""

    component = "SnowcrestResolveResponse"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_actions(
        "The turn with all draws and choices.",
        required=True,
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, MAX_SEATS, required=True)
    scores = MapOf(
        keys=Name(),
        values=Nested(ScoreSchema),
        metadata={"description": "If the game is over."},
    )
    solo = Nested(SoloSchema)


class SnowcrestFactParams(ResponseSchema):
    """Only the parameters of the code."""

    component = "SnowcrestFactParams"

    count = fields.Integer()

    gained = MapOf(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "Amounts by kind, see `kinds` of `GET /v1/games/snowcrest`."},
    )


GameReason = reason_schema("SnowcrestReason", CONSEQUENCE_CODES)
GameFact = fact_schema("SnowcrestFact", FACT_CODES, SnowcrestFactParams)
ActionValue = action_value_schema(
    "SnowcrestActionValue",
    ActionSchema,
    GameReason,
    GameFact,
    value_note=" In a solo game: the probability of winning.",
)
Graded = grade_schema("SnowcrestGraded", ActionSchema)
SuggestResponse = suggest_response_schema(
    "SnowcrestSuggestResponse",
    StateSchema,
    ActionSchema,
    ActionValue,
    Graded,
    DECISIONS,
    LegalMovesResponse,
    list_of_actions,
    moves_note=" Also the chosen move, if it is legal but not listed.",
    shares_note=" In a solo game: the probability of winning.",
)

ReviewResponse = review_response_schema(
    "SnowcrestReviewResponse",
    turn_decision_schema("SnowcrestReviewDecision", ActionSchema, DECISIONS, GameReason),
)


class DifficultySchema(ResponseSchema):
    """A difficulty of a solo game (C13)."""

    component = "SnowcrestDifficulty"

    scrolls = fields.Integer(required=True)
    barley = fields.Integer(required=True)
    rests = fields.Integer(required=True, metadata={"description": "The rest that loses the game."})


class GradeSchema(ResponseSchema):
    """A grade of a solo game."""

    component = "SnowcrestGrade"

    code = fields.String(required=True)
    points = fields.Integer(metadata={"description": "Minimum points; absent for the last grade."})
    text = Nested(Names, required=True)


class MetadataResponse(GameMetadata):
    """Names, data and rulings of Snowcrest."""

    component = "SnowcrestAboutResponse"

    difficulties = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(DifficultySchema),
        required=True,
    )
    grades = fields.List(
        Nested(GradeSchema),
        required=True,
        metadata={"description": "Best first."},
    )
    buildings = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Number of buildings of each kind (C21)."},
    )
    catalogues = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Paths of the default catalogue and its schema."},
    )
    hint_grades = Nested(GradeLimits, required=True)
    suggest = Nested(SuggestMetadata, required=True)


class CatalogueSchemaResponse(ResponseSchema):
    """A JSON Schema (draft 2020-12)."""

    component = "SnowcrestCatalogueSchemaResponse"

    dialect = fields.String(required=True, data_key="$schema")
    title = fields.String(required=True)
    type = fields.String(required=True)
    properties = fields.Dict(required=True)
    required = fields.List(fields.String(), required=True)
    closed = fields.Boolean(required=True, data_key="additionalProperties")
