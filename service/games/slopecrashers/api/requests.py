"""From the bodies of the routes to plays and scripts, all faults at once."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from service.core.game import Step
from service.core.violations import Violation, pointer
from service.games.common.turn_script import AtomScript
from service.games.common.validation import INVALID, Document, Violations, whole
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
from service.games.slopecrashers.rules.state import AHEAD, Act, Atom, Seat, State
from service.games.slopecrashers.rules.turn import Turn

_ACTS: Final = {act.label: act for act in Act}
_DIRECTIONS: Final = {direction.label: direction for direction in AHEAD}


# Setting up -----------------------------------------------------------------------------------


def read_new(document: Document, faults: list[Violation]) -> State:
    findings = Violations(faults)
    judge_names(document["seats"], findings, "/seats")
    pieces = read_pieces(document.get("pieces"), findings, "/pieces")
    deck = read_deck(document.get("deck"), findings, "/deck")
    if ("course" in document) == ("seed" in document):
        findings.add("", "course-or-seed", "Either a course or a seed is due, not both.", "S15")
    told = document.get("course")
    if told is None and pieces is not None and whole(document.get("seed")):
        told = _laid(pieces, document.get("seed", 0))
    course = None if told is None else read_course(told, pieces, findings, "/course")
    if findings.faults or course is None or deck is None:
        return findings.require(None)
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


class TurnScript(AtomScript[Atom, Card]):
    """A turn as a list of atoms."""

    def said(self, atom: Atom, due: str) -> tuple[str, Atom]:
        if atom.act is Act.ANSWER and atom.player is None:
            atom = replace(atom, player=due)
        return atom.player or due, atom

    def drawn(self, atom: Atom) -> Card | None:
        return atom.card if atom.act is Act.DRAW else None


def read_legal_moves(
    document: Document, faults: list[Violation]
) -> tuple[Step[Turn, Event], TurnScript]:
    findings = Violations(faults)
    state = read_state(document["state"], findings, over=True)
    atoms = read_atoms(document.get("so_far"), findings, "/so_far")
    begun = Slopecrashers().begin(findings.require(state))
    return begun, TurnScript(atoms, "/so_far", None)


def read_resolve(
    document: Document, faults: list[Violation]
) -> tuple[Step[Turn, Event], TurnScript]:
    findings = Violations(faults)
    state = read_state(document["state"], findings)
    atoms = read_atoms(document["moves"], findings, "/moves")
    begun = Slopecrashers().begin(findings.require(state))
    return begun, TurnScript(atoms, "/moves", document.get("seed"))


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


def read_atoms(raw: Any, findings: Violations, at: str) -> tuple[Atom, ...]:
    """What is told of a turn; ``at`` is empty for the one atom that was chosen."""
    atoms = []
    for index, told in enumerate(raw or ()):
        here = at + pointer(index) if at else "/chosen"
        before = len(findings.faults)
        if told is not INVALID:
            _judge_form(told, findings, here)
        if len(findings.faults) == before and whole(told):
            atoms.append(_atom(told))
    return tuple(atoms)


def _judge_form(raw: Document, findings: Violations, at: str) -> None:
    """Which members belong to an atom of this type."""
    if not whole(raw.get("type", INVALID)) or not whole(raw.get("gift")):
        return
    act = _ACTS[raw["type"]]
    always, perhaps = set(_ALWAYS[act]), set(_PERHAPS[act])
    gift = raw.get("gift")
    if act is Act.PLAY and gift is not None:
        more, optional = _OF_GIFT.get(GIFT_BY_LABEL[gift], (set(), set()))
        always, perhaps = always | more, perhaps | optional
    for name in sorted(always - set(raw)):
        findings.add(at + pointer(name), "missing", f"{name} is due here.")
    for name in raw:
        if name not in always | perhaps | {"type"}:
            detail = f"{name} does not belong here."
            findings.add(at + pointer(name), "not-of-this-type", detail)
    if act is not Act.DRAW and raw.get("card") == UNKNOWN_LABEL:
        findings.add(at + "/card", "unknown-word", "It is seen now, so which card is it?", "S15")
    if raw.get("magnet") is False and "card" in raw:
        findings.add(at + "/card", "not-of-this-type", "Without a magnet no card is told.", "S13")


def _atom(raw: Document) -> Atom:
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
