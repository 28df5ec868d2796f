"""A hint for one player."""

from __future__ import annotations

from dataclasses import replace

from service.core.game import Choice, Play, State
from service.core.hints import Question, WhatIfs
from service.core.sequential import TurnQuestion
from service.core.vocabulary import EQUILIBRIUM, LEARNED
from service.games.definition import GameDefinition, Suggest, SuggestTurn
from service.operations.context import OperationResponse, RequestContext
from service.operations.learned_hint import Learner
from service.operations.solution_cache import costliest
from service.operations.what_if import WhatIf
from service.solver.canonical import canonicalize
from service.solver.hints.hint import render_hint
from service.solver.search import turn_expectimax, turn_plan


def suggest(
    definition: GameDefinition,
    endpoint: Suggest[State, Choice],
    question: Question[State, Choice],
    context: RequestContext,
) -> OperationResponse:
    """Return a hint for one player of a simultaneous game.

    Raises:
        OutOfTime: if the deadline passed before there was any result.
        Overloaded: if the solve queue is full.
    """
    stop_at = context.stop_at(question.deadline_ms)
    if question.model == LEARNED:
        if question.history or question.profiles:
            return _suggest_learned(definition, endpoint, question, context)
        question = replace(question, model=EQUILIBRIUM)
    asked = canonicalize(endpoint.search_game, question)
    cached = context.solutions.solve(definition.rules, endpoint.search_game, asked, stop_at)
    owners = endpoint.owners(question.position)
    hint = render_hint(cached.solution, endpoint.search_game, question, asked, owners)
    layer: str | None = cached.layer
    further: WhatIfs[Choice] = WhatIfs(complete=False)
    if hint.search.complete:
        what_if = WhatIf(definition, endpoint, question, hint, context.solutions, stop_at)
        further = what_if.answer()
        layer = costliest(layer, what_if.layer)
    if not further.complete:
        hint = replace(hint, search=replace(hint.search, complete=False))
    document = endpoint.render(question, hint, further, context.language, context.names)
    return OperationResponse(document, further.complete, layer)


def _suggest_learned(
    definition: GameDefinition,
    endpoint: Suggest[State, Choice],
    question: Question[State, Choice],
    context: RequestContext,
) -> OperationResponse:
    """Return a hint against players whose styles are inferred; raises like :func:`suggest`."""
    stop_at = context.stop_at(question.deadline_ms)
    learner = Learner(definition, endpoint, context.solutions, stop_at)
    hint = learner.hint(question)
    nothing: WhatIfs[Choice] = WhatIfs()
    document = endpoint.render(question, hint, nothing, context.language, context.names)
    return OperationResponse(document, hint.search.complete, learner.layer)


def suggest_turn(
    definition: GameDefinition,
    endpoint: SuggestTurn[Play, Choice],
    question: TurnQuestion[Play, Choice],
    context: RequestContext,
) -> OperationResponse:
    """Return a hint for one player of a turn-based game; raises like :func:`suggest`."""
    stop_at = context.stop_at(question.deadline_ms)
    cached = context.solutions.solve_turn(definition.rules, endpoint.search_game, question, stop_at)
    hint = turn_expectimax.render_turn_hint(
        cached.solution, question, endpoint.players(question.play)
    )
    plan = turn_plan.follow_plan(endpoint.search_game.rules, question, cached.solution.plan)
    document = endpoint.render(question, hint, plan, context.language, context.names)
    return OperationResponse(document, cached.solution.complete, cached.layer)
