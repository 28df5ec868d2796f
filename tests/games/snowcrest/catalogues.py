"""Random catalogues of Snowcrest within the bounds of the schema, for comparisons of the rules."""

from __future__ import annotations

from random import Random
from typing import Any

from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.catalogue.parsing import parse_catalogue
from service.games.snowcrest.catalogue.schema import (
    BUILDINGS,
    CONDITIONS,
    EFFECTS,
    GAIN_LABELS,
    ITEMS,
    KIND_LABELS,
    RESOURCES,
    CatalogueSchema,
)

MOST = 4
"""Largest count on a card; larger ones make games long, and nothing else."""


def random_catalogue(random: Random) -> Catalogue:
    """Return a valid catalogue with random cards of all kinds."""
    document = {
        "starters": [_villager(random, f"s{number}", starter=True) for number in range(4)],
        "villagers": [
            _villager(random, f"v{number}") | {"copies": random.randint(1, 3)}
            for number in range(random.randint(3, 8))
        ],
        "commons": [
            _common(random, f"c{number}") | {"copies": random.randint(1, 2)}
            for number in range(random.randint(4, 12))
        ],
        "guardians": [_spirit(random, f"g{number}") for number in range(random.randint(1, 4))],
        "forest": [_spirit(random, f"f{number}") for number in range(random.randint(1, 4))],
        "challenges": [_challenge(random, f"h{number}") for number in range(7)],
    }
    shaped, faults = validate_shape(CatalogueSchema(), document)
    violations = Violations(faults)
    return violations.require(parse_catalogue(shaped, violations, ""))


def _table(random: Random, keys: tuple[str, ...], most: int) -> dict[str, int]:
    chosen = random.sample(keys, random.randint(0, most))
    return {key: random.randint(1, MOST) for key in chosen}


def _villager(random: Random, name: str, *, starter: bool = False) -> dict[str, Any]:
    card: dict[str, Any] = {
        "id": name,
        "cost": random.randint(0, 5),
        "actions": [_action(random) for _ in range(random.choice((0, 1, 1, 2, 3)))],
    }
    if starter:
        return card | {"back": _table(random, RESOURCES, 1)}
    return card | {"icons": _table(random, RESOURCES, 2), "settles": random.random() < 0.3}


def _common(random: Random, name: str) -> dict[str, Any]:
    card = _villager(random, name)
    if random.random() < 0.15:
        card["actions"] = [{"effects": [{"type": "recruit"}]}]
    return card | {"in_solo": random.random() < 0.8 or name < "c4"}


def _action(random: Random) -> dict[str, Any]:
    action: dict[str, Any] = {
        "effects": [_effect(random) for _ in range(random.choice((1, 1, 2, 3)))]
    }
    if random.random() < 0.4:
        cost = _table(random, (*RESOURCES, "any"), 2)
        if cost:
            action["pay"] = cost
    return action


def _effect(random: Random) -> dict[str, Any]:
    kind = random.choice([each for each in EFFECTS if each != "recruit"])
    effect: dict[str, Any] = {"type": kind}
    if kind in {"gain", "per-building"}:
        effect |= {"what": random.choice(GAIN_LABELS), "count": random.randint(1, MOST)}
    if kind in {"build", "per-building"}:
        effect["building"] = random.choice((*BUILDINGS, "any"))
    if kind == "trade":
        kinds = random.sample((*RESOURCES, "scroll"), random.randint(2, 4))
        effect["sets"] = [{"what": what, "count": random.randint(1, MOST)} for what in kinds]
    return effect


def _spirit(random: Random, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "own": _table(random, ITEMS, 4),
        "others": _table(random, ITEMS, 3),
        "reward": _table(random, GAIN_LABELS, 3),
        "copies": random.randint(1, 2),
    }


def _challenge(random: Random, name: str) -> dict[str, Any]:
    conditions = []
    for _ in range(random.randint(1, 2)):
        kind = random.choice(list(CONDITIONS))
        condition: dict[str, Any] = {"type": kind, "at_least": random.randint(1, 5)}
        member = {"buildings": BUILDINGS, "resources": RESOURCES, "villagers": KIND_LABELS}
        if kind in member and random.random() < 0.7:
            name_of = {"buildings": "building", "resources": "resource", "villagers": "kind"}
            condition[name_of[kind]] = random.choice(member[kind])
        conditions.append(condition)
    return {"id": name, "conditions": conditions, "scrolls": random.randint(1, 3)}
