"""Scalar schemas that occur in many places become components: clients get one type for each."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from typing import Any, Final

Component = dict[str, Any]

NAMED: Final[dict[str, tuple[str, ...]]] = {
    "Id": ("SnowTimeCardHint", "player"),
    "Effort": ("SnowTimeSearch", "effort"),
    "Ruling": ("SnowTimeEvent", "rule"),
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
DESCRIPTIONS: Final = {
    "Id": "A name of a player, a seat or a card.",
    "Ruling": "The number of the ruling that applies; `GET /v1/games/{game}` has its text.",
}
"""What a named type is, where its properties do not say it."""
_KEYWORDS: Final = ("type", "enum", "pattern")
"""The keywords that make a type; others, such as a description, belong to a property."""


def share_scalars(components: dict[str, Component]) -> None:
    """Replace the named types by references to one component each.

    Args:
        components: flat schema components by name; changed.
    """
    shared = {
        name: _type_of(reduce(getitem, keywords, components[owner]["properties"][field]))
        for name, (owner, field, *keywords) in NAMED.items()
    }
    for name, component in components.items():
        components[name] = _with_references(component, shared)
    for name, scalar in shared.items():
        assert name not in components, f"two components {name}"
        described = {"description": DESCRIPTIONS[name]} if name in DESCRIPTIONS else {}
        components[name] = described | scalar


def _type_of(schema: Component) -> Component:
    return {keyword: schema[keyword] for keyword in _KEYWORDS if keyword in schema}


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
