"""The one door from a catalogue's document to its cards; every fault is reported with its path.

Raw values have passed the schema, which left a hole where the shape was wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from service.core.violations import pointer
from service.games.common.validation import Document, Violations, judge_members, judge_shape, whole
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    UNKNOWN_ID,
    Action,
    Build,
    Catalogue,
    Challenge,
    Condition,
    Copy,
    Cost,
    Counted,
    Effect,
    Gain,
    Gained,
    Item,
    Kind,
    Meditate,
    Names,
    Penalty,
    PerBuilding,
    Recruit,
    Redraw,
    Spirit,
    TakeBack,
    Trade,
    TurnUp,
    Villager,
    Worship,
)
from service.games.snowcrest.catalogue.schema import (
    CONDITIONS,
    EFFECTS,
    FEWEST_VILLAGERS,
    OMEN_ITEM,
    CatalogueSchema,
)
from service.games.snowcrest.payments.resources import (
    ANY,
    BUILDING_BY_LABEL,
    RESOURCE_BY_LABEL,
    Amounts,
    Building,
    Resource,
    amounts,
)

FILE: Final = Path(__file__).with_name("catalogue.json")
CHALLENGE_SCROLLS: Final = 2

_SORTS: Final = ("starters", "villagers", "commons", "guardians", "forest", "challenges")
_GAINED: Final = {what.label: what for what in Gained}
_COUNTED: Final = {counted.label: counted for counted in Counted}
_KINDS: Final = {kind.label: kind for kind in Kind}
_PLAIN: Final[dict[str, Effect]] = {
    EFFECT_LABELS[type(effect)]: effect
    for effect in (
        TurnUp(),
        Worship(),
        Meditate(),
        TakeBack(),
        Redraw(),
        Recruit(),
        Copy(),
    )
}


def read_catalogue(raw: Any, findings: Violations, at: str) -> Catalogue | None:
    """The cards of a document; None if anything is wrong with it."""
    if not isinstance(raw, dict):
        return None
    before = len(findings.faults)
    _judge_ids(raw, findings, at)
    for sort in ("starters", "villagers", "commons"):
        for index, card in enumerate(raw[sort] or ()):
            _judge_actions(card, sort, findings, at + pointer(sort, index))
    for index, challenge in enumerate(raw["challenges"] or ()):
        for place, condition in _members(challenge, "conditions"):
            here = at + pointer("challenges", index, "conditions", place)
            judge_members(condition, CONDITIONS, findings, here, "C2")
    if not whole(raw) or len(findings.faults) > before:
        return None
    if sum(card.get("copies", 1) for card in raw["villagers"]) < FEWEST_VILLAGERS:
        detail = f"Beside the starters a deck has {FEWEST_VILLAGERS} villagers at least."
        findings.add(at + "/villagers", "too-few-villagers", detail, "C1")
        return None
    return _catalogue(raw)


def _judge_ids(raw: Document, findings: Violations, at: str) -> None:
    seen: set[str] = set()
    for sort in _SORTS:
        for index, card in enumerate(raw[sort] or ()):
            name = card["id"] if card else None
            if not name:
                continue
            here = at + pointer(sort, index, "id")
            if name in seen:
                findings.add(here, "duplicate-id", f"Another card is called {name}.", "C1")
            elif name == UNKNOWN_ID:
                detail = f"{name} stands for a card that nobody has seen."
                findings.add(here, "reserved-id", detail, "C12")
            seen.add(name)


def _judge_actions(card: Any, sort: str, findings: Violations, at: str) -> None:
    effects = 0
    recruits: list[str] = []
    for place, action in _members(card, "actions"):
        if not action:
            continue
        for step, effect in _members(action, "effects"):
            here = at + pointer("actions", place, "effects", step)
            effects += 1
            judge_members(effect, EFFECTS, findings, here, "C2")
            if not effect:
                continue
            if effect["type"] == "recruit":
                recruits.append(here)
                effects += "pay" in action
            _judge_sets(effect, findings, here)
    for here in recruits:
        if sort != "commons" or effects > 1:
            detail = "Only a common recruits, and does nothing else nor for a payment."
            findings.add(here, "recruit-alone", detail, "C18")


def _judge_sets(effect: Document, findings: Violations, at: str) -> None:
    """What is traded for what has to be told by its name alone."""
    told = [each["what"] if each else None for each in effect.get("sets") or ()]
    for index, what in enumerate(told):
        if what and what in told[:index]:
            detail = f"{what} is another set already."
            findings.add(at + pointer("sets", index, "what"), "duplicate-set", detail, "C2")


def _members(raw: Any, name: str) -> Iterator[tuple[int, Any]]:
    yield from enumerate((raw.get(name) or ()) if raw else ())


# Reading what is without fault ------------------------------------------------------------------


def _catalogue(raw: Document) -> Catalogue:
    return Catalogue(
        villagers=(
            *(_villager(card, Kind.STARTER) for card in raw["starters"]),
            *(_villager(card, Kind.VILLAGER) for card in raw["villagers"]),
            *(_villager(card, Kind.COMMON) for card in raw["commons"]),
        ),
        guardians=tuple(map(_spirit, raw["guardians"])),
        forest=tuple(map(_spirit, raw["forest"])),
        challenges=tuple(map(_challenge, raw["challenges"])),
    )


def _villager(raw: Document, kind: Kind) -> Villager:
    return Villager(
        id=raw["id"],
        kind=kind,
        cost=int(raw["cost"]),
        actions=tuple(map(_action, raw.get("actions", ()))),
        icons=_amounts(raw.get("icons", {})),
        settles=raw.get("settles", False),
        back=_amounts(raw.get("back", {})),
        copies=int(raw.get("copies", 1)),
        in_solo=raw.get("in_solo", True),
        names=_names(raw),
    )


def _names(raw: Document) -> Names | None:
    told = raw.get("names")
    return None if told is None else (told["en"], told["de"], told["zh"])


def _amounts(raw: Document) -> Amounts:
    return amounts(int(raw.get(resource.label, 0)) for resource in Resource)


def _action(raw: Document) -> Action:
    pay = raw.get("pay")
    return Action(
        effects=tuple(map(_effect, raw["effects"])),
        cost=Cost(_amounts(pay), int(pay.get(ANY, 0))) if pay else None,
    )


def _effect(raw: Document) -> Effect:
    match raw["type"]:
        case "gain":
            return _gain(raw)
        case "build":
            return Build(_building(raw))
        case "per-building":
            return PerBuilding(_building(raw), _gain(raw))
        case "trade":
            return Trade(tuple(map(_gain, raw["sets"])))
    return _PLAIN[raw["type"]]


def _gain(raw: Document) -> Gain:
    return Gain(_GAINED[raw["what"]], int(raw.get("count", 1)))


def _building(raw: Document) -> Building | None:
    return BUILDING_BY_LABEL.get(raw["building"])


def _spirit(raw: Document) -> Spirit:
    return Spirit(
        id=raw["id"],
        own=_penalty(raw["own"]),
        others=_penalty(raw["others"]),
        reward=tuple(Gain(what, int(raw["reward"].get(what.label, 0))) for what in Gained
                     if what.label in raw["reward"]),
        copies=int(raw.get("copies", 1)),
        names=_names(raw),
    )  # fmt: skip


def _penalty(raw: Document) -> Penalty:
    items = tuple(item for item in Item for _ in range(int(raw.get(item.label, 0))))
    return Penalty(items, int(raw.get(OMEN_ITEM, 0)))


def _challenge(raw: Document) -> Challenge:
    return Challenge(
        id=raw["id"],
        conditions=tuple(map(_condition, raw["conditions"])),
        scrolls=int(raw.get("scrolls", CHALLENGE_SCROLLS)),
        names=_names(raw),
    )


def _condition(raw: Document) -> Condition:
    of: Building | Resource | Kind | None = None
    if "building" in raw:
        of = BUILDING_BY_LABEL[raw["building"]]
    elif "resource" in raw:
        of = RESOURCE_BY_LABEL[raw["resource"]]
    elif "kind" in raw:
        of = _KINDS[raw["kind"]]
    return Condition(_COUNTED[raw["type"]], int(raw["at_least"]), of)


# The house's ------------------------------------------------------------------------------------


def _house() -> tuple[Document, Catalogue]:
    document = json.loads(FILE.read_text("utf-8"))
    shaped, faults = judge_shape(CatalogueSchema(), document)
    findings = Violations(faults)
    return document, findings.require(read_catalogue(shaped, findings, ""))


HOUSE_DOCUMENT, HOUSE = _house()
"""The service's own catalogue (C1): ours, not the publisher's; as it is sent, and as it is used."""
