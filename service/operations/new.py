"""Setting a game up."""

from __future__ import annotations

from service.core.faults import Fault
from service.core.play import State
from service.games.entry import New
from service.games.reading import Document


def new(verb: New[State], document: Document, faults: list[Fault]) -> Document:
    """The position at the start of a game."""
    return verb.write(verb.read(document, faults))
