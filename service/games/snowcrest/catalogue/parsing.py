"""Parse and validate catalogue documents, collecting every violation with its path.

The schema has already replaced every misshapen value by ``INVALID``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from service.core.languages import LANGUAGES
from service.core.violations import pointer
from service.games.common.fields import Document
from service.games.common.validation import (
    Violations,
    fully_valid,
    validate_fields_by_type,
    validate_shape,
)
from service.games.snowcrest.catalogue.cards import (
    COST_ITEMS,
    EFFECT_LABELS,
    NO_LIMIT,
    UNKNOWN_ID,
    Build,
    CardAction,
    Catalogue,
    Challenge,
    Condition,
    ConditionKind,
    Copy,
    Cost,
    Discard,
    Effect,
    Exhaust,
    Gain,
    GainKind,
    Meditate,
    Names,
    Penalty,
    PenaltyItem,
    PerBuilding,
    Recruit,
    Redraw,
    Spirit,
    TakeBack,
    Trade,
    TurnUpBuildings,
    Villager,
    VillagerKind,
    Wake,
    Worship,
)
from service.games.snowcrest.catalogue.schema import (
    CONDITIONS,
    EFFECTS,
    MIN_VILLAGERS,
    OMEN_ITEM,
    STARTER_COUNT,
    CatalogueSchema,
)
from service.games.snowcrest.rules.payments.resources import (
    ANY,
    BUILDING_BY_LABEL,
    ONE,
    RESOURCE_BY_LABEL,
    Amounts,
    Building,
    Resource,
    amounts,
    plus,
)

CATALOGUE_FILE: Final = Path(__file__).with_name("catalogue.json")
CHALLENGE_SCROLLS: Final = 2

_SECTIONS: Final = ("starters", "villagers", "commons", "guardians", "forest", "challenges")
_GAIN_KINDS: Final = {what.label: what for what in GainKind}
_CONDITION_KINDS: Final = {kind.label: kind for kind in ConditionKind}
_VILLAGER_KINDS: Final = {kind.label: kind for kind in VillagerKind}
_PARAMETERLESS_EFFECTS: Final[dict[str, Effect]] = {
    EFFECT_LABELS[type(effect)]: effect
    for effect in (
        TurnUpBuildings(),
        Worship(),
        Meditate(),
        TakeBack(),
        Redraw(),
        Recruit(),
        Copy(),
        Wake(),
        Exhaust(),
        Discard(),
    )
}


def parse_catalogue(raw: Any, violations: Violations, at: str) -> Catalogue | None:
    """Return the catalogue of a document; None if it is invalid."""
    if not isinstance(raw, dict):
        return None
    before = len(violations)
    _check_ids(raw, violations, at)
    for section in ("starters", "villagers", "commons"):
        for index, card in enumerate(raw[section] or ()):
            _check_actions(card, section, violations, at + pointer(section, index))
    for index, challenge in enumerate(raw["challenges"] or ()):
        for position, condition in _members(challenge, "conditions"):
            here = at + pointer("challenges", index, "conditions", position)
            validate_fields_by_type(condition, CONDITIONS, violations, here, "C2")
            _check_bounds(condition, violations, here)
    if not fully_valid(raw) or len(violations) > before:
        return None
    catalogue = _parse_cards(raw)
    for name, cards in (raw.get("decks") or {}).items():
        _check_deck_ids(cards, catalogue, violations, at + pointer("decks", name))
    if len(violations) > before:
        return None
    catalogue = _with_decks(catalogue, raw.get("decks") or {})
    for deck, _ in catalogue.decks or ((None, ()),):
        _check_deck_size(catalogue, deck, violations, at)
    return None if len(violations) > before else catalogue


def _check_deck_ids(ids: list[str], catalogue: Catalogue, violations: Violations, at: str) -> None:
    """Check that a deck lists starters and villagers, each once (C2)."""
    own = [catalogue.id(card) for card in catalogue.deck]
    for index, name in enumerate(ids):
        here = at + pointer(index)
        if name not in own:
            violations.unknown(here, "unknown-card", "card", name, own, "C2")
        elif name in ids[:index]:
            detail = f"{name} is listed already; the deck has all its copies. Remove it."
            violations.add(here, "twice-in-deck", detail, "C2")


def _with_decks(catalogue: Catalogue, raw: dict[str, list[str]]) -> Catalogue:
    decks = (
        (name, tuple(catalogue.card_by_id[card] for card in cards)) for name, cards in raw.items()
    )
    return replace(catalogue, decks=tuple(decks))


def _check_deck_size(
    catalogue: Catalogue, deck: str | None, violations: Violations, at: str
) -> None:
    """Check the numbers of starters and of other cards of a deck (C1)."""
    where = at + ("/starters" if deck is None else pointer("decks", deck))
    what = "the deck" if deck is None else f"the deck {deck}"
    starters = len(catalogue.starters_of(deck))
    if starters != STARTER_COUNT:
        detail = f"Expected {STARTER_COUNT} starters, but {what} has {starters}."
        violations.add(where, "wrong-starters", detail, "C1")
    size = catalogue.deck_of(deck).total() - starters
    if size < MIN_VILLAGERS:
        detail = f"Add villagers: {what} has {size}, but needs at least {MIN_VILLAGERS}."
        where = at + "/villagers" if deck is None else where
        violations.add(where, "too-few-villagers", detail, "C1")


def _check_ids(raw: Document, violations: Violations, at: str) -> None:
    seen: set[str] = set()
    for section in _SECTIONS:
        for index, card in enumerate(raw[section] or ()):
            name = card["id"] if card else None
            if not name:
                continue
            here = at + pointer(section, index, "id")
            if name in seen:
                violations.add(
                    here,
                    "duplicate-id",
                    f"Another card has the id {name}; choose another one.",
                    "C1",
                )
            elif name == UNKNOWN_ID:
                detail = f"{name} means a card that the client has not seen; choose another id."
                violations.add(here, "reserved-id", detail, "C12")
            seen.add(name)


def _check_actions(card: Any, section: str, violations: Violations, at: str) -> None:
    effects = 0
    recruits: list[str] = []
    for index, action in _members(card, "actions"):
        if not action:
            continue
        for step, effect in _members(action, "effects"):
            here = at + pointer("actions", index, "effects", step)
            effects += 1
            validate_fields_by_type(effect, EFFECTS, violations, here, "C2")
            if not effect:
                continue
            if effect["type"] == "recruit":
                recruits.append(here)
                effects += "pay" in action
            _check_trade_sets(effect, violations, here)
    for here in recruits:
        if section == "starters" or effects > 1:
            detail = (
                "Move `recruit` to a common or a villager, as its only effect and without a cost: "
                "other cards cannot have it."
            )
            violations.add(here, "recruit-alone", detail, "C18")


def _check_trade_sets(effect: Document, violations: Violations, at: str) -> None:
    """Check that all sets of a trade have different kinds; a choice names only the kind."""
    kinds = [each["what"] if each else None for each in effect.get("sets") or ()]
    for index, kind in enumerate(kinds):
        if kind and kind in kinds[:index]:
            detail = f"Another set has the kind {kind} already. Put both counts into one set."
            violations.add(at + pointer("sets", index, "what"), "duplicate-set", detail, "C2")


def _check_bounds(condition: Document, violations: Violations, at: str) -> None:
    """Check that a number can be within the bounds of a condition."""
    if not condition or not fully_valid(condition):
        return
    low, high = condition.get("at_least"), condition.get("at_most")
    if low is not None and high is not None and low > high:
        detail = f"No count is at least {low} and at most {high}. Raise `at_most`."
        violations.add(at + "/at_most", "never-met", detail, "C2")


def _members(raw: Any, name: str) -> Iterator[tuple[int, Any]]:
    yield from enumerate((raw.get(name) or ()) if raw else ())


# Parsing a valid document ------------------------------------------------------------------------


def _parse_cards(raw: Document) -> Catalogue:
    return Catalogue(
        villagers=(
            *(_parse_villager(card, VillagerKind.STARTER) for card in raw["starters"]),
            *(_parse_villager(card, VillagerKind.VILLAGER) for card in raw["villagers"]),
            *(_parse_villager(card, VillagerKind.COMMON) for card in raw["commons"]),
        ),
        guardians=tuple(map(_parse_spirit, raw["guardians"])),
        forest=tuple(map(_parse_spirit, raw["forest"])),
        challenges=tuple(map(_parse_challenge, raw["challenges"])),
    )


def _parse_villager(raw: Document, kind: VillagerKind) -> Villager:
    icons = raw.get("icons", {})
    any_icons = int(icons.get(ANY, 0))
    return Villager(
        id=raw["id"],
        kind=kind,
        cost=int(raw["cost"]),
        actions=tuple(map(_parse_action, raw.get("actions", ()))),
        icons=plus(_parse_amounts(icons), ONE[Resource.GOLD], any_icons),
        any_icons=any_icons,
        less_omen=int(icons.get(GainKind.LESS_OMEN.label, 0)),
        settles=raw.get("settles", False),
        back_icons=_parse_amounts(raw.get("back", {})),
        copies=int(raw.get("copies", 1)),
        in_solo=raw.get("in_solo", True),
        names=_parse_names(raw),
    )


def _parse_names(raw: Document) -> Names | None:
    names = raw.get("names")
    if not names:
        return None
    return tuple((language, names[language]) for language in LANGUAGES if language in names)


def _parse_amounts(raw: Document) -> Amounts:
    return amounts(int(raw.get(resource.label, 0)) for resource in Resource)


def _parse_action(raw: Document) -> CardAction:
    pay = raw.get("pay")
    return CardAction(
        effects=tuple(map(_parse_effect, raw["effects"])),
        cost=_parse_cost(pay) if pay else None,
    )


def _parse_cost(pay: Document) -> Cost:
    items = tuple(item for item in COST_ITEMS for _ in range(int(pay.get(item.label, 0))))
    return Cost(_parse_amounts(pay), int(pay.get(ANY, 0)), items)


def _parse_effect(raw: Document) -> Effect:
    match raw["type"]:
        case "gain":
            return _parse_gain(raw)
        case "build":
            return Build(_parse_building(raw))
        case "per-building":
            return PerBuilding(_parse_building(raw), _parse_gain(raw))
        case "trade":
            return Trade(tuple(map(_parse_gain, raw["sets"])))
    return _PARAMETERLESS_EFFECTS[raw["type"]]


def _parse_gain(raw: Document) -> Gain:
    return Gain(_GAIN_KINDS[raw["what"]], int(raw.get("count", 1)))


def _parse_building(raw: Document) -> Building | None:
    return BUILDING_BY_LABEL.get(raw["building"])


def _parse_spirit(raw: Document) -> Spirit:
    return Spirit(
        id=raw["id"],
        own=_parse_penalty(raw["own"]),
        others=_parse_penalty(raw["others"]),
        reward=tuple(Gain(what, int(raw["reward"].get(what.label, 0))) for what in GainKind
                     if what.label in raw["reward"]),
        copies=int(raw.get("copies", 1)),
        names=_parse_names(raw),
    )  # fmt: skip


def _parse_penalty(raw: Document) -> Penalty:
    items = tuple(item for item in PenaltyItem for _ in range(int(raw.get(item.label, 0))))
    return Penalty(items, int(raw.get(OMEN_ITEM, 0)))


def _parse_challenge(raw: Document) -> Challenge:
    return Challenge(
        id=raw["id"],
        conditions=tuple(map(_parse_condition, raw["conditions"])),
        scrolls=int(raw.get("scrolls", CHALLENGE_SCROLLS)),
        names=_parse_names(raw),
    )


def _parse_condition(raw: Document) -> Condition:
    of: Building | Resource | VillagerKind | None = None
    if "building" in raw:
        of = BUILDING_BY_LABEL[raw["building"]]
    elif "resource" in raw:
        of = RESOURCE_BY_LABEL[raw["resource"]]
    elif "kind" in raw:
        of = _VILLAGER_KINDS[raw["kind"]]
    return Condition(
        _CONDITION_KINDS[raw["type"]], int(raw["at_least"]), of, int(raw.get("at_most", NO_LIMIT))
    )


# The default catalogue --------------------------------------------------------------------------


def _load_default() -> tuple[Document, Catalogue]:
    document = json.loads(CATALOGUE_FILE.read_text("utf-8"))
    shaped, faults = validate_shape(CatalogueSchema(), document)
    violations = Violations(faults)
    return document, violations.require(parse_catalogue(shaped, violations, ""))


DEFAULT_CATALOGUE_DOCUMENT, DEFAULT_CATALOGUE = _load_default()
"""The default catalogue (C1) as the API returns it, and parsed.  Its cards are ours, not the
publisher's.
"""
