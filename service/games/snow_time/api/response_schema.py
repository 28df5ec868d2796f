"""The JSON shapes of the answers."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.about import RoundGameAbout
from service.games.common.validation import Answer, Integer, ListOf, Name, Nested, OneOf, Table
from service.games.snow_time.api.schema import (
    CardName,
    MoveSchema,
    StateSchema,
    TrackSchema,
)
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import FRUIT_LEVELS


class NewAnswer(Answer):
    component = "SnowTimeNewAnswer"

    state = Nested(StateSchema, required=True)


class GrowAnswer(Answer):
    component = "SnowTimeGrowAnswer"

    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True)


class LegalMovesAnswer(Answer):
    component = "SnowTimeLegalMovesAnswer"

    decision = OneOf(("card", "watcher", "healer", "none"), required=True)
    moves = Table(
        keys=Name(),
        values=fields.List(Nested(MoveSchema)),
        required=True,
        metadata={"description": "The legal moves of every seat that has to decide now."},
    )
    game_over = fields.Boolean(required=True)


class AwardSchema(Answer):
    component = "SnowTimeAward"

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
    component = "SnowTimeEvent"

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
    component = "SnowTimePoints"

    fight = fields.Integer(required=True)
    fruit = fields.Integer(required=True)
    mana = fields.Integer(required=True)
    bonus = fields.Integer(required=True)


class ResolveAnswer(Answer):
    component = "SnowTimeResolveAnswer"

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


class FruitAbout(Answer):
    component = "SnowTimeFruitAbout"

    tokens = fields.Integer(required=True)
    levels = fields.Integer(required=True)
    dice = fields.Integer(required=True)


class SuggestAbout(Answer):
    component = "SnowTimeSuggestAbout"

    objectives = fields.List(fields.String(), required=True)
    tiers = fields.List(fields.String(), required=True)
    models = fields.List(fields.String(), required=True)
    hint_levels = fields.List(fields.String(), required=True)
    include = fields.List(fields.String(), required=True)


class AboutAnswer(RoundGameAbout):
    component = "SnowTimeAboutAnswer"

    levels = fields.Integer(required=True, metadata={"description": "Of the tree."})
    fruit = Nested(FruitAbout, required=True)
    house_track = Nested(
        TrackSchema, required=True, metadata={"description": "Ours, not the publisher's (R1)."}
    )
    suggest = Nested(
        SuggestAbout, required=True, metadata={"description": "What can be asked for by now."}
    )
