"""Asking the service without HTTP, and drawing what is asked."""

from __future__ import annotations

from random import Random
from typing import Any

from service.games.registry import GAMES
from service.operations.dispatch import answer

Document = dict[str, Any]


def ask(game: str, verb: str, body: Document) -> Document:
    """The answer of a route."""
    entry = GAMES[game]
    [found] = [each for each in entry.verbs if each.name == verb]
    return answer(entry, found, body, (), 0.0).document


def below(random: Random, count: int) -> int:
    """A number from 0 to ``count``, that one left out."""
    # Of all methods, random() alone keeps its sequence in every version of Python.
    return int(random.random() * count)
