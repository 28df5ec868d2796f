"""Discriminated unions: objects whose tag decides which other fields they have.

One flat marshmallow schema validates or renders all kinds; OpenAPI gets one component per kind
(``oneOf`` with a ``discriminator``), so that clients decode exactly the fields of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The fields of one kind besides the tag.

    Attributes:
        required: present in every object of this kind.
        optional: present where they apply.
        description: one line for the documentation.
    """

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Union:
    """The kinds of a schema; a schema class has it as its attribute ``union``.

    Attributes:
        tag: name of the field that decides the kind.
        kinds: by value of the tag.
    """

    tag: str
    kinds: Mapping[str, Kind]
