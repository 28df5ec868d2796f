"""Review of a played turn-based game, decision by decision."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from service.core.game import Choice, Play
from service.core.reviews import JudgedDecision, TurnsReview
from service.core.violations import OutOfTime, Overloaded, Violation
from service.games.common.fields import Document
from service.games.common.habits import FINE
from service.games.definition import GameDefinition, ReviewTurns
from service.operations.context import OperationResponse, RequestContext, Steps
from service.operations.review_run import ReviewRun
from service.solver.review.turns import accounts, judge
from service.solver.search import turn_expectimax, turn_plans
from service.solver.search.turn_comparisons import compare_choices


def review_turns(
    definition: GameDefinition,
    endpoint: ReviewTurns[Play, Choice],
    body: Document,
    violations: list[Violation],
    context: RequestContext,
) -> Steps:
    """Grade each decision against the hint that its player would have received.

    When time runs out, the response has the decisions graded so far. Their solutions are cached
    like those of hints, so that the same request sent again continues from there. Each decision is
    one step of the progress.

    Raises:
        Rejected: with all violations of the body, or ``deadline-too-short``.
        Overloaded: if the solve queue is full and this call has solved nothing.
        ClientGone: if the client has closed the connection.
    """
    run = ReviewRun(context, body)
    played = run.replay(endpoint.parse, body, violations)
    run.total = len(played.decisions)
    graded: list[JudgedDecision[Play, Choice]] = []
    latest: dict[str, JudgedDecision[Play, Choice]] = {}
    yield run.progress
    try:
        for past in run.free_decisions(played.decisions):
            question, game = past.question, endpoint.search_game
            solve = partial(context.solutions.solve_turn, definition.rules, game)
            more = len(played.players), run.stop_at
            solution = run.obtain(partial(solve, replace(question, chosen=None), *more))
            if not turn_plans.is_settled(game, solution, question):
                solution = run.obtain(partial(solve, question, *more))
            hint = turn_expectimax.render_turn_hint(solution, question, played.players)
            assert hint.grade is not None, "a past decision has a choice"
            if hint.grade[1] not in FINE and not turn_plans.is_planned(solution, question):
                # The plan of an error explains it.
                solution = run.obtain(partial(solve, question, *more))
            hint = compare_choices(hint, solution, game, played.players.index(question.player))
            plans = [turn_plans.follow_plan(game.rules, question, plan) for plan in solution.plans]
            graded.append(judge(past, hint, plans, latest.get(question.player)))
            latest[question.player] = graded[-1]
            run.done += 1
            yield run.progress
    except (OutOfTime, Overloaded) as error:
        run.require_solve(error)
    complete = run.progress.complete
    review = TurnsReview(
        decisions=graded,
        accounts=accounts(played, graded, complete=complete),
        method=turn_expectimax.METHOD,
        progress=run.progress,
        nodes=run.nodes,
    )
    return OperationResponse(
        endpoint.render(played, review, context.language, context.names), complete, run.layer
    )
