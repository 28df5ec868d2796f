"""From the bodies of the routes to plays and scripts, all faults at once."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from service.core.violations import Violation
from service.games.common.turn_requests import TurnRequests
from service.games.common.turn_script import ActionScript
from service.games.common.validation import (
    INVALID,
    Document,
    Violations,
    fully_valid,
    validate_fields,
)
from service.games.slopecrashers.rules.choices import completed
from service.games.slopecrashers.rules.course import Piece
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    GIFT_BY_LABEL,
    UNKNOWN,
    UNKNOWN_LABEL,
    Card,
    Gift,
)
from service.games.slopecrashers.rules.legality import (
    judge_names,
    read_course,
    read_deck,
    read_pieces,
    read_state,
)
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import AHEAD, Act, Atom, Seat, State, drawn, observed
from service.games.slopecrashers.rules.turn import Turn

_ACTS: Final = {act.label: act for act in Act}
_DIRECTIONS: Final = {direction.label: direction for direction in AHEAD}


# Setting up -----------------------------------------------------------------------------------


def read_new(document: Document, shape_violations: list[Violation]) -> State:
    violations = Violations(shape_violations)
    judge_names(document["seats"], violations, "/seats")
    pieces = read_pieces(document.get("pieces"), violations, "/pieces")
    deck = read_deck(document.get("deck"), violations, "/deck")
    if ("course" in document) == ("seed" in document):
        violations.add("", "course-or-seed", "Either a course or a seed is due, not both.", "S15")
    told = document.get("course")
    if told is None and pieces is not None and fully_valid(document.get("seed")):
        told = _laid(pieces, document.get("seed", 0))
    course = None if told is None else read_course(told, pieces, violations, "/course")
    if violations or course is None or deck is None:
        return violations.require(None)
    return State(
        seats=tuple(Seat(seat["player"]) for seat in document["seats"]),
        turn=0,
        course=course,
        deck=deck,
        own_pieces=pieces if "pieces" in document else None,
        own_deck="deck" in document,
    )


def _laid(pieces: tuple[Piece, ...], seed: int) -> list[str]:
    """All pieces in an order from a seed (Fisher and Yates's shuffle).

    Only ``Random.random`` is used, whose sequence Python keeps for a seed across versions.
    """
    random = Random(seed)
    names = [piece.name for piece in pieces]
    for last in range(len(names) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        names[last], names[other] = names[other], names[last]
    return names


# Turns ----------------------------------------------------------------------------------------


class TurnScript(ActionScript[Atom, Card]):
    """The actions of a turn of Slopecrashers."""

    def acting(self, action: Atom, decider: str) -> tuple[str, Atom]:
        if action.act is Act.ANSWER and action.player is None:
            action = replace(action, player=decider)
        return action.player or decider, action

    def drawn(self, action: Atom) -> Card | None:
        return action.card if action.act is Act.DRAW else None


class SlopecrashersRequests(TurnRequests[State, Turn, Atom, Card, Event]):
    """Reads the bodies of all endpoints but ``new``."""

    game = Slopecrashers()
    game_over_ruling = "S16"

    def read_state(
        self, raw: Any, violations: Violations, *, allow_finished: bool = False
    ) -> State | None:
        return read_state(raw, violations, over=allow_finished)

    def read_action(
        self, raw: Any, state: State | None, violations: Violations, at: str
    ) -> Atom | None:
        return read_action(raw, violations, at)

    def script(self, actions: tuple[Atom, ...], at: str, seed: int | None = None) -> TurnScript:
        return TurnScript(actions, at, seed)

    def listed_form(self, turn: Turn, action: Atom) -> Atom:
        return completed(turn, action)

    def observed_turn(self, turn: Turn, player: str) -> Turn:
        """Hide the gifts of others, and the gifts that others draw (S15)."""
        atoms = turn.atoms
        if turn.mover.player != player:
            atoms = tuple(drawn(UNKNOWN) if atom.act is Act.DRAW else atom for atom in atoms)
        return replace(turn, state=observed(turn.state, player), atoms=atoms)

    def count_interruptions(self, turn: Turn) -> int:
        return sum(atom.act in (Act.DRAW, Act.ANSWER) for atom in turn.atoms)


# Atoms ----------------------------------------------------------------------------------------

_ALWAYS: Final = {
    Act.PLACE: {"lane"},
    Act.STEP: {"direction"},
    Act.PLAY: {"gift"},
    Act.DISCARD: set[str](),
    Act.END: set[str](),
    Act.ANSWER: {"magnet"},
    Act.DRAW: {"card"},
}
_PERHAPS: Final = {
    Act.PLACE: set[str](),
    Act.STEP: {"lane"},
    Act.PLAY: {"card"},
    Act.DISCARD: {"card"},
    Act.END: set[str](),
    Act.ANSWER: {"player", "card"},
    Act.DRAW: set[str](),
}
_OF_GIFT: Final = {
    Gift.SPRING: ({"direction"}, {"lane"}),
    Gift.SNOWMAN: ({"row", "lane"}, set[str]()),
}
"""What has to be told of a gift, and what may be."""


def read_action(raw: Any, violations: Violations, at: str) -> Atom | None:
    """Return an action; None if it has violations."""
    before = len(violations)
    if raw is not INVALID:
        _validate_fields(raw, violations, at)
    return _action(raw) if len(violations) == before and fully_valid(raw) else None


def _validate_fields(raw: Document, violations: Violations, at: str) -> None:
    """Which members belong to an atom of this type."""
    if not fully_valid(raw.get("type", INVALID)) or not fully_valid(raw.get("gift")):
        return
    act = _ACTS[raw["type"]]
    always, perhaps = set(_ALWAYS[act]), set(_PERHAPS[act])
    gift = raw.get("gift")
    if act is Act.PLAY and gift is not None:
        more, optional = _OF_GIFT.get(GIFT_BY_LABEL[gift], (set(), set()))
        always, perhaps = always | more, perhaps | optional
    validate_fields(raw, always, perhaps, violations, at)
    if act is not Act.DRAW and raw.get("card") == UNKNOWN_LABEL:
        violations.add(at + "/card", "unknown-word", "It is seen now, so which card is it?", "S15")
    if raw.get("magnet") is False and "card" in raw:
        violations.add(at + "/card", "not-of-this-type", "Without a magnet no card is told.", "S13")


def _action(raw: Document) -> Atom:
    card = raw.get("card")
    atom = Atom(
        act=_ACTS[raw["type"]],
        direction=_DIRECTIONS[raw["direction"]] if "direction" in raw else None,
        gift=GIFT_BY_LABEL[raw["gift"]] if "gift" in raw else None,
        row=raw.get("row"),
        lane=raw.get("lane"),
        player=raw.get("player"),
        magnet=raw.get("magnet"),
    )
    if card is None:
        return atom
    return replace(atom, card=UNKNOWN if card == UNKNOWN_LABEL else CARD_BY_LABEL[card])
