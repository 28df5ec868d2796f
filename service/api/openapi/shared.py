"""Schemas that occur in many places become components: clients get one type for each."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from typing import Any, Final

Component = dict[str, Any]

NAMED: Final[dict[str, tuple[str, ...]]] = {
    "Id": ("SnowTimeCardHint", "player"),
    "Effort": ("SnowTimeSearch", "effort"),
    "Grade": ("SnowTimeRoundDecision", "class"),
    "SnowTimeCard": ("SnowTimeMove", "card"),
    "SnowTimeDecision": ("SnowTimeRoundDecision", "decision"),
    "SnowTimeStep": ("SnowTimeEvent", "step"),
    "SlopecrashersCard": ("SlopecrashersProbableCard", "card"),
    "SlopecrashersCardOrUnknown": ("SlopecrashersEvent", "card"),
    "SlopecrashersGift": ("SlopecrashersEvent", "gift"),
    "SlopecrashersField": (
        "SlopecrashersState",
        "pieces",
        "additionalProperties",
        "items",
        "items",
    ),
    "SlopecrashersDirection": ("SlopecrashersAction", "direction"),
    "SlopecrashersDecision": ("SlopecrashersSuggestResponse", "decision"),
    "SnowcrestResource": ("SnowcrestAction", "resource"),
    "SnowcrestBuilding": ("SnowcrestAction", "building"),
    "SnowcrestPenaltyItem": ("SnowcrestAction", "item"),
    "SnowcrestGain": ("SnowcrestEvent", "what"),
    "SnowcrestTradeItem": ("SnowcrestAction", "give"),
    "SnowcrestDecision": ("SnowcrestSuggestResponse", "decision"),
}
"""Public names of scalar types, each with its place: component, property, keywords below it."""
DESCRIBED: Final = {
    "DisplayName": ("SlopecrashersSeat", "name"),
    "SuggestDeadline": ("SnowTimeSuggestRequest", "deadline_ms"),
    "ReviewDeadline": ("SnowTimeReviewRequest", "deadline_ms"),
    "SlopecrashersRow": ("SlopecrashersAction", "row"),
    "SlopecrashersLane": ("SlopecrashersAction", "lane"),
    "SlopecrashersCourse": ("SlopecrashersState", "course"),
    "SlopecrashersReversed": ("SlopecrashersState", "reversed"),
    "SlopecrashersOffsets": ("SlopecrashersState", "offsets"),
    "SlopecrashersPieces": ("SlopecrashersState", "pieces"),
    "SlopecrashersDeck": ("SlopecrashersState", "deck"),
    "SnowcrestCell": ("SnowcrestAction", "cell"),
}
"""Public names of properties, each with its place, that share a description as well."""
CONTAINERS: Final = {
    "NumberByName": ("SnowTimeRoll", "win_shares"),
    "TextByName": ("SnowTimeAboutResponse", "rulings"),
    "TitlesByName": ("SnowTimeAboutResponse", "cards"),
    "SnowTimeMovesBySeat": ("SnowTimeResolveRequest", "moves"),
    "SnowTimeAwards": ("SnowTimeEvent", "awards"),
    "SnowTimeCardsBySeat": ("SnowTimeEvent", "cards"),
    "SlopecrashersActions": ("SlopecrashersResolveRequest", "moves"),
    "SlopecrashersChoices": ("SlopecrashersLegalMovesResponse", "moves"),
    "SnowcrestActions": ("SnowcrestResolveRequest", "moves"),
    "SnowcrestAmounts": ("SnowcrestStarter", "back"),
    "SnowcrestCards": ("SnowcrestSeat", "hand"),
    "SnowcrestChoices": ("SnowcrestLegalMovesResponse", "moves"),
    "SnowcrestPenalty": ("SnowcrestSpirit", "own"),
}
"""Public names of lists and maps, each with its place, that occur with several descriptions."""
DESCRIPTIONS: Final = {
    "Id": "A name of a player, a seat or a card.",
    "Effort": "Limit on the work of each search, not on time.",
    "Grade": "The grade of a choice, by its loss.",
    "NumberByName": "A number for each player or seat.",
    "TextByName": "A text for each name.",
    "TitlesByName": "A name in all languages for each id.",
    "SnowTimeCard": "A champion (`1` to `7`) or a special card.",
    "SnowTimeDecision": "What the seats decide.",
    "SnowTimeStep": "The step of a round; `A` to `E` are those of the rule sheet.",
    "SnowTimeMovesBySeat": "A move for each seat.",
    "SnowTimeAwards": "The awards of an event.",
    "SnowTimeCardsBySeat": "Cards for each seat.",
    "SlopecrashersCard": "A card with one gift or a choice of two.",
    "SlopecrashersCardOrUnknown": "A card, or `unknown` if the caller has not seen it.",
    "SlopecrashersGift": "One use of a card.",
    "SlopecrashersField": "The kind of a space of the track.",
    "SlopecrashersDirection": "The direction of a movement.",
    "SlopecrashersDecision": "What a player decides.",
    "SlopecrashersActions": "Actions, answers and draws, in order.",
    "SlopecrashersChoices": "The legal actions of each player who decides.",
    "SnowcrestResource": "A kind of resource.",
    "SnowcrestBuilding": "A kind of building.",
    "SnowcrestPenaltyItem": "Something that a penalty takes.",
    "SnowcrestGain": "Something that a player gains or trades away.",
    "SnowcrestTradeItem": "A resource or a scroll.",
    "SnowcrestDecision": "What a player decides.",
    "SnowcrestActions": "Actions, answers and draws, in order.",
    "SnowcrestAmounts": "An amount of each resource.",
    "SnowcrestCards": "Ids of cards.",
    "SnowcrestChoices": "The legal actions of each player who decides.",
    "SnowcrestPenalty": "An amount of each penalty item.",
}
"""What the types of both tables without a shared description are."""
_KEYWORDS: Final = ("type", "enum", "pattern")
"""The keywords that make a type; others, such as a description, belong to a property."""


def share_schemas(components: dict[str, Component]) -> None:
    """Replace the named types and properties by references to one component each.

    Args:
        components: flat schema components by name; changed.
    """
    shared = {
        name: _type_of(reduce(getitem, keywords, components[owner]["properties"][field]))
        for name, (owner, field, *keywords) in NAMED.items()
    }
    whole = {
        name: components[owner]["properties"][field] for name, (owner, field) in DESCRIBED.items()
    }
    for name, (owner, field) in CONTAINERS.items():
        whole[name] = _without_description(components[owner]["properties"][field])
    for name, component in components.items():
        components[name] = _with_whole(component, whole)
    for name, component in components.items():
        components[name] = _with_references(component, shared)
    for name, scalar in shared.items():
        assert name not in components, f"two components {name}"
        components[name] = {"description": DESCRIPTIONS[name]} | scalar
    for name, schema in whole.items():
        assert name not in components, f"two components {name}"
        described = {"description": DESCRIPTIONS[name]} if name in CONTAINERS else {}
        components[name] = described | {
            key: _with_references(value, shared) for key, value in schema.items()
        }


def _type_of(schema: Component) -> Component:
    return {keyword: schema[keyword] for keyword in _KEYWORDS if keyword in schema}


def _without_description(schema: Component) -> Component:
    return {key: value for key, value in schema.items() if key != "description"}


def _with_whole(schema: Any, whole: dict[str, Component]) -> Any:
    if isinstance(schema, list):
        return [_with_whole(item, whole) for item in schema]
    if not isinstance(schema, dict):
        return schema
    for name, other in whole.items():
        if other in (schema, _without_description(schema)):
            rest = {key: value for key, value in schema.items() if key not in other}
            return {"$ref": f"#/components/schemas/{name}"} | rest
    return {key: _with_whole(value, whole) for key, value in schema.items()}


def _with_references(schema: Any, shared: dict[str, Component]) -> Any:
    if isinstance(schema, list):
        return [_with_references(item, shared) for item in schema]
    if not isinstance(schema, dict):
        return schema
    for name, scalar in shared.items():
        # ``propertyNames`` states an enumeration without its type.
        if (
            schema
            and _type_of({"type": "string"} | schema) == scalar
            and "properties" not in schema
        ):
            rest = {key: value for key, value in schema.items() if key not in _KEYWORDS}
            return {"$ref": f"#/components/schemas/{name}"} | rest
    return {key: _with_references(value, shared) for key, value in schema.items()}
