"""The JSON shapes of a catalogue, and the words that cards may use (C1, C2).

What belongs to which word stands in tables, since shapes cannot tell it; the published JSON
Schema is made from the same tables.
"""

from __future__ import annotations

from typing import Any, Final

from service.games.common.validation import (
    Document,
    Flag,
    Integer,
    ListOf,
    Name,
    Nested,
    OneOf,
    Shape,
    Table,
    Text,
)
from service.games.snowcrest.catalogue.cards import (
    ConditionKind,
    GainKind,
    PenaltyItem,
    VillagerKind,
)
from service.games.snowcrest.payments.resources import ANY, BUILDING_BY_LABEL, RESOURCE_BY_LABEL

MAX_CARDS: Final = 60
"""Of one sort."""
MAX_COPIES: Final = 10
MAX_COST: Final = 12
MAX_COUNT: Final = 12
MAX_ACTIONS: Final = 6
STARTER_COUNT: Final = 4
ROW_SIZE: Final = 5
MIN_CHALLENGES: Final = 5
MIN_VILLAGERS: Final = 3
MAX_CHALLENGE_SCROLLS: Final = 12

RESOURCES: Final = tuple(RESOURCE_BY_LABEL)
BUILDINGS: Final = tuple(BUILDING_BY_LABEL)
OMEN_ITEM: Final = "omen"
ITEMS: Final = (*(item.label for item in PenaltyItem), OMEN_ITEM)
GAIN_LABELS: Final = tuple(what.label for what in GainKind)
KIND_LABELS: Final = tuple(kind.label for kind in VillagerKind)

EFFECTS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "gain": (frozenset({"what"}), frozenset({"count"})),
    "build": (frozenset({"building"}), frozenset()),
    "turn-up": (frozenset(), frozenset()),
    "worship": (frozenset(), frozenset()),
    "meditate": (frozenset(), frozenset()),
    "trade": (frozenset({"sets"}), frozenset()),
    "take-back": (frozenset(), frozenset()),
    "redraw": (frozenset(), frozenset()),
    "recruit": (frozenset(), frozenset()),
    "per-building": (frozenset({"building", "what"}), frozenset({"count"})),
    "copy": (frozenset(), frozenset()),
}
"""What has to be told of each effect, and what may be."""

CONDITIONS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    ConditionKind.BUILDINGS.label: (frozenset({"at_least"}), frozenset({"building"})),
    ConditionKind.RESOURCES.label: (frozenset({"at_least"}), frozenset({"resource"})),
    ConditionKind.SCROLLS.label: (frozenset({"at_least"}), frozenset()),
    ConditionKind.OMEN.label: (frozenset({"at_least"}), frozenset()),
    ConditionKind.VILLAGERS.label: (frozenset({"at_least"}), frozenset({"kind"})),
    ConditionKind.EXHAUSTED.label: (frozenset({"at_least"}), frozenset()),
    ConditionKind.EXHAUSTED_ROWS.label: (frozenset({"at_least"}), frozenset()),
    ConditionKind.HAND.label: (frozenset({"at_least"}), frozenset()),
}
"""Likewise of each condition of a challenge."""


def _table(labels: tuple[str, ...], note: str, **kwargs: Any) -> Table:
    return Table(
        keys=OneOf(labels),
        values=Integer(1, MAX_COUNT),
        metadata={"description": note},
        **kwargs,
    )


def _count(**kwargs: Any) -> Integer:
    return Integer(1, MAX_COUNT, metadata={"description": "1 if it is not told."}, **kwargs)


class NamesSchema(Shape):
    component = "SnowcrestNames"

    en = Text(required=True)
    de = Text(required=True)
    zh = Text(required=True)


class SetSchema(Shape):
    component = "SnowcrestSet"

    what = OneOf((*RESOURCES, GainKind.SCROLL.label), required=True)
    count = _count()


