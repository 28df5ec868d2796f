"""The actions that a turn consists of: choices, answers of other players, and draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.rules.payments.resources import NOTHING, Amounts, Building, Resource


class ActionType(IntEnum):
    """The type of an action."""

    PLACE_FIRST_VILLAGER = 0
    ACTIVATE = 1
    PLAY = 2
    REST = 3
    PASS = 4
    PAY = 5
    GAIN = 6
    BUILD = 7
    TRADE = 8
    TAKE_BACK = 9
    REDRAW = 10
    RECRUIT = 11
    COPY = 12
    BID = 13
    GIVE = 14
    SETTLE = 15
    SUFFER = 16
    DECLINE = 17
    SKIP = 18
    DRAW = 19
    RETURN_BID = 20
    LEAVE_BID = 21
    WAKE = 22
    EXHAUST = 23
    DISCARD = 24

    @property
    def label(self) -> str:
        """The value of ``type`` in JSON."""
        if self is ActionType.PLACE_FIRST_VILLAGER:
            return "found"
        return self.name.lower().replace("_", "-")


class Payment(NamedTuple):
    """What a player gives up, by kind of source (C4).

    Attributes:
        tokens: tokens of each resource.
        buildings: face-up buildings of each kind to spend.
        hand: hand cards to discard, in ascending order.
        cells: cells of the villagers to exhaust, in ascending order.
    """

    tokens: Amounts = NOTHING
    buildings: tuple[int, int, int] = (0, 0, 0)
    hand: tuple[Card, ...] = ()
    cells: tuple[int, ...] = ()


NO_PAYMENT: Final = Payment()


class Returned(NamedTuple):
    """A building that goes back to the board."""

    building: Building
    spent: bool


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a turn; attributes that do not apply to its type are None.

    Attributes:
        act: type.
        player: name of the acting player.
        card: card that is placed, played, taken back, recruited, copied, given or drawn.
        cell: cell of the own village, or of the owner's village for a copy.
        owner: player whose villager is copied.
        payment: payment for an action or a bid, or the one sent together with a played card.
        cards: cards to discard and redraw.
        item: penalty item that is given, settled or suffered.
        settles: other item that a villager settles while its icons pay for ``item`` (C15).
        resource: resource that is gained, or token that is given.
        building: building that is built, spent or given up.
        spent: whether the building given up is spent.
        returned: building that makes room for a new one.
        give, get: the two sides of a trade.
    """

    type: ActionType
    player: str | None = None
    card: Card | None = None
    cell: int | None = None
    owner: str | None = None
    payment: Payment | None = None
    cards: tuple[Card, ...] | None = None
    item: PenaltyItem | None = None
    settles: PenaltyItem | None = None
    resource: Resource | None = None
    building: Building | None = None
    spent: bool | None = None
    returned: Returned | None = None
    give: GainKind | None = None
    get: GainKind | None = None


REST: Final = Action(ActionType.REST)
PASS: Final = Action(ActionType.PASS)
DECLINE: Final = Action(ActionType.DECLINE)
SKIP: Final = Action(ActionType.SKIP)
RETURN_BID: Final = Action(ActionType.RETURN_BID)
LEAVE_BID: Final = Action(ActionType.LEAVE_BID)


def draw_action(card: Card) -> Action:
    """Return the action that records a draw."""
    return Action(ActionType.DRAW, card=card)
