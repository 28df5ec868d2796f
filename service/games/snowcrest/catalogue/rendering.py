"""Render a catalogue as a document, complete and in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from service.games.common.fields import Document
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    NO_LIMIT,
    Build,
    CardAction,
    Catalogue,
    Challenge,
    Condition,
    ConditionKind,
    Cost,
    Effect,
    Gain,
    GainKind,
    Names,
    Penalty,
    PerBuilding,
    Spirit,
    Trade,
    Villager,
    VillagerKind,
)
from service.games.snowcrest.catalogue.schema import OMEN_ITEM
from service.games.snowcrest.rules.payments.resources import (
    ANY,
    ONE,
    Amounts,
    Building,
    Resource,
    plus,
)


def render_catalogue(catalogue: Catalogue) -> Document:
    """Return a catalogue as a document that requests may contain."""
    by_kind: dict[VillagerKind, list[Document]] = {kind: [] for kind in VillagerKind}
    for villager in catalogue.villagers:
        by_kind[villager.kind].append(_render_villager(villager))
    return {
        "starters": by_kind[VillagerKind.STARTER],
        "villagers": by_kind[VillagerKind.VILLAGER],
        "commons": by_kind[VillagerKind.COMMON],
        "guardians": [_render_spirit(each) for each in catalogue.guardians],
        "forest": [_render_spirit(each) for each in catalogue.forest],
        "challenges": [_render_challenge(each) for each in catalogue.challenges],
        **_present_members(
            decks={name: [catalogue.id(card) for card in cards] for name, cards in catalogue.decks}
        ),
    }


def render_amounts(amounts: Amounts) -> Document:
    """Return the nonzero amounts by resource."""
    return {resource.label: amounts[resource] for resource in Resource if amounts[resource]}


def render_cost(cost: Cost) -> Document:
    """Return the parts of a cost by name."""
    items = {item.label: count for item, count in Counter(cost.items).items()}
    return render_amounts(cost.plain) | ({ANY: cost.any} if cost.any else {}) | items


def _present_members(**members: Any) -> Document:
    """Return the members that have a value."""
    return {name: value for name, value in members.items() if value not in (None, {}, [])}


def render_names(names: Names | None) -> Document | None:
    """Return the names by language, or None."""
    return None if names is None else dict(names)


def _render_villager(villager: Villager) -> Document:
    starter = villager.kind is VillagerKind.STARTER
    printed = plus(villager.icons, ONE[Resource.GOLD], -villager.any_icons)
    return _present_members(
        id=villager.id,
        names=render_names(villager.names),
        cost=villager.cost,
        icons=render_amounts(printed)
        | _present_members(**{ANY: villager.any_icons or None})
        | _present_members(**{GainKind.LESS_OMEN.label: villager.less_omen or None}),
        back=render_amounts(villager.back_icons),
        settles=villager.settles or None,
        actions=[_render_action(action) for action in villager.actions],
        copies=None if starter or villager.copies == 1 else villager.copies,
        in_solo=None if villager.in_solo else False,
    )


def _render_action(action: CardAction) -> Document:
    pay = None if action.cost is None else render_cost(action.cost)
    return _present_members(pay=pay, effects=[_render_effect(effect) for effect in action.effects])


def _render_effect(effect: Effect) -> Document:
    named = {"type": EFFECT_LABELS[type(effect)]}
    match effect:
        case Gain():
            return named | _render_gain(effect)
        case Build(building=building):
            return named | {"building": _building_label(building)}
        case PerBuilding(building=building, gain=gain):
            return named | {"building": _building_label(building)} | _render_gain(gain)
        case Trade(sets=sets):
            return named | {"sets": [_render_gain(each) for each in sets]}
    return named


def _render_gain(gain: Gain) -> Document:
    return {"what": gain.what.label, "count": gain.count}


def _building_label(building: Building | None) -> str:
    return ANY if building is None else building.label


def _render_spirit(spirit: Spirit) -> Document:
    return {
        **_present_members(id=spirit.id, names=render_names(spirit.names)),
        "own": _render_penalty(spirit.own),
        "others": _render_penalty(spirit.others),
        "reward": _render_reward(spirit.reward),
        **_present_members(copies=None if spirit.copies == 1 else spirit.copies),
    }


def _render_reward(gains: Iterable[Gain]) -> Document:
    return {gain.what.label: gain.count for gain in gains}


def _render_penalty(penalty: Penalty) -> Document:
    items = {item.label: count for item, count in Counter(penalty.items).items()}
    return items | ({OMEN_ITEM: penalty.omen} if penalty.omen else {})


def _render_challenge(challenge: Challenge) -> Document:
    return _present_members(
        id=challenge.id,
        names=render_names(challenge.names),
        conditions=[_render_condition(condition) for condition in challenge.conditions],
        scrolls=challenge.scrolls,
    )


def _render_condition(condition: Condition) -> Document:
    member = {ConditionKind.BUILDINGS: "building", ConditionKind.RESOURCES: "resource"}
    of = condition.of
    narrowed = {} if of is None else {member.get(condition.kind, "kind"): of.label}
    bounds = {"at_least": condition.at_least}
    if condition.at_most != NO_LIMIT:
        bounds["at_most"] = condition.at_most
    return {"type": condition.kind.label, **narrowed, **bounds}
