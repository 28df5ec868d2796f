"""Build positions and turns from short words, for the tests of Slopecrashers.

A course is drawn as seen from the start, with the last row on top: ``.`` plain, ``g`` gift, ``+``
boost, ``*`` both, ``~`` abyss, ``#`` obstacle, ``_`` off the course.  Actions are words: ``f``,
``l``, ``r`` step; ``f2`` steps over the line into lane 2; ``place 1``; ``spring f``; ``spring f2``;
``snowman 5 1``; other gifts by name, such as ``rocket``; ``drop`` discards; ``magnet`` and ``no``
answer; ``draw rocket``; ``end``.  ``rocket as spring-or-rocket`` names the card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

import golden.asking
import pytest

from service.core.game import Chance, Decision, FollowResult, follow
from service.core.violations import Rejected
from service.games.slopecrashers.api.requests import TurnScript
from service.games.slopecrashers.api.response_schema import EventSchema
from service.games.slopecrashers.api.responses import render_new
from service.games.slopecrashers.rules.course import SIGNS, Course, Piece
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
from tests.games.unions import misfits, stated

GAME = Slopecrashers()
PLAIN = "\n".join(["...."] * 8)
DIRECTIONS = {"f": Direction.FORWARD, "l": Direction.LEFT, "r": Direction.RIGHT}
PLAYERS = "abcdef"


def card(name: str) -> Card:
    return UNKNOWN if name in ("?", UNKNOWN_LABEL) else CARD_BY_LABEL[name]


def course(drawing: str = PLAIN) -> Course:
    """Return a course; rows that begin or end elsewhere are another piece."""
    pieces = []
    for (left, end), rows in groupby(reversed(drawing.split()), key=_extent):
        fields = tuple(tuple(SIGNS[sign] for sign in row[left:end]) for row in rows)
        name = f"drawn-{len(pieces)}" if pieces else "drawn"
        pieces.append(Piece(name, fields, offset=left))
    return Course(tuple(pieces))


def _extent(row: str) -> tuple[int, int]:
    """Return the first lane of a row, and the first one after it."""
    return len(row) - len(row.lstrip("_")), len(row.rstrip("_"))


def deck(**counts: int) -> Deck:
    """Return a deck; card names with underscores instead of hyphens."""
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
    """Return a state; ``at`` has (row, lane) on the first lap, or (lap, row, lane)."""
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


def action(text: str) -> Action:
    words, _, card_name = text.partition(" as ")
    first, *rest = words.split()
    which = card(card_name) if card_name else None
    match first:
        case "place":
            return Action(ActionType.PLACE, lane=int(rest[0]))
        case "drop":
            return Action(ActionType.DISCARD, card=which)
        case "end":
            return Action(ActionType.END)
        case "magnet" | "no":
            return Action(ActionType.ANSWER, magnet=first == "magnet", card=which)
        case "draw":
            return Action(ActionType.DRAW, card=card(rest[0]))
    gift = GIFT_BY_LABEL.get(rest[0] if first == "play" else first)
    if gift is None:
        direction, lane = aim(first)
        return Action(ActionType.STEP, direction=direction, lane=lane)
    where: dict[str, Any] = {}
    if first == "spring":
        where = dict(zip(("direction", "lane"), aim(rest[0]), strict=True))
    elif first == "snowman":
        where = dict(zip(("row", "lane"), map(int, rest), strict=True))
    return Action(ActionType.PLAY, gift=gift, card=which, **where)


def aim(word: str) -> tuple[Direction, int | None]:
    """Return a direction, and the lane after the line if the word names one."""
    return DIRECTIONS[word[0]], int(word[1:]) if word[1:] else None


def follow_turn(start: State, *words: str, seed: int | None = None) -> FollowResult:
    script = TurnScript(tuple(map(action, words)), "", seed)
    return follow(GAME, GAME.begin(start), script)


@dataclass(frozen=True)
class Played:
    """A complete turn: the state after it, and its events."""

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
        """Players who got a missed turn, whether it has been skipped or not."""
        return "".join(sorted(event.player for event in self.events if event.type == "suspended"))

    @property
    def stung(self) -> str:
        return "".join(seat.player for seat in self.state.seats if seat.stung)

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]

    def event(self, kind: str) -> Event:
        [event] = [event for event in self.events if event.type == kind]
        return event


def play(start: State, *words: str, seed: int | None = None) -> Played:
    """Play a complete turn; ``end`` is added if it is missing; check the fields of its events."""
    if words[-1:] != ("end",):
        open_node = follow_turn(start, *words, seed=seed).open
        words = words if open_node is None else (*words, "end")
    followed = follow_turn(start, *words, seed=seed)
    followed.require_complete()
    assert not misfits(map(stated, followed.events), EventSchema.union)
    return Played(GAME.rest(followed.play), followed.events)


def action_violations(start: State, *words: str) -> set[str]:
    """Return the violation codes of the last action; the actions before it are legal."""
    follow_turn(start, *words[:-1])
    with pytest.raises(Rejected) as rejected:
        follow_turn(start, *words)
    at = f"/{len(words) - 1}"
    violations = rejected.value.violations
    assert all(each.path == at or each.path.startswith(at + "/") for each in violations)
    return {violation.code for violation in violations}


def pending_node(start: State, *words: str) -> Decision[Action] | Chance[Card] | None:
    """Return the decision or the draw after these actions."""
    return follow_turn(start, *words).open


def choices(start: State, *words: str) -> tuple[Action, ...]:
    node = pending_node(start, *words)
    assert isinstance(node, Decision)
    [legal] = node.choices.values()
    return legal


def decider(start: State, *words: str) -> str:
    node = pending_node(start, *words)
    assert isinstance(node, Decision)
    [player] = node.choices
    return player


ask = partial(golden.asking.ask, GAME.name)
"""Return the response document of an endpoint, by its name and a body."""


def document(start: State) -> dict[str, Any]:
    """Return a state as a document, with its own pieces."""
    pieces = {
        piece.name: [[field.label for field in row] for row in piece.rows]
        for piece in start.course.pieces
    }
    return render_new(start)["state"] | {"pieces": pieces}


def ask_hint(start: State, player: str, **more: Any) -> dict[str, Any]:
    return ask("suggest", {"state": document(start), "player": player, **more})


def response_violations(endpoint_name: str, body: dict[str, Any]) -> set[tuple[str, str]]:
    with pytest.raises(Rejected) as rejected:
        ask(endpoint_name, body)
    return {(violation.path, violation.code) for violation in rejected.value.violations}
