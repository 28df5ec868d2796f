"""From a verb and a raw document to its answer: judge the shape, then do what the verb says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from marshmallow import Schema

from service.core.languages import DEFAULT_LANGUAGE
from service.core.violations import Violation
from service.games.common.validation import Document, judge_shape
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
from service.operations.play import legal_moves, new, resolve, roll
from service.operations.review import review_turns
from service.operations.round_review import review_rounds
from service.operations.solution_cache import SolutionCache, SolveCost
from service.operations.suggest import suggest, suggest_turn

FRESH: Final = SolutionCache()
"""Keeps nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered, and how it was found.

    Attributes:
        document: the answer.
        complete: whether it is the answer whenever the same is asked.
        took: what the solves took that it was told from, if there were any.
    """

    document: Document
    complete: bool = True
    took: SolveCost | None = None


def answer(
    entry: GameDefinition,
    verb: Endpoint,
    raw: Any,
    known: tuple[Violation, ...],
    received: float,
    solves: SolutionCache = FRESH,
    language: str = DEFAULT_LANGUAGE,
) -> Answer:
    """Answers one request.

    Args:
        entry: the game.
        verb: one of its verbs.
        raw: the decoded JSON text.
        known: faults of the text that did not keep it from being read.
        received: ``time.monotonic()`` when the request came.
        solves: finds those that hints are told from.
        language: of sentences.

    Raises:
        Rejected: with every fault of the body.
        OutOfTime: if its deadline passed before anything was found.
        Overloaded: if too much is being solved already.
    """
    document, misshapen = judge_shape(_shape(verb.request), raw)
    faults = [*known, *misshapen]
    match verb:
        case New():
            return Answer(new(verb, document, faults))
        case Roll():
            return Answer(roll(entry.game, verb, document, faults))
        case LegalMoves():
            return Answer(legal_moves(entry.game, verb, document, faults))
        case Resolve():
            return Answer(resolve(entry.game, verb, document, faults))
        case Suggest():
            return Answer(*suggest(entry, verb, document, faults, received, solves, language))
        case SuggestTurn():
            told, found_turn = suggest_turn(
                entry, verb, document, faults, received, solves, language
            )
            return Answer(told, found_turn.solve.complete, found_turn.took)
        case ReviewRounds():
            return Answer(*review_rounds(entry, verb, document, faults, received, solves))
        case ReviewTurns():
            return Answer(*review_turns(entry, verb, document, faults, received, solves))
    raise AssertionError(f"no operation for {verb.name}")


@cache
def _shape(kind: type[Schema]) -> Schema:
    """A schema holds nothing of what it judges, and making one takes as long as judging."""
    return kind()
