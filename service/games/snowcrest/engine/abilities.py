"""Ability vectors of villagers: numbers that do not depend on which catalogue a card is from.

The evaluator sees nothing else of a card: what its icons pay, whether it settles, and what its
actions do in terms of the effect language (C2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from service.games.snowcrest.catalogue.cards import (
    Build,
    CardAction,
    Catalogue,
    Cost,
    Effect,
    Gain,
    GainKind,
    Meditate,
    PerBuilding,
    TurnUpBuildings,
    Villager,
    Worship,
)
from service.games.snowcrest.rules.payments.resources import Resource

ICONS: Final = tuple(f"icon_{resource.label}" for resource in Resource)
ACTIONS: Final = (
    "gain", "worship", "meditate", "build", "turn_up", "scroll", "card", "less_omen", "other",
)  # fmt: skip
"""Components of the actions: gained minus paid resource value, and counts of the other effects."""
ABILITIES: Final = (*ICONS, "settle", "starter", *ACTIONS)

Vector: TypeAlias = tuple[float, ...]
"""One number for each entry of :data:`ABILITIES`."""

_RESOURCE_VALUES: Final = (0.5, 0.8, 1.0, 0.8, 1.5, 1.0)
"""Approximate values used to add up different resources; the last one is for any kind."""
_ASSUMED_BUILDINGS: Final = 2
"""Assumed number of face-up buildings for a gain per building."""
_INDEX: Final = {name: index for index, name in enumerate(ABILITIES)}


@lru_cache(maxsize=8)
def abilities(catalogue: Catalogue) -> tuple[Vector, ...]:
    """Return the ability vector of each villager of a catalogue."""
    return tuple(_villager_vector(villager) for villager in catalogue.villagers)


def _villager_vector(villager: Villager) -> Vector:
    vector = [float(count) for count in villager.icons]
    vector += [float(villager.settles), float(sum(villager.back_icons))]
    vector += [0.0] * len(ACTIONS)
    for action in villager.actions:
        _add_action(vector, action)
    return tuple(vector)


def _add_action(vector: list[float], action: CardAction) -> None:
    if action.cost is not None:
        vector[_INDEX["gain"]] -= _cost_value(action.cost)
    for effect in action.effects:
        name, count = effect_ability(effect)
        vector[_INDEX[name]] += count


def _cost_value(cost: Cost) -> float:
    plain = sum(
        count * weight
        for count, weight in zip(cost.plain, _RESOURCE_VALUES[: len(Resource)], strict=True)
    )
    return plain + cost.any * _RESOURCE_VALUES[GainKind.BARLEY]


def effect_ability(effect: Effect) -> tuple[str, float]:
    """Return the name of the ability that an effect counts for, and the amount."""
    match effect:
        case Gain(what=what, count=count):
            return _gain_ability(what, count)
        case PerBuilding(gain=gain):
            name, each = _gain_ability(gain.what, gain.count)
            return name, each * _ASSUMED_BUILDINGS
        case Worship():
            return "worship", 1.0
        case Meditate():
            return "meditate", 1.0
        case Build():
            return "build", 1.0
        case TurnUpBuildings():
            return "turn_up", 1.0
    return "other", 1.0


def _gain_ability(what: GainKind, count: int) -> tuple[str, float]:
    if what <= GainKind.ANY:
        return "gain", count * _RESOURCE_VALUES[what]
    if what is GainKind.OMEN:
        return "less_omen", -float(count)
    return {GainKind.SCROLL: "scroll", GainKind.CARD: "card"}.get(what, "less_omen"), float(count)
