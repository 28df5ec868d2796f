"""Random catalogues of Snowcrest within the bounds of the schema."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from service.games.snowcrest.catalogue.schema import (
    BUILDINGS,
    CONDITIONS,
    EFFECTS,
    GAIN_LABELS,
    ICONS,
    ITEMS,
    KIND_LABELS,
    MAX_ACTIONS,
    MAX_COUNT,
    PAID,
    RESOURCES,
    REWARDS,
)

Document = dict[str, Any]

_OTHER_EFFECTS: Final = tuple(each for each in EFFECTS if each != "recruit")


@dataclass(frozen=True)
class Style:
    """What the cards of a catalogue are like.

    Attributes:
        most: largest count on a card.
        actions, effects: numbers of actions of a card and of effects of an action.
        kinds: types of effects, except recruiting.
        gains: what effects and rewards give.
        penalties: largest number of kinds of items in a penalty.
    """

    most: int = 4
    actions: tuple[int, ...] = (0, 1, 1, 2, 3)
    effects: tuple[int, ...] = (1, 1, 2, 3)
    kinds: tuple[str, ...] = _OTHER_EFFECTS
    gains: tuple[str, ...] = GAIN_LABELS
    penalties: int = 4


def extreme_style(random: Random) -> Style:
    """Return a style with few kinds of effects and gains, often as many and as large as allowed."""
    return Style(
        most=random.choice((2, MAX_COUNT, MAX_COUNT)),
        actions=random.choice(((1,), (0, 3), (MAX_ACTIONS,))),
        effects=random.choice(((1,), (1, 3), (MAX_ACTIONS,))),
        kinds=tuple(random.sample(_OTHER_EFFECTS, random.randint(1, 3))),
        gains=tuple(random.sample(GAIN_LABELS, random.randint(1, 3))),
        penalties=random.choice((0, 1, 5, len(ITEMS))),
    )


def random_catalogue(random: Random, players: int, style: Style = Style()) -> Document:
    """Return a legal catalogue for a number of players with random cards of all kinds."""
    document: Document = {
        "starters": [_villager(random, style, f"s{number}", starter=True) for number in range(4)],
        "villagers": [
            _recruiting(random, style, f"v{number}") | {"copies": random.randint(1, 3)}
            for number in range(random.randint(3, 8))
        ],
        "commons": [
            _common(random, style, f"c{number}") | {"copies": random.randint(1, 2)}
            for number in range(random.randint(4, 12))
        ],
        "guardians": [
            _spirit(random, style, f"g{number}") for number in range(random.randint(1, 4))
        ],
        "forest": [_spirit(random, style, f"f{number}") for number in range(random.randint(1, 4))],
        "challenges": [_challenge(random, f"h{number}") for number in range(7)],
    }
    for card in document["forest"]:
        _limit_juniper(card["reward"], 3 * players - 1)
    return document


def _limit_juniper(reward: dict[str, int], most: int) -> None:
    """Limit the juniper of a forest card to what is legal (C2)."""
    for kind in ("juniper", "any"):
        if kind in reward:
            reward[kind] = min(reward[kind], most)
            most -= reward[kind]
            if not reward[kind]:
                del reward[kind]


def _table(random: Random, style: Style, keys: tuple[str, ...], most: int) -> dict[str, int]:
    chosen = random.sample(keys, random.randint(0, min(most, len(keys))))
    return {key: random.randint(1, style.most) for key in chosen}


def _villager(random: Random, style: Style, name: str, *, starter: bool = False) -> Document:
    card: Document = {
        "id": name,
        "cost": random.randint(0, 5),
        "actions": [_action(random, style) for _ in range(random.choice(style.actions))],
    }
    if starter:
        card["back"] = _table(random, style, RESOURCES, 1)
        if random.random() < 0.7:
            return card
    return card | {"icons": _table(random, style, ICONS, 2), "settles": random.random() < 0.3}


def _recruiting(random: Random, style: Style, name: str) -> Document:
    """Return a villager that may be a recruiter."""
    card = _villager(random, style, name)
    if random.random() < 0.15:
        card["actions"] = [{"effects": [{"type": "recruit"}]}]
    return card


def _common(random: Random, style: Style, name: str) -> Document:
    return _recruiting(random, style, name) | {"in_solo": random.random() < 0.8 or name < "c4"}


def _action(random: Random, style: Style) -> Document:
    action: Document = {
        "effects": [_effect(random, style) for _ in range(random.choice(style.effects))]
    }
    if random.random() < 0.4:
        cost = _table(random, style, (*RESOURCES, "any"), 2)
        if random.random() < 0.3:
            cost |= {item: random.randint(1, 2) for item in random.sample(PAID[6:], 1)}
        if cost:
            action["pay"] = cost
    return action


def _effect(random: Random, style: Style) -> Document:
    kind = random.choice(style.kinds)
    effect: Document = {"type": kind}
    if kind in {"gain", "per-building"}:
        effect |= {"what": random.choice(style.gains), "count": random.randint(1, style.most)}
    if kind in {"build", "per-building"}:
        effect["building"] = random.choice((*BUILDINGS, "any"))
    if kind == "trade":
        kinds = random.sample((*RESOURCES, "scroll"), random.randint(2, 4))
        effect["sets"] = [{"what": what, "count": random.randint(1, style.most)} for what in kinds]
    return effect


def _spirit(random: Random, style: Style, name: str) -> Document:
    return {
        "id": name,
        "own": _table(random, style, ITEMS, style.penalties),
        "others": _table(random, style, ITEMS, max(0, style.penalties - 1)),
        "reward": _reward(random, style),
        "copies": random.randint(1, 2),
    }


def _reward(random: Random, style: Style) -> dict[str, int]:
    built = {random.choice(REWARDS[len(GAIN_LABELS) :]): random.randint(1, style.most)}
    return _table(random, style, style.gains, 3) | (built if random.random() < 0.3 else {})


def _challenge(random: Random, name: str) -> Document:
    conditions = []
    for _ in range(random.randint(1, 2)):
        kind = random.choice(list(CONDITIONS))
        condition: Document = {"type": kind, "at_least": random.randint(1, 5)}
        if random.random() < 0.3:
            condition["at_most"] = condition["at_least"] + random.randint(0, 2)
        member = {"buildings": BUILDINGS, "resources": RESOURCES, "villagers": KIND_LABELS}
        if kind in member and random.random() < 0.7:
            name_of = {"buildings": "building", "resources": "resource", "villagers": "kind"}
            condition[name_of[kind]] = random.choice(member[kind])
        conditions.append(condition)
    return {"id": name, "conditions": conditions, "scrolls": random.randint(1, 3)}