class EffectSchema(Shape):
    component = "SnowcrestEffect"

    type = OneOf(
        tuple(EFFECTS),
        required=True,
        metadata={
            "description": "What happens, and the members that belong to it:\n"
            "- `gain`: `count` of `what`; `any` is barley, bell, bowl or juniper, one by one\n"
            "- `build` a `building`, or `any`\n"
            "- `turn-up` all own spent buildings\n"
            "- `worship`, `meditate`\n"
            "- `trade` one of the `sets` for another, or not\n"
            "- `take-back` a card from the own discards\n"
            "- `redraw`: discard any hand cards and draw as many\n"
            "- `recruit`: the villager makes way for another, who acts; a common's only effect\n"
            "- `per-building`: `count` of `what` for each own face-up `building`, or `any`\n"
            "- `copy` the actions of a face-up villager elsewhere"
        },
    )
    what = OneOf(GAIN_LABELS)
    count = _count()
    building = OneOf((*BUILDINGS, ANY))
    sets = ListOf(Nested(SetSchema), 2, len(RESOURCES) + 1)


class ActionSchema(Shape):
    component = "SnowcrestAction"

    pay = _table((*RESOURCES, ANY), "What the effects cost, if they cost anything.")
    effects = ListOf(Nested(EffectSchema), 1, MAX_ACTIONS, required=True)


class CardSchema(Shape):
    id = Name(required=True, metadata={"description": "No other card has it."})
    names = Nested(NamesSchema)


class StarterSchema(CardSchema):
    component = "SnowcrestStarter"

    cost = Integer(0, MAX_COST, required=True, metadata={"description": "Barley."})
    actions = ListOf(Nested(ActionSchema), 0, MAX_ACTIONS)
    back = _table(RESOURCES, "What it yields when it is exhausted at rest (C16).")


class VillagerSchema(CardSchema):
    component = "SnowcrestVillager"

    cost = Integer(0, MAX_COST, required=True, metadata={"description": "Barley."})
    actions = ListOf(Nested(ActionSchema), 0, MAX_ACTIONS)
    icons = _table(RESOURCES, "What it pays, and yields face up at rest.")
    settles = Flag(metadata={"description": "Exhausted, it settles an item of a penalty (C15)."})
    copies = Integer(1, MAX_COPIES, metadata={"description": "1 if it is not told."})


class CommonSchema(VillagerSchema):
    component = "SnowcrestCommon"

    in_solo = Flag(metadata={"description": "Whether it stays in the game of one; true if not."})


class SpiritSchema(CardSchema):
    component = "SnowcrestSpirit"

    own = _table(ITEMS, "What it takes from whose turn it is (C7).", required=True)
    others = _table(ITEMS, "What it takes from everybody else (C7).", required=True)
    reward = _table(GAIN_LABELS, "For whose turn it is.", required=True)
    copies = Integer(1, MAX_COPIES, metadata={"description": "1 if it is not told."})


class ConditionSchema(Shape):
    component = "SnowcrestCondition"

    type = OneOf(
        tuple(CONDITIONS),
        required=True,
        metadata={
            "description": "What is counted: own `buildings`, spent or not, perhaps of a kind; "
            "`resources` as tokens, perhaps of a kind; `scrolls`; the marker of `omen`; "
            "`villagers` in the village, perhaps of a `kind`; `exhausted` villagers; "
            "`exhausted-rows` of three; cards in `hand`."
        },
    )
    at_least = Integer(-5, 30)
    building = OneOf(BUILDINGS)
    resource = OneOf(RESOURCES)
    kind = OneOf(KIND_LABELS)


class ChallengeSchema(CardSchema):
    component = "SnowcrestChallenge"

    conditions = ListOf(Nested(ConditionSchema), 1, MAX_ACTIONS, required=True)
    scrolls = Integer(
        1, MAX_CHALLENGE_SCROLLS, metadata={"description": "The reward; 2 if not told."}
    )


class CatalogueSchema(Shape):
    component = "SnowcrestCatalogue"

    starters = ListOf(Nested(StarterSchema), STARTER_COUNT, STARTER_COUNT, required=True)
    villagers = ListOf(
        Nested(VillagerSchema),
        1,
        MAX_CARDS,
        required=True,
        metadata={"description": "The rest of the deck that everybody has."},
    )
    commons = ListOf(Nested(CommonSchema), 1, MAX_CARDS, required=True)
    guardians = ListOf(Nested(SpiritSchema), 1, MAX_CARDS, required=True)
    forest = ListOf(Nested(SpiritSchema), 1, MAX_CARDS, required=True)
    challenges = ListOf(Nested(ChallengeSchema), MIN_CHALLENGES, MAX_CARDS, required=True)


# The published JSON Schema --------------------------------------------------------------------


