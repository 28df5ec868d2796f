"""Components of discriminated unions: one per kind, and one that refers to all."""

from __future__ import annotations

from typing import Any

from service.games.common.unions import Kind, Union

Component = dict[str, Any]


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
        kind_name = name + "".join(word.capitalize() for word in label.split("-"))
        assert kind_name not in components, f"two components {kind_name}"
        values = kind.values or (label,)
        components[kind_name] = _kind_component(flat, union.tag, values, kind)
        references.append(f"#/components/schemas/{kind_name}")
        mapping |= dict.fromkeys(values, references[-1])
    components[name] = {
        **({"description": flat["description"]} if "description" in flat else {}),
        "oneOf": [{"$ref": reference} for reference in references],
        "discriminator": {"propertyName": union.tag, "mapping": mapping},
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
