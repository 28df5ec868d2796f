"""Values of plans, then outcomes of chosen plans, against all outcomes in one step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from service.core.hints import WhatIfs
from service.games.common.display_names import NO_NAMES
from service.games.snow_time.engine.best_response import contracted_rounds
from service.games.snow_time.engine.best_response import model as best_response
from service.games.snow_time.engine.best_response.model import SnowTimeBestResponse
from service.games.snow_time.engine.kernels import contractions, effects, rounds
from service.solver.budget import WorkMeter
from service.solver.hints.hint import compute_hint
from service.solver.objectives import objective_values, objective_weights
from service.solver.search.best_response import move_values, outcomes_of_moves
from tests.games.snow_time.positions import track
from tests.randomized import case_numbers
from tests.solver.scenarios import (
    OBJECTIVES,
    SUGGEST,
    Scenario,
    first,
    owners_of,
    position,
    random_scenario,
)

SEEDS = case_numbers(30, 400)
WITHIN = 1e-9
GAME = SUGGEST.search_game
ONE_STEP, TWO_STEPS = 10**12, 0
FULL = "1234567hwb"
MANA_AT_5 = track(6, (5, "mana", 1))

EXTREME: dict[str, dict[str, Any]] = {
    "equal hands, no fruit: every tie": {"state": position("12hwb", "12hwb", "12hwb", "12hwb")},
    "three full hands": {"state": position(FULL, FULL, FULL, fruit=(1, 0, 2, 0, 1, 0), track=None)},
    "three full hands, each one space from the end": {
        "state": position(FULL, FULL, FULL, scores=(29, 29, 29), track=None)
    },
    "five small hands": {"state": position("1hw", "7hb", "hwb", "h", "34h", fruit=(1,) * 6)},
    "only healers, seven champions to take back": {"state": position("h", "hw", "hb", "h")},
    "two players with two seats each": {
        "state": position("135hw", "24hw", "hwb", "67h", owners="abab", scores=(5, 4, 5, 5),
                          track=MANA_AT_5),
        "player": "a",
    },
    "two players, neighbouring seats arrive together": {
        "state": position("hwb", "5hw", "hb", "67hw", owners="aabb", scores=(5, 5, 5, 5),
                          track=MANA_AT_5),
        "player": "b",
    },
    "after a watcher": {
        "state": position("123hw", "45hw", "67hwb", "hwb", fruit=(1, 2, 0, 1, 0, 0)),
        "revealed": {"red": first("w"), "blue": first("w"), "green": first("7"),
                     "black": first("w")},
    },
    "after a healer": {
        "state": position("12h", "h", "hb", "34h"),
        "revealed": dict.fromkeys(("red", "blue", "green", "black"), first("h")),
    },
    "weights with zeros": {
        "state": position("135hw", "24hw", "6hwb", fruit=(0, 1, 0, 0, 0, 1), track=None),
        "weights": {"blue": {first("2"): 3.0, first("w"): 1.0}, "green": {first("w"): 1.0}},
    },
}  # fmt: skip


def cases() -> Iterator[str]:
    yield from (f"{name} | {objective}" for name in EXTREME for objective in OBJECTIVES)
    yield from (f"seed {seed}" for seed in SEEDS)


every_case = pytest.mark.parametrize("case", list(cases()))


def scenario_of(case: str) -> Scenario:
    name, _, objective = case.partition(" | ")
    if not objective:
        return random_scenario(int(name.removeprefix("seed ")), most_lines=30_000)
    return Scenario(objective=objective, **{"player": "red"} | EXTREME[name])


def model_of(scenario: Scenario) -> SnowTimeBestResponse:
    model = GAME.best_response_model(scenario.question)
    assert isinstance(model, SnowTimeBestResponse)
    return model


@pytest.fixture
def threshold(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that sets how many joint lines a round in two steps has."""
    return lambda lines: monkeypatch.setattr(best_response, "TWO_STEP_LINES", lines)


@every_case
def test_both_ways_have_the_same_outcomes_and_values(case: str, threshold: Any):
    scenario = scenario_of(case)
    question, model = scenario.question, model_of(scenario)
    threshold(ONE_STEP)
    assert not model.two_steps
    _, expected = outcomes_of_moves(GAME, question, WorkMeter(None))
    weights = objective_weights(question.objective, model.columns, model.asker, len(model.players))
    threshold(TWO_STEPS)
    assert model.two_steps
    meter = WorkMeter(None)
    _, outcomes = outcomes_of_moves(GAME, question, meter)
    values = move_values(model, question, WorkMeter(None))
    print(scenario)
    np.testing.assert_allclose(outcomes, expected, rtol=0, atol=WITHIN)
    np.testing.assert_allclose(values, objective_values(expected, weights), rtol=0, atol=WITHIN)
    assert meter.nodes == model.rounds


