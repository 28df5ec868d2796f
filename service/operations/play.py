"""The operations that play a game: new, grow, legal moves, resolve."""

from __future__ import annotations

from service.core.chance import draw
from service.core.game import (
    Chance,
    Choice,
    Event,
    FollowResult,
    Game,
    Outcome,
    Play,
    State,
)
from service.games.definition import LegalMoves, New, Resolve, Roll
from service.operations.context import OperationResponse, RequestContext


def new(endpoint: New[State], state: State, _: RequestContext) -> OperationResponse:
    """Return the position at the start of a game."""
    return OperationResponse(endpoint.render(state))


def roll(
    game: Game[State, Play, Choice, Outcome, Event],
    endpoint: Roll[Play, Outcome],
    play: Play,
    given: Outcome | None,
    seed: int | None,
    _: RequestContext,
) -> OperationResponse:
    """Return the position after the chance event that opens a round, and its outcome.

    The body gives the outcome, or a seed to draw it from.
    """
    node = game.pending(play)
    assert isinstance(node, Chance), "a round opens with its chance event"
    outcome = draw(node, seed) if given is None and seed is not None else given
    assert outcome is not None, "the parser requires a seed if there is no outcome"
    return OperationResponse(endpoint.render(game.draw(play, outcome).play, outcome))


def legal_moves(
    endpoint: LegalMoves[Play, Choice, Outcome, Event],
    after: FollowResult[Play, Choice, Outcome, Event],
    _: RequestContext,
) -> OperationResponse:
    """Return the first open decision after the given actions, with the choices of its players."""
    return OperationResponse(endpoint.render(after))


def resolve(
    endpoint: Resolve[Play, Choice, Outcome, Event],
    after: FollowResult[Play, Choice, Outcome, Event],
    _: RequestContext,
) -> OperationResponse:
    """Return the position after a whole round or turn, and its event log."""
    return OperationResponse(endpoint.render(after.play, after.events))
