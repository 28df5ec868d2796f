"""The event log of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.common.unions import kind
from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.payments.resources import Building

EVENTS: Final = {
    "found": kind(
        "rule player card cell count",
        "",
        "`player` puts `card` into `cell` at the set-up and pays `count` barley",
    ),
    "start": kind("rule", "", "the set-up is complete"),
    "challenge": kind(
        "rule player challenge count",
        "",
        "`player` claims `challenge` and takes `count` scrolls",
    ),
    "activate": kind("player card cell", "", "`player` activates the `card` in `cell`"),
    "play": kind("rule player card cell", "", "`player` plays `card` into `cell`"),
    "replace": kind(
        "rule player card cell",
        "",
        "the `card` in `cell` leaves: a common goes under its pile, others are discarded",
    ),
    "rest": kind(
        "rule player",
        "count",
        "`player` rests; in a solo game, `count` is the number of rests so far",
    ),
    "pass": kind("rule player", "", "`player` has no legal action and passes"),
    "pay": kind("rule player payment", "", "`player` pays `payment`"),
    "skip": kind(
        "rule player action",
        "",
        "`player` skips an `action` that is not possible or needs hand cards",
    ),
    "decline": kind("rule player", "", "`player` declines an optional action"),
    "gain": kind("player what count", "", "`player` gains `count` of `what`"),
    "omen": kind(
        "rule player omen count",
        "",
        "the omen marker of `player` moves to `omen`; `player` takes `count` omen tokens",
    ),
    "less-omen": kind("rule player omen", "", "the omen marker of `player` moves to `omen`"),
    "build": kind("player building", "", "`player` builds a `building`"),
    "return": kind("player building", "", "a `building` of `player` goes back to the board"),
    "turn-up": kind("player", "", "`player` turns all own buildings face up"),
    "trade": kind("rule player what count", "", "`player` trades `count` of `what` away"),
    "take-back": kind("player card", "", "`player` takes `card` back from the discards"),
    "discard": kind("rule player card", "", "`player` discards `card` from the hand"),
    "shuffle": kind("rule player", "", "the discards of `player` become the pile"),
    "draw": kind("player card", "", "`player` draws `card`"),
    "recruit": kind(
        "rule player card cell",
        "",
        "`player` puts `card` into the `cell` of the recruiter",
    ),
    "copy": kind(
        "rule player card",
        "owner",
        "`player` copies `card` of `owner`; in a solo game, from the row",
    ),
    "exhaust": kind("rule player card cell", "", "the `card` in `cell` of `player` is exhausted"),
    "awake": kind("rule player", "", "`player` turns all own villagers face up"),
    "wake": kind("rule player card cell", "", "`player` turns the `card` in `cell` face up"),
    "guardian": kind("player card", "", "`player` worships; the guardian `card` is revealed"),
    "forest": kind(
        "rule player card",
        "",
        "`player` took the last juniper; the forest card `card` is revealed",
    ),
    "juniper": kind("rule count", "", "the forest is refilled to `count` juniper"),
    "give": kind(
        "rule player items",
        "payment card cell building",
        "`player` gives `payment`, or a card, villager or building, for penalty `items`",
    ),
    "settle": kind(
        "rule player card cell items",
        "",
        "`player` exhausts the `card` in `cell` to settle penalty `items`",
    ),
    "suffer": kind(
        "rule player items",
        "",
        "`player` takes omen instead of giving a penalty item",
    ),
    "bid": kind("rule player payment count", "", "`player` bids `count` bells with `payment`"),
    "leave": kind("rule player", "", "`player` leaves the bid spent"),
    "keep": kind("rule player", "", "`player` gains no scroll and takes the bid back"),
    "scrolls": kind("player count", "rule", "`player` takes `count` scrolls"),
    "reveal": kind(
        "rule player card",
        "",
        "the hand of `player` contained `card` at the end of the game",
    ),
    "row": kind("rule card", "", "`card` is added to the row of commons"),
    "last-round": kind("rule", "", "the supply is empty; the game ends after this round"),
    "lost": kind("rule player", "", "`player` has rested too often and loses the solo game"),
    "end": kind("rule", "", "the game is over"),
}
"""The event types with their fields."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the event log; ``EVENTS`` describes the members of each type."""

    type: str
    rule: str | None = None
    player: str | None = None
    card: Card | None = None
    cell: int | None = None
    owner: str | None = None
    what: GainKind | None = None
    count: int | None = None
    omen: int | None = None
    building: Building | None = None
    payment: Payment | None = None
    items: tuple[PenaltyItem, ...] | None = None
    challenge: int | None = None
    action: str | None = None
