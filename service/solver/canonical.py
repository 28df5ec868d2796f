"""Canonical questions: one cache key and one solution for all equivalent positions."""

from __future__ import annotations

from dataclasses import replace
from math import prod

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
    """Return the canonical form of a question, without names, sides and seat order."""
    return with_any_asker(game.canonicalize(question))


def with_any_asker(
    canonical: CanonicalQuestion[Position, Choice],
) -> CanonicalQuestion[Position, Choice]:
    """Replace the asker by the first player with a free choice, if the solution allows it.

    The cache key is then the same for every asker.
    """
    free = _free_players(canonical)
    if canonical.question.model == UNIFORM or not canonical.mutual or len(free) == 1:
        return canonical
    choices = canonical.question.decision.choices
    first = free[0] if free else next(iter(canonical.owners.values()))
    actors = tuple(actor for actor in choices if canonical.owners[actor] == first)
    return replace(canonical, question=replace(canonical.question, player=first, actors=actors))


def _free_players(canonical: CanonicalQuestion[Position, Choice]) -> list[str]:
    """Return the players with more than one legal choice and without given weights."""
    weights, choices = canonical.question.weights, canonical.question.decision.choices
    owners = [
        canonical.owners[actor]
        for actor, legal in choices.items()
        if actor not in weights and len(legal) > 1
    ]
    return list(dict.fromkeys(owners))


def move_counts(canonical: CanonicalQuestion[Position, Choice]) -> list[int]:
    """Return the number of joint moves of each player, in canonical order."""
    return [
        prod(
            len(choices)
            for actor, choices in canonical.question.decision.choices.items()
            if canonical.owners[actor] == str(player)
        )
        for player in range(len(canonical.players))
    ]


def cache_key(
    game: RoundGame[Position, Choice], canonical: CanonicalQuestion[Position, Choice]
) -> bytes:
    """Return everything that a solution depends on, except the versions of code and rules."""
    question = canonical.question
    weights = [
        (actor, [question.weights[actor].get(choice, 0.0) for choice in choices])
        for actor, choices in question.decision.choices.items()
        if actor in question.weights
    ]
    parameters = (
        question.objective,
        question.model,
        question.effort,
        question.depth,
        question.player,
    )
    key = game.position_key(question), question.decision.name, parameters, weights
    return repr(key).encode()


def solve(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    stop_at: float | None = None,
) -> Solution:
    """Solve a question under its model of the other players.

    Args:
        game: the game.
        canonical: the question.
        stop_at: ``time.monotonic()`` at which the search must stop, or None.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    meter = WorkMeter(stop_at)
    if canonical.question.model == UNIFORM:
        return solve_best_response(game, canonical.question, meter)
    return solve_for_all_players(game, canonical.question, canonical.owners, meter)
