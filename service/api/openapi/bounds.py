"""Removes from responses the bounds that only matter for what a client sends.

A client cannot do anything with the length of an id that it receives, and a later release may add
fields. So schemas of responses have no bounds, patterns or closed objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Component = dict[str, Any]

_PREFIX: Final = "#/components/schemas/"
_BOUNDS: Final = (
    *("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"),
    *("minProperties", "maxProperties", "propertyNames", "uniqueItems"),
)


def drop_response_bounds(document: Component) -> None:
    """Remove bounds from the schemas that no request body uses.

    Args:
        document: a specification; changed.
    """
    schemas = document["components"]["schemas"]
    sent: set[str] = set()
    for operations in document["paths"].values():
        for operation in operations.values():
            _collect(operation.get("requestBody", {}), schemas, sent)
    for name, schema in schemas.items():
        if name not in sent:
            for node in _objects(schema):
                _drop_bounds(node)


def _collect(node: Any, schemas: Component, names: set[str]) -> None:
    """Add the names of all schemas that a node refers to, directly or not."""
    for part in _objects(node):
        name = str(part.get("$ref", "")).removeprefix(_PREFIX)
        if name in schemas and name not in names:
            names.add(name)
            _collect(schemas[name], schemas, names)


def _objects(node: Any) -> Iterator[Component]:
    """Yield all JSON objects in a document, outer ones first."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _objects(part)


def _drop_bounds(node: Component) -> None:
    if node.get("$ref") == _PREFIX + "Id":  # A string with bounds.
        del node["$ref"]
        node["type"] = "string"
    if isinstance(node.get("properties"), dict) or "type" in node or "$ref" in node:
        for bound in _BOUNDS:
            node.pop(bound, None)
        if node.get("additionalProperties") is False:
            del node["additionalProperties"]