@pytest.mark.parametrize("hands", [("1234567hwb",) * 3 + ("5h",), ("123456hb",) * 4])
@pytest.mark.parametrize("name", ["uniform", "level-1"])
def test_hints_do_not_depend_on_the_way_at_the_switch(hands: Any, name: str, threshold: Any):
    """The tables are about as large as the smallest ones that are computed in two steps."""
    state = position(*hands, scores=(7, 9, 8, 3), fruit=(1, 0, 2, 0, 1, 0), track=None)
    question = replace(Scenario(state, "red", "win").question, model=name)
    merged = model_of(Scenario(state, "red", "win"))._packed_round.merged
    lines = len(merged.plans) * int(merged.counts[1:].prod())
    switch = best_response.TWO_STEP_LINES
    assert switch / 4 < lines < 4 * switch
    documents = []
    for more in (0, 1):
        threshold(lines + more)
        hint = compute_hint(GAME, question, owners_of(state))
        documents.append(SUGGEST.render(question, hint, WhatIfs(), "en", NO_NAMES))
    assert documents[0] == documents[1]


SMALL = [case for case in EXTREME if "full" not in case and "every tie" not in case]


@pytest.mark.parametrize("case", SMALL)
def test_outcomes_where_plans_are_taken_are_parts_of_all_outcomes(case: str):
    """Each plan is taken at random labels; all outcomes are those of the other way."""
    model = model_of(scenario_of(f"{case} | win"))
    random = np.random.default_rng(1)
    plans = range(len(model._packed_round.merged.plans))
    weights = objective_weights("win", model.columns, model.asker, len(model.players))
    values = model.plan_values(weights, True, plans)
    everywhere = model.plan_outcomes([None] * len(plans))
    columns = model.columns
    for share in (0.0, 0.3, 1.0):
        taken: list[Any] = [random.random(values.values[plan].shape) < share for plan in plans]
        outcomes = model.plan_outcomes(taken)
        rest = model.plan_outcomes([~where for where in taken])
        np.testing.assert_allclose(outcomes + rest, everywhere, rtol=0, atol=1e-12)
        if share in (0.0, 1.0):
            assert np.array_equal(outcomes, everywhere if share else np.zeros_like(everywhere))
        for plan, where in enumerate(taken):
            # The values by label add up to the outcomes of the plan where it is taken.
            for table, column in (
                (values.values[plan], columns.shares.start + model.asker),
                (values.estimated[plan], columns.estimated),
                (values.masses[plan], columns.mass),
            ):
                assert table[where].sum() == pytest.approx(outcomes[plan][column], abs=1e-12)


def test_contract_multiplies_one_axis_by_a_sparse_matrix():
    random = np.random.default_rng(2)
    for before, old, new, after, entries in ((3, 4, 5, 1, 9), (2, 3, 2, 7, 4), (1, 1, 1, 1, 0)):
        values = random.random((before, old, after))
        olds, news = random.integers(old, size=entries), random.integers(new, size=entries)
        weights = random.random(entries)
        out = random.random((before, new, after))
        expected = out.copy()
        for i, entry, k in product(range(before), range(entries), range(after)):
            expected[i, news[entry], k] += weights[entry] * values[i, olds[entry], k]
        contractions.contract(values, olds.astype(np.uint32), news.astype(np.uint32), weights, out)
        assert np.array_equal(out, expected)


@pytest.mark.parametrize("case", SMALL)
def test_uncompiled_kernels_give_identical_bits(case: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(best_response, "TWO_STEP_LINES", TWO_STEPS)

    def everything() -> list[np.ndarray]:
        scenarios = [scenario_of(f"{case} | {objective}") for objective in OBJECTIVES]
        return [outcomes_of_moves(GAME, own.question, WorkMeter(None))[1] for own in scenarios]

    compiled = everything()
    for module in (rounds, effects, contractions):
        for name, function in vars(module).items():
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
    assert contracted_rounds.contractions is contractions
    for one, other in zip(everything(), compiled, strict=True):
        assert one.tobytes() == other.tobytes()
