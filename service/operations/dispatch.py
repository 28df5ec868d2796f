"""From an endpoint and a raw JSON value to the operation: parse everything first, then run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, TypeAlias

from marshmallow import Schema

from service.core.game import follow
from service.core.violations import Violation
from service.core.vocabulary import MAX_DEADLINE_MS
from service.games.common.display_names import DisplayNames, read_display_names
from service.games.common.fields import Document
from service.games.common.validation import validate_shape
from service.games.definition import (
    Endpoint,
    GameDefinition,
    LegalMoves,
    New,
    Resolve,
    ReviewRounds,
    ReviewTurns,
    Roll,
    Suggest,
    SuggestTurn,
)
from service.operations import play
from service.operations.context import OperationResponse, RequestContext, Steps, run_to_end
from service.operations.learned_hint import read_profiles
from service.operations.review import review_turns
from service.operations.round_review import review_rounds
from service.operations.suggest import suggest, suggest_turn

_Operation: TypeAlias = Callable[[RequestContext], OperationResponse]


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A valid request.

    Attributes:
        steps: starts its operation. Running it raises OutOfTime if the deadline passed before there
            was any result, and Overloaded if the solve queue is full. A review raises Rejected too,
            because its replay is part of the operation.
    """

    steps: Callable[[RequestContext], Steps]

    def __call__(self, context: RequestContext) -> OperationResponse:
        """Run the operation to its end."""
        return run_to_end(self.steps(context))


def parse(
    definition: GameDefinition, endpoint: Endpoint, raw: Any, violations: Iterable[Violation] = ()
) -> ParsedRequest:
    """Validate a raw JSON value completely, without solving anything.

    Of a review only the shape is validated here.

    Args:
        definition: the game.
        endpoint: one of the game's endpoints.
        raw: the decoded JSON value.
        violations: those of the JSON text itself, for example duplicate names.

    Raises:
        Rejected: with all violations together.
    """
    body, shape_violations = validate_shape(_schema(endpoint.request_schema), raw)
    all_violations = [*violations, *shape_violations]
    names = read_display_names(body, all_violations)
    match endpoint:
        case ReviewRounds():
            steps = partial(review_rounds, definition, endpoint, body, all_violations)
        case ReviewTurns():
            steps = partial(review_turns, definition, endpoint, body, all_violations)
        case _:
            operation = _operation(definition, endpoint, body, all_violations)
            steps = partial(_in_one_step, operation, body.get("deadline_ms") or MAX_DEADLINE_MS)
    return ParsedRequest(partial(_with_names, steps, names) if names.given else steps)


def _in_one_step(operation: _Operation, deadline_ms: int, context: RequestContext) -> Steps:
    """Run an operation, from its beginning again while a kernel that it needs is compiled."""
    yield from ()
    until = context.received + deadline_ms / 1000

    def attempt() -> OperationResponse:
        return operation(replace(context, solutions=context.solutions.again()))

    return context.once_compiled(attempt, until)


def _with_names(
    steps: Callable[[RequestContext], Steps], names: DisplayNames, context: RequestContext
) -> Steps:
    """Run an operation with display names in its sentences and in the state that it returns."""
    response = yield from steps(replace(context, names=names))
    return replace(response, document=names.restore(response.document))


def _operation(
    definition: GameDefinition, endpoint: Endpoint, body: Document, all_violations: list[Violation]
) -> _Operation:
    """Return the operation of a body whose shape has been validated."""
    match endpoint:
        case New():
            return partial(play.new, endpoint, endpoint.parse(body, all_violations))
        case Roll():
            given = endpoint.parse(body, all_violations)
            return partial(play.roll, definition.game, endpoint, *given)
        case LegalMoves():
            followed = follow(definition.game, *endpoint.parse(body, all_violations))
            return partial(play.legal_moves, endpoint, followed)
        case Resolve():
            followed = follow(definition.game, *endpoint.parse(body, all_violations))
            followed.require_complete(endpoint.remedy)
            return partial(play.resolve, endpoint, followed)
        case Suggest():
            question = endpoint.parse(body, all_violations)
            read_profiles(endpoint.search_game, question)
            return partial(suggest, definition, endpoint, question)
        case SuggestTurn():
            return partial(suggest_turn, definition, endpoint, endpoint.parse(body, all_violations))
    raise AssertionError(f"no operation for {endpoint.name}")


def execute(
    definition: GameDefinition,
    endpoint: Endpoint,
    raw: Any,
    context: RequestContext | None = None,
) -> OperationResponse:
    """Parse a raw JSON value and run its operation; see :func:`parse` and :data:`ParsedRequest`."""
    return parse(definition, endpoint, raw)(context or RequestContext())


@cache
def _schema(schema: type[Schema]) -> Schema:
    """Return the one instance of a schema: it is stateless, and creating one is expensive."""
    return schema()
