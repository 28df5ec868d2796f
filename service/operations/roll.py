"""The chance event that opens a round: told by the caller or drawn from a seed."""

from __future__ import annotations

from service.core.chance import draw
from service.core.game import Chance, Choice, Event, Game, Outcome, Play, State
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import Roll


def roll(
    game: Game[State, Play, Choice, Outcome, Event],
    verb: Roll[Play, Outcome],
    document: Document,
    faults: list[Violation],
) -> Document:
    """The position after the draw, and what was drawn."""
    play, told, seed = verb.read(document, faults)
    node = game.pending(play)
    assert isinstance(node, Chance), "a round opens with its chance event"
    outcome = draw(node, seed) if told is None and seed is not None else told
    assert outcome is not None, "the reader asks for a seed where nothing is told"
    return verb.write(game.draw(play, outcome).play, outcome)
