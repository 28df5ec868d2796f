"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.about import GameAbout, Grades, Titles
from service.games.common.turn_hint_schema import (
    PARAMS_NOTE,
    ReasonParams,
    ReasonShape,
    SearchSchema,
    SuggestAbout,
    reason_code,
    share_of_each,
)
from service.games.common.turn_review_schema import ReviewAnswer, ReviewedDecision, grade_class
from service.games.common.validation import Answer, ListOf, Name, Nested, OneOf, Table, Written
from service.games.snowcrest.api.reasons import CODES
from service.games.snowcrest.api.schema import (
    ITEMS,
    MOST_SEATS,
    AtomSchema,
    PaymentSchema,
    StateSchema,
    card_name,
    list_of_atoms,
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


class NewAnswer(Answer):
    component = "SnowcrestNewAnswer"

    state = Nested(StateSchema, required=True)


class ProbableCard(Answer):
    component = "SnowcrestProbableCard"

    card = card_name(required=True)
    probability = fields.Float(required=True)


class LegalMovesAnswer(Answer):
    component = "SnowcrestLegalMovesAnswer"

    decision = OneOf(
        (*DECISIONS, "draw", "none"),
        required=True,
        metadata={"description": "`draw`: a card has to come; `none`: the turn is complete."},
    )
    moves = Table(
        keys=Name(),
        values=fields.List(Nested(AtomSchema)),
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
    bids = Table(
        keys=Name(),
        values=fields.Integer(),
        metadata={"description": "How many bells each has bid, at `bid`."},
    )
    game_over = fields.Boolean(required=True)


class EventSchema(Answer):
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


class ScoreSchema(Answer):
    component = "SnowcrestScore"

    points = fields.Integer(required=True)
    scrolls = fields.Integer(required=True)
    buildings = fields.Integer(required=True)
    omen = fields.Integer(required=True)
    omen_tokens = fields.Integer(required=True, metadata={"description": "Negative, or 0."})
    majorities = Table(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "1 for each resource of which nobody has more."},
    )
    resources = Table(
        keys=OneOf(RESOURCES),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Tokens, once everything has been turned into them."},
    )


class SoloSchema(Answer):
    component = "SnowcrestSolo"

    won = fields.Boolean(required=True)
    grade = OneOf(
        (*(code for _, code in GRADES), CURSED),
        metadata={"description": "By points; absent if the game was lost by resting."},
    )


class ResolveAnswer(Answer):
    component = "SnowcrestResolveAnswer"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_atoms(
        "The whole turn with its draws and answers; sent again, it gives the same.", required=True
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, MOST_SEATS, required=True)
    scores = Table(
        keys=Name(),
        values=Nested(ScoreSchema),
        metadata={"description": "What everybody's points consist of, once the game is over."},
    )
    solo = Nested(SoloSchema, metadata={"description": "How the game of one ended."})


class CrestReasonParams(ReasonParams):
    component = "SnowcrestReasonParams"

    gained = Table(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "How many of each, by what they are called in `kinds`."},
    )


class ReasonSchema(ReasonShape):
    component = "SnowcrestReason"

    code = reason_code(CODES)
    params = Written(CrestReasonParams, required=True, metadata={"description": PARAMS_NOTE})


class AtomValue(Answer):
    component = "SnowcrestAtomValue"

    move = Nested(AtomSchema, required=True)
    value = fields.Float(
        required=True,
        metadata={
            "description": "The player's share of the win, the turn being played on best; alone, "
            "the chance of winning."
        },
    )
    loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
    probability = fields.Float(required=True, metadata={"description": "1 for the best, else 0."})
    error = fields.Float(
        required=True,
        metadata={"description": "Standard error of the value, hidden cards being sampled."},
    )
    reasons = fields.List(Nested(ReasonSchema), required=True)


class GradedSchema(Answer):
    component = "SnowcrestGraded"

    move = Nested(AtomSchema, required=True)
    loss = fields.Float(required=True)
    class_ = grade_class()


class SuggestAnswer(Answer):
    component = "SnowcrestSuggestAnswer"

    player = Name(required=True)
    decision = OneOf(DECISIONS, required=True)
    pick = Nested(
        AtomSchema, required=True, metadata={"description": "The best: nobody else decides now."}
    )
    pick_public = fields.Boolean(
        required=True, metadata={"description": "Whether anybody can compute it."}
    )
    best = Nested(AtomSchema, required=True, metadata={"description": "The first of `moves`."})
    moves = fields.List(
        Nested(AtomValue),
        required=True,
        metadata={
            "description": "Every one that `legal-moves` lists, the best first, ties in the game's "
            "order; and what was chosen, if it is legal without being listed."
        },
    )
    outlook = share_of_each(
        "Win shares of all players, the best being done; sum 1. Alone, the chance of winning."
    )
    expected = share_of_each("The objective's value for every player.")
    grade = Nested(GradedSchema)
    search = Nested(SearchSchema, required=True)


class CrestDecision(ReviewedDecision):
    component = "SnowcrestReviewDecision"

    decision = OneOf(DECISIONS, required=True)
    move = Nested(AtomSchema, required=True, metadata={"description": "What was done."})
    best = Nested(AtomSchema, required=True, metadata={"description": "What would have been."})


class CrestReviewAnswer(ReviewAnswer):
    component = "SnowcrestReviewAnswer"

    decisions = fields.List(
        Nested(CrestDecision),
        required=True,
        metadata={"description": "Those with more than one choice, in order."},
    )


class DifficultySchema(Answer):
    component = "SnowcrestDifficulty"

    scrolls = fields.Integer(required=True)
    barley = fields.Integer(required=True)
    rests = fields.Integer(required=True, metadata={"description": "The one that loses."})


class GradeSchema(Answer):
    component = "SnowcrestGrade"

    code = fields.String(required=True)
    points = fields.Integer(metadata={"description": "At least; absent for the last one."})
    text = Nested(Titles, required=True)


class AboutAnswer(GameAbout):
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
    hint_grades = Nested(Grades, required=True)
    suggest = Nested(
        SuggestAbout, required=True, metadata={"description": "What can be asked for by now."}
    )


class CatalogueSchemaAnswer(Answer):
    """A JSON Schema (draft 2020-12)."""

    component = "SnowcrestCatalogueSchemaAnswer"

    dialect = fields.String(required=True, data_key="$schema")
    title = fields.String(required=True)
    type = fields.String(required=True)
    properties = fields.Dict(required=True)
    required = fields.List(fields.String(), required=True)
    closed = fields.Boolean(required=True, data_key="additionalProperties")
