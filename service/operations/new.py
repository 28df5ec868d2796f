"""Setting a game up."""

from __future__ import annotations

from service.core.game import State
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import New


def new(verb: New[State], document: Document, faults: list[Violation]) -> Document:
    """The position at the start of a game."""
    return verb.write(verb.read(document, faults))
