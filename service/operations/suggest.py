"""A hint for one player."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from service.core.game import Choice, Play, State
from service.core.hints import Question, WhatIfs
from service.core.turn_hints import TurnQuestion
from service.core.vocabulary import EQUILIBRIUM, LEARNED, MAX_DEADLINE_MS
from service.games.definition import GameDefinition, Suggest, SuggestTurn
from service.operations.context import OperationResponse, RequestContext
from service.operations.hint_sources import HintSource, Solver
from service.operations.learned_hint import Learner
from service.operations.what_if import WhatIf
from service.solver.search import turn_expectimax, turn_plans
from service.solver.search.turn_comparisons import compare_choices


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
    stop_at = context.stop_at(question.deadline_ms or MAX_DEADLINE_MS)
    source: HintSource[State, Choice]
    if question.model == LEARNED and (question.history or question.profiles):
        source = Learner(definition, endpoint, context.solutions, stop_at)
    else:
        if question.model == LEARNED:
            question = replace(question, model=EQUILIBRIUM)
        source = Solver(definition, endpoint, context.solutions, stop_at)
    hint = source.hint(question)
    further: WhatIfs[Choice] = WhatIfs(complete=False)
    if hint.search.complete:
        further = WhatIf(endpoint, question, hint, source).answer()
    if not further.complete:
        hint = replace(hint, search=replace(hint.search, complete=False))
    document = endpoint.render(question, hint, further, context.language, context.names)
    return OperationResponse(document, further.complete, source.layer)


def suggest_turn(
    definition: GameDefinition,
    endpoint: SuggestTurn[Play, Choice],
    question: TurnQuestion[Play, Choice],
    context: RequestContext,
) -> OperationResponse:
    """Return a hint for one player of a turn-based game; raises like :func:`suggest`."""
    stop_at = context.stop_at(question.deadline_ms or MAX_DEADLINE_MS)
    players = endpoint.players(question.play)
    game, more = endpoint.search_game, (len(players), stop_at)
    solve = partial(context.solutions.solve_turn, definition.rules, game)
    cached = solve(replace(question, chosen=None), *more)
    if question.chosen is not None and cached.solution.complete:
        settled = turn_plans.is_settled(game, cached.solution, question)
        if not (settled and turn_plans.is_planned(cached.solution, question)):
            cached = solve(question, *more)
    hint = compare_choices(
        turn_expectimax.render_turn_hint(cached.solution, question, players),
        cached.solution,
        endpoint.search_game,
        players.index(question.player),
    )
    plans = [
        turn_plans.follow_plan(endpoint.search_game.rules, question, plan)
        for plan in cached.solution.plans
    ]
    document = endpoint.render(question, hint, plans, context.language, context.names)
    return OperationResponse(document, cached.solution.complete, cached.layer)
