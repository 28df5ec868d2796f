"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.about import RoundGameAbout
from service.games.reading import Answer, Integer, ListOf, Name, Nested, OneOf, Table
from service.games.review_shape import grade_class
from service.games.snow_time.resolution import POINT_KINDS
from service.games.snow_time.schema import (
    TIERS,
    CardName,
    MoveSchema,
    StateSchema,
    TrackSchema,
    moves_by_seat,
)
from service.games.snow_time.state import FRUIT_LEVELS


class NewAnswer(Answer):
    state = Nested(StateSchema, required=True)


class GrowAnswer(Answer):
    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True)


class LegalMovesAnswer(Answer):
    decision = OneOf(("card", "watcher", "healer", "none"), required=True)
    moves = Table(
        keys=Name(),
        values=fields.List(Nested(MoveSchema)),
        required=True,
        metadata={"description": "The legal moves of every seat that has to decide now."},
    )
    game_over = fields.Boolean(required=True)


class AwardSchema(Answer):
    seat = Name(required=True)
    kind = OneOf(POINT_KINDS, required=True)
    points = fields.Integer(required=True, metadata={"description": "As awarded."})
    start = fields.Integer(required=True, metadata={"description": "The marker's space before."})
    end = fields.Integer(required=True, metadata={"description": "The marker's space after (R9)."})


EVENTS = {
    "growth": "fruit grows where the `dice` say",
    "reveal": "everybody's first card, `cards`",
    "add": "the cards that watchers add, `cards`",
    "recover": "the champions that healers take back, `cards`",
    "blizzard": "`seats` played one, `fallen` lose their champions, `awards` a point for each",
    "brawl": "`seats` met on `level` and have all `fallen`, `awards` for each other one",
    "strike": "the one of `seats` alone on `level` knocked down `fallen` below, `awards`",
    "fruit": "the one of `seats` left on `level` takes its fruit, `awards`",
    "mana": "the one of `seats` lowest on the tree, on `level`, `awards`",
    "bonus": "`seats` advance from bonus spaces, `awards`",
    "finish": "`seats` stand on the last space",
    "return": "`cards` go back to hand",
    "spend": "`cards` are gone for good",
}
EVENT_STEPS = ("growth", "card", "watcher", "healer", "A", "B", "C", "D", "E", "end", "return")


class EventSchema(Answer):
    type = OneOf(
        tuple(EVENTS),
        required=True,
        metadata={
            "description": "What happened, and the members that tell it:\n"
            + "\n".join(f"- `{name}`: {meaning}" for name, meaning in EVENTS.items())
        },
    )
    step = OneOf(EVENT_STEPS, required=True)
    rule = fields.String(metadata={"description": "The numbered ruling, where one decides."})
    level = fields.Integer()
    seats = fields.List(Name(), metadata={"description": "Who acts."})
    fallen = fields.List(Name(), metadata={"description": "Whose champions are discarded."})
    cards = Table(keys=Name(), values=fields.List(CardName()))
    awards = fields.List(
        Nested(AwardSchema), metadata={"description": "Everything gained, simultaneously."}
    )
    dice = fields.List(fields.Integer())


class PointsSchema(Answer):
    fight = fields.Integer(required=True)
    fruit = fields.Integer(required=True)
    mana = fields.Integer(required=True)
    bonus = fields.Integer(required=True)


class ResolveAnswer(Answer):
    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    points = Table(
        keys=Name(),
        values=Nested(PointsSchema),
        required=True,
        metadata={"description": "As awarded, not clipped at the end of the track."},
    )
    game_over = fields.Boolean(required=True)
    winners = fields.List(Name(), required=True, metadata={"description": "Players."})
    winning_seats = fields.List(Name(), required=True)


class JointProbability(Answer):
    move = moves_by_seat(required=True)
    probability = fields.Float(required=True)


class ExpectedPoints(Answer):
    fight = fields.Float(required=True)
    fruit = fields.Float(required=True)
    mana = fields.Float(required=True)
    bonus = fields.Float(required=True)


class ReasonSchema(Answer):
    code = fields.String(required=True)
    text = fields.String(required=True)


class MoveValue(Answer):
    move = moves_by_seat(required=True)
    value = fields.Float(required=True, metadata={"description": "In the objective's unit."})
    loss = fields.Float(required=True, metadata={"description": "Best value minus this value."})
    probability = fields.Float(required=True)
    points = Nested(ExpectedPoints, required=True)
    survival = Table(
        keys=Name(),
        values=fields.Float(allow_none=True),
        required=True,
        metadata={"description": "Chance that the champion played returns; null without one."},
    )
    reasons = fields.List(Nested(ReasonSchema), required=True)


class GradeSchema(Answer):
    move = moves_by_seat(required=True)
    loss = fields.Float(required=True)
    class_ = grade_class()


class SearchSchema(Answer):
    method = fields.String(required=True)
    depth = fields.Integer(required=True, metadata={"description": "Rounds looked ahead."})
    tier = OneOf(TIERS, required=True)
    exact = fields.Boolean(
        required=True,
        metadata={"description": "Nothing of the stated values was cut, sampled or estimated."},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "False if the deadline stopped the search."}
    )
    resolved = fields.Integer(required=True, metadata={"description": "Rounds resolved."})
    gap = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "The most that a solved player could gain by leaving the printed "
            "strategies at this decision, in the objective's unit; null where none was solved."
        },
    )
    residual = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "How far a printed probability is at most from the quantal response "
            "to the printed strategies; null but under `quantal`."
        },
    )
    left_out = fields.Float(
        required=True,
        metadata={
            "description": "The greatest share of what a player's move may come to that was not "
            "looked beyond; 0 at depth 1."
        },
    )
    evaluator = fields.String(required=True, metadata={"description": "Its version."})


class SuggestAnswer(Answer):
    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    pick = moves_by_seat(
        required=True, metadata={"description": "Drawn from the player's own strategy."}
    )
    pick_public = fields.Boolean(
        required=True, metadata={"description": "Whether anybody can compute it: without nonce."}
    )
    best = moves_by_seat(required=True, metadata={"description": "The first of `moves`."})
    moves = fields.List(
        Nested(MoveValue),
        required=True,
        metadata={
            "description": "Every legal one, the best first, ties in deck order (of two seats "
            "by the cards of the first, seats taken by score, hand and name)."
        },
    )
    strategies = Table(
        keys=Name(),
        values=fields.List(Nested(JointProbability)),
        required=True,
        metadata={"description": "By player, what they play at this decision, with chances."},
    )
    outlook = Table(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "Win shares of all players under the strategies; sum 1."},
    )
    expected = Table(
        keys=Name(),
        values=fields.Float(),
        required=True,
        metadata={"description": "The objective's value for every player."},
    )
    grade = Nested(GradeSchema)
    search = Nested(SearchSchema, required=True)


class FruitAbout(Answer):
    tokens = fields.Integer(required=True)
    levels = fields.Integer(required=True)
    dice = fields.Integer(required=True)


class SuggestAbout(Answer):
    objectives = fields.List(fields.String(), required=True)
    tiers = fields.List(fields.String(), required=True)
    models = fields.List(fields.String(), required=True)


class AboutAnswer(RoundGameAbout):
    levels = fields.Integer(required=True, metadata={"description": "Of the tree."})
    fruit = Nested(FruitAbout, required=True)
    house_track = Nested(
        TrackSchema, required=True, metadata={"description": "Ours, not the publisher's (R1)."}
    )
    suggest = Nested(
        SuggestAbout, required=True, metadata={"description": "What can be asked for by now."}
    )
