"""The JSON shapes of positions, moves and requests.

Shape only: what the rules allow is legality's matter.
"""

from __future__ import annotations

from typing import Any

from marshmallow import validate

from service.core.vocabulary import (
    CARD,
    DEFAULT_EFFORT,
    EFFORTS,
    EQUILIBRIUM,
    HINT_LEVELS,
    INCLUDES,
    MODELS,
    OBJECTIVES,
    WIN,
)
from service.games.common.validation import (
    Integer,
    ListOf,
    Name,
    Nested,
    Number,
    OneOf,
    Shape,
    Table,
    Text,
)
from service.games.snow_time.rules.state import (
    CARD_BY_LABEL,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    KIND_BY_LABEL,
    Card,
)

MAX_TRACK_LENGTH = 200
MAX_WEIGHT = 1e6


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
    component = "SnowTimeBonus"

    space = Integer(1, MAX_TRACK_LENGTH - 1, required=True)
    kind = KindName(required=True)
    advance = Integer(1, 3, required=True)


class TrackSchema(Shape):
    component = "SnowTimeTrack"

    length = Integer(5, MAX_TRACK_LENGTH, required=True)
    bonuses = ListOf(Nested(BonusSchema), 0, MAX_TRACK_LENGTH - 1, required=True)


class SeatSchema(Shape):
    component = "SnowTimeSeat"

    seat = Name(required=True, attribute="name")
    player = Name(metadata={"description": "Defaults to the seat's name."})
    score = Integer(0, MAX_TRACK_LENGTH, required=True)
    hand = ListOf(
        CardName(),
        1,
        len(Card),
        required=True,
        metadata={
            "description": "In any order; the healer is always in hand. What is not in hand lies "
            "in the discard.",
            "uniqueItems": True,
        },
    )


class StateSchema(Shape):
    component = "SnowTimeState"

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
    component = "SnowTimeAddedMove"

    card = CardName(required=True)
    recover = ListOf(CardName(), 0, 7, metadata={"description": RECOVER_NOTE})


class MoveSchema(AddedMoveSchema):
    component = "SnowTimeMove"

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
    component = "SnowTimeNewSeat"

    seat = Name(required=True)
    player = Name()


class NewRequest(Shape):
    component = "SnowTimeNewRequest"

    seats = ListOf(Nested(NewSeatSchema), 3, 5, required=True)
    track = Nested(TrackSchema)


class GrowRequest(Shape):
    component = "SnowTimeGrowRequest"

    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2)
    seed = Integer(
        0, 2**53 - 1, metadata={"description": "In place of dice; same seed, same dice."}
    )


class LegalMovesRequest(Shape):
    component = "SnowTimeLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    revealed = moves_by_seat()


class ResolveRequest(Shape):
    component = "SnowTimeResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = moves_by_seat(required=True)
    dice = ListOf(
        Integer(1, FRUIT_LEVELS), 0, 2, metadata={"description": "If given, growth comes first."}
    )


DEFAULT_OBJECTIVE, DEFAULT_DEPTH = WIN, 1
DEFAULT_MODEL = EQUILIBRIUM
DEFAULT_HINT_LEVEL = CARD
MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-3, 1e3
NONCE_PATTERN = r"^[ -~]{1,128}$(?!\n)"


class OpponentsSchema(Shape):
    component = "SnowTimeOpponents"

    model = OneOf(
        MODELS,
        load_default=DEFAULT_MODEL,
        metadata={
            "description": "How the others choose. `equilibrium`: everybody plays so that nobody "
            "gains much by another strategy; `gap` tells how much. `quantal`: everybody errs, the "
            "worse a move the more rarely it is played (a logit equilibrium). `level-1`: the "
            "others err so in answering `uniform`. `uniform`: each seat picks with equal chance "
            "among its legal moves at each of its decisions. Precisions are told by "
            "`GET /v1/games/snow-time`. Under all but `uniform`, the watcher's and the healer's "
            "later decisions are played as well as the solver can."
        },
    )
    weights = Table(
        keys=Name(),
        values=Table(keys=CardName(), values=Number(0, MAX_WEIGHT)),
        metadata={
            "description": "By seat of other players, a distribution over its card choice of this "
            "round, in place of the model; it is normalised, and an absent card is 0."
        },
    )


