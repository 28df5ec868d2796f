"""What a turn consists of: choices, answers of others, and draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.payments.resources import NOTHING, Amounts, Building, Resource


class ActionType(IntEnum):
    """What kind of thing is done."""

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

    @property
    def label(self) -> str:
        """The value of ``type`` in JSON."""
        if self is ActionType.PLACE_FIRST_VILLAGER:
            return "found"
        return self.name.lower().replace("_", "-")


class Payment(NamedTuple):
    """What is given up, from the four kinds of sources (C4).

    Attributes:
        tokens: of each resource.
        buildings: of each kind, to be spent.
        hand: cards to be discarded, sorted.
        cells: of villagers to be exhausted, sorted.
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
    """One thing done in a turn; what does not belong to it is None.

    Attributes:
        act: what kind of thing.
        player: who does it.
        card: that is founded with, played, taken back, recruited, copied, given or drawn.
        cell: of one's own village, or of the owner's.
        owner: whose villager is copied.
        payment: for an action or a bid, or together with a card that is played.
        cards: that are discarded to draw as many.
        item: of a penalty, that is given, settled or suffered for.
        settles: another item that a villager settles while its icons pay (C15).
        resource: that is gained, or the token that is given.
        building: that is built, spent or given up.
        spent: whether the building given up was.
        returned: a building that makes room for another.
        give, get: what is traded for what.
    """

    act: ActionType
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


def draw_action(card: Card) -> Action:
    """The record of a draw."""
    return Action(ActionType.DRAW, card=card)
