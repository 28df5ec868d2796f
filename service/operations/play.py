"""The operations that play a game: new, grow, legal moves, resolve."""

from __future__ import annotations

from service.core.chance import draw
from service.core.game import Chance, Choice, Event, Game, Outcome, Play, State, follow
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import LegalMoves, New, Resolve, Roll


def new(endpoint: New[State], body: Document, violations: list[Violation]) -> Document:
    """Return the position at the start of a game."""
    return endpoint.write(endpoint.read(body, violations))


def roll(
    game: Game[State, Play, Choice, Outcome, Event],
    endpoint: Roll[Play, Outcome],
    body: Document,
    violations: list[Violation],
) -> Document:
    """Return the position after the chance event that opens a round, and its outcome.

    The body gives the outcome, or a seed to draw it from.
    """
    play, given, seed = endpoint.read(body, violations)
    node = game.pending(play)
    assert isinstance(node, Chance), "a round opens with its chance event"
    outcome = draw(node, seed) if given is None and seed is not None else given
    assert outcome is not None, "the reader requires a seed if there is no outcome"
    return endpoint.write(game.draw(play, outcome).play, outcome)


def legal_moves(
    game: Game[State, Play, Choice, Outcome, Event],
    endpoint: LegalMoves[Play, Choice, Outcome, Event],
    body: Document,
    violations: list[Violation],
) -> Document:
    """Return the first open decision after the given actions, with the choices of its players."""
    start, script = endpoint.read(body, violations)
    return endpoint.write(follow(game, start, script))


def resolve(
    game: Game[State, Play, Choice, Outcome, Event],
    endpoint: Resolve[Play, Choice, Outcome, Event],
    body: Document,
    violations: list[Violation],
) -> Document:
    """Return the position after a whole round or turn, and its event log."""
    start, script = endpoint.read(body, violations)
    followed = follow(game, start, script)
    followed.require_complete()
    return endpoint.write(followed.play, followed.events)
