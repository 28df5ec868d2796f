"""Tiers, depth and deadline: what is answered when not everything can be looked at."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from service.core.violations import OutOfTime
from service.games.snow_time.rules.state import Track
from service.solver import budget
from service.solver.budget import SearchBudget
from tests.solver.scenarios import Scenario, answered, first, hint, position

FRUIT = (1, 1, 1, 4, 4, 2)
SMALL = Scenario(position("hb", "hw", "h", fruit=FRUIT, track=None), "red", "points", depth=2)
"""26,884 rounds, most of them in the second round."""


def unsearched(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: found for name, found in answer.items() if name != "search"}


def ticking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A clock that shows how often it was read before; returns its readings."""
    readings: list[int] = []

    def monotonic() -> int:
        readings.append(len(readings))
        return readings[-1]

    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=monotonic))
    return readings


def test_a_deadline_that_has_passed_leaves_nothing_to_answer():
    with pytest.raises(OutOfTime):
        hint(SMALL, stop_at=time.monotonic() - 1)


def test_a_deadline_in_the_second_round_leaves_the_first(monkeypatch: pytest.MonkeyPatch):
    first_round = answered(replace(SMALL, depth=1))
    ticking(monkeypatch)
    found = hint(SMALL, stop_at=2)
    assert (found.search.complete, found.search.depth, found.search.exact) == (False, 1, False)
    assert [move.value for move in found.moves] == [
        move["value"] for move in first_round["moves"].values()
    ]
    assert found.win_shares == first_round["win_shares"]


def test_wherever_the_deadline_falls_the_answer_is_nothing_the_first_round_or_all(
    monkeypatch: pytest.MonkeyPatch,
):
    readings = ticking(monkeypatch)
    whole = hint(SMALL, stop_at=10**9)
    checks = len(readings)
    assert checks > 4, "the clock is read between positions"
    shallow = hint(replace(SMALL, depth=1))
    for stop_at in range(0, checks + 1):
        readings.clear()
        try:
            found = hint(SMALL, stop_at=stop_at)
        except OutOfTime:
            assert stop_at == 0
            continue
        assert found.search.complete == (stop_at == checks)
        assert found.moves == (whole.moves if found.search.complete else shallow.moves)


def test_without_a_deadline_the_clock_is_not_asked(monkeypatch: pytest.MonkeyPatch):
    readings = ticking(monkeypatch)
    assert hint(SMALL).search.complete
    assert readings == []


def test_a_tier_allows_exactly_its_rounds(monkeypatch: pytest.MonkeyPatch):
    whole = answered(SMALL)["search"]
    needed = whole["nodes"] - 2 * answered(replace(SMALL, depth=1))["search"]["nodes"]
    monkeypatch.setitem(budget.SEARCH_BUDGETS, "deep", SearchBudget(needed, 10**6, 10**6, 10**9))
    assert answered(SMALL)["search"] == whole
    monkeypatch.setitem(
        budget.SEARCH_BUDGETS, "deep", SearchBudget(needed - 1, 10**6, 10**6, 10**9)
    )
    cut = answered(SMALL)
    assert (cut["search"]["depth"], cut["search"]["exact"]) == (1, False)
    assert cut["search"]["complete"] is True
    assert unsearched(cut) == unsearched(answered(replace(SMALL, depth=1)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hands", "supply", "reached"),
    [
        (("h", "hb", "hb"), 2, {"quick": 2, "standard": 2, "deep": 2}),
        (("1234567h", "hb", "1234567h"), 0, {"quick": 1, "standard": 2, "deep": 2}),
        (("123h", "45h", "12345h"), 0, {"quick": 1, "standard": 1, "deep": 2}),
        (("1234567hwb",) * 3, 2, {"quick": 1, "standard": 1, "deep": 1}),
    ],
)
def test_more_work_is_done_in_a_deeper_tier(
    hands: tuple[str, ...], supply: int, reached: dict[str, int]
):
    fruit = (1, 3, 2, 3 - supply, 4, 2)
    scenario = Scenario(position(*hands, fruit=fruit, track=None), "red", "points", depth=2)
    answers = {effort: answered(replace(scenario, effort=effort)) for effort in reached}
    assert {effort: found["search"]["depth"] for effort, found in answers.items()} == reached
    for effort, found in answers.items():
        assert found["search"]["exact"] is (reached[effort] == 2)
        assert found["search"]["effort"] == effort
        twins = [other for other in answers if reached[other] == reached[effort]]
        assert all(unsearched(answers[other]) == unsearched(found) for other in twins)


def test_depth_three_says_how_far_it_came():
    scenario = replace(SMALL, depth=3)
    answer = answered(scenario)
    assert answer["search"]["depth"] == 2
    assert answer["search"]["complete"] is True
    assert answer["search"]["exact"] is False
    assert unsearched(answer) == unsearched(answered(SMALL))


@pytest.mark.parametrize("objective", ["points", "lead"])
def test_gains_of_the_asked_depth_are_exact(objective: str):
    for depth in (1, 2):
        search = answered(replace(SMALL, objective=objective, depth=depth))["search"]
        assert (search["exact"], search["depth"], "epsilon" in search) == (True, depth, False)
        assert search["unsearched"] == 0.0


def test_a_share_that_was_preferred_to_an_estimate_is_not_exact():
    # Both rounds are forced but for red's second card.  First: blue's 1 is buried by green's
    # blizzard, red heals.  Second: red has all champions back, blue plays blizzard or healer,
    # green the healer.  A champion of red decides the game in every line: it wins by mana, or
    # the blizzard wins by it: 1/2.  Red's healer leaves the game open, and an estimate of less
    # than 1/2 is the only reason not to play it.
    state = position("h", "1hb", "hb", scores=(4, 4, 3), track=Track(5, ()))
    weights = {"blue": {first("1"): 1.0}, "green": {first("b"): 1.0}}
    answer = answered(Scenario(state, "red", "win", depth=2, weights=weights))
    assert [found["value"] for found in answer["moves"].values()] == [0.5]
    assert answer["search"]["exact"] is False


def test_what_is_resolved_is_counted():
    # Final cards by seat: nothing or blizzard, nothing (the watcher can add the healer alone),
    # nothing.  Two rounds.
    assert answered(replace(SMALL, depth=1))["search"]["nodes"] == 2


@pytest.mark.slow
def test_at_deep_ten_million_rounds_decide_and_not_how_many_ways_lead_to_a_position():
    # Nearly all of the million joint lines end the game, so that little is left to look at.
    scenario = Scenario(
        position(*["1234567hw"] * 5, scores=(29,) * 5, fruit=(15, 0, 0, 0, 0, 0)),
        "red",
        "points",
        depth=2,
        effort="deep",
    )

    search = answered(scenario)["search"]

    assert (search["depth"], search["exact"]) == (2, True)
    assert search["nodes"] < 10_000_000
