"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.about import HintedGameAbout
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
from service.games.common.validation import (
    Answer,
    Integer,
    ListOf,
    Name,
    Nested,
    OneOf,
    Table,
    Written,
)
from service.games.slopecrashers.api.reasons import CODES
from service.games.slopecrashers.api.schema import (
    AtomSchema,
    CardName,
    GiftName,
    StateSchema,
    course_of_names,
    deck_by_card,
    list_of_atoms,
    pieces_by_name,
)
from service.games.slopecrashers.rules.record import EVENTS

DECISIONS = ("place", "turn", "answer", "draw", "none")


class NewAnswer(Answer):
    component = "SlopecrashersNewAnswer"

    state = Nested(StateSchema, required=True)


class ProbableCard(Answer):
    component = "SlopecrashersProbableCard"

    card = CardName(required=True)
    probability = fields.Float(required=True)


class LegalMovesAnswer(Answer):
    component = "SlopecrashersLegalMovesAnswer"

    decision = OneOf(
        DECISIONS,
        required=True,
        metadata={"description": "`draw`: a gift has to be drawn; `none`: the turn is complete."},
    )
    moves = Table(
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


class PlaceSchema(Answer):
    component = "SlopecrashersPlace"

    lap = Integer(1, 2, required=True)
    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class SpaceSchema(Answer):
    component = "SlopecrashersSpace"

    row = fields.Integer(required=True)
    lane = fields.Integer(required=True)


class EventSchema(Answer):
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


class ResolveAnswer(Answer):
    component = "SlopecrashersResolveAnswer"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    moves = list_of_atoms(
        "The whole turn with its draws and answers; sent again, it gives the same.", required=True
    )
    game_over = fields.Boolean(required=True)
    winners = ListOf(Name(), 0, 1, required=True)


class SlopesReasonParams(ReasonParams):
    component = "SlopecrashersReasonParams"

    rows = fields.Integer()
    gift = GiftName()
    targets = fields.List(Name())


class ReasonSchema(ReasonShape):
    component = "SlopecrashersReason"

    code = reason_code(CODES)
    params = Written(SlopesReasonParams, required=True, metadata={"description": PARAMS_NOTE})


class AtomValue(Answer):
    component = "SlopecrashersAtomValue"

    move = Nested(AtomSchema, required=True)
    value = fields.Float(
        required=True,
        metadata={"description": "The player's share of the win, the turn being played on best."},
    )
    loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
    probability = fields.Float(required=True, metadata={"description": "1 for the best, else 0."})
    error = fields.Float(
        required=True,
        metadata={"description": "Standard error of the value, hidden cards being sampled."},
    )
    reasons = fields.List(Nested(ReasonSchema), required=True)


class GradeSchema(Answer):
    component = "SlopecrashersGrade"

    move = Nested(AtomSchema, required=True)
    loss = fields.Float(required=True)
    class_ = grade_class()


class SuggestAnswer(Answer):
    component = "SlopecrashersSuggestAnswer"

    player = Name(required=True)
    decision = OneOf(("place", "turn", "answer"), required=True)
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
        metadata={"description": "Every legal one, the best first, ties in the game's order."},
    )
    outlook = share_of_each("Win shares of all players, the best being done; sum 1.")
    expected = share_of_each("The objective's value for every player.")
    grade = Nested(GradeSchema)
    search = Nested(SearchSchema, required=True)


class SlopesDecision(ReviewedDecision):
    component = "SlopecrashersReviewDecision"

    decision = OneOf(("place", "turn", "answer"), required=True)
    move = Nested(AtomSchema, required=True, metadata={"description": "What was done."})
    best = Nested(AtomSchema, required=True, metadata={"description": "What would have been."})


class SlopesReviewAnswer(ReviewAnswer):
    component = "SlopecrashersReviewAnswer"

    decisions = fields.List(
        Nested(SlopesDecision),
        required=True,
        metadata={"description": "Those with more than one choice, in order."},
    )


class AboutAnswer(HintedGameAbout):
    component = "SlopecrashersAboutAnswer"

    house_pieces = pieces_by_name(required=True)
    house_course = course_of_names(required=True)
    house_deck = deck_by_card(required=True)
    suggest = Nested(
        SuggestAbout, required=True, metadata={"description": "What can be asked for by now."}
    )
