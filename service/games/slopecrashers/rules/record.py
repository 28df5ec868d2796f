"""The event log of a turn, detailed enough to animate and explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.state import Place, Space

EVENTS: Final = {
    "missed": "`player` misses this turn",
    "no-place": "`player` has no space to start on and stays off the board",
    "enter": "`player` enters the board on `end`",
    "step": "`player` moves from `start` to `end`; without `end`, over the finish line",
    "boost": "`player` gets one more movement",
    "renew": "the discards become the new pile",
    "no-gift": "`player` draws nothing because no cards are left",
    "draw": "`player` draws `card`",
    "play": "`player` plays `card` as `gift`; an attack hits `targets` unless they answer",
    "jump": "`player` jumps from `start` to `end`; without `end`, over the finish line",
    "chili": "`player` gets `movements` more movements",
    "answer": "`player` answers an attack: with `card`, the attack is foiled; without, it hits",
    "slide": "black ice moves `player` from `start` to `end`",
    "suspended": "`player` misses its next turn",
    "stung": "`player` starts its next turn with one movement",
    "snowman-placed": "`player` places a snowman on `space`",
    "snowman-removed": "`player` runs into the snowman on `space`, whose `card` is discarded",
    "discard": "`player` discards `card`",
    "end": "`player` ends the turn",
    "win": "`player` has won",
}
"""Meaning of each event type, with its fields."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        type: see ``EVENTS``.
        rule: the numbered ruling that applies, if any.
        player: the player who acts or is affected.
        start, end: places before and after a move.
        space: the space of a snowman.
        card: the card.
        gift: the use of the card.
        movements: movements gained.
        targets: the other players that an attack may hit.
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
