"""JSON schemas of positions, moves and requests.

They check the shape only; ``rules/legality.py`` checks the rules.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from service.core.vocabulary import (
    INCLUDES,
    MODELS,
    OBJECTIVES,
)
from service.games.common.display_names import DisplayName
from service.games.common.fields import (
    Boolean,
    FullMatch,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    Number,
    OneOf,
    StrictSchema,
    Text,
)
from service.games.common.rounds.form import RoundForm
from service.games.common.rounds.request_schema import (
    DEFAULT_DEPTH,
    DEFAULT_OBJECTIVE,
    suggest_request_schema,
)
from service.games.common.unions import Kind, Union, kind
from service.games.snow_time.rules.state import (
    CARD_BY_LABEL,
    DECK,
    FRUIT_LEVELS,
    FRUIT_TOKENS,
    KIND_BY_LABEL,
    SEATING,
    Card,
)

MAX_TRACK_LENGTH = 200
MAX_WEIGHT = 1e6


class CardName(OneOf):
    """A card: "1" to "7", "healer", "watcher" or "blizzard"."""

    def __init__(self, *more: Card, **kwargs: Any) -> None:
        super().__init__((*CARD_BY_LABEL, *(card.label for card in more)), **kwargs)

    def _serialize(self, value: Any, *_: Any, **__: Any) -> str | None:
        return value.label if isinstance(value, Card) else None


class KindName(OneOf):
    """The kind of a point: "fight", "fruit" or "mana"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(tuple(KIND_BY_LABEL), **kwargs)

    def _serialize(self, value: Any, *_: Any, **__: Any) -> str | None:
        return getattr(value, "label", None)


def seat_name(**kwargs: Any) -> Name:
    """Return a field for the name of a seat."""
    return Name(examples=("red", "blue", "green"), **kwargs)


def seat_display_name() -> DisplayName:
    """Return the field of a player's display name in a seat."""
    # The attribute keeps the dump of a seat, whose `name` is its id, from filling the field.
    return DisplayName(attribute="display_name")


# Positions ------------------------------------------------------------------------------------


class BonusSchema(StrictSchema):
    """A bonus space: a marker on it advances if its seat gained a point of ``kind``."""

    component = "SnowTimeBonus"

    space = Integer(1, MAX_TRACK_LENGTH - 1, required=True)
    kind = KindName(required=True)
    advance = Integer(1, 3, required=True)


class RuleOption(Boolean):
    """An option of the rules that is off by default; a dump omits it if it is off."""

    def _serialize(self, value: Any, *_: Any, **__: Any) -> bool | None:
        return True if value else None


class TrackSchema(StrictSchema):
    """The race track: its length and bonus spaces, and options of the German rule sheet."""

    component = "SnowTimeTrack"

    length = Integer(5, MAX_TRACK_LENGTH, required=True)
    bonuses = ListOf(Nested(BonusSchema), 0, MAX_TRACK_LENGTH - 1, required=True)
    optional_watcher = RuleOption(
        metadata={"description": "Whether a watcher may add no card (R2). Default: false."}
    )
    spared_champion = RuleOption(
        metadata={
            "description": "Whether a blizzard spares the champions that watchers add (R5). "
            "Default: false."
        }
    )


class SeatSchema(StrictSchema):
    """A seat with its player, score and hand."""

    component = "SnowTimeSeat"

    seat = seat_name(required=True, attribute="name")
    player = Name(metadata={"description": "Defaults to the seat's name."})
    name = seat_display_name()
    score = Integer(0, MAX_TRACK_LENGTH, required=True)
    hand = ListOf(
        CardName(),
        1,
        len(DECK),
        required=True,
        example=["4", "healer"],
        metadata={
            "description": "In any order. The healer is always in the hand. All other cards are "
            "in the discard.",
            "uniqueItems": True,
        },
    )


