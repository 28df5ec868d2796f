"""What whoever has to decide now may do."""

from __future__ import annotations

from service.core.game import Choice, Event, Game, Outcome, Play, State, follow
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import LegalMoves


def legal_moves(
    game: Game[State, Play, Choice, Outcome, Event],
    verb: LegalMoves[Play, Choice, Outcome, Event],
    document: Document,
    faults: list[Violation],
) -> Document:
    """The first decision that what is told leaves open, with the choices of those who have it."""
    start, script = verb.read(document, faults)
    return verb.write(follow(game, start, script))
