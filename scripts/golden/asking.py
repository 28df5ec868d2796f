"""Requests to the service without HTTP, and random choices."""

from __future__ import annotations

from random import Random
from typing import Any

from service.core.languages import DEFAULT_LANGUAGE
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute

Document = dict[str, Any]


def ask(
    game: str, endpoint_name: str, body: Document, language: str = DEFAULT_LANGUAGE
) -> Document:
    """Return the response of an endpoint, with its sentences in a language."""
    definition = GAMES[game]
    [endpoint] = [each for each in definition.endpoints if each.name == endpoint_name]
    return execute(definition, endpoint, body, RequestContext(language=language)).document


def below(random: Random, count: int) -> int:
    """Return a random integer from 0 to ``count`` - 1."""
    # Only random() has the same sequence in every version of Python.
    return int(random.random() * count)