class StateSchema(StrictSchema):
    """A position: seats, fruit and track."""

    component = "SnowTimeState"

    seats = ListOf(Nested(SeatSchema), 3, 5, expected=SEATING, required=True)
    fruit = ListOf(
        Integer(0, FRUIT_TOKENS),
        FRUIT_LEVELS,
        FRUIT_LEVELS,
        expected=f"{FRUIT_LEVELS} items: the tokens on levels 1 to {FRUIT_LEVELS}",
        required=True,
        metadata={"description": "Tokens on levels 1 to 6, at most 15 in total."},
    )
    track = Nested(TrackSchema, metadata={"description": "Default: the default track (R1)."})


# Moves ----------------------------------------------------------------------------------------

_PLAIN = Kind(description="A champion or a blizzard.", values=(*"1234567", "blizzard"))
_HEALER = kind("", "recover", "Takes champions back.")
_NONE = kind("", description="Adds no card; only if the track has `optional_watcher` (R2).")


class AddedMoveSchema(StrictSchema):
    """The card that a watcher adds (R2, R3)."""

    component = "SnowTimeAddedMove"
    example: ClassVar = {"card": "4"}
    union = Union("card", {"plain": _PLAIN, "healer": _HEALER, "none": _NONE})

    card = CardName(Card.NONE, required=True)
    recover = ListOf(
        CardName(),
        0,
        7,
        metadata={
            "description": "Optional if only one set is legal (R4). An empty list takes nothing "
            "back, so a client must not send it for an absent one."
        },
    )


class MoveSchema(AddedMoveSchema):
    """The move of a seat, by ``card``."""

    component = "SnowTimeMove"
    union = Union(
        "card", {"plain": _PLAIN, "healer": _HEALER, "watcher": kind("", "then", "Adds a card.")}
    )

    card = CardName(required=True)
    then = Nested(AddedMoveSchema)

    class Meta:
        ordered = True
        fields = ("card", "then", "recover")


def moves_by_seat(**kwargs: Any) -> MapOf:
    """Return a field of moves by seat name."""
    return MapOf(keys=seat_name(), values=Nested(MoveSchema), **kwargs)


FORM: Final = RoundForm("SnowTime", moves_by_seat, ("card", "watcher", "healer"))

# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(StrictSchema):
    """A seat of a new game."""

    component = "SnowTimeNewSeat"

    seat = seat_name(required=True)
    player = Name()
    name = seat_display_name()


class NewRequest(StrictSchema):
    """A request to set up a game."""

    component = "SnowTimeNewRequest"

    seats = ListOf(Nested(NewSeatSchema), 3, 5, expected=SEATING, required=True)
    track = Nested(TrackSchema)


class GrowRequest(StrictSchema):
    """A request to let fruit grow."""

    component = "SnowTimeGrowRequest"

    state = Nested(StateSchema, required=True)
    dice = ListOf(Integer(1, FRUIT_LEVELS), 0, 2, example=[1, 6])
    seed = Integer(
        0, 2**53 - 1, metadata={"description": "Instead of `dice`; equal seeds give equal dice."}
    )


class LegalMovesRequest(StrictSchema):
    """A request for the legal moves."""

    component = "SnowTimeLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    revealed = moves_by_seat()


class ResolveRequest(StrictSchema):
    """A request to resolve a round."""

    component = "SnowTimeResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = moves_by_seat(required=True)
    dice = ListOf(
        Integer(1, FRUIT_LEVELS),
        0,
        2,
        metadata={"description": "If given, growth is resolved first."},
    )


MAX_HISTORY = 60
PROFILE_PATTERN = r"^[A-Za-z0-9_-]{1,200}$"
BAD_PROFILE = "bad-profile: Expected `compact` of a profile, unchanged."


def round_dice() -> ListOf:
    """Return a field for the dice of a played round."""
    note = {"description": "The dice of growth, in any order."}
    return ListOf(Integer(1, FRUIT_LEVELS), 0, 2, example=[1, 6], metadata=note)


