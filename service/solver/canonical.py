"""What is asked of a search: one question for all who ask about decisions that look alike."""

from __future__ import annotations

from dataclasses import replace

from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import UNIFORM
from service.solver.budget import WorkMeter
from service.solver.search.best_response import solve_best_response
from service.solver.search.iterative_deepening import solve_for_all_players
from service.solver.solution import Solution


def canonicalize(
    game: RoundGame[Position, Choice], question: Question[Position, Choice]
) -> CanonicalQuestion[Position, Choice]:
    """The question without names, sides and order; and, where the solve is the same whoever asks,
    without the asker.
    """
    asked = game.canonicalize(question)
    free = _free(asked)
    if question.model == UNIFORM or not asked.mutual or len(free) == 1:
        return asked
    choices = asked.question.decision.choices
    first = free[0] if free else next(iter(asked.owners.values()))
    actors = tuple(actor for actor in choices if asked.owners[actor] == first)
    return replace(asked, question=replace(asked.question, player=first, actors=actors))


def _free(asked: CanonicalQuestion[Position, Choice]) -> list[str]:
    """The players with a choice to make that is not given."""
    weights, choices = asked.question.weights, asked.question.decision.choices
    owners = [
        asked.owners[actor]
        for actor, legal in choices.items()
        if actor not in weights and len(legal) > 1
    ]
    return list(dict.fromkeys(owners))


def cache_key(
    game: RoundGame[Position, Choice], asked: CanonicalQuestion[Position, Choice]
) -> bytes:
    """All that a solve depends on but for the versions, and nothing else."""
    question = asked.question
    weights = [
        (actor, [question.weights[actor].get(choice, 0.0) for choice in choices])
        for actor, choices in question.decision.choices.items()
        if actor in question.weights
    ]
    told = question.objective, question.model, question.effort, question.depth, question.player
    return repr((game.position_key(question), question.decision.name, told, weights)).encode()


def solve(
    game: RoundGame[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    stop_at: float | None = None,
) -> Solution:
    """Solves the question by the model that it names.

    Args:
        game: the game in rounds.
        asked: the question.
        stop_at: ``time.monotonic()`` at which the search has to stop, if ever.

    Raises:
        OutOfTime: if that came before anything was found.
    """
    meter = WorkMeter(stop_at)
    if asked.question.model == UNIFORM:
        return solve_best_response(game, asked.question, meter)
    return solve_for_all_players(game, asked.question, asked.owners, meter)
