"""The JSON shapes of Snow Time.  Shape only: what the rules allow is legality's matter."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.games.reading import (
    Answer,
    Integer,
    ListOf,
    Name,
    Nested,
    OneOf,
    Shape,
    Table,
    Text,
    Weight,
)
from service.games.snow_time.state import (
    CARD_BY_LABEL,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    KIND_BY_LABEL,
    Card,
)

LONGEST_TRACK = 200
GREATEST_WEIGHT = 1e6


class CardName(OneOf):
    """A card: "1" to "7", "healer", "watcher" or "blizzard"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tuple(CARD_BY_LABEL), **kwargs)

    def _serialize(self, value: Any, *_: Any, **__: Any) -> str | None:
        return value.label if isinstance(value, Card) else None


class KindName(OneOf):
    """What a point is gained for: "fight", "fruit" or "mana"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tuple(KIND_BY_LABEL), **kwargs)

    def _serialize(self, value: Any, *_: Any, **__: Any) -> str | None:
        return getattr(value, "label", None)


# Positions ------------------------------------------------------------------------------------


class BonusSchema(Shape):
    space = Integer(1, LONGEST_TRACK - 1, required=True)
    kind = KindName(required=True)
    advance = Integer(1, 3, required=True)


class TrackSchema(Shape):
    length = Integer(5, LONGEST_TRACK, required=True)
    bonuses = ListOf(Nested(BonusSchema), 0, LONGEST_TRACK - 1, required=True)


class SeatSchema(Shape):
    seat = Name(required=True, attribute="name")
    player = Name(metadata={"description": "Defaults to the seat's name."})
    score = Integer(0, LONGEST_TRACK, required=True)
    hand = ListOf(CardName(), 1, len(Card), required=True)


class StateSchema(Shape):
    seats = ListOf(Nested(SeatSchema), 3, 5, required=True)
    fruit = ListOf(
        Integer(0, FRUIT_TOKENS),
        FRUIT_LEVELS,
        FRUIT_LEVELS,
        required=True,
        metadata={"description": "Tokens on levels 1 to 6, 15 together at most."},
    )
    track = Nested(TrackSchema, metadata={"description": "Without it the house track holds (R1)."})


# Moves ----------------------------------------------------------------------------------------

RECOVER_NOTE = "The discarded champions taken back; may be left out where one set is legal (R4)."


class AddedMoveSchema(Shape):
    card = CardName(required=True)
    recover = ListOf(CardName(), 0, 7, metadata={"description": RECOVER_NOTE})


class MoveSchema(AddedMoveSchema):
    then = Nested(
        AddedMoveSchema, metadata={"description": "The card that a watcher adds (R2, R3)."}
    )

    class Meta:
        ordered = True
        fields = ("card", "then", "recover")


def moves_by_seat(**kwargs: Any) -> Table:
    """Moves under the names of their seats."""
    return Table(keys=Name(), values=Nested(MoveSchema), **kwargs)


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(Shape):
    seat = Name(required=True)
    player = Name()


class NewRequest(Shape):
    seats = ListOf(Nested(NewSeatSchema), 3, 5, required=True)
    track = Nested(TrackSchema)


class GrowRequest(Shape):
    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2)
    seed = Integer(
        0, 2**53 - 1, metadata={"description": "In place of dice; same seed, same dice."}
    )


class LegalMovesRequest(Shape):
    state = Nested(StateSchema, required=True)
    revealed = moves_by_seat()


class ResolveRequest(Shape):
    state = Nested(StateSchema, required=True)
    moves = moves_by_seat(required=True)
    dice = ListOf(
        Integer(1, FRUIT_LEVELS), 0, 2, metadata={"description": "If given, growth comes first."}
    )


OBJECTIVES = ("win", "points", "lead")
MODELS = ("equilibrium", "quantal", "level-1", "uniform")
TIERS = ("quick", "standard", "deep")


class OpponentsSchema(Shape):
    model = OneOf(MODELS)
    weights = Table(
        keys=Name(),
        values=Table(keys=CardName(), values=Weight(GREATEST_WEIGHT)),
        metadata={"description": "Distributions over the card choice of other players' seats."},
    )


class SuggestRequest(Shape):
    state = Nested(StateSchema, required=True)
    player = Name(required=True)
    revealed = moves_by_seat()
    objective = OneOf(OBJECTIVES)
    opponents = Nested(OpponentsSchema)
    tier = OneOf(TIERS)
    depth = Integer(1, 3)
    deadline_ms = Integer(10, 30_000)
    chosen = moves_by_seat()
    nonce = Text(
        validate=validate.Regexp(
            r"^[ -~]{1,128}$(?!\n)", error="bad-nonce: 1 to 128 printable ASCII characters are due."
        )
    )


# Answers --------------------------------------------------------------------------------------


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
    kind = OneOf(("fight", "fruit", "mana", "bonus"), required=True)
    points = fields.Integer(required=True, metadata={"description": "As awarded."})
    start = fields.Integer(required=True, metadata={"description": "The marker's space before."})
    end = fields.Integer(required=True, metadata={"description": "The marker's space after (R9)."})


EVENT_TYPES = (
    "growth", "reveal", "add", "recover", "blizzard", "brawl", "strike", "fruit", "mana", "bonus",
    "finish", "return", "spend",
)  # fmt: skip
EVENT_STEPS = ("growth", "card", "watcher", "healer", "A", "B", "C", "D", "E", "end", "return")


class EventSchema(Answer):
    type = OneOf(EVENT_TYPES, required=True)
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
    class_ = OneOf(
        ("best", "good", "inaccuracy", "mistake", "blunder"),
        required=True,
        attribute="class_",
        data_key="class",
    )


class SearchSchema(Answer):
    method = fields.String(required=True)
    depth = fields.Integer(required=True, metadata={"description": "Rounds looked ahead."})
    tier = OneOf(TIERS, required=True)
    exact = fields.Boolean(required=True)
    complete = fields.Boolean(required=True)
    resolved = fields.Integer(required=True, metadata={"description": "Rounds resolved."})
    gap = fields.Float(required=True, allow_none=True)
    left_out = fields.Float(required=True)
    evaluator = fields.String(required=True)


class SuggestAnswer(Answer):
    player = Name(required=True)
    decision = OneOf(("card", "watcher", "healer"), required=True)
    pick = moves_by_seat(required=True)
    pick_public = fields.Boolean(required=True)
    best = moves_by_seat(required=True)
    moves = fields.List(Nested(MoveValue), required=True)
    strategies = Table(keys=Name(), values=fields.List(Nested(JointProbability)), required=True)
    outlook = Table(keys=Name(), values=fields.Float(), required=True)
    expected = Table(keys=Name(), values=fields.Float(), required=True)
    grade = Nested(GradeSchema)
    search = Nested(SearchSchema, required=True)