class ObservedRoundSchema(StrictSchema):
    """A round of an earlier request: the position after growth, and what was played."""

    component = "SnowTimeObservedRound"

    state = Nested(StateSchema, required=True)
    dice = round_dice()
    moves = moves_by_seat(
        required=True,
        metadata={
            "description": "Of all or some seats, each as far as it is known: the card alone, or "
            "with `then` and `recover`."
        },
    )


class OpponentsSchema(StrictSchema):
    """The model of the other players."""

    component = "SnowTimeOpponents"
    example: ClassVar = {"model": "uniform"}

    model = OneOf(
        MODELS,
        metadata={
            "description": "Default: `learned` with a history or profiles, else `equilibrium`. "
            "`learned`: how each of the others plays is inferred from them; the strategy gains "
            "from it as far as that is safe (`search.risk`). `equilibrium`: no player gains much "
            "by deviating from its strategy; `epsilon` is the largest gain. `quantal`: all players "
            "make mistakes, and worse moves are rarer (a logit equilibrium). `level-1`: the others "
            "make such mistakes in their response to `uniform`. `uniform`: at each of its "
            "decisions each seat plays all legal moves with equal probability. With all models "
            "except `uniform`, later watcher and healer decisions are played as well as the solver "
            "can."
        },
    )
    weights = MapOf(
        keys=seat_name(),
        values=MapOf(keys=CardName(), values=Number(0, MAX_WEIGHT)),
        metadata={
            "description": "By seat of another player, a distribution over its card choice in this "
            "round, which replaces the model. Weights are normalised; an absent card has weight 0."
        },
    )
    history = ListOf(
        Nested(ObservedRoundSchema),
        0,
        MAX_HISTORY,
        metadata={
            "description": "Earlier rounds, in order; those of earlier games too. A missing round "
            "does no harm. Under other models than `learned` it is ignored."
        },
    )
    profiles = MapOf(
        keys=Name(),
        values=Text(
            examples=("CN7tAAEAAwECc",), validate=FullMatch(PROFILE_PATTERN, error=BAD_PROFILE)
        ),
        metadata={
            "description": "By other player, `compact` of its profile in a hint of an earlier game."
        },
    )


SuggestRequest: Final = suggest_request_schema(
    FORM,
    StateSchema,
    {
        "revealed": moves_by_seat(
            metadata={
                "description": "The moves of all seats so far. The hint is then about the player's "
                "watcher or healer decision."
            }
        ),
        "objective": OneOf(
            OBJECTIVES,
            load_default=DEFAULT_OBJECTIVE,
            metadata={
                "description": "What the players maximise. `win`: the share of the win. The others "
                "are for analysis. `points`: the spaces that the player's seats move in total, "
                "bonus advances included. `lead`: `points` minus the mean of the other players."
            },
        ),
        "opponents": Nested(OpponentsSchema),
        "depth": Integer(
            1,
            3,
            load_default=DEFAULT_DEPTH,
            metadata={
                "description": "Maximum number of rounds to search; `search.depth` is the number "
                "searched. With the model `uniform` it is at most 2, and a depth is either "
                "searched exactly or not at all: `deep` allows up to 10,000,000 resolved rounds, "
                "which can take a minute, so combine it with `deadline_ms`. With the other models "
                "every later round is solved again from the likeliest positions that the "
                "strategies reach, also after a deviation of one player. Other positions keep the "
                "value of one round, so a share of the win is wrong by at most "
                "`search.unsearched`. If that is more than half, or if several healers decide at "
                "once, the hint is one round shallower."
            },
        ),
        "include": ListOf(
            OneOf(INCLUDES),
            0,
            len(INCLUDES),
            metadata={
                "description": "Additional results, each once: the fields of the response with "
                "these names. "
                "`facts` stand at each move; the others are what-ifs, at depth 1 only. `dice` is a "
                "hint for each outcome of growth, with `state` before growth; this takes up to 21 "
                "solves.",
            },
        ),
    },
)
