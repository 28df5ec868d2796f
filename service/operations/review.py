"""A game that was played, decision by decision."""

from __future__ import annotations

from service.core.game import Choice
from service.core.sequential import Play
from service.core.turn_reviews import JudgedDecision, TurnsReview
from service.core.violations import OutOfTime, Overloaded, Violation
from service.games.common.validation import Document
from service.games.definition import GameDefinition, ReviewTurns
from service.operations.solution_cache import SolutionCache, SolveCost
from service.solver.review.turns import accounts, judged
from service.solver.search import turn_expectimax


def review_turns(
    entry: GameDefinition,
    verb: ReviewTurns[Play, Choice],
    document: Document,
    faults: list[Violation],
    received: float,
    solves: SolutionCache,
) -> tuple[Document, bool, SolveCost | None]:
    """Judges each decision by the hint that its player would have had.

    Whatever stops it, the decisions judged by then are told; each is kept as a hint is, so that the
    same review asked again goes on from there.

    Args:
        entry: the game.
        verb: how it reads the game played and writes the review.
        document: the body.
        faults: of its shape.
        received: ``time.monotonic()`` when the request came; its deadline counts from there.
        solves: finds the hints.

    Returns:
        the answer, whether it is complete, and what it took; None if nothing was to be judged.

    Raises:
        Rejected: with every fault of the body.
        OutOfTime: if its deadline passed before anything was found.
        Overloaded: if too much is being solved already.
    """
    played = verb.read(document, faults)
    stop_at = received + played.deadline_ms / 1000
    found: list[JudgedDecision[Play, Choice]] = []
    latest: dict[str, JudgedDecision[Play, Choice]] = {}
    took: SolveCost | None = None
    resolved = 0
    for past in played.decisions:
        try:
            one = solves.find_turn(entry.rules, verb.turns, past.question, stop_at)
            if not one.solve.complete:
                raise OutOfTime
        except (OutOfTime, Overloaded):
            if not found:
                raise
            break
        hint = turn_expectimax.tell(one.solve, past.question, played.players)
        player = past.question.player
        found.append(judged(past, hint, latest.get(player)))
        latest[player] = found[-1]
        resolved += one.solve.resolved
        took = one.took if took is None else took.and_also(one.took)
    complete = len(found) == len(played.decisions)
    told = TurnsReview(
        decisions=found,
        accounts=accounts(played, found, complete=complete),
        method=turn_expectimax.METHOD,
        complete=complete,
        resolved=resolved,
    )
    return verb.write(played, told), complete, took
