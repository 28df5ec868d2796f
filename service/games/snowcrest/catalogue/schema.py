"""JSON shapes of a catalogue, and the vocabulary of its cards (C1, C2).

Shapes cannot express which members belong to which ``type``, so tables define that.  The published
JSON Schema is made from the same tables.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from service.core.languages import LANGUAGES
from service.games.common.fields import (
    Boolean,
    Document,
    Integer,
    ListOf,
    MapOf,
    Name,
    Nested,
    OneOf,
    StrictSchema,
    Text,
)
from service.games.common.unions import Union, kinds_of_fields, merge_kinds
from service.games.snowcrest.catalogue.cards import (
    COST_ITEMS,
    ConditionKind,
    GainKind,
    PenaltyItem,
    VillagerKind,
)
from service.games.snowcrest.rules.payments.resources import (
    ANY,
    BUILDING_BY_LABEL,
    RESOURCE_BY_LABEL,
)

MAX_CARDS: Final = 60
"""Largest number of cards in a section."""
MAX_COPIES: Final = 10
MAX_COST: Final = 12
MAX_COUNT: Final = 12
MAX_ACTIONS: Final = 6
STARTER_COUNT: Final = 4
MAX_DECKS: Final = 8
ROW_SIZE: Final = 5
MIN_CHALLENGES: Final = 5
MIN_VILLAGERS: Final = 3
MAX_CHALLENGE_SCROLLS: Final = 12

RESOURCES: Final = tuple(RESOURCE_BY_LABEL)
BUILDINGS: Final = tuple(BUILDING_BY_LABEL)
OMEN_ITEM: Final = "omen"
ITEMS: Final = (*(item.label for item in PenaltyItem), OMEN_ITEM)
REWARDS: Final = tuple(what.label for what in GainKind)
GAIN_LABELS: Final = tuple(what.label for what in GainKind if not what.is_building)
ICONS: Final = (*RESOURCES, ANY, GainKind.LESS_OMEN.label)
PAID: Final = (*RESOURCES, ANY, *(item.label for item in COST_ITEMS))
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
    "wake": (frozenset(), frozenset()),
    "exhaust": (frozenset(), frozenset()),
    "discard": (frozenset(), frozenset()),
}
"""Required and optional members of each effect."""
EFFECT_NOTES: Final = {
    "gain": "Gain `count` of `what`; for `any` the player chooses barley, bell, bowl or juniper "
    "for each one.",
    "build": "Build one `building`.",
    "turn-up": "Turn all own spent buildings face up.",
    "worship": "Reveal a guardian.",
    "meditate": "Bid bells for scrolls (C6).",
    "trade": "Give one of the `sets` for another; optional.",
    "take-back": "Take a card from the own discards.",
    "redraw": "Discard any number of hand cards and draw as many.",
    "recruit": "Another villager replaces this one and acts; not for a starter, and only as the "
    "only effect of a card.",
    "per-building": "Gain `count` of `what` for each own face-up `building`.",
    "copy": "Perform the actions of another face-up villager.",
    "wake": "Turn one own exhausted villager face up.",
    "exhaust": "Exhaust one own face-up villager, except the one who acts.",
    "discard": "Discard a hand card; it may be skipped (C5).",
}

COUNTS: Final = (-5, 30)
"""Bounds of the numbers that a condition compares with."""
CONDITIONS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    ConditionKind.BUILDINGS.label: (frozenset({"at_least"}), frozenset({"at_most", "building"})),
    ConditionKind.RESOURCES.label: (frozenset({"at_least"}), frozenset({"at_most", "resource"})),
    ConditionKind.SCROLLS.label: (frozenset({"at_least"}), frozenset({"at_most"})),
    ConditionKind.OMEN.label: (frozenset({"at_least"}), frozenset({"at_most"})),
    ConditionKind.VILLAGERS.label: (frozenset({"at_least"}), frozenset({"at_most", "kind"})),
    ConditionKind.EXHAUSTED.label: (frozenset({"at_least"}), frozenset({"at_most"})),
    ConditionKind.EXHAUSTED_ROWS.label: (frozenset({"at_least"}), frozenset({"at_most"})),
    ConditionKind.HAND.label: (frozenset({"at_least"}), frozenset({"at_most"})),
}
"""Required and optional members of each condition of a challenge."""
CONDITION_NOTES: Final = {
    ConditionKind.BUILDINGS.label: "Own buildings, spent or not, of one kind or any.",
    ConditionKind.RESOURCES.label: "Tokens of one resource or any.",
    ConditionKind.SCROLLS.label: "Scrolls.",
    ConditionKind.OMEN.label: "Position of the omen marker.",
    ConditionKind.VILLAGERS.label: "Villagers in the village, of one kind or any.",
    ConditionKind.EXHAUSTED.label: "Exhausted villagers.",
    ConditionKind.EXHAUSTED_ROWS.label: "Rows of three exhausted villagers.",
    ConditionKind.HAND.label: "Cards in hand.",
}


def _table(labels: tuple[str, ...], description: str, **kwargs: Any) -> MapOf:
    return MapOf(
        keys=OneOf(labels),
        values=Integer(1, MAX_COUNT),
        metadata={"description": description},
        **kwargs,
    )


def _icons() -> MapOf:
    return _table(ICONS, "What it yields face up at a rest; resources also pay (C4, C22).")


def _settles() -> Boolean:
    note = "Whether exhausting it settles a penalty item (C15)."
    return Boolean(metadata={"description": note})


def _count(**kwargs: Any) -> Integer:
    return Integer(1, MAX_COUNT, metadata={"description": "Default: 1."}, **kwargs)


class NamesSchema(StrictSchema):
    """Names of a card in one or more languages; English is used where another one is missing."""

    component = "SnowcrestNames"

    class Meta(StrictSchema.Meta):
        # Not attributes: a tag with a script is no Python name.
        include: ClassVar = {language: Text() for language in LANGUAGES}


class SetSchema(StrictSchema):
    """What one side of a trade consists of."""

    component = "SnowcrestSet"

    what = OneOf((*RESOURCES, GainKind.SCROLL.label), required=True)
    count = _count()


class EffectSchema(StrictSchema):
    """An effect of a villager, by ``type``."""

    component = "SnowcrestEffect"
    union = Union("type", merge_kinds(kinds_of_fields(EFFECTS, EFFECT_NOTES), plain="turn-up"))

    type = OneOf(tuple(EFFECTS), required=True)
    what = OneOf(GAIN_LABELS)
    count = _count()
    building = OneOf((*BUILDINGS, ANY))
    sets = ListOf(Nested(SetSchema), 2, len(RESOURCES) + 1)


class ActionSchema(StrictSchema):
    """Effects of a villager and their cost."""

    component = "SnowcrestCardAction"

    pay = _table(PAID, "Cost of the effects, if any: resources, hand cards, buildings to return.")
    effects = ListOf(Nested(EffectSchema), 1, MAX_ACTIONS, required=True)


class CardSchema(StrictSchema):
    """What all cards of a catalogue have."""

    id = Name(examples=("baker", "smith", "fisher", "weaver"), required=True)
    names = Nested(NamesSchema)


class StarterSchema(CardSchema):
    """A villager that every player starts with."""

    component = "SnowcrestStarter"

    cost = Integer(0, MAX_COST, required=True, metadata={"description": "Cost in barley."})
    actions = ListOf(Nested(ActionSchema), 0, MAX_ACTIONS)
    icons = _icons()
    settles = _settles()
    back = _table(RESOURCES, "Resources that it yields when it is exhausted at a rest (C16).")


class VillagerSchema(CardSchema):
    """A villager of the players' decks."""

    component = "SnowcrestVillager"

    cost = Integer(0, MAX_COST, required=True, metadata={"description": "Cost in barley."})
    actions = ListOf(Nested(ActionSchema), 0, MAX_ACTIONS)
    icons = _icons()
    settles = _settles()
    copies = Integer(1, MAX_COPIES, metadata={"description": "Default: 1."})


