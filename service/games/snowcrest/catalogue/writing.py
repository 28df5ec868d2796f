"""A catalogue as a document: what a caller brought comes back in order and in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from service.games.common.validation import Document
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    Action,
    Build,
    Catalogue,
    Challenge,
    Condition,
    Counted,
    Effect,
    Gain,
    Kind,
    Names,
    Penalty,
    PerBuilding,
    Spirit,
    Trade,
    Villager,
)
from service.games.snowcrest.catalogue.schema import OMEN_ITEM
from service.games.snowcrest.payments.resources import ANY, Amounts, Building, Resource


def write_catalogue(catalogue: Catalogue) -> Document:
    """The catalogue as it may be sent."""
    by_kind: dict[Kind, list[Document]] = {kind: [] for kind in Kind}
    for villager in catalogue.villagers:
        by_kind[villager.kind].append(_villager(villager))
    return {
        "starters": by_kind[Kind.STARTER],
        "villagers": by_kind[Kind.VILLAGER],
        "commons": by_kind[Kind.COMMON],
        "guardians": [_spirit(each) for each in catalogue.guardians],
        "forest": [_spirit(each) for each in catalogue.forest],
        "challenges": [_challenge(each) for each in catalogue.challenges],
    }


def write_amounts(amounts: Amounts) -> Document:
    """How much of each resource, of those that there are."""
    return {resource.label: amounts[resource] for resource in Resource if amounts[resource]}


def _told(**members: Any) -> Document:
    """The members that say something."""
    return {name: value for name, value in members.items() if value not in (None, {}, [])}


def write_names(names: Names | None) -> Document | None:
    return None if names is None else dict(zip(("en", "de", "zh"), names, strict=True))


def _villager(villager: Villager) -> Document:
    starter = villager.kind is Kind.STARTER
    return _told(
        id=villager.id,
        names=write_names(villager.names),
        cost=villager.cost,
        icons=write_amounts(villager.icons),
        back=write_amounts(villager.back),
        settles=villager.settles or None,
        actions=[_action(action) for action in villager.actions],
        copies=None if starter or villager.copies == 1 else villager.copies,
        in_solo=None if villager.in_solo else False,
    )


def _action(action: Action) -> Document:
    cost = action.cost
    pay = None
    if cost is not None:
        pay = write_amounts(cost.plain) | ({ANY: cost.any} if cost.any else {})
    return _told(pay=pay, effects=[_effect(effect) for effect in action.effects])


def _effect(effect: Effect) -> Document:
    named = {"type": EFFECT_LABELS[type(effect)]}
    match effect:
        case Gain():
            return named | _gain(effect)
        case Build(building=building):
            return named | {"building": _building(building)}
        case PerBuilding(building=building, gain=gain):
            return named | {"building": _building(building)} | _gain(gain)
        case Trade(sets=sets):
            return named | {"sets": [_gain(each) for each in sets]}
    return named


def _gain(gain: Gain) -> Document:
    return {"what": gain.what.label, "count": gain.count}


def _building(building: Building | None) -> str:
    return ANY if building is None else building.label


def _spirit(spirit: Spirit) -> Document:
    return {
        **_told(id=spirit.id, names=write_names(spirit.names)),
        "own": _penalty(spirit.own),
        "others": _penalty(spirit.others),
        "reward": _reward(spirit.reward),
        **_told(copies=None if spirit.copies == 1 else spirit.copies),
    }


def _reward(gains: Iterable[Gain]) -> Document:
    return {gain.what.label: gain.count for gain in gains}


def _penalty(penalty: Penalty) -> Document:
    items = {item.label: count for item, count in Counter(penalty.items).items()}
    return items | ({OMEN_ITEM: penalty.omen} if penalty.omen else {})


def _challenge(challenge: Challenge) -> Document:
    return _told(
        id=challenge.id,
        names=write_names(challenge.names),
        conditions=[_condition(condition) for condition in challenge.conditions],
        scrolls=challenge.scrolls,
    )


def _condition(condition: Condition) -> Document:
    member = {Counted.BUILDINGS: "building", Counted.RESOURCES: "resource"}
    of = condition.of
    narrowed = {} if of is None else {member.get(condition.counted, "kind"): of.label}
    return {"type": condition.counted.label, **narrowed, "at_least": condition.at_least}
