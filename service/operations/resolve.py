"""A whole round or turn, from complete moves."""

from __future__ import annotations

from service.core.game import Choice, Event, Game, Outcome, Play, State, follow
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import Resolve


def resolve(
    game: Game[State, Play, Choice, Outcome, Event],
    verb: Resolve[Play, Choice, Outcome, Event],
    document: Document,
    faults: list[Violation],
) -> Document:
    """The next resting state and the log of how it came about."""
    start, script = verb.read(document, faults)
    followed = follow(game, start, script)
    followed.require_complete()
    return verb.write(followed.play, followed.events)
