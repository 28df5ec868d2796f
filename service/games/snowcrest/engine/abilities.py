"""Ability vectors of villagers: numbers that do not depend on which catalogue a card is from.

The evaluator sees nothing else of a card: what its icons pay, whether it settles, and what its
actions do in terms of the effect language (C2).
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import Final, TypeAlias

from service.games.snowcrest.catalogue import cards
from service.games.snowcrest.catalogue.cards import Catalogue
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
_COUNTED: Final[dict[type[object], str]] = {
    cards.Worship: "worship", cards.Meditate: "meditate", cards.Build: "build",
    cards.TurnUpBuildings: "turn_up",
}  # fmt: skip
"""Effects that are counted, with the names of their abilities."""
_INDEX: Final = {name: index for index, name in enumerate(ABILITIES)}


@lru_cache(maxsize=8)
def abilities(catalogue: Catalogue) -> tuple[Vector, ...]:
    """Return the ability vector of each villager of a catalogue."""
    return tuple(_villager_vector(villager) for villager in catalogue.villagers)


def _villager_vector(villager: cards.Villager) -> Vector:
    vector = [float(count) for count in villager.icons]
    vector += [float(villager.settles), float(sum(villager.back_icons))]
    vector += [0.0] * len(ACTIONS)
    vector[_INDEX["less_omen"]] += villager.less_omen
    for action in villager.actions:
        if action.cost is not None:
            vector[_INDEX["gain"]] -= _cost_value(action.cost)
        for effect in action.effects:
            name, count = effect_ability(effect)
            vector[_INDEX[name]] += count
    return tuple(vector)


def _cost_value(cost: cards.Cost) -> float:
    plain: float = sum(map(mul, cost.plain, _RESOURCE_VALUES[: len(Resource)]))
    return plain + cost.any * _RESOURCE_VALUES[cards.GainKind.BARLEY] + len(cost.items)


def effect_ability(effect: cards.Effect) -> tuple[str, float]:
    """Return the name of the ability that an effect counts for, and the amount."""
    match effect:
        case cards.Gain(what=what, count=count):
            return _gain_ability(what, count)
        case cards.PerBuilding(gain=gain):
            name, each = _gain_ability(gain.what, gain.count)
            return name, each * _ASSUMED_BUILDINGS
        case cards.Exhaust() | cards.Discard():
            return "other", 0.0
    return _COUNTED.get(type(effect), "other"), 1.0


def _gain_ability(what: cards.GainKind, count: int) -> tuple[str, float]:
    if what <= cards.GainKind.ANY:
        return "gain", count * _RESOURCE_VALUES[what]
    if what is cards.GainKind.OMEN:
        return "less_omen", -float(count)
    names = {cards.GainKind.SCROLL: "scroll", cards.GainKind.CARD: "card"}
    return names.get(what, "less_omen"), float(count)
