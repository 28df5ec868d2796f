"""A hint for one player."""

from __future__ import annotations

from dataclasses import replace

from service.core.game import Choice, State
from service.core.hints import Further
from service.core.sequential import Play
from service.core.violations import Violation
from service.games.common.validation import Document
from service.games.definition import GameDefinition, Suggest, SuggestTurn
from service.operations.solution_cache import Found, SolutionCache, SolveCost
from service.operations.what_if import Looking
from service.solver.canonical import canonical
from service.solver.hints.hint import tell
from service.solver.search import turn_expectimax
from service.solver.search.turn_expectimax import TurnSolve


def suggest(
    entry: GameDefinition,
    verb: Suggest[State, Choice],
    document: Document,
    faults: list[Violation],
    received: float,
    solves: SolutionCache,
    language: str,
) -> tuple[Document, bool, SolveCost]:
    """Solves the question, or finds it solved, and tells the asker.

    Args:
        entry: the game.
        verb: how it reads and writes the question, and what the solver works on.
        document: the body.
        faults: of its shape.
        received: ``time.monotonic()`` when the request came; its deadline counts from there.
        solves: finds them.
        language: of sentences.

    Returns:
        the answer, whether it is complete, and what the solves took that it was told from.

    Raises:
        Rejected: with every fault of the body.
        OutOfTime: if its deadline passed before anything was found.
        Overloaded: if too much is being solved already.
    """
    question = verb.read(document, faults)
    stop_at = _stop_at(received, question.deadline_ms)
    asked = canonical(verb.stages, question)
    found = solves.find(entry.rules, verb.stages, asked, stop_at)
    hint = tell(found.solve, verb.stages, question, asked, verb.owners(question.position))
    looking = Looking(entry, verb, question, hint, solves, stop_at)
    further: Further[Choice] = Further(complete=False)
    if hint.search.complete:
        further = looking.further()
    if not further.complete:
        hint = replace(hint, search=replace(hint.search, complete=False))
    took = found.took if looking.took is None else found.took.and_also(looking.took)
    return verb.write(question, hint, further, language), further.complete, took


def suggest_turn(
    entry: GameDefinition,
    verb: SuggestTurn[Play, Choice],
    document: Document,
    faults: list[Violation],
    received: float,
    solves: SolutionCache,
    language: str,
) -> tuple[Document, Found[TurnSolve]]:
    """The same in a game in turns."""
    question = verb.read(document, faults)
    stop_at = _stop_at(received, question.deadline_ms)
    found = solves.find_turn(entry.rules, verb.turns, question, stop_at)
    hint = turn_expectimax.tell(found.solve, question, verb.players(question.play))
    return verb.write(question, hint, language), found


def _stop_at(received: float, deadline_ms: int | None) -> float | None:
    return None if deadline_ms is None else received + deadline_ms / 1000
