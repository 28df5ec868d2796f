"""The event log of a turn: enough to animate and to explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.state import Place, Space

EVENTS: Final = {
    "missed": "`player` misses this turn, and is free to play the next",
    "no-place": "`player` finds no space to begin on and stays beside the board",
    "enter": "`player` is placed on `end`",
    "step": "`player` goes from `start` to `end`; without `end`, over the last line",
    "boost": "`player` has one movement more",
    "renew": "the discards become the pile",
    "no-gift": "nothing is left to be drawn by `player`",
    "draw": "`player` draws `card`",
    "play": "`player` uses `card` as `gift`; it is aimed at `targets`",
    "jump": "a spring takes `player` from `start` to `end`; without `end`, over the last line",
    "chili": "`player` has as many `movements` more",
    "answer": "`player` is asked, and foils the attack with `card`, or without it does not",
    "slide": "black ice moves `player` from `start` to `end`",
    "suspended": "`player` will miss the next turn",
    "stung": "`player` will begin the next turn with one movement",
    "snowman-placed": "`player` puts a snowman on `space`",
    "snowman-removed": "`player` runs into the snowman on `space`, whose `card` is discarded",
    "discard": "`player` discards `card`",
    "end": "`player` ends the turn",
    "win": "`player` has won",
}
"""What happened, by type, and the members that tell it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log.

    Attributes:
        type: see ``EVENTS``.
        rule: the numbered ruling that settles it, where one does.
        player: to whom it happened, or who did it.
        start, end: from where to where.
        space: where a snowman is.
        card: which card.
        gift: what it was used as.
        movements: how many are gained.
        targets: the other players that an attack is about to hit.
    """

    type: str
    rule: str | None = None
    player: str | None = None
    start: Place | None = None
    end: Place | None = None
    space: Space | None = None
    card: Card | None = None
    gift: Gift | None = None
    movements: int | None = None
    targets: tuple[str, ...] | None = None
