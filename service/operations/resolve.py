"""A whole round or turn, from complete moves."""

from __future__ import annotations

from service.core.faults import Fault
from service.core.play import Choice, Event, Game, Outcome, Play, State, follow
from service.games.entry import Resolve
from service.games.reading import Document


def resolve(
    game: Game[State, Play, Choice, Outcome, Event],
    verb: Resolve[Play, Choice, Outcome, Event],
    document: Document,
    faults: list[Fault],
) -> Document:
    """The next resting state and the log of how it came about."""
    start, script = verb.read(document, faults)
    followed = follow(game, start, script)
    followed.require_complete()
    return verb.write(followed.play, followed.events)
