"""JSON schemas of responses."""

from __future__ import annotations

from marshmallow import fields

from service.games.common.fields import (
    RULE_NOTE,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    ResponseSchema,
    Ruling,
)
from service.games.common.metadata import RoundGameMetadata
from service.games.common.unions import Union, kind
from service.games.snow_time.api.schema import (
    CardName,
    MoveSchema,
    StateSchema,
    TrackSchema,
)
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snow_time.rules.state import FRUIT_LEVELS


class NewResponse(ResponseSchema):
    """The position at the start of a game."""

    component = "SnowTimeNewResponse"

    state = Nested(StateSchema, required=True)


class GrowResponse(ResponseSchema):
    """The position after growth, and the dice."""

    component = "SnowTimeGrowResponse"

    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, required=True)


class LegalMovesResponse(ResponseSchema):
    """The legal moves of the next decision."""

    component = "SnowTimeLegalMovesResponse"

    decision = OneOf(("card", "watcher", "healer", "none"), required=True)
    moves = MapOf(
        keys=Name(),
        values=fields.List(Nested(MoveSchema)),
        required=True,
        metadata={"description": "By seat that has to decide now, its legal moves."},
    )
    game_over = fields.Boolean(required=True)


class AwardSchema(ResponseSchema):
    """Points or a bonus advance of a seat."""

    component = "SnowTimeAward"

    seat = Name(required=True)
    kind = OneOf(POINT_KINDS, required=True)
    points = fields.Integer(required=True, metadata={"description": "As awarded."})
    start = fields.Integer(required=True, metadata={"description": "The marker's space before."})
    end = fields.Integer(required=True, metadata={"description": "The marker's space after (R9)."})


EVENTS = {
    "growth": kind("step dice", "", "fruit grows on the levels of `dice`"),
    "reveal": kind("step cards", "", "all seats reveal their first cards, `cards`"),
    "add": kind("step rule cards", "", "watchers add `cards`"),
    "recover": kind("step rule cards", "", "healers take back champions, `cards`"),
    "blizzard": kind(
        "step rule seats",
        "fallen awards",
        "`seats` played blizzards, which discard the champions of `fallen`; `awards`: a "
        "point per discarded champion for each blizzard",
    ),
    "brawl": kind(
        "step rule level seats fallen awards",
        "",
        "the champions of `seats` meet on `level` and all fall; `awards`: a point for "
        "each other champion there",
    ),
    "strike": kind(
        "step rule level seats fallen awards",
        "",
        "the champion of `seats`, alone on `level`, knocks down the champions of `fallen` "
        "on the level below; `awards`: a point for each",
    ),
    "fruit": kind(
        "step rule level seats awards",
        "",
        "the champion of `seats`, alone on `level`, takes its fruit; `awards`: a point per token",
    ),
    "mana": kind(
        "step level seats awards",
        "",
        "the champion of `seats` on `level` is the lowest on the tree; `awards`: a point",
    ),
    "bonus": kind("step rule seats awards", "", "`seats` advance from bonus spaces, `awards`"),
    "finish": kind("step rule seats", "", "`seats` are on the last space"),
    "return": kind("step cards", "rule", "`cards` return to hand"),
    "spend": kind("step cards", "", "`cards` leave the game"),
}
"""The event types with their fields."""
EVENT_STEPS = ("growth", "card", "watcher", "healer", "A", "B", "C", "D", "E", "end", "return")


class EventSchema(ResponseSchema):
    """An event of a round, by ``type``."""

    component = "SnowTimeEvent"

    union = Union(
        "type",
        EVENTS,
        RULE_NOTE
        + " `seats` act, the champions of `fallen` are discarded, and `awards` are simultaneous.",
    )

    type = OneOf(tuple(EVENTS), required=True)
    step = OneOf(EVENT_STEPS, required=True)
    rule = Ruling()
    level = fields.Integer()
    seats = fields.List(Name())
    fallen = fields.List(Name())
    cards = MapOf(keys=Name(), values=fields.List(CardName()))
    awards = fields.List(Nested(AwardSchema))
    dice = fields.List(fields.Integer())


class PointsSchema(ResponseSchema):
    """Points in a round, by kind."""

    component = "SnowTimePoints"

    fight = fields.Integer(required=True)
    fruit = fields.Integer(required=True)
    mana = fields.Integer(required=True)
    bonus = fields.Integer(required=True)


class ResolveResponse(ResponseSchema):
    """The position after a round, and its events."""

    component = "SnowTimeResolveResponse"

    state = Nested(StateSchema, required=True)
    events = fields.List(Nested(EventSchema), required=True)
    points = MapOf(
        keys=Name(),
        values=Nested(PointsSchema),
        required=True,
        metadata={"description": "As awarded, not clipped at the end of the track."},
    )
    game_over = fields.Boolean(required=True)
    winners = fields.List(Name(), required=True)
    winning_seats = fields.List(Name(), required=True)


class FruitMetadata(ResponseSchema):
    """Numbers of fruit tokens, levels and dice."""

    component = "SnowTimeFruitAbout"

    tokens = fields.Integer(required=True)
    levels = fields.Integer(required=True)
    dice = fields.Integer(required=True)


class SuggestMetadata(ResponseSchema):
    """The options of ``suggest``."""

    component = "SnowTimeSuggestAbout"

    objectives = fields.List(fields.String(), required=True)
    efforts = fields.List(fields.String(), required=True)
    models = fields.List(fields.String(), required=True)
    hint_levels = fields.List(fields.String(), required=True)
    include = fields.List(fields.String(), required=True)


class MetadataResponse(RoundGameMetadata):
    """Names, data and rulings of Snow Time."""

    component = "SnowTimeAboutResponse"

    levels = fields.Integer(required=True, metadata={"description": "Levels of the tree."})
    fruit = Nested(FruitMetadata, required=True)
    default_track = Nested(
        TrackSchema,
        required=True,
        metadata={"description": "The service's own, not the publisher's (R1)."},
    )
    suggest = Nested(SuggestMetadata, required=True)
