"""Deadlines in a search: there is a result as soon as there is any."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from service.core.hints import Hint
from service.core.violations import OutOfTime
from service.games.snow_time.rules.state import Move, Track
from service.solver import budget
from tests.solver.scenarios import Scenario, hint, position

HANDS = ("123hw", "45hwb", "67hw")
"""Several watchers may meet, so that every part of the search is used."""


def solve_until(
    model: str,
    reading: int,
    monkeypatch: pytest.MonkeyPatch,
    effort: str = "standard",
    depth: int = 1,
    hands: tuple[str, ...] = HANDS,
) -> tuple[Hint[Move], int]:
    """Return the hint with a deadline at a reading of the clock, and the number of readings."""
    readings = [0]

    def monotonic() -> int:
        readings[0] += 1
        return readings[0]

    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=monotonic))
    state = position(*hands, scores=(5, 3, 4), fruit=(1, 0, 2, 0, 0, 1), track=Track(12, ()))
    asked = Scenario(state, "red", "win", depth=depth, effort=effort, model=model)
    return hint(asked, reading), readings[0]


@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_only_a_deadline_before_the_search_raises_out_of_time(
    model: str, effort: str, monkeypatch: pytest.MonkeyPatch
):
    whole, checks = solve_until(model, 10**9, monkeypatch, effort)
    assert whole.search.complete
    assert checks > 10
    late = sorted({3, 4, 5, checks // 4, checks // 2, 3 * checks // 4, checks - 1})
    for reading in late:
        early, _ = solve_until(model, reading, monkeypatch, effort)
        print(reading, early.search)
        assert not early.search.complete
        for mixture in early.strategies.values():
            assert sum(chance for _, chance in mixture) == pytest.approx(1.0, abs=1e-8)
    assert solve_until(model, checks + 1, monkeypatch, effort)[0] == whole
    with pytest.raises(OutOfTime):
        solve_until(model, 1, monkeypatch, effort)


@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_more_time_does_not_make_the_result_worse(model: str, monkeypatch: pytest.MonkeyPatch):
    whole, checks = solve_until(model, 10**9, monkeypatch)
    early, _ = solve_until(model, 3, monkeypatch)
    late, _ = solve_until(model, checks - 1, monkeypatch)
    if model == "quantal":
        assert whole.search.quantal_residual < 1e-7 < early.search.quantal_residual
    else:
        assert late.search.epsilon <= early.search.epsilon


@pytest.mark.slow
@pytest.mark.parametrize("model", ["equilibrium", "quantal", "level-1"])
def test_a_deadline_in_the_second_round_returns_the_first_round(
    model: str, monkeypatch: pytest.MonkeyPatch
):
    few = ("2hw", "4h", "6h")
    shallow, checks = solve_until(model, 10**9, monkeypatch, "deep", 1, few)
    _, all_checks = solve_until(model, 10**9, monkeypatch, "deep", 2, few)
    assert all_checks > 10 * checks
    for reading in (checks + 2, (checks + all_checks) // 2):
        early, _ = solve_until(model, reading, monkeypatch, "deep", 2, few)
        assert (early.search.complete, early.search.depth) == (False, 1)
        assert (early.moves, early.strategies) == (shallow.moves, shallow.strategies)
