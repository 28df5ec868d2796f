"""Schemas of states, actions and requests of Snowcrest.

They check the shape only; ``legality`` checks the rules.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from service.games.common.display_names import DisplayName
from service.games.common.fields import (
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    StrictSchema,
)
from service.games.common.request_fields import seed_field
from service.games.common.turns.request_schema import (
    SO_FAR,
    drawn_with,
    review_request_schema,
    suggest_request_schema,
)
from service.games.common.unions import Union, kinds_of_fields, merge_kinds
from service.games.snowcrest.catalogue.cards import GainKind, PenaltyItem
from service.games.snowcrest.catalogue.schema import (
    BUILDINGS,
    MAX_CARDS,
    MAX_COPIES,
    RESOURCES,
    ROW_SIZE,
    CatalogueSchema,
)
from service.games.snowcrest.rules.actions import ActionType
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import (
    BUILDING_SLOTS,
    JUNIPER_PER_PLAYER,
    MAX_OMEN,
    VILLAGE_CELLS,
    Phase,
)

MAX_SEATS: Final = 4
SEATING: Final = f"1 to {MAX_SEATS} players with one seat each"  # In messages.
MAX_TOKENS: Final = 200
MAX_HAND: Final = MAX_CARDS * MAX_COPIES
MAX_TURN_LENGTH: Final = 500
"""Upper bound for actions in a turn, draws and answers included."""
MAX_POSTED: Final = MAX_SEATS + 1
"""Largest number of posted challenges (C10)."""
TRADE_LABELS: Final = (*RESOURCES, GainKind.SCROLL.label)
ITEMS: Final = tuple(item.label for item in PenaltyItem)


def card_name(example: str = "officer", **kwargs: Any) -> Name:
    """Return a field for the id of a card in the catalogue."""
    return Name(examples=(example,), **kwargs)


def _cards(
    note: str | None = None, most: int = MAX_HAND, card: str = "officer", **kwargs: Any
) -> ListOf:
    if note is not None:
        kwargs["metadata"] = {"description": note}
    return ListOf(card_name(card), 0, most, **kwargs)


def amounts_by_name(words: tuple[str, ...], note: str) -> MapOf:
    """Return a field for amounts by name; the default of each is 0."""
    return MapOf(keys=OneOf(words), values=Integer(0, MAX_TOKENS), metadata={"description": note})


# States ---------------------------------------------------------------------------------------


def _deck() -> Name:
    note = "Deck of the player, if the catalogue has `decks` (C2)."
    return Name(examples=("red", "blue"), metadata={"description": note})


def _cell(**kwargs: Any) -> Integer:
    note = {"description": "Cell of the village, counted row by row from 0."}
    return Integer(0, VILLAGE_CELLS - 1, metadata=note, **kwargs)


class ResidentSchema(StrictSchema):
    """A villager in a cell of the village."""

    component = "SnowcrestResident"

    cell = _cell(required=True)
    card = card_name(required=True)
    exhausted = Boolean()


class StockSchema(StrictSchema):
    """Buildings of one kind, face up and spent (C21)."""

    component = "SnowcrestStock"

    up = Integer(0, BUILDING_SLOTS)
    spent = Integer(0, BUILDING_SLOTS)


class SeatSchema(StrictSchema):
    """A player with supply, village and cards."""

    component = "SnowcrestSeat"

    player = Name(required=True)
    name = DisplayName()
    tokens = amounts_by_name(RESOURCES, "Resource tokens.")
    scrolls = Integer(0, MAX_TOKENS)
    omen = Integer(
        -MAX_OMEN,
        MAX_OMEN,
        metadata={"description": "Position of the omen marker; positive is good."},
    )
    omen_tokens = Integer(
        0,
        MAX_TOKENS,
        metadata={"description": "Omen tokens below the end of the track."},
    )
    village = ListOf(Nested(ResidentSchema), 0, VILLAGE_CELLS)
    buildings = MapOf(
        keys=OneOf(BUILDINGS),
        values=Nested(StockSchema),
    )
    hand = _cards("In any order; `unknown` for cards that the caller has not seen (C12).")
    discards = _cards("In any order. Cards not listed anywhere are in the pile.")
    deck = _deck()


class BelowSchema(StrictSchema):
    """Known cards at the bottom of the piles, top first (C12)."""

    component = "SnowcrestBelow"

    commons = _cards(card="merchant")
    guardians = _cards(card="snow-leopard")
    forest = _cards(card="moss-man")


class PosedSchema(StrictSchema):
    """A challenge of the game, claimed or not."""

    component = "SnowcrestPosed"

    challenge = card_name("good-omens", required=True)
    by = Name(metadata={"description": "The player who has claimed it."})


class StateSchema(StrictSchema):
    """A position: players, supply and cards."""

    component = "SnowcrestState"

    seats = ListOf(
        Nested(SeatSchema),
        1,
        MAX_SEATS,
        expected=SEATING,
        required=True,
        metadata={"description": "In turn order, from the start player."},
    )
    turn = Name(required=True, metadata={"description": "The player whose turn is next."})
    phase = OneOf(
        tuple(phase.label for phase in Phase),
        metadata={
            "description": "Next turn: `set-up` (first villager, C20), `turns` (default) "
            "or `over` (none)."
        },
    )
    supply = Integer(
        0, MAX_TOKENS, required=True, metadata={"description": "Scrolls on the board."}
    )
    ending = Boolean(metadata={"description": "Whether the supply has been empty (C9)."})
    juniper = Integer(
        0,  # Within a turn, before a forest card (C8).
        JUNIPER_PER_PLAYER * MAX_SEATS,
        required=True,
        metadata={"description": "Juniper in the forest; 0 only within a turn."},
    )
    row = _cards(
        "Face-up common villagers, in any order. A hint uses those that are listed; the others are "
        "drawn at the end of the turn, as far as the pile has cards (C18).",
        ROW_SIZE,
        required=True,
        example=["poet", "baker", "guide", "smith", "scribe"],
    )
    below = Nested(BelowSchema)
    challenges = ListOf(Nested(PosedSchema), 0, MAX_POSTED)
    starter_variant = Boolean(metadata={"description": "Whether the rules for a first game apply."})
    difficulty = Integer(
        1,
        max(DIFFICULTIES),
        metadata={"description": "Of a solo game; default: 1 (C13)."},
    )
    rests = Integer(0, 4, metadata={"description": "Rests so far in a solo game (C13)."})
    catalogue = Nested(CatalogueSchema)


# Actions --------------------------------------------------------------------------------------

_FIELDS_BY_TYPE: Final[dict[ActionType, tuple[set[str], set[str]]]] = {
    ActionType.PLACE_FIRST_VILLAGER: ({"card"}, set()),
    ActionType.ACTIVATE: ({"cell"}, set()),
    ActionType.PLAY: ({"card", "cell"}, {"payment"}),
    ActionType.REST: (set(), set()),
    ActionType.PASS: (set(), set()),
    ActionType.PAY: ({"payment"}, set()),
    ActionType.GAIN: ({"resource"}, set()),
    ActionType.BUILD: ({"building"}, {"returned"}),
    ActionType.TRADE: ({"give", "get"}, set()),
    ActionType.TAKE_BACK: ({"card"}, set()),
    ActionType.REDRAW: ({"cards"}, set()),
    ActionType.RECRUIT: ({"card"}, set()),
    ActionType.COPY: (set(), {"owner", "cell", "card"}),
    ActionType.BID: ({"payment"}, set()),
    ActionType.GIVE: ({"item"}, {"resource", "building", "spent", "card", "cell"}),
    ActionType.SETTLE: ({"item", "cell"}, {"settles"}),
    ActionType.SUFFER: ({"item"}, set()),
    ActionType.DECLINE: (set(), set()),
    ActionType.SKIP: (set(), set()),
    ActionType.DRAW: ({"card"}, {"probability"}),
    ActionType.RETURN_BID: (set(), set()),
    ActionType.LEAVE_BID: (set(), set()),
    ActionType.WAKE: ({"cell"}, set()),
    ActionType.EXHAUST: ({"cell"}, set()),
    ActionType.DISCARD: ({"card"}, set()),
}
ACTION_FIELDS: Final = {
    action_type.label: (
        frozenset(required),
        frozenset(optional if action_type is ActionType.DRAW else optional | {"player"}),
    )
    for action_type, (required, optional) in _FIELDS_BY_TYPE.items()
}
"""Required and optional fields by action type."""
ACTION_NOTES: Final = {
    ActionType.PLACE_FIRST_VILLAGER.label: "Place a card in the centre of the village at the "
    "set-up (C20).",
    ActionType.ACTIVATE.label: "Activate the villager in `cell`.",
    ActionType.PLAY.label: "Play a card from the hand or the row into `cell`. The payment is part "
    "of the action or follows as `pay` (C4).",
    ActionType.REST.label: "Legal only without another action (C3).",
    ActionType.PASS.label: "Legal only without another action (C3).",
    ActionType.PAY.label: "Pay.",
    ActionType.GAIN.label: "Gain a resource of any kind.",
    ActionType.BUILD.label: "Build; if all slots are full, one building is `returned` (C21).",
    ActionType.TRADE.label: "Give `give` for `get`.",
    ActionType.TAKE_BACK.label: "Take a card back from the discards.",
    ActionType.REDRAW.label: "Discard cards and draw as many.",
    ActionType.RECRUIT.label: "Recruit a card from the hand or the row (C18).",
    ActionType.COPY.label: "Copy the villager of `owner` in `cell`; in a solo game, a card of the "
    "row (C17).",
    ActionType.BID.label: "Bid the bells of `payment`; an empty payment bids none (C6).",
    ActionType.GIVE.label: "Give for an item of a penalty or cost a token, a building "
    "(`spent`: which one of the kind), a hand card, or the villager in `cell` (C7).",
    ActionType.SETTLE.label: "Settle an item with the villager in `cell`; or, while its icons pay "
    "`item`, settle another one, `settles` (C15).",
    ActionType.SUFFER.label: "Take omen for an item.",
    ActionType.DECLINE.label: "Do without.",
    ActionType.SKIP.label: "Skip what cannot be paid or bid (C5).",
    ActionType.RETURN_BID.label: "Take the own bid back (C6).",
    ActionType.LEAVE_BID.label: "Leave the own bid spent (C6).",
    ActionType.WAKE.label: "Turn the exhausted villager in `cell` face up.",
    ActionType.EXHAUST.label: "Exhaust the villager in `cell`.",
    ActionType.DISCARD.label: "Discard a hand card.",
    ActionType.DRAW.label: "Draw a card to the hand, which may be `unknown`, or reveal it from a "
    "pile.",
}


class PaymentSchema(StrictSchema):
    """What a player pays or bids with."""

    component = "SnowcrestPayment"

    tokens = amounts_by_name(RESOURCES, "Resource tokens.")
    buildings = amounts_by_name(BUILDINGS, "Buildings to spend.")
    hand = _cards("Hand cards to discard.")
    village = ListOf(
        _cell(), 0, VILLAGE_CELLS, metadata={"description": "Cells of the villagers to exhaust."}
    )


class ReturnedSchema(StrictSchema):
    """The building that is returned (C21)."""

    component = "SnowcrestReturned"

    building = OneOf(BUILDINGS, required=True)
    spent = Boolean(required=True)


class ActionSchema(StrictSchema):
    """An action, an answer or a draw, by ``type``."""

    component = "SnowcrestAction"
    example: ClassVar = {"type": "activate", "cell": 4}
    union = Union(
        "type",
        merge_kinds(
            kinds_of_fields(ACTION_FIELDS, ACTION_NOTES),
            plain="rest",
            card="recruit",
            payment="pay",
        ),
        "`player` acts; it is optional.",
    )

    type = OneOf(tuple(action_type.label for action_type in ActionType), required=True)
    player = Name()
    card = card_name()
    cell = _cell()
    owner = Name(metadata={"description": "The player whose villager is copied."})
    payment = Nested(PaymentSchema)
    cards = _cards("Cards to discard.")
    item = OneOf(ITEMS)
    settles = OneOf(ITEMS)
    resource = OneOf(RESOURCES)
    building = OneOf(BUILDINGS)
    spent = Boolean()
    returned = Nested(ReturnedSchema)
    give = OneOf(TRADE_LABELS)
    get = OneOf(TRADE_LABELS)
    probability = drawn_with()


def list_of_actions(note: str | None = None, **kwargs: Any) -> ListOf:
    """Return a field for the actions of a turn, in order."""
    if note is not None:
        kwargs["metadata"] = {"description": note}
    return ListOf(Nested(ActionSchema), 0, MAX_TURN_LENGTH, **kwargs)


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(StrictSchema):
    """A player of a new game."""

    component = "SnowcrestNewSeat"

    player = Name(required=True)
    name = DisplayName()
    deck = _deck()


class NewRequest(StrictSchema):
    """A request to set up a game."""

    component = "SnowcrestNewRequest"

    seats = ListOf(
        Nested(NewSeatSchema),
        1,
        MAX_SEATS,
        expected=SEATING,
        required=True,
        metadata={"description": "In turn order. A single seat makes a solo game."},
    )
    seed = seed_field("Seed of all shuffles. The same seed gives the same set-up.", required=True)
    starter_variant = Boolean(metadata={"description": "Whether the rules for a first game apply."})
    difficulty = Integer(
        1,
        max(DIFFICULTIES),
        metadata={"description": "Of a solo game; default: 1 (C13)."},
    )
    catalogue = Nested(CatalogueSchema)


class LegalMovesRequest(StrictSchema):
    """A request for the legal actions."""

    component = "SnowcrestLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    so_far = list_of_actions(SO_FAR)


class ResolveRequest(StrictSchema):
    """A request to resolve a turn."""

    component = "SnowcrestResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = list_of_actions("The complete turn with all answers.", required=True)
    seed = seed_field("Makes the draws that `moves` omits. The same seed gives the same draws.")


SuggestRequest = suggest_request_schema(
    "SnowcrestSuggestRequest", StateSchema, ActionSchema, list_of_actions
)
ReviewRequest = review_request_schema("SnowcrestReviewRequest", StateSchema, list_of_actions)
