"""The event log of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.payments.resources import Building
from service.games.snowcrest.rules.actions import Payment

EVENTS: Final = {
    "found": "`player` puts `card` into `cell` at the set-up and pays `count` barley",
    "start": "the set-up is complete",
    "challenge": "`player` claims `challenge` and takes `count` scrolls",
    "activate": "`player` activates the `card` in `cell`",
    "play": "`player` plays `card` into `cell`",
    "replace": "the `card` in `cell` leaves: a common goes under its pile, others are discarded",
    "rest": "`player` rests; in a solo game, `count` is the number of rests so far",
    "pass": "`player` has no legal action and passes",
    "pay": "`player` pays `payment`",
    "skip": "`player` skips the `action` of the villager because it is not possible",
    "decline": "`player` declines an optional action",
    "gain": "`player` gains `count` of `what`",
    "omen": "the omen marker of `player` moves to `omen`; `player` takes `count` omen tokens",
    "less-omen": "the omen marker of `player` moves to `omen`",
    "build": "`player` builds a `building`",
    "return": "a `building` of `player` goes back to the board",
    "turn-up": "`player` turns all own buildings face up",
    "trade": "`player` trades `count` of `what` away",
    "take-back": "`player` takes `card` back from the discards",
    "discard": "`player` discards `card` from the hand",
    "shuffle": "the discards of `player` become the pile",
    "draw": "`player` draws `card`",
    "recruit": "`player` puts `card` into the `cell` of the recruiter",
    "copy": "`player` copies `card` of `owner`; in a solo game, from the row",
    "exhaust": "the `card` in `cell` of `player` is exhausted",
    "awake": "`player` turns all own villagers face up",
    "guardian": "`player` worships; the guardian `card` is revealed",
    "forest": "`player` took the last juniper; the forest card `card` is revealed",
    "juniper": "the forest is refilled to `count` juniper",
    "give": "`player` gives `payment`, or a card, villager or building, for penalty `items`",
    "settle": "`player` exhausts the `card` in `cell` to settle penalty `items`",
    "suffer": "`player` takes omen instead of giving a penalty item",
    "bid": "`player` bids `count` bells with `payment`",
    "keep": "`player` gains no scroll and takes the bid back",
    "scrolls": "`player` takes `count` scrolls",
    "reveal": "the hand of `player` contained `card` at the end of the game",
    "row": "`card` is added to the row of commons",
    "last-round": "the supply is empty; the game ends after this round",
    "lost": "`player` has rested too often and loses the solo game",
    "end": "the game is over",
}
"""Description of every event type, with the members that it has."""


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
