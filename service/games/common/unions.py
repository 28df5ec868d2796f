"""Discriminated unions: objects whose tag decides which other fields they have.

One flat marshmallow schema validates or renders all kinds; OpenAPI gets one component per kind
(``oneOf`` with a ``discriminator``), so that clients decode exactly the fields of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The fields of one kind besides the tag.

    Attributes:
        required: present in every object of this kind.
        optional: present where they apply.
        description: one line for the documentation.
        values: of the tag; by default the name of the kind alone.
    """

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    description: str = ""
    values: tuple[str, ...] = ()


def kind(required: str, optional: str = "", description: str = "") -> Kind:
    """Return a kind from field names separated by spaces."""
    return Kind(tuple(required.split()), tuple(optional.split()), description)


@dataclass(frozen=True, slots=True)
class Union:
    """The kinds of a schema; a schema class has it as its attribute ``union``.

    Attributes:
        tag: name of the field that decides the kind.
        kinds: by name; the component of a kind is named after both.
    """

    tag: str
    kinds: Mapping[str, Kind]

    @property
    def values(self) -> tuple[str, ...]:
        """All values of the tag."""
        return tuple(value for name, kind in self.kinds.items() for value in kind.values or (name,))

    @property
    def fields(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The required and optional fields by value of the tag."""
        return {
            value: (frozenset(kind.required), frozenset(kind.optional))
            for name, kind in self.kinds.items()
            for value in kind.values or (name,)
        }


def union_of_fields(
    tag: str,
    fields: Mapping[str, tuple[AbstractSet[str], AbstractSet[str]]],
    descriptions: Mapping[str, str] | None = None,
) -> Union:
    """Return a union from the required and optional fields of each kind."""
    texts = descriptions or {}
    return Union(
        tag,
        {
            name: Kind(tuple(sorted(required)), tuple(sorted(optional)), texts.get(name, ""))
            for name, (required, optional) in fields.items()
        },
    )
