"""Effort and depth: results of a search that cannot be complete."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.snow_time.rules.state import Track
from service.solver import budget
from service.solver.budget import SearchBudget
from tests.solver.scenarios import Scenario, first, position, rendered_hint

FRUIT = (1, 1, 1, 4, 4, 2)
SMALL = Scenario(position("hb", "hw", "h", fruit=FRUIT, track=None), "red", "points", depth=2)
"""26,884 rounds, most of them in the second round."""


def without_search(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "search"}


def test_a_budget_allows_exactly_its_rounds(monkeypatch: pytest.MonkeyPatch):
    whole = rendered_hint(SMALL)["search"]
    needed = whole["nodes"] - 2 * rendered_hint(replace(SMALL, depth=1))["search"]["nodes"]
    budgets = [SearchBudget(rounds, 10**6, 10**6, 10**9) for rounds in (needed, needed - 1)]
    monkeypatch.setitem(budget.SEARCH_BUDGETS, "deep", budgets[0])
    assert rendered_hint(SMALL)["search"] == whole
    monkeypatch.setitem(budget.SEARCH_BUDGETS, "deep", budgets[1])
    cut = rendered_hint(SMALL)
    assert (cut["search"]["depth"], cut["search"]["exact"]) == (1, False)
    assert cut["search"]["complete"] is True
    assert without_search(cut) == without_search(rendered_hint(replace(SMALL, depth=1)))


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
def test_a_larger_effort_searches_deeper(
    hands: tuple[str, ...], supply: int, reached: dict[str, int]
):
    fruit = (1, 3, 2, 3 - supply, 4, 2)
    scenario = Scenario(position(*hands, fruit=fruit, track=None), "red", "points", depth=2)
    answers = {effort: rendered_hint(replace(scenario, effort=effort)) for effort in reached}
    assert {effort: answer["search"]["depth"] for effort, answer in answers.items()} == reached
    for effort, answer in answers.items():
        assert answer["search"]["exact"] is (reached[effort] == 2)
        assert answer["search"]["effort"] == effort
        twins = [other for other in answers if reached[other] == reached[effort]]
        assert all(without_search(answers[other]) == without_search(answer) for other in twins)


def test_the_result_at_depth_three_states_the_reached_depth():
    scenario = replace(SMALL, depth=3)
    answer = rendered_hint(scenario)
    assert answer["search"]["depth"] == 2
    assert answer["search"]["complete"] is True
    assert answer["search"]["exact"] is False
    assert without_search(answer) == without_search(rendered_hint(SMALL))


@pytest.mark.parametrize("objective", ["points", "lead"])
def test_gains_at_the_requested_depth_are_exact(objective: str):
    for depth in (1, 2):
        search = rendered_hint(replace(SMALL, objective=objective, depth=depth))["search"]
        assert (search["exact"], search["depth"], "epsilon" in search) == (True, depth, False)
        assert search["unsearched"] == 0.0


def test_a_share_preferred_to_an_estimate_is_not_exact():
    # Both rounds are forced but for red's second card.  First: blue's 1 is buried by green's
    # blizzard, red heals.  Second: red has all champions back, blue plays blizzard or healer,
    # green the healer.  A champion of red decides the game in every line: it wins by mana, or
    # the blizzard wins by it: 1/2.  Red's healer leaves the game open, and an estimate of less
    # than 1/2 is the only reason not to play it.
    state = position("h", "1hb", "hb", scores=(4, 4, 3), track=Track(5, ()))
    weights = {"blue": {first("1"): 1.0}, "green": {first("b"): 1.0}}
    answer = rendered_hint(Scenario(state, "red", "win", depth=2, weights=weights))
    assert [answer["value"] for answer in answer["moves"].values()] == [0.5]
    assert answer["search"]["exact"] is False


def test_resolved_rounds_are_counted():
    # Final cards by seat: nothing or blizzard, nothing (the watcher can add the healer alone),
    # nothing.  Two rounds.
    assert rendered_hint(replace(SMALL, depth=1))["search"]["nodes"] == 2


@pytest.mark.slow
def test_the_deep_budget_limits_rounds_and_not_joint_lines():
    # Nearly all of the million joint lines end the game, so there are few positions to search.
    state = position(*["1234567hw"] * 5, scores=(29,) * 5, fruit=(15, 0, 0, 0, 0, 0))
    search = rendered_hint(Scenario(state, "red", "points", depth=2))["search"]
    assert (search["depth"], search["exact"]) == (2, True)
    assert search["nodes"] < 10_000_000