def _integer(low: int, high: int) -> Document:
    return {"type": "integer", "minimum": low, "maximum": high}


def _enum(labels: tuple[str, ...]) -> Document:
    return {"enum": list(labels)}


def _count_table(labels: tuple[str, ...]) -> Document:
    return {
        "type": "object",
        "propertyNames": _enum(labels),
        "additionalProperties": _integer(1, MAX_COUNT),
    }


def _array(item: Document, low: int, high: int) -> Document:
    return {"type": "array", "items": item, "minItems": low, "maxItems": high}


def _object(required: dict[str, Document], optional: dict[str, Document]) -> Document:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def _one_of_types(
    members_by_type: dict[str, tuple[frozenset[str], frozenset[str]]], members: dict[str, Document]
) -> Document:
    return {
        "oneOf": [
            _object(
                {"type": {"const": word}} | {name: members[name] for name in sorted(always)},
                {name: members[name] for name in sorted(perhaps)},
            )
            for word, (always, perhaps) in members_by_type.items()
        ]
    }


def json_schema() -> Document:
    """A catalogue as JSON Schema (draft 2020-12), without references.

    Beyond it: ids are distinct, trades differ, a deck has villagers enough, and ``recruit`` stands
    alone, on commons.
    """
    sort = {
        "starters": (_starter(), STARTER_COUNT, STARTER_COUNT),
        "villagers": (_object(_PLAYED, _villager()), 1, MAX_CARDS),
        "commons": (_object(_PLAYED, _villager() | {"in_solo": _BOOLEAN}), 1, MAX_CARDS),
        "guardians": (_spirit(), 1, MAX_CARDS),
        "forest": (_spirit(), 1, MAX_CARDS),
        "challenges": (_challenge(), MIN_CHALLENGES, MAX_CARDS),
    }
    lists = {name: _array(card, low, high) for name, (card, low, high) in sort.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A catalogue of Snowcrest",
        **_object(lists, {}),
    }


_BOOLEAN: Final[Document] = {"type": "boolean"}
_TEXT: Final[Document] = {"type": "string"}
_CARD: Final[dict[str, Document]] = {
    "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$", "not": {"const": "unknown"}}
}
_NAMES: Final = {"names": _object({"en": _TEXT, "de": _TEXT, "zh": _TEXT}, {})}
_PLAYED: Final = _CARD | {"cost": _integer(0, MAX_COST)}
_COPIES: Final = {"copies": _integer(1, MAX_COPIES)}


def _starter() -> Document:
    return _object(_PLAYED, _acting() | {"back": _count_table(RESOURCES)})


def _villager() -> dict[str, Document]:
    return _acting() | {"icons": _count_table(RESOURCES), "settles": _BOOLEAN} | _COPIES


def _acting() -> dict[str, Document]:
    return _NAMES | {"actions": _array(_action(), 0, MAX_ACTIONS)}


def _action() -> Document:
    return _object(
        {"effects": _array(_effect(), 1, MAX_ACTIONS)}, {"pay": _count_table((*RESOURCES, ANY))}
    )


def _effect() -> Document:
    traded = _object(
        {"what": _enum((*RESOURCES, GainKind.SCROLL.label))}, {"count": _integer(1, MAX_COUNT)}
    )
    members = {
        "what": _enum(GAIN_LABELS),
        "count": _integer(1, MAX_COUNT),
        "building": _enum((*BUILDINGS, ANY)),
        "sets": _array(traded, 2, len(RESOURCES) + 1),
    }
    return _one_of_types(EFFECTS, members)


def _spirit() -> Document:
    told = {
        "own": _count_table(ITEMS),
        "others": _count_table(ITEMS),
        "reward": _count_table(GAIN_LABELS),
    }
    return _object(_CARD | told, _NAMES | _COPIES)


def _challenge() -> Document:
    members = {
        "at_least": _integer(-5, 30),
        "building": _enum(BUILDINGS),
        "resource": _enum(RESOURCES),
        "kind": _enum(KIND_LABELS),
    }
    conditions = _array(_one_of_types(CONDITIONS, members), 1, MAX_ACTIONS)
    return _object(
        _CARD | {"conditions": conditions}, _NAMES | {"scrolls": _integer(1, MAX_CHALLENGE_SCROLLS)}
    )
