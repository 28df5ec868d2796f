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
from service.games.snowcrest.catalogue.cards import Counted, Gained, Item, Kind
from service.games.snowcrest.payments.resources import ANY, BUILDING_BY_LABEL, RESOURCE_BY_LABEL

MOST_CARDS: Final = 60
"""Of one sort."""
MOST_COPIES: Final = 10
MOST_COST: Final = 12
MOST_COUNT: Final = 12
MOST_ACTIONS: Final = 6
STARTERS: Final = 4
ROW: Final = 5
FEWEST_CHALLENGES: Final = 5
FEWEST_VILLAGERS: Final = 3
MOST_SCROLLS: Final = 12

RESOURCES: Final = tuple(RESOURCE_BY_LABEL)
BUILDINGS: Final = tuple(BUILDING_BY_LABEL)
OMEN_ITEM: Final = "omen"
ITEMS: Final = (*(item.label for item in Item), OMEN_ITEM)
GAINED: Final = tuple(what.label for what in Gained)
KINDS: Final = tuple(kind.label for kind in Kind)

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
    Counted.BUILDINGS.label: (frozenset({"at_least"}), frozenset({"building"})),
    Counted.RESOURCES.label: (frozenset({"at_least"}), frozenset({"resource"})),
    Counted.SCROLLS.label: (frozenset({"at_least"}), frozenset()),
    Counted.OMEN.label: (frozenset({"at_least"}), frozenset()),
    Counted.VILLAGERS.label: (frozenset({"at_least"}), frozenset({"kind"})),
    Counted.EXHAUSTED.label: (frozenset({"at_least"}), frozenset()),
    Counted.EXHAUSTED_ROWS.label: (frozenset({"at_least"}), frozenset()),
    Counted.HAND.label: (frozenset({"at_least"}), frozenset()),
}
"""Likewise of each condition of a challenge."""


def _table(words: tuple[str, ...], note: str, **kwargs: Any) -> Table:
    return Table(
        keys=OneOf(words),
        values=Integer(1, MOST_COUNT),
        metadata={"description": note},
        **kwargs,
    )


def _count(**kwargs: Any) -> Integer:
    return Integer(1, MOST_COUNT, metadata={"description": "1 if it is not told."}, **kwargs)


class NamesSchema(Shape):
    component = "SnowcrestNames"

    en = Text(required=True)
    de = Text(required=True)
    zh = Text(required=True)


class SetSchema(Shape):
    component = "SnowcrestSet"

    what = OneOf((*RESOURCES, Gained.SCROLL.label), required=True)
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
    what = OneOf(GAINED)
    count = _count()
    building = OneOf((*BUILDINGS, ANY))
    sets = ListOf(Nested(SetSchema), 2, len(RESOURCES) + 1)


class ActionSchema(Shape):
    component = "SnowcrestAction"

    pay = _table((*RESOURCES, ANY), "What the effects cost, if they cost anything.")
    effects = ListOf(Nested(EffectSchema), 1, MOST_ACTIONS, required=True)


class CardSchema(Shape):
    id = Name(required=True, metadata={"description": "No other card has it."})
    names = Nested(NamesSchema)


class StarterSchema(CardSchema):
    component = "SnowcrestStarter"

    cost = Integer(0, MOST_COST, required=True, metadata={"description": "Barley."})
    actions = ListOf(Nested(ActionSchema), 0, MOST_ACTIONS)
    back = _table(RESOURCES, "What it yields when it is exhausted at rest (C16).")


class VillagerSchema(CardSchema):
    component = "SnowcrestVillager"

    cost = Integer(0, MOST_COST, required=True, metadata={"description": "Barley."})
    actions = ListOf(Nested(ActionSchema), 0, MOST_ACTIONS)
    icons = _table(RESOURCES, "What it pays, and yields face up at rest.")
    settles = Flag(metadata={"description": "Exhausted, it settles an item of a penalty (C15)."})
    copies = Integer(1, MOST_COPIES, metadata={"description": "1 if it is not told."})


class CommonSchema(VillagerSchema):
    component = "SnowcrestCommon"

    in_solo = Flag(metadata={"description": "Whether it stays in the game of one; true if not."})


class SpiritSchema(CardSchema):
    component = "SnowcrestSpirit"

    own = _table(ITEMS, "What it takes from whose turn it is (C7).", required=True)
    others = _table(ITEMS, "What it takes from everybody else (C7).", required=True)
    reward = _table(GAINED, "For whose turn it is.", required=True)
    copies = Integer(1, MOST_COPIES, metadata={"description": "1 if it is not told."})


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
    kind = OneOf(KINDS)


