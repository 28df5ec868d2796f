"""Examples of fields of a request, for messages about values of another type.

The example of a list is its attribute ``example``, that of an object the one of its schema.
Without one it follows from the field: its words, range and least length, the fields of its schema.
"""

from __future__ import annotations

from typing import Any, Final

from marshmallow import Schema, fields, missing

from service.games.common.fields import (
    Boolean,
    Document,
    Integer,
    ListOf,
    MapOf,
    Nested,
    Number,
    StrictSchema,
    Text,
    fields_by_name,
)

MAX_EXAMPLE: Final = 400
"""Longest example in a message, in characters of JSON."""


def example_at(schema: Schema, path: tuple[str | int, ...]) -> Any:
    """Return a short value that the field at a path of a document accepts, apart from the rules.

    None if there is no such field, or if no value is known.
    """
    found: Any = schema
    within: Any = {}
    for step in path:
        found = found.schema if isinstance(found, Nested) else found
        within = getattr(found, "example", None) or {}
        match found:
            case Schema():
                found = fields_by_name(found).get(str(step))
            case ListOf():
                found = found.inner
            case MapOf():
                found = found.value_field
    last = path[-1] if path else None
    return within[last] if isinstance(within, dict) and last in within else _example_of(found)


def _example_of(found: fields.Field[Any] | Schema | None, number: int = 0) -> Any:
    """Return the example of a field or schema: different ones for the items of a list."""
    match found:
        case Schema():
            return _example_of_schema(found, number)
        case Nested():
            return _example_of_schema(found.schema, number)
        case Text() if found.load_default is not missing:
            return found.load_default
        case Text(examples=[*texts]) if texts:
            return texts[number % len(texts)]
        case ListOf():
            numbers = range(max(1, found.low))
            return found.example or [_example_of(found.inner, number) for number in numbers]
        case MapOf():
            return {_example_of(found.key_field): _example_of(found.value_field)}
        case Integer() | Number():
            return 1 if found.low <= 1 <= found.high else found.low
        case Boolean():
            return True
    return None


def _example_of_schema(schema: Schema, number: int) -> Document | str:
    """Return an object with the required fields of a schema, and those with an own example.

    If there is none, it has the first field.
    """
    if isinstance(schema, StrictSchema) and schema.example is not None:
        return schema.example
    named = fields_by_name(schema)
    shown = {
        name: field
        for name, field in named.items()
        if field.required or getattr(field, "example", None)
    } or dict(list(named.items())[:1])
    return {name: _example_of(field, number) for name, field in shown.items()}
