"""The bodies of an endpoint."""

from __future__ import annotations

from dataclasses import dataclass

from marshmallow import Schema

from service.games.common.fields import Document


@dataclass(frozen=True, slots=True)
class Bodies:
    """The bodies of one endpoint.

    Attributes:
        request: schema of the request.
        response: schema of the response.
        example: a request that the documentation shows with its response.
    """

    request: type[Schema]
    response: type[Schema]
    example: Document