class ChallengeSchema(CardSchema):
    component = "SnowcrestChallenge"

    conditions = ListOf(Nested(ConditionSchema), 1, MOST_ACTIONS, required=True)
    scrolls = Integer(1, MOST_SCROLLS, metadata={"description": "The reward; 2 if not told."})


class CatalogueSchema(Shape):
    component = "SnowcrestCatalogue"

    starters = ListOf(Nested(StarterSchema), STARTERS, STARTERS, required=True)
    villagers = ListOf(
        Nested(VillagerSchema),
        1,
        MOST_CARDS,
        required=True,
        metadata={"description": "The rest of the deck that everybody has."},
    )
    commons = ListOf(Nested(CommonSchema), 1, MOST_CARDS, required=True)
    guardians = ListOf(Nested(SpiritSchema), 1, MOST_CARDS, required=True)
    forest = ListOf(Nested(SpiritSchema), 1, MOST_CARDS, required=True)
    challenges = ListOf(Nested(ChallengeSchema), FEWEST_CHALLENGES, MOST_CARDS, required=True)


# The published JSON Schema --------------------------------------------------------------------


def _whole(low: int, high: int) -> Document:
    return {"type": "integer", "minimum": low, "maximum": high}


def _words(words: tuple[str, ...]) -> Document:
    return {"enum": list(words)}


def _counts(words: tuple[str, ...]) -> Document:
    return {
        "type": "object",
        "propertyNames": _words(words),
        "additionalProperties": _whole(1, MOST_COUNT),
    }


def _list(item: Document, low: int, high: int) -> Document:
    return {"type": "array", "items": item, "minItems": low, "maxItems": high}


def _object(required: dict[str, Document], optional: dict[str, Document]) -> Document:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def _by_type(
    forms: dict[str, tuple[frozenset[str], frozenset[str]]], members: dict[str, Document]
) -> Document:
    return {
        "oneOf": [
            _object(
                {"type": {"const": word}} | {name: members[name] for name in sorted(always)},
                {name: members[name] for name in sorted(perhaps)},
            )
            for word, (always, perhaps) in forms.items()
        ]
    }


def json_schema() -> Document:
    """A catalogue as JSON Schema (draft 2020-12), without references.

    Beyond it: ids are distinct, trades differ, a deck has villagers enough, and ``recruit`` stands
    alone, on commons.
    """
    sort = {
        "starters": (_starter(), STARTERS, STARTERS),
        "villagers": (_object(_PLAYED, _villager()), 1, MOST_CARDS),
        "commons": (_object(_PLAYED, _villager() | {"in_solo": _BOOLEAN}), 1, MOST_CARDS),
        "guardians": (_spirit(), 1, MOST_CARDS),
        "forest": (_spirit(), 1, MOST_CARDS),
        "challenges": (_challenge(), FEWEST_CHALLENGES, MOST_CARDS),
    }
    lists = {name: _list(card, low, high) for name, (card, low, high) in sort.items()}
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
_PLAYED: Final = _CARD | {"cost": _whole(0, MOST_COST)}
_COPIES: Final = {"copies": _whole(1, MOST_COPIES)}


def _starter() -> Document:
    return _object(_PLAYED, _acting() | {"back": _counts(RESOURCES)})


def _villager() -> dict[str, Document]:
    return _acting() | {"icons": _counts(RESOURCES), "settles": _BOOLEAN} | _COPIES


def _acting() -> dict[str, Document]:
    return _NAMES | {"actions": _list(_action(), 0, MOST_ACTIONS)}


def _action() -> Document:
    return _object(
        {"effects": _list(_effect(), 1, MOST_ACTIONS)}, {"pay": _counts((*RESOURCES, ANY))}
    )


def _effect() -> Document:
    traded = _object(
        {"what": _words((*RESOURCES, Gained.SCROLL.label))}, {"count": _whole(1, MOST_COUNT)}
    )
    members = {
        "what": _words(GAINED),
        "count": _whole(1, MOST_COUNT),
        "building": _words((*BUILDINGS, ANY)),
        "sets": _list(traded, 2, len(RESOURCES) + 1),
    }
    return _by_type(EFFECTS, members)


def _spirit() -> Document:
    told = {"own": _counts(ITEMS), "others": _counts(ITEMS), "reward": _counts(GAINED)}
    return _object(_CARD | told, _NAMES | _COPIES)


def _challenge() -> Document:
    members = {
        "at_least": _whole(-5, 30),
        "building": _words(BUILDINGS),
        "resource": _words(RESOURCES),
        "kind": _words(KINDS),
    }
    conditions = _list(_by_type(CONDITIONS, members), 1, MOST_ACTIONS)
    return _object(
        _CARD | {"conditions": conditions}, _NAMES | {"scrolls": _whole(1, MOST_SCROLLS)}
    )
