"""The event log of a turn, detailed enough to animate and explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.games.common.unions import kind
from service.games.slopecrashers.rules.gifts import Card, Gift
from service.games.slopecrashers.rules.state import Place, Space

EVENTS: Final = {
    "missed": kind("rule player", "", "`player` misses this turn"),
    "no-place": kind(
        "rule player",
        "",
        "`player` has no space to start on and stays off the board",
    ),
    "enter": kind("rule player end", "", "`player` enters the board on `end`"),
    "step": kind(
        "player start",
        "rule end",
        "`player` moves from `start` to `end`; without `end`, over the finish line",
    ),
    "boost": kind("rule player movements", "", "`player` gets one more movement"),
    "renew": kind("rule", "", "the discards become the new pile"),
    "no-gift": kind("rule player", "", "`player` draws nothing because no cards are left"),
    "draw": kind("rule player card", "", "`player` draws `card`"),
    "play": kind(
        "player card gift",
        "targets",
        "`player` plays `card` as `gift`; an attack hits `targets` unless they answer",
    ),
    "jump": kind(
        "rule player start",
        "end",
        "`player` jumps from `start` to `end`; without `end`, over the finish line",
    ),
    "chili": kind("rule player movements", "", "`player` gets `movements` more movements"),
    "answer": kind(
        "rule player",
        "card",
        "`player` answers an attack: with `card`, the attack is foiled; without, it hits",
    ),
    "slide": kind("rule player start end", "", "black ice moves `player` from `start` to `end`"),
    "suspended": kind("rule player", "", "`player` misses its next turn"),
    "stung": kind("rule player", "", "`player` starts its next turn with one movement"),
    "snowman-placed": kind("rule player space", "", "`player` places a snowman on `space`"),
    "snowman-removed": kind(
        "rule player space card",
        "",
        "`player` runs into the snowman on `space`, whose `card` is discarded",
    ),
    "discard": kind("rule player card", "", "`player` discards `card`"),
    "end": kind("player", "", "`player` ends the turn"),
    "win": kind("rule player", "", "`player` has won"),
}
"""The event types with their fields."""


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