class CommonSchema(VillagerSchema):
    """A common villager."""

    component = "SnowcrestCommon"

    in_solo = Boolean(metadata={"description": "Whether the solo game uses it. Default: true."})


class SpiritSchema(CardSchema):
    """A guardian or a forest card."""

    component = "SnowcrestSpirit"

    own = _table(ITEMS, "Penalty of the active player (C7).", required=True)
    others = _table(ITEMS, "Penalty of each other player (C7).", required=True)
    reward = _table(REWARDS, "Reward of the active player.", required=True)
    copies = Integer(1, MAX_COPIES, metadata={"description": "Default: 1."})


class ConditionSchema(StrictSchema):
    """A condition of a challenge, by ``type``."""

    component = "SnowcrestCondition"
    union = Union(
        "type", merge_kinds(kinds_of_fields(CONDITIONS, CONDITION_NOTES), plain="scrolls")
    )

    type = OneOf(tuple(CONDITIONS), required=True)
    at_least = Integer(*COUNTS)
    at_most = Integer(*COUNTS, metadata={"description": "Default: no limit."})
    building = OneOf(BUILDINGS)
    resource = OneOf(RESOURCES)
    kind = OneOf(KIND_LABELS)


class ChallengeSchema(CardSchema):
    """A challenge: conditions and reward."""

    component = "SnowcrestChallenge"

    conditions = ListOf(Nested(ConditionSchema), 1, MAX_ACTIONS, required=True)
    scrolls = Integer(
        1, MAX_CHALLENGE_SCROLLS, metadata={"description": "Reward in scrolls. Default: 2."}
    )