class SuggestRequest(Shape):
    component = "SnowTimeSuggestRequest"

    state = Nested(StateSchema, required=True)
    player = Name(required=True, metadata={"description": "Who asks."})
    revealed = moves_by_seat(
        metadata={
            "description": "A move so far for every seat: the question is then the watcher's or "
            "the healer's choice of the player."
        }
    )
    objective = OneOf(
        OBJECTIVES,
        load_default=DEFAULT_OBJECTIVE,
        metadata={
            "description": "`win`: the player's share of the win, which is the hint. The others "
            "are for analysis. `points`: how many spaces the own seats move together, bonus "
            "advances included. `lead`: the same less what the other players move on average."
        },
    )
    opponents = Nested(OpponentsSchema)
    tier = OneOf(
        EFFORTS,
        load_default=DEFAULT_EFFORT,
        metadata={"description": "How much work may be done; never how long it takes."},
    )
    depth = Integer(
        1,
        3,
        load_default=DEFAULT_DEPTH,
        metadata={
            "description": "A cap on the rounds looked ahead; `search.depth` says how many it "
            "were. Under `uniform` two at most for now, and exact or not at all: `deep` allows "
            "for up to 10,000,000 resolved rounds, which can take a minute: give `deadline_ms` "
            "with it. Under the other models every later round is solved afresh, from the "
            "positions that the strategies lead to, with or without another move of one player, "
            "the likeliest first; `search.left_out` is the greatest share of what any player's "
            "move may come to that was not looked beyond, which keeps the value of one round. So a "
            "share of the win is off by that much at most. With more than half left out, or where "
            "several healers decide at once, the answer is one round "
            "shallower."
        },
    )
    deadline_ms = Integer(
        10,
        30_000,
        metadata={
            "description": "Milliseconds from receipt. It only stops the search early; then "
            "`complete` is false, or the answer is 503 if nothing was found."
        },
    )
    chosen = moves_by_seat(
        metadata={"description": "A move for each own seat that decides, to be graded."}
    )
    nonce = Text(
        validate=validate.Regexp(
            NONCE_PATTERN, error="bad-nonce: 1 to 128 printable ASCII characters are due."
        ),
        metadata={"description": "Keeps the pick as secret as itself; send fresh random ones."},
    )
    hint_level = OneOf(
        HINT_LEVELS,
        load_default=DEFAULT_HINT_LEVEL,
        metadata={
            "description": "How much is given away. `nudge`: what to think of, in words. "
            "`shortlist`: two to four moves as well, the best among them, in deck order. `card`: "
            "everything. Below `card` the answer holds no pick, best, values or strategies."
        },
    )
    include = ListOf(
        OneOf(INCLUDES),
        0,
        len(INCLUDES),
        metadata={
            "description": "What else to tell, at depth 1. `next`: what to do after the likeliest "
            "reveals, if `pick` or `best` leaves something to decide then. `matrix`: the value of "
            "each own move against each move of one other player, all the rest playing their "
            "strategies. `conditional`: what is best and what everybody can expect if another "
            "player makes a move that nobody else expects. `dice`: a hint for each outcome of the "
            "roll, the state being taken as it is before growth; that is up to 21 solves.",
            "uniqueItems": True,
        },
    )
    temperature = Number(
        MIN_TEMPERATURE,
        MAX_TEMPERATURE,
        metadata={
            "description": "For an opponent who can be beaten: the pick is drawn with chances "
            "proportional to exp(-`loss` / `temperature`) instead of the player's own strategy. "
            "In the objective's unit: with `win`, 0.02 errs a little and 0.2 a lot."
        },
    )
