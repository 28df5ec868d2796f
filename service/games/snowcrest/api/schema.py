"""The JSON shapes of positions, atoms and requests.

Shape only: what the rules allow is legality's matter.
"""

from __future__ import annotations

from typing import Any, Final

from service.games.common.turn_request_schema import (
    SO_FAR,
    review_request_schema,
    seed_field,
    suggest_request_schema,
)
from service.games.common.validation import (
    Boolean,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    StrictSchema,
)
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

MOST_SEATS: Final = 4
MOST_TOKENS: Final = 200
MOST_HELD: Final = MAX_CARDS * MAX_COPIES
MOST_TOLD: Final = 500
"""Atoms of a turn; each takes a few at most, and most of them are draws and answers."""
TRADED: Final = (*RESOURCES, GainKind.SCROLL.label)
ITEMS: Final = tuple(item.label for item in PenaltyItem)


def card_name(note: str | None = None, **kwargs: Any) -> Name:
    """The id of a card in the catalogue."""
    if note is not None:
        kwargs["metadata"] = {"description": note}
    return Name(**kwargs)


def _cards(note: str, most: int = MOST_HELD, **kwargs: Any) -> ListOf:
    return ListOf(Name(), 0, most, metadata={"description": note}, **kwargs)


def amounts_by_name(words: tuple[str, ...], note: str, **kwargs: Any) -> MapOf:
    """How many of each; 0 of what is not told."""
    return MapOf(
        keys=OneOf(words),
        values=Integer(0, MOST_TOKENS),
        metadata={"description": note},
        **kwargs,
    )


# Positions ------------------------------------------------------------------------------------


def _cell(**kwargs: Any) -> Integer:
    note = {"description": "Of the village, row by row from 0."}
    return Integer(0, VILLAGE_CELLS - 1, metadata=note, **kwargs)


class ResidentSchema(StrictSchema):
    component = "SnowcrestResident"

    cell = _cell(required=True)
    card = card_name(required=True)
    exhausted = Boolean()


class StockSchema(StrictSchema):
    component = "SnowcrestStock"

    up = Integer(0, BUILDING_SLOTS)
    spent = Integer(0, BUILDING_SLOTS)


class SeatSchema(StrictSchema):
    component = "SnowcrestSeat"

    player = Name(required=True)
    tokens = amounts_by_name(RESOURCES, "Resources in the personal supply.")
    scrolls = Integer(0, MOST_TOKENS)
    omen = Integer(
        -MAX_OMEN, MAX_OMEN, metadata={"description": "Where the marker is; good is positive."}
    )
    omen_tokens = Integer(0, MOST_TOKENS, metadata={"description": "Taken below the track."})
    village = ListOf(
        Nested(ResidentSchema), 0, VILLAGE_CELLS, metadata={"description": "Cells with villagers."}
    )
    buildings = MapOf(
        keys=OneOf(BUILDINGS),
        values=Nested(StockSchema),
        metadata={"description": "How many of each kind are face `up` and `spent` (C21)."},
    )
    hand = _cards("In any order; `unknown` what has not been seen (C12).")
    discards = _cards("In any order. What is nowhere else lies in the pile.")


class BelowSchema(StrictSchema):
    component = "SnowcrestBelow"

    commons = _cards("Top first.")
    guardians = _cards("Top first.")
    forest = _cards("Top first.")


class PosedSchema(StrictSchema):
    component = "SnowcrestPosed"

    challenge = card_name(required=True)
    by = Name(metadata={"description": "The player who has met it."})


CATALOGUE_NOTE: Final = (
    "Own cards; without it the house catalogue is used, see "
    "`GET /v1/games/snowcrest/catalogues/house` (C1)."
)


class StateSchema(StrictSchema):
    component = "SnowcrestState"

    seats = ListOf(
        Nested(SeatSchema),
        1,
        MOST_SEATS,
        required=True,
        metadata={"description": "In the order of turns, from the start player."},
    )
    turn = Name(required=True, metadata={"description": "The player whose turn is next."})
    phase = OneOf(
        tuple(phase.label for phase in Phase),
        metadata={
            "description": "Which kind of turn is next: `set-up`, the first villager (C20); "
            "`turns`, also if nothing is told; `over`, none."
        },
    )
    supply = Integer(
        0, MOST_TOKENS, required=True, metadata={"description": "Scrolls on the board."}
    )
    ending = Boolean(metadata={"description": "The supply has been empty once (C9)."})
    juniper = Integer(
        1,
        JUNIPER_PER_PLAYER * MOST_SEATS,
        required=True,
        metadata={"description": "On the forest."},
    )
    row = _cards("Common villagers turned up, in any order.", ROW_SIZE, required=True)
    below = Nested(
        BelowSchema,
        metadata={"description": "What is known to lie at the bottom of the piles (C12)."},
    )
    challenges = ListOf(Nested(PosedSchema), 0, MAX_CARDS)
    starter_variant = Boolean(metadata={"description": "The rules for a first game."})
    difficulty = Integer(
        1, max(DIFFICULTIES), metadata={"description": "Of the game of one; 1 if not told (C13)."}
    )
    rests = Integer(0, 4, metadata={"description": "How many, in the game of one (C13)."})
    catalogue = Nested(CatalogueSchema, metadata={"description": CATALOGUE_NOTE})


