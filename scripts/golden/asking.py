"""Asking the service without HTTP, and drawing what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

from service.games.registry import GAMES
from service.operations.dispatch import execute

Document = dict[str, Any]


def ask(game: str, verb: str, body: Document) -> Document:
    """The answer of a route."""
    entry = GAMES[game]
    [found] = [each for each in entry.endpoints if each.name == verb]
    return execute(entry, found, body).document


def below(random: Random, count: int) -> int:
    """A number from 0 to ``count``, that one left out."""
    # Of all methods, random() alone keeps its sequence in every version of Python.
    return int(random.random() * count)
