"""Progress of reviews: every call gets further, and it is total exactly at the end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.core.violations import COMPILING, ClientGone, OutOfTime, Overloaded, Rejected
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute, parse
from service.operations.review_run import LONG_SOLVE_MS, ReviewRun
from service.operations.solution_cache import SolutionCache, Solutions
from service.operations.solve_queue import SolveQueue
from tests.operations.caches import single_flight
from tests.rich_requests import RICH

each_game = pytest.mark.parametrize("game", list(GAMES))


class Limited(Solutions):
    """Computes a number of solutions, then raises an error; cached ones need none of them."""

    def __init__(self, cached: bool = True) -> None:
        super().__init__(SolutionCache(single_flight() if cached else None))
        self.left = 0
        self.error: Exception = OutOfTime()

    def _compute(self, *arguments: Any) -> Any:
        if not self.left:
            raise self.error
        self.left -= 1
        return super()._compute(*arguments)


def request_of(game: str) -> tuple[Any, Any, Any]:
    definition = GAMES[game]
    [endpoint] = [each for each in definition.endpoints if each.name == "review"]
    return definition, endpoint, json.loads(json.dumps(RICH[game]["review"]))


def reviewed(game: str, solutions: Solutions, **context: Any) -> OperationResponse:
    return execute(*request_of(game), RequestContext(solutions=solutions, **context))


@each_game
@pytest.mark.parametrize("error", [OutOfTime(), Overloaded("queue-full")], ids=repr)
def test_every_call_gets_further_until_the_progress_is_total(game: str, error: Exception) -> None:
    solutions = Limited()
    solutions.error = error
    parts = []
    while not parts or not parts[-1]["search"]["complete"]:
        solutions.left = 3
        parts.append(reviewed(game, solutions).document)
    done = [part["progress"]["done"] for part in parts]
    assert done == sorted(set(done))
    assert {part["progress"]["total"] for part in parts} == {done[-1]}
    solutions.left = 0
    assert reviewed(game, solutions).document == parts[-1]


@each_game
def test_a_call_that_solves_nothing_states_a_sufficient_deadline(game: str) -> None:
    solutions = Limited()
    solutions.left = 1
    assert reviewed(game, solutions).complete is False
    with pytest.raises(Rejected) as rejected:
        reviewed(game, solutions)
    [violation] = rejected.value.violations
    assert (violation.path, rejected.value.code) == ("/deadline_ms", "deadline-too-short")
    assert "Send `deadline_ms` of at least 200, or request" in violation.detail
    solutions.error = Overloaded("queue-full")
    with pytest.raises(Overloaded):
        reviewed(game, solutions)


@each_game
def test_an_invalid_body_is_not_blamed_on_its_deadline(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More time would not help: what was found before the time was over is reported."""
    monkeypatch.setattr("service.operations.review_run.is_over", lambda _: True)
    definition, endpoint, body = request_of(game)
    with pytest.raises(Rejected) as rejected:
        execute(definition, endpoint, body | {"?": 0}, RequestContext(solutions=Limited()))
    [violation] = rejected.value.violations
    assert (violation.path, rejected.value.code) == ("/?", "invalid-body")
    with pytest.raises(Rejected, match="deadline-too-short"):
        execute(definition, endpoint, body, RequestContext(solutions=Limited()))


@pytest.mark.parametrize(
    ("used_ms", "effort", "remedy"),
    [
        (10, "quick", "at least 200"),
        (10, "standard", "at least 1000"),
        (600, "standard", "at least 2000"),
        (10, "deep", "at least 10000"),
        (14_000, "standard", "at least 30000"),
        (16_000, "standard", "Instead, request"),
    ],
)
def test_the_stated_deadline_is_twice_the_time_used_or_that_of_a_long_solve(
    used_ms: float, effort: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "service.operations.review_run.time.monotonic", lambda: 5.0 + used_ms / 1000.0
    )
    run = ReviewRun(RequestContext(received=5.0), {"effort": effort})
    with pytest.raises(Rejected, match="deadline-too-short") as rejected:
        run.require_solve(OutOfTime())
    assert remedy in rejected.value.violations[0].detail
    assert set(LONG_SOLVE_MS) == {"quick", "standard", "deep"}


@each_game
def test_a_review_yields_its_progress_from_zero_to_total(game: str) -> None:
    steps = parse(*request_of(game)).steps(RequestContext(solutions=Solutions(SolutionCache())))
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            response = end.value
            break
    done = [each.done for each in seen]
    assert done[0] == 0
    assert done == sorted(done)
    assert {each.total for each in seen} == {response.document["progress"]["total"]}
    assert done[-1] == seen[-1].total


@each_game
def test_closing_a_review_stops_it_before_the_next_solution(game: str) -> None:
    solutions = Limited(cached=False)
    solutions.left = 1000
    steps = parse(*request_of(game)).steps(RequestContext(solutions=solutions))
    next(steps)
    next(steps)
    left = solutions.left
    steps.close()
    assert solutions.left == left > 990


@each_game
def test_a_review_stops_when_the_client_is_gone(game: str) -> None:
    solutions = Limited(cached=False)
    solutions.left = 1000
    with pytest.raises(ClientGone):
        reviewed(game, solutions, client_gone=lambda: solutions.left < 1000)
    assert solutions.left == 999


@each_game
def test_a_played_game_is_replayed_in_the_solve_slot(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = SolveQueue(max_waiting=0)
    solutions = Solutions(SolutionCache(queue=queue))
    with queue.slot(None), pytest.raises(Overloaded):
        reviewed(game, solutions)
    assert reviewed(game, solutions).complete


def test_only_a_review_that_is_not_streamed_has_a_default_deadline() -> None:
    for streamed, body, stop_at in [
        (False, {}, 25.0),
        (True, {}, None),
        (False, {"deadline_ms": 1000}, 6.0),
        (True, {"deadline_ms": 1000}, 6.0),
    ]:
        run = ReviewRun(RequestContext(received=5.0, streamed=streamed), body)
        assert run.stop_at == stop_at


class Compiling(Limited):
    """Refuses each second solution, as if a kernel for it were still compiled."""

    refused = False

    def _compute(self, *arguments: Any) -> Any:
        self.refused = not self.refused
        if self.refused:
            raise Overloaded(COMPILING)
        self.left = 1
        return super()._compute(*arguments)


@each_game
def test_a_review_waits_for_its_kernels(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.operations.context.COMPILING_POLL_S", 0.0)
    expected = reviewed(game, Solutions(SolutionCache())).document
    assert reviewed(game, Compiling(), streamed=True).document == expected