# Atoms ----------------------------------------------------------------------------------------

_FORMS: Final[dict[ActionType, tuple[set[str], set[str]]]] = {
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
    ActionType.DRAW: ({"card"}, set()),
}
ATOM_FORMS: Final = {
    act.label: (
        frozenset(always),
        frozenset(perhaps if act is ActionType.DRAW else perhaps | {"player"}),
    )
    for act, (always, perhaps) in _FORMS.items()
}
"""What has to be told of each atom, and what may be."""


class PaymentSchema(StrictSchema):
    component = "SnowcrestPayment"

    tokens = amounts_by_name(RESOURCES, "Resources of the personal supply.")
    buildings = amounts_by_name(BUILDINGS, "Buildings to be spent.")
    hand = _cards("Hand cards to be discarded.")
    village = ListOf(
        _cell(), 0, VILLAGE_CELLS, metadata={"description": "Cells of villagers to be exhausted."}
    )


class ReturnedSchema(StrictSchema):
    component = "SnowcrestReturned"

    building = OneOf(BUILDINGS, required=True)
    spent = Boolean(required=True)


class ActionSchema(StrictSchema):
    component = "SnowcrestAtom"

    type = OneOf(
        tuple(act.label for act in ActionType),
        required=True,
        metadata={
            "description": "What is done, and the members that belong to it:\n"
            "- `found` the village with a `card` in the centre, at the set-up (C20)\n"
            "- `activate` the villager of a `cell`\n"
            "- `play` a `card` of the hand or the row into a `cell`; what it costs follows as "
            "`pay`, or is told at once as `payment` (C4)\n"
            "- `rest`, `pass`, where there is nothing else to do (C3)\n"
            "- `pay` with a `payment`; `skip` what cannot be paid for or bid (C5)\n"
            "- `gain` a `resource` of whatever kind\n"
            "- `build` a `building`; on a full row one is `returned` (C21)\n"
            "- `trade`: `give` for `get`; or `decline`\n"
            "- `take-back` a `card`; `redraw` as many cards as the `cards` discarded\n"
            "- `recruit` a `card` of the hand or the row (C18)\n"
            "- `copy` the villager of an `owner` in a `cell`, or alone a `card` of the row (C17)\n"
            "- `bid` the bells of a `payment`, an empty one for none (C6)\n"
            "- `give` for an `item` of a penalty a token (`resource`), a `building` (spent for a "
            "resource; for a building item `spent` says which goes), a `card` of the hand, or the "
            "villager of a `cell` (C7)\n"
            "- `settle` an `item` with the villager of a `cell`; or, while its icons pay for "
            "that, another that it `settles` (C15)\n"
            "- `suffer` omen for an `item`\n"
            "- `draw` a `card`: to the hand (then perhaps `unknown`), or turned up from a pile"
        },
    )
    player = Name(metadata={"description": "Who does it; may be left out."})
    card = card_name()
    cell = _cell()
    owner = Name(metadata={"description": "The player whose villager is copied."})
    payment = Nested(PaymentSchema)
    cards = _cards("To be discarded.")
    item = OneOf(ITEMS)
    settles = OneOf(ITEMS)
    resource = OneOf(RESOURCES)
    building = OneOf(BUILDINGS)
    spent = Boolean()
    returned = Nested(ReturnedSchema)
    give = OneOf(TRADED)
    get = OneOf(TRADED)


def list_of_actions(note: str, **kwargs: Any) -> ListOf:
    """What has been done in a turn, in order."""
    return ListOf(Nested(ActionSchema), 0, MOST_TOLD, metadata={"description": note}, **kwargs)


# Requests -------------------------------------------------------------------------------------


class NewSeatSchema(StrictSchema):
    component = "SnowcrestNewSeat"

    player = Name(required=True)


class NewRequest(StrictSchema):
    component = "SnowcrestNewRequest"

    seats = ListOf(
        Nested(NewSeatSchema),
        1,
        MOST_SEATS,
        required=True,
        metadata={"description": "In the order of turns; one alone plays the game of one."},
    )
    seed = seed_field("Of all shuffles; same seed, same table.", required=True)
    starter_variant = Boolean(metadata={"description": "The rules for a first game."})
    difficulty = Integer(
        1, max(DIFFICULTIES), metadata={"description": "Of the game of one; 1 if not told (C13)."}
    )
    catalogue = Nested(CatalogueSchema, metadata={"description": CATALOGUE_NOTE})


class LegalMovesRequest(StrictSchema):
    component = "SnowcrestLegalMovesRequest"

    state = Nested(StateSchema, required=True)
    so_far = list_of_actions(SO_FAR)


class ResolveRequest(StrictSchema):
    component = "SnowcrestResolveRequest"

    state = Nested(StateSchema, required=True)
    moves = list_of_actions("The complete turn with all answers, in order.", required=True)
    seed = seed_field("Draws whatever cards `moves` leave out; same seed, same cards.")


SuggestRequest = suggest_request_schema(
    "SnowcrestSuggestRequest", StateSchema, ActionSchema, list_of_actions
)
ReviewRequest = review_request_schema("SnowcrestReviewRequest", StateSchema, list_of_actions)
