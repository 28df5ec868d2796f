"""Components of discriminated unions: one per kind, and one that refers to all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.games.common.unions import Kind, Union
from service.games.definition import ResponseUnion

Component = dict[str, Any]


def response_union(union: ResponseUnion) -> Component:
    """Return the schema of a response of several kinds, to be named by :func:`name_unions`."""
    return {
        "title": union.component,
        "description": union.description,
        "oneOf": list(union.schemas.values()),
        "x-union": union.tag,
    }


def name_unions(document: Component) -> None:
    """Move the unions of responses to components, with a discriminator."""
    components = document["components"]["schemas"]
    for operations in document["paths"].values():
        for operation in operations.values():
            content = operation["responses"]["200"].get("content", {})
            for media_type in content.values():
                if "x-union" not in media_type["schema"]:
                    continue
                schema = media_type["schema"]
                name, tag = schema.pop("title"), schema.pop("x-union")
                mapping = {}
                for reference in schema["oneOf"]:
                    kind = components[reference["$ref"].rpartition("/")[2]]
                    [value] = kind["properties"][tag]["enum"]
                    mapping[value] = reference["$ref"]
                components[name] = {**_tagged(tag, mapping), **schema}
                media_type["schema"] = {"$ref": f"#/components/schemas/{name}"}


def split_union(components: dict[str, Component], name: str, union: Union) -> None:
    """Replace a flat component by a union of one component per kind.

    Args:
        components: all schema components by name; changed.
        name: of the flat component, which has the fields of all kinds.
        union: its kinds.
    """
    flat = components[name]
    mapping: dict[str, str] = {}
    references = []
    for label, kind in union.kinds.items():
        values = kind.values or (label,)
        component = _kind_component(flat, union.tag, values, kind)
        kind_name = name.removesuffix("Response") + "".join(
            word.capitalize() for word in label.split("-")
        )
        assert kind_name not in components, f"two components {kind_name}"
        # A kind of two unions is one type for clients.
        kind_name = next((each for each in components if components[each] == component), kind_name)
        components[kind_name] = component
        references.append(f"#/components/schemas/{kind_name}")
        mapping |= dict.fromkeys(values, references[-1])
    components[name] = {
        "description": f"{flat['description']} {union.description}".rstrip(),
        **_tagged(union.tag, mapping),
        "oneOf": [{"$ref": reference} for reference in references],
    }


def _tagged(tag: str, mapping: Mapping[str, str]) -> Component:
    """Return the members of a union that name its tag.

    PHP and C# take the values of a tag from the union; without them, from its last kind. The kinds
    have the other properties, and linters must not refuse these.
    """
    return {
        "type": "object",
        "unevaluatedProperties": True,
        "properties": {tag: {"type": "string", "enum": list(mapping)}},
        "required": [tag],
        "discriminator": {"propertyName": tag, "mapping": dict(mapping)},
    }


def _kind_component(flat: Component, tag: str, values: tuple[str, ...], kind: Kind) -> Component:
    described = {"description": kind.description} if kind.description else {}
    properties = {tag: {"type": "string", "enum": list(values)}}
    properties |= {field: flat["properties"][field] for field in (*kind.required, *kind.optional)}
    component = {
        **described,
        "type": "object",
        "properties": properties,
        "required": [tag, *kind.required],
    }
    if "additionalProperties" in flat:
        component["additionalProperties"] = flat["additionalProperties"]
    return component
