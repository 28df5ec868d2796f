"""The event log of a turn: enough to animate and to explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.snowcrest.catalogue.cards import Card, GainKind, PenaltyItem
from service.games.snowcrest.payments.resources import Building
from service.games.snowcrest.rules.actions import Payment

EVENTS: Final = {
    "found": "`player` puts `card` into `cell` at the set-up and pays `count` barley",
    "start": "the set-up is over",
    "challenge": "`player` meets `challenge` and takes `count` scrolls",
    "activate": "`player` activates the `card` in `cell`",
    "play": "`player` plays `card` into `cell`",
    "replace": "the `card` in `cell` makes way: a common under its pile, another to the discards",
    "rest": "`player` rests; in the game of one it is rest number `count`",
    "pass": "`player` can do nothing",
    "pay": "`player` gives up what `payment` tells",
    "skip": "`player` cannot carry out an `action` of the villager",
    "decline": "`player` does without an action that may be declined",
    "gain": "`player` gains `count` of `what`",
    "omen": "the marker of `player` moves to `omen`; `count` omen tokens are taken",
    "less-omen": "the marker of `player` moves to `omen`",
    "build": "`player` builds a `building`",
    "return": "a `building` of `player` goes back to the board",
    "turn-up": "all buildings of `player` are turned up",
    "trade": "`player` trades `count` of `what`",
    "take-back": "`player` takes `card` back from the discards",
    "discard": "`player` discards `card` from the hand",
    "shuffle": "the discards of `player` become the pile",
    "draw": "`player` draws `card`",
    "recruit": "`player` puts `card` into `cell` in place of the recruiter",
    "copy": "`player` copies `card` of `owner`; in the game of one, of the row",
    "exhaust": "the `card` in `cell` of `player` is exhausted",
    "awake": "all villagers of `player` are turned up",
    "guardian": "`player` worships: the guardian `card` is turned up",
    "forest": "`player` took the last juniper: the forest card `card` is turned up",
    "juniper": "the forest has `count` juniper again",
    "give": "`player` gives `payment`, or a card, villager or building, for `items` of a penalty",
    "settle": "`player` exhausts the `card` in `cell` to settle `items` of a penalty",
    "suffer": "`player` does not give an item of a penalty and takes omen",
    "bid": "`player` bids `count` bells with `payment`",
    "keep": "`player` gained no scroll and takes the bid back",
    "scrolls": "`player` takes `count` scrolls",
    "reveal": "`player` held `card` at the end of the game",
    "row": "`card` is turned up in the row",
    "last-round": "the supply has been emptied; the game ends after this round",
    "lost": "`player` rested too often",
    "end": "the game is over",
}
"""What happened, by type, and the members that tell it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log; see ``EVENTS`` for what its members mean."""

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
