"""From the bodies of the routes to plays and scripts, all faults at once."""

from __future__ import annotations

from typing import Any, Final

from service.core.game import Step
from service.core.violations import Violation, pointer
from service.games.common.turn_script import AtomScript
from service.games.common.validation import Document, Violations, judge_members, whole
from service.games.snowcrest.api.schema import ATOM_FORMS
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    UNKNOWN_ID,
    Card,
    Catalogue,
    GainKind,
    PenaltyItem,
)
from service.games.snowcrest.payments.resources import (
    BUILDING_BY_LABEL,
    RESOURCE_BY_LABEL,
    Building,
)
from service.games.snowcrest.rules.actions import Action, ActionType, Payment, Returned
from service.games.snowcrest.rules.legality import (
    check_setup,
    parse_amounts,
    parse_own_catalogue,
    parse_state,
)
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State
from service.games.snowcrest.rules.turn import Turn

_ACTS: Final = {act.label: act for act in ActionType}
_ITEMS: Final = {item.label: item for item in PenaltyItem}
_GAINED: Final = {what.label: what for what in GainKind}


def read_new(document: Document, faults: list[Violation]) -> State:
    findings = Violations(faults)
    check_setup(document, findings)
    catalogue = parse_own_catalogue(document, findings, "")
    if findings.faults:
        return findings.require(None)
    return set_up(
        [seat["player"] for seat in document["seats"]],
        document["seed"],
        starter_variant=document.get("starter_variant", False),
        difficulty=document.get("difficulty", 1),
        catalogue=catalogue if "catalogue" in document else None,
    )


# Turns ----------------------------------------------------------------------------------------


class TurnScript(AtomScript[Action, Card]):
    """A turn as a list of atoms."""

    def said(self, atom: Action, due: str) -> tuple[str, Action]:
        return atom.player or due, atom

    def drawn(self, atom: Action) -> Card | None:
        return atom.card if atom.type is ActionType.DRAW else None


def read_legal_moves(
    document: Document, faults: list[Violation]
) -> tuple[Step[Turn, Event], TurnScript]:
    findings = Violations(faults)
    state = parse_state(document["state"], findings, over=True)
    atoms = read_atoms(document.get("so_far"), state, findings, "/so_far")
    begun = Snowcrest().begin(findings.require(state))
    return begun, TurnScript(atoms, "/so_far", None)


def read_resolve(
    document: Document, faults: list[Violation]
) -> tuple[Step[Turn, Event], TurnScript]:
    findings = Violations(faults)
    state = parse_state(document["state"], findings)
    atoms = read_atoms(document["moves"], state, findings, "/moves")
    begun = Snowcrest().begin(findings.require(state))
    return begun, TurnScript(atoms, "/moves", document.get("seed"))


# Atoms ----------------------------------------------------------------------------------------


def read_atoms(raw: Any, state: State | None, findings: Violations, at: str) -> tuple[Action, ...]:
    """What is told of a turn; cards are judged only where the state has told which there are."""
    atoms = []
    for index, told in enumerate(raw or ()):
        here, before = at + pointer(index), len(findings.faults)
        judge_members(told, ATOM_FORMS, findings, here)
        if state is None or len(findings.faults) > before or not whole(told):
            continue
        _judge_names(told, state, findings, here)
        if len(findings.faults) == before:
            atoms.append(_atom(told, state.catalogue))
    return tuple(atoms)


def _judge_names(raw: Document, state: State, findings: Violations, at: str) -> None:
    """Whether cards and players are called by their names."""
    hand = raw.get("payment", {}).get("hand", ())
    named = [
        *(("/card", raw[name]) for name in ("card",) if name in raw),
        *((pointer("cards", place), name) for place, name in enumerate(raw.get("cards", ()))),
        *((pointer("payment", "hand", place), name) for place, name in enumerate(hand)),
    ]
    for place, name in named:
        if name == UNKNOWN_ID and raw["type"] == ActionType.DRAW.label:
            continue
        if name == UNKNOWN_ID:
            detail = "It is seen now, so which card is it?"
            findings.add(at + place, "unknown-word", detail, "C12")
        elif name not in state.catalogue.card_by_id:
            findings.add(at + place, "unknown-card", f"There is no card {name}.", "C1")
        elif raw["type"] != ActionType.DRAW.label and _is_spirit(state, name):
            findings.add(at + place, "wrong-place", f"{name} is no villager.", "C1")
    if raw.get("owner", state.players[0]) not in state.players:
        findings.add(at + "/owner", "unknown-player", f"No seat belongs to {raw['owner']}.")


def _is_spirit(state: State, name: str) -> bool:
    return state.catalogue.card_by_id[name] >= len(state.catalogue.villagers)


def _atom(raw: Document, catalogue: Catalogue) -> Action:
    def card(name: str) -> Card:
        return UNKNOWN if name == UNKNOWN_ID else catalogue.card_by_id[name]

    returned = raw.get("returned")
    return Action(
        type=_ACTS[raw["type"]],
        player=raw.get("player"),
        card=card(raw["card"]) if "card" in raw else None,
        cell=raw.get("cell"),
        owner=raw.get("owner"),
        payment=_payment(raw["payment"], catalogue) if "payment" in raw else None,
        cards=tuple(map(card, raw["cards"])) if "cards" in raw else None,
        item=_ITEMS[raw["item"]] if "item" in raw else None,
        settles=_ITEMS[raw["settles"]] if "settles" in raw else None,
        resource=RESOURCE_BY_LABEL[raw["resource"]] if "resource" in raw else None,
        building=BUILDING_BY_LABEL[raw["building"]] if "building" in raw else None,
        spent=raw.get("spent"),
        returned=(
            Returned(BUILDING_BY_LABEL[returned["building"]], returned["spent"])
            if returned
            else None
        ),
        give=_GAINED[raw["give"]] if "give" in raw else None,
        get=_GAINED[raw["get"]] if "get" in raw else None,
    )


def _payment(raw: Document, catalogue: Catalogue) -> Payment:
    buildings = raw.get("buildings", {})
    farms, forges, temples = (buildings.get(kind.label, 0) for kind in Building)
    return Payment(
        tokens=parse_amounts(raw.get("tokens", {})),
        buildings=(farms, forges, temples),
        hand=tuple(catalogue.card_by_id[name] for name in raw.get("hand", ())),
        cells=tuple(raw.get("village", ())),
    )
