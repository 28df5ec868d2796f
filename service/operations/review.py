"""Review of a played turn-based game, decision by decision."""

from __future__ import annotations

from service.core.game import Choice, Play
from service.core.reviews import JudgedDecision, PlayedTurns, TurnsReview
from service.core.violations import OutOfTime, Overloaded
from service.games.definition import GameDefinition, ReviewTurns
from service.operations.context import OperationResponse, RequestContext
from service.operations.solution_cache import SolveCost
from service.solver.review.turns import accounts, judge
from service.solver.search import turn_expectimax


def review_turns(
    definition: GameDefinition,
    endpoint: ReviewTurns[Play, Choice],
    played: PlayedTurns[Play, Choice],
    context: RequestContext,
) -> OperationResponse:
    """Grade each decision against the hint that its player would have received.

    When time runs out, the response has the decisions graded so far. Their solutions are cached
    like those of hints, so that the same request sent again continues from there.

    Raises:
        OutOfTime: if the deadline passed before the first decision was graded.
        Overloaded: if the solve queue is full.
    """
    stop_at = context.stop_at(played.deadline_ms)
    graded: list[JudgedDecision[Play, Choice]] = []
    latest: dict[str, JudgedDecision[Play, Choice]] = {}
    cost: SolveCost | None = None
    nodes = 0
    for past in played.decisions:
        try:
            cached = context.solutions.solve_turn(
                definition.rules, endpoint.search_game, past.question, stop_at
            )
            if not cached.solution.complete:
                raise OutOfTime
        except (OutOfTime, Overloaded):
            if not graded:
                raise
            break
        hint = turn_expectimax.render_turn_hint(cached.solution, past.question, played.players)
        player = past.question.player
        graded.append(judge(past, hint, latest.get(player)))
        latest[player] = graded[-1]
        nodes += cached.solution.nodes
        cost = cost + cached.cost if cost else cached.cost
    complete = len(graded) == len(played.decisions)
    review = TurnsReview(
        decisions=graded,
        accounts=accounts(played, graded, complete=complete),
        method=turn_expectimax.METHOD,
        complete=complete,
        nodes=nodes,
    )
    return OperationResponse(endpoint.render(played, review), complete, cost)