class CatalogueSchema(StrictSchema):
    """All cards of a game; each ``id`` is unique.
    ``GET /v1/games/snowcrest/catalogues/default`` has the default (C1).
    """

    component = "SnowcrestCatalogue"
    example = "GET /v1/games/snowcrest/catalogues/default"

    starters = ListOf(
        Nested(StarterSchema),
        STARTER_COUNT,
        STARTER_COUNT * MAX_DECKS,
        required=True,
        metadata={"description": "Four for each deck."},
    )
    villagers = ListOf(
        Nested(VillagerSchema),
        1,
        MAX_CARDS,
        required=True,
        metadata={"description": "The other cards of the decks."},
    )
    commons = ListOf(Nested(CommonSchema), 1, MAX_CARDS, required=True)
    guardians = ListOf(Nested(SpiritSchema), 1, MAX_CARDS, required=True)
    forest = ListOf(Nested(SpiritSchema), 1, MAX_CARDS, required=True)
    challenges = ListOf(Nested(ChallengeSchema), MIN_CHALLENGES, MAX_CARDS, required=True)
    decks = MapOf(
        keys=Name(),
        values=ListOf(Name(), STARTER_COUNT + 1, MAX_CARDS),
        metadata={
            "description": "By colour, the ids of the starters and villagers in its deck, with all "
            "their copies. Each seat then names its `deck`. By default all players have equal "
            "decks, with all starters and villagers."
        },
    )


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
    """Return the JSON Schema (draft 2020-12) of a catalogue, without references.

    The schema cannot express eight rules: ids are distinct, the sets of a trade differ, ``at_most``
    is not below ``at_least``, decks list cards of the catalogue, a deck has four starters and
    enough villagers, ``recruit`` stands alone on a card, and forest cards do not reward all the
    juniper of the forest, which depends on the number of players.
    """
    sections = {
        "starters": (_starter(), STARTER_COUNT, STARTER_COUNT * MAX_DECKS),
        "villagers": (_object(_PLAYED, _villager()), 1, MAX_CARDS),
        "commons": (_object(_PLAYED, _villager() | {"in_solo": _BOOLEAN}), 1, MAX_CARDS),
        "guardians": (_spirit(), 1, MAX_CARDS),
        "forest": (_spirit(), 1, MAX_CARDS),
        "challenges": (_challenge(), MIN_CHALLENGES, MAX_CARDS),
    }
    lists = {name: _array(card, low, high) for name, (card, low, high) in sections.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A catalogue of Snowcrest",
        **_object(lists, {"decks": _decks()}),
    }


_BOOLEAN: Final[Document] = {"type": "boolean"}
_TEXT: Final[Document] = {"type": "string"}
_CARD: Final[dict[str, Document]] = {
    "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$", "not": {"const": "unknown"}}
}
_NAMES: Final = {
    "names": _object({}, dict.fromkeys(LANGUAGES, _TEXT)),
}
_PLAYED: Final = _CARD | {"cost": _integer(0, MAX_COST)}
_COPIES: Final = {"copies": _integer(1, MAX_COPIES)}


def _decks() -> Document:
    ids = _array(_CARD["id"], STARTER_COUNT + 1, MAX_CARDS)
    name = {"pattern": _CARD["id"]["pattern"]}
    return {"type": "object", "propertyNames": name, "additionalProperties": ids}


def _starter() -> Document:
    return _object(_PLAYED, _acting() | {"back": _count_table(RESOURCES)})


def _villager() -> dict[str, Document]:
    return _acting() | _COPIES


def _acting() -> dict[str, Document]:
    actions = _array(_action(), 0, MAX_ACTIONS)
    return _NAMES | {"actions": actions, "icons": _count_table(ICONS), "settles": _BOOLEAN}


def _action() -> Document:
    return _object({"effects": _array(_effect(), 1, MAX_ACTIONS)}, {"pay": _count_table(PAID)})


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
    members = {
        "own": _count_table(ITEMS),
        "others": _count_table(ITEMS),
        "reward": _count_table(REWARDS),
    }
    return _object(_CARD | members, _NAMES | _COPIES)


def _challenge() -> Document:
    members = {
        "at_least": _integer(*COUNTS),
        "at_most": _integer(*COUNTS),
        "building": _enum(BUILDINGS),
        "resource": _enum(RESOURCES),
        "kind": _enum(KIND_LABELS),
    }
    conditions = _array(_one_of_types(CONDITIONS, members), 1, MAX_ACTIONS)
    return _object(
        _CARD | {"conditions": conditions}, _NAMES | {"scrolls": _integer(1, MAX_CHALLENGE_SCROLLS)}
    )
