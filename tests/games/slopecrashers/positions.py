"""Positions and turns in a few words, for the tests of Slopecrashers.

A course is drawn as it is seen from the start: the row furthest ahead on top, ``.`` plain,
``g`` gift, ``+`` boost, ``~`` abyss, ``#`` obstacle.  An atom is a word or a few:
``f`` ``l`` ``r`` step; ``f2`` steps over the line into lane 2; ``place 1``; ``spring f``;
``spring f2``; ``snowman 5 1``; ``rocket`` and the like; ``drop`` discards; ``magnet`` and ``no``
answer; ``draw rocket``; ``end``.  A card is told after ``as``: ``rocket as spring-or-rocket``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from service.core.game import Chance, Decision, FollowResult, follow
from service.core.violations import Rejected
from service.games.registry import GAMES
from service.games.slopecrashers.api.requests import TurnScript
from service.games.slopecrashers.rules.course import Course, Field, Piece
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    DEFAULT_DECK,
    GIFT_BY_LABEL,
    UNKNOWN,
    UNKNOWN_LABEL,
    Card,
    Deck,
    deck_order,
)
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import (
    Action,
    ActionType,
    Direction,
    Place,
    Seat,
    Snowman,
    Space,
    State,
)
from service.operations.dispatch import execute

GAME = Slopecrashers()
PLAIN = "\n".join(["...."] * 8)
SIGNS = {
    ".": Field.PLAIN,
    "g": Field.GIFT,
    "+": Field.BOOST,
    "~": Field.ABYSS,
    "#": Field.OBSTACLE,
}
DIRECTIONS = {"f": Direction.FORWARD, "l": Direction.LEFT, "r": Direction.RIGHT}
PLAYERS = "abcdef"


def card(name: str) -> Card:
    return UNKNOWN if name in ("?", UNKNOWN_LABEL) else CARD_BY_LABEL[name]


def course(drawing: str = PLAIN) -> Course:
    rows = [row.strip() for row in drawing.split()]
    return Course((Piece("drawn", tuple(tuple(map(SIGNS.get, row)) for row in reversed(rows))),))


def deck(**counts: int) -> Deck:
    """A deck by the names of cards with underscores."""
    named = {CARD_BY_LABEL[name.replace("_", "-")]: count for name, count in counts.items()}
    return Deck(tuple((card, named[card]) for card in sorted(named, key=deck_order)))


def state(
    at: dict[str, tuple[int, ...] | None],
    drawing: str = PLAIN,
    *,
    gifts: dict[str, str] | None = None,
    turn: str = "a",
    missing: str = "",
    stung: str = "",
    discards: str = "",
    snowmen: tuple[tuple[int, int], ...] = (),
    cards: Deck = DEFAULT_DECK,
) -> State:
    """A position; ``at`` gives (row, lane) on the first lap, or (lap, row, lane)."""
    stacks = gifts or {}
    return State(
        seats=tuple(
            Seat(
                player=name,
                place=None if place is None else Place(*((1, *place)[-3:])),
                gifts=tuple(map(card, stacks.get(name, "").split())),
                misses_turn=name in missing,
                stung=name in stung,
            )
            for name, place in at.items()
        ),
        turn=list(at).index(turn),
        course=course(drawing),
        deck=cards,
        discards=tuple(sorted(map(card, discards.split()), key=deck_order)),
        snowmen=tuple(Snowman(Space(*space), CARD_BY_LABEL["snowman"]) for space in snowmen),
    )


def atom(told: str) -> Action:
    words, _, named = told.partition(" as ")
    first, *rest = words.split()
    which = card(named) if named else None
    match first:
        case "place":
            return Action(ActionType.PLACE, lane=int(rest[0]))
        case "spring":
            direction, lane = aim(rest[0])
            gift = GIFT_BY_LABEL["spring"]
            return Action(ActionType.PLAY, gift=gift, direction=direction, lane=lane, card=which)
        case "snowman":
            row, at = map(int, rest)
            return Action(
                ActionType.PLAY, gift=GIFT_BY_LABEL["snowman"], row=row, lane=at, card=which
            )
        case "drop":
            return Action(ActionType.DISCARD, card=which)
        case "end":
            return Action(ActionType.END)
        case "magnet" | "no":
            return Action(ActionType.ANSWER, magnet=first == "magnet", card=which)
        case "draw":
            return Action(ActionType.DRAW, card=card(rest[0]))
        case "play":
            return Action(ActionType.PLAY, gift=GIFT_BY_LABEL[rest[0]], card=which)
    if first in GIFT_BY_LABEL:
        return Action(ActionType.PLAY, gift=GIFT_BY_LABEL[first], card=which)
    direction, lane = aim(first)
    return Action(ActionType.STEP, direction=direction, lane=lane)


def aim(told: str) -> tuple[Direction, int | None]:
    """A direction, and the lane behind the line where one is told."""
    return DIRECTIONS[told[0]], int(told[1:]) if told[1:] else None


def follow_turn(start: State, *told: str, seed: int | None = None) -> FollowResult:
    script = TurnScript(tuple(map(atom, told)), "", seed)
    return follow(GAME, GAME.begin(start), script)


@dataclass(frozen=True)
class Played:
    """A whole turn: where it led, and its record."""

    state: State
    events: tuple[Event, ...]

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.state.seats if seat.player == name)

    def at(self, name: str) -> tuple[int, int]:
        place = self.seat(name).place
        assert place is not None
        return tuple(place.space)

    @property
    def missing(self) -> str:
        return "".join(seat.player for seat in self.state.seats if seat.misses_turn)

    @property
    def suspended(self) -> str:
        """Who was made to miss a turn, passed over by now or not."""
        return "".join(sorted(event.player for event in self.events if event.type == "suspended"))

    @property
    def stung(self) -> str:
        return "".join(seat.player for seat in self.state.seats if seat.stung)

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]

    def event(self, kind: str) -> Event:
        [found] = [event for event in self.events if event.type == kind]
        return found


def play(start: State, *told: str, seed: int | None = None) -> Played:
    """A whole turn; ``end`` is added where it is missing."""
    if told[-1:] != ("end",):
        open_node = follow_turn(start, *told, seed=seed).open
        told = told if open_node is None else (*told, "end")
    followed = follow_turn(start, *told, seed=seed)
    followed.require_complete()
    return Played(GAME.rest(followed.play), followed.events)


def refused(start: State, *told: str) -> set[str]:
    """The codes of what is wrong with the last atom; those before it are legal."""
    follow_turn(start, *told[:-1])
    with pytest.raises(Rejected) as rejected:
        follow_turn(start, *told)
    at = f"/{len(told) - 1}"
    assert all(
        fault.path == at or fault.path.startswith(at + "/") for fault in rejected.value.violations
    )
    return {fault.code for fault in rejected.value.violations}


def due(start: State, *told: str) -> Decision[Action] | Chance[Card] | None:
    """What is to be decided or drawn after these atoms."""
    return follow_turn(start, *told).open


def choices(start: State, *told: str) -> tuple[Action, ...]:
    node = due(start, *told)
    assert isinstance(node, Decision)
    [legal] = node.choices.values()
    return legal


def deciding(start: State, *told: str) -> str:
    node = due(start, *told)
    assert isinstance(node, Decision)
    [player] = node.choices
    return player


def ask(verb: str, body: dict[str, Any]) -> dict[str, Any]:
    entry = GAMES["slopecrashers"]
    [found] = [each for each in entry.endpoints if each.name == verb]
    return execute(entry, found, body).document
