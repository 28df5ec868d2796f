"""The names and moves of a game in rounds, from which its schemas are built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from marshmallow import fields

from service.games.common.fields import MapOf, ResponseSchema, StrictSchema


class RoundForm(NamedTuple):
    """What the schemas of a game in rounds differ in.

    Attributes:
        prefix: of the names of the game's components in ``openapi.yaml``.
        moves: returns a field of moves by actor, given its options.
        decisions: names of the game's decisions.
    """

    prefix: str
    moves: Callable[..., MapOf]
    decisions: tuple[str, ...]

    def response(
        self, name: str, description: str, **members: fields.Field[Any]
    ) -> type[ResponseSchema]:
        """Return the schema of a response or of a part of one."""
        component = {"component": self.prefix + name, "__doc__": description}
        return type(name, (ResponseSchema,), {**component, **members})

    def request(
        self, name: str, description: str, **members: fields.Field[Any]
    ) -> type[StrictSchema]:
        """Return the schema of a request or of a part of one."""
        component = {"component": self.prefix + name, "__doc__": description}
        return type(name, (StrictSchema,), {**component, **members})
