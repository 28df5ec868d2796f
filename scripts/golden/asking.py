"""Requests to the service without HTTP, and random choices."""

from __future__ import annotations

from random import Random
from typing import Any

from service.games.registry import GAMES
from service.operations.dispatch import execute

Document = dict[str, Any]


def ask(game: str, endpoint_name: str, body: Document) -> Document:
    """Return the response of an endpoint."""
    definition = GAMES[game]
    [endpoint] = [each for each in definition.endpoints if each.name == endpoint_name]
    return execute(definition, endpoint, body).document


def below(random: Random, count: int) -> int:
    """Return a random integer from 0 to ``count`` - 1."""
    # Only random() has the same sequence in every version of Python.
    return int(random.random() * count)
