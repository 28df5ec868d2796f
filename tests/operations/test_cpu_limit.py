"""The CPU time of one request is limited, and an answer that was cut says so."""

from __future__ import annotations

import time
from contextlib import nullcontext
from itertools import count, islice
from typing import Any

import pytest
from expensive.bodies import bodies
from expensive.measuring import cost_of

from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute, parse
from service.operations.solution_cache import SolutionCache, Solutions
from service.solver.budget import CPU_LIMITS_S, WorkMeter, cpu_limit, is_over
from tests import randomized
from tests.operations.bodies import suggest_body
from tests.operations.caches import single_flight
from tests.rich_requests import RICH

TARGETS_S = {"quick": 1.0, "standard": 3.0, "deep": 15.0}
BODIES_IN_CI = {"quick": 12, "standard": 6, "deep": 3}
LEGAL = {"complete", "cut", "out-of-time", "deadline-too-short"}
"""The outcomes of legal requests."""
BUSY = 2.0
"""A busy machine needs more CPU time for the same work; an unbounded request takes ten times it."""


def served(
    solutions: SolutionCache, body: Any, game: str = "snow-time", operation: str = "suggest"
) -> OperationResponse:
    own = Solutions(solutions, "a", limited=True)
    return execute(*of(game, operation), body, RequestContext(solutions=own))


def of(game: str, operation: str = "suggest") -> tuple[Any, Any]:
    """Return a game and its endpoint of an operation."""
    [endpoint] = [each for each in GAMES[game].endpoints if each.name == operation]
    return GAMES[game], endpoint


def limit(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    for effort in CPU_LIMITS_S:
        monkeypatch.setitem(CPU_LIMITS_S, effort, seconds)


def test_a_search_stops_at_the_limit_of_its_thread() -> None:
    meter = WorkMeter(None)
    meter.check()
    with cpu_limit(1e-9):
        assert is_over(None)
        assert meter.stop()
        with pytest.raises(OutOfTime):
            meter.check()
    assert not is_over(None)
    with cpu_limit(60.0):
        assert not is_over(None)
        assert is_over(time.monotonic() - 1.0)


@pytest.fixture
def three_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each use of the solve slot cost one second, of three that a request has."""
    ticks = count()
    monkeypatch.setattr("service.operations.solution_cache.cpu_s", lambda: float(next(ticks)))
    monkeypatch.setattr("service.operations.solution_cache.cpu_limit", nullcontext)
    limit(monkeypatch, 3.0)


def test_a_hint_with_too_many_parts_is_cut_and_continues(three_slots: None) -> None:
    solutions = SolutionCache(single_flight())
    body = suggest_body(
        "13h", "24h", "5h", opponents={"model": "equilibrium"}, include=["dice"], effort="quick"
    )
    documents = []
    while not documents or not documents[-1]["search"]["complete"]:
        documents.append(served(solutions, body).document)
        assert len(documents) < 50
    assert len(documents) > 2
    assert "rolls" not in documents[0]
    assert documents[-1] == execute_uncached(body)


def test_rounds_of_a_history_are_left_out_beyond_the_limit(
    three_slots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two solutions and the predictions of the decision itself use up the three seconds."""
    monkeypatch.setitem(CPU_LIMITS_S, "standard", 9.0)
    body = suggest_body("13h", "24h", "5h", effort="quick")
    history = [{"state": body["state"], "moves": {}} for _ in range(3)]
    for place, (card, past) in enumerate(zip("242", history, strict=True)):
        past["moves"] = {"blue": {"card": card}}
        past["state"] = body["state"] | {"fruit": [place, 0, 2, 0, 1, 1]}
    body["opponents"] = {"history": history}
    solutions = SolutionCache(single_flight())
    assert not served(solutions, body).complete
    response = served(solutions, body)
    assert response.complete
    assert response.document == execute_uncached(body)


def execute_uncached(
    body: Any, game: str = "snow-time", operation: str = "suggest"
) -> dict[str, Any]:
    return execute(*of(game, operation), body).document


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers"])
def test_a_review_is_cut_and_continues(game: str, three_slots: None) -> None:
    solutions, body = SolutionCache(single_flight()), RICH[game]["review"]
    documents = []
    while not documents or not documents[-1]["search"]["complete"]:
        documents.append(served(solutions, body, game, "review").document)
    done = [document["progress"]["done"] for document in documents]
    assert len(done) > 1
    assert done == sorted(set(done))
    assert documents[-1] == execute_uncached(body, game, "review")


def test_a_review_without_a_further_step_states_the_way_to_one(
    three_slots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, 0.0)
    with pytest.raises(Rejected) as rejected:
        served(SolutionCache(single_flight()), RICH["snow-time"]["review"], operation="review")
    [violation] = rejected.value.violations
    assert (violation.path, violation.code) == ("/effort", "deadline-too-short")
    assert "higher effort" in violation.detail


def test_requests_without_a_limit_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, 1e-9)
    body = suggest_body("13h", "24h", "5h", opponents={"model": "equilibrium"})
    response = execute(*of("snow-time"), body, RequestContext(solutions=Solutions(client="a")))
    assert response.complete


@pytest.mark.slow
@pytest.mark.parametrize("effort", list(TARGETS_S))
def test_no_legal_body_costs_more_than_its_effort_allows(effort: str) -> None:
    """The nightly profile tries 400 bodies of each effort; ``scripts/expensive_bodies.py`` more."""
    most = randomized.case_count(4, 400, ci=BODIES_IN_CI[effort])
    for body in islice(bodies(randomized.seed(26), (effort,)), most):
        cost = cost_of(body)
        assert cost.cpu_s <= BUSY * TARGETS_S[effort], (body.game, body.operation, body.document)
        assert cost.outcome in LEGAL, (body.game, body.operation, body.document)


@pytest.mark.slow
def test_the_search_asks_for_hints_that_are_legal() -> None:
    """Most of those of Snow Time were refused: what-ifs exist at depth 1 only."""
    for body in islice(bodies(randomized.seed(27)), randomized.case_count(24, 400)):
        if body.operation == "suggest":
            parse(*of(body.game), body.document)
