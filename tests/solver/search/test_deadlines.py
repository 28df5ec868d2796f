"""Deadlines in a search: there is a result as soon as there is any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

from service.core.hints import Hint
from service.core.violations import OutOfTime
from service.games.snow_time.rules.state import Move, Track
from service.solver import budget
from tests.solver.scenarios import Scenario, hint, position
from tests.solver.test_budget import SMALL

Until = Callable[[Scenario, int | None], tuple[Hint[Move], int]]
NEVER = 10**9
MANY = ("123hw", "45hwb", "67hw")
"""Several watchers may meet, so that every part of the search is used."""
each_model = pytest.mark.parametrize("model", ["equilibrium", "quantal"])


def question(
    model: str, hands: tuple[str, ...] = MANY, effort: str = "standard", depth: int = 1
) -> Scenario:
    state = position(*hands, scores=(5, 3, 4), fruit=(1, 0, 2, 0, 0, 1), track=Track(12, ()))
    return Scenario(state, "red", "win", depth=depth, effort=effort, model=model)


@pytest.fixture
def until(monkeypatch: pytest.MonkeyPatch) -> Until:
    """Return a hint with a deadline at a reading of the clock, and the number of readings."""

    def hint_until(asked: Scenario, reading: int | None) -> tuple[Hint[Move], int]:
        readings = count(1)
        monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: next(readings)))
        return hint(asked, reading), next(readings) - 1

    return hint_until


@each_model
@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_only_a_deadline_before_the_search_raises_out_of_time(
    model: str, effort: str, until: Until
):
    asked = question(model, effort=effort)
    whole, checks = until(asked, NEVER)
    assert whole.search.complete
    assert checks > 10
    for reading in sorted({3, 4, 5, checks // 4, checks // 2, 3 * checks // 4, checks - 1}):
        early, _ = until(asked, reading)
        print(reading, early.search)
        assert not early.search.complete
        for mixture in early.strategies.values():
            assert sum(chance for _, chance in mixture) == pytest.approx(1.0, abs=1e-8)
    assert until(asked, checks + 1)[0] == whole
    with pytest.raises(OutOfTime):
        until(asked, 1)


@each_model
def test_more_time_does_not_make_the_result_worse(model: str, until: Until):
    whole, checks = until(question(model), NEVER)
    early, late = (until(question(model), reading)[0] for reading in (3, checks - 1))
    if model == "quantal":
        assert whole.search.quantal_residual < 1e-7 < early.search.quantal_residual
    else:
        assert late.search.epsilon <= early.search.epsilon


@pytest.mark.slow
@pytest.mark.parametrize("model", ["equilibrium", "quantal", "level-1"])
def test_a_deadline_in_the_second_round_returns_the_first_round(model: str, until: Until):
    asked = question(model, ("2hw", "4h", "6h"), "deep", depth=2)
    shallow, checks = until(replace(asked, depth=1), NEVER)
    _, all_checks = until(asked, NEVER)
    assert all_checks > 10 * checks
    for reading in (checks + 2, (checks + all_checks) // 2):
        early, _ = until(asked, reading)
        assert (early.search.complete, early.search.depth) == (False, 1)
        assert (early.moves, early.strategies) == (shallow.moves, shallow.strategies)


def test_any_deadline_gives_no_result_the_first_round_or_the_whole_result(until: Until):
    whole, checks = until(SMALL, NEVER)
    assert checks > 4, "the clock is read between positions"
    shallow, _ = until(replace(SMALL, depth=1), NEVER)
    with pytest.raises(OutOfTime):
        until(SMALL, 1)
    for reading in range(2, checks + 2):
        result, complete = until(SMALL, reading)[0], reading > checks
        assert result == (whole if complete else replace(shallow, search=result.search))
        assert (result.search.complete, result.search.depth) == (complete, 1 + complete)
        assert result.search.exact == complete


def test_without_a_deadline_the_clock_is_not_read(until: Until):
    result, readings = until(SMALL, None)
    assert result.search.complete
    assert readings == 0
