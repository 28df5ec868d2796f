"""Discriminated unions: objects whose tag decides which other fields they have.

One flat marshmallow schema validates or renders all kinds; OpenAPI gets one component per kind
(``oneOf`` with a ``discriminator``), so that clients decode exactly the fields of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace


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
        description: of fields that several kinds have.
    """

    tag: str
    kinds: Mapping[str, Kind]
    description: str = ""

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


def kinds_of_fields(
    fields: Mapping[str, tuple[AbstractSet[str], AbstractSet[str]]],
    descriptions: Mapping[str, str],
) -> dict[str, Kind]:
    """Return kinds from the required and optional fields of each."""
    return {
        name: Kind(tuple(sorted(required)), tuple(sorted(optional)), descriptions[name])
        for name, (required, optional) in fields.items()
    }


def merge_kinds(kinds: Mapping[str, Kind], **examples: str) -> dict[str, Kind]:
    """Return kinds in which those with the same fields are one, whose description lists them.

    Args:
        kinds: by name.
        examples: new names of merged kinds, each with the old name of one of them.
    """
    merged: dict[str, Kind] = {}
    for name, kind in kinds.items():
        for new_name, example in examples.items():
            if _fields(kind) == _fields(kinds[example]):
                together = merged.get(new_name, Kind(kind.required, kind.optional))
                line = f"- `{name}`: {kind.description}"
                merged[new_name] = replace(
                    together,
                    description=f"{together.description}\n{line}".lstrip(),
                    values=(*together.values, name),
                )
                break
        else:
            merged[name] = kind
    return merged


def _fields(kind: Kind) -> tuple[AbstractSet[str], AbstractSet[str]]:
    return frozenset(kind.required), frozenset(kind.optional)
