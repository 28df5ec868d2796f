"""Parts of payoffs, against plain sums over the results by the rules."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from service.games.snow_time.engine.parts import PARTS
from service.games.snow_time.rules.resolution import resolve
from service.solver.budget import WorkMeter
from service.solver.objectives import objective_values
from service.solver.search.best_response import _goal as goal_of
from service.solver.search.expectimax import move_outcomes_and_parts
from tests.games.snow_time.engine.plain_normal_form import (
    LATE,
    OBJECTIVES,
    PlainNormalForm,
    asked,
    random_normal_form,
)
from tests.games.snow_time.engine.plain_parts import NAMES, plain_parts
from tests.games.snow_time.engine.profile_table import ProfileTable
from tests.games.snow_time.engine.reference_parts import ReferenceWithParts
from tests.games.snow_time.engine.test_two_steps import ONE_STEP, TWO_STEPS, model_of
from tests.games.snow_time.positions import move, position
from tests.randomized import case_numbers
from tests.solver.scenarios import Scenario, first, random_scenario
from tests.solver.scenarios import position as small_position
from tests.solver.search.reference_expectimax import Outcome

WITHIN = 1e-9
SEEDS = case_numbers(6, 40)

BY_HAND = {
    "three watchers": position("35hw", "46hw", "hwb", fruit={4: 2, 6: 1}, on=None),
    "the last round": position("24hw", "3h", "hb", "56h", scores=(8, 7, 8, 6), on=LATE),
    "two seats each": position("5hw", "4hb", "hw", "6h", fruit={5: 2}, players="abab"),
    "two seats each, the last round": position(
        "5h", "4h", "3h", "6h", fruit={5: 2, 6: 1}, players="aabb", on=LATE, scores=(7, 8, 8, 7)
    ),
}
CASES = [f"{name} | {objective}" for name in BY_HAND for objective in OBJECTIVES] + [
    f"seed {seed}" for seed in SEEDS
]


@cache
def plain_of(case: str) -> PlainNormalForm:
    name, _, objective = case.partition(" | ")
    if objective:
        return asked(BY_HAND[name], objective)
    return random_normal_form(int(name.removeprefix("seed ")), most=800)


@pytest.mark.parametrize("case", CASES)
def test_parts_are_the_expectations_of_plain_parts_and_sum_to_the_difference(case: str):
    plain = plain_of(case)
    table = ProfileTable(plain, seed=7)
    table.settle(0.6)
    joint, together = table.joint, np.concatenate(table.strategies)
    by_move = joint.payoffs.reshape(len(joint.players), *joint.counts)
    for asker, player in enumerate(joint.players):
        found, values = joint.parts(asker, together), by_move[asker]
        for number, results in enumerate(table.results(asker)):
            expected = dict.fromkeys(NAMES, 0.0)
            for moves, chance in results:
                complete = tuple(moves[seat.name] for seat in plain.state.seats)
                resolution = resolve(plain.state, complete)
                own = plain_parts(
                    plain.state, resolution.state, resolution.points, player, plain.objective
                )
                for name, amount in own.items():
                    expected[name] += chance * amount
            parts = dict(zip(PARTS, found[number], strict=True))
            assert parts == pytest.approx(expected, abs=WITHIN)
        for other in reversed(range(len(joint.players))):
            if other != asker:
                values = np.moveaxis(values, other, -1) @ table.strategies[other]
        sums = found.sum(axis=1)
        np.testing.assert_allclose(sums - sums[0], values - values[0], rtol=0, atol=1e-12)


UNIFORM = {
    "watchers and healers": Scenario(
        small_position("5hw", "hwb", "hw", fruit=(0, 0, 0, 2, 1, 0), track=None), "red", "win"
    ),
    "lead": Scenario(small_position("hwb", "hw", "3hb"), "green", "lead"),
    "after a watcher": Scenario(
        small_position("12hw", "hw", "6hb", fruit=(1, 2, 0, 1, 0, 0)),
        "red",
        "win",
        revealed={"red": first("w"), "blue": first("w"), "green": first("6")},
    ),
    "the last round": Scenario(
        small_position("hwb", "hw", "4hb", scores=(28, 29, 28)), "red", "win"
    ),
    "two seats each": Scenario(small_position("hw", "4h", "hb", "h", owners="abab"), "a", "win"),
}


@cache
def reference_of(scenario: str) -> list[Outcome]:
    """Return the outcomes of the moves by the rules."""
    own = uniform_scenario(scenario)
    reference = ReferenceWithParts(own.player, own.objective)
    moves = reference.moves(own.state, own.revealed, own.weights, own.depth)
    return [outcome for _, outcome in moves]


def uniform_scenario(case: str) -> Scenario:
    return UNIFORM.get(case) or random_scenario(int(case.split()[1]), most_lines=300)


@pytest.mark.parametrize("steps", [ONE_STEP, TWO_STEPS])
@pytest.mark.parametrize("case", [*UNIFORM, *(f"seed {seed}" for seed in SEEDS[::2])])
def test_parts_against_fixed_strategies_are_those_of_the_rules(
    case: str, steps: int, monkeypatch: pytest.MonkeyPatch
):
    module = "service.games.snow_time.engine.best_response.model.TWO_STEP_LINES"
    monkeypatch.setattr(module, steps)
    scenario = uniform_scenario(case)
    model = model_of(scenario)
    goal = goal_of(model, scenario.question, WorkMeter(None))
    outcomes, found = move_outcomes_and_parts(model, goal, scenario.depth)
    values = objective_values(outcomes, goal.weights)
    for number, outcome in enumerate(reference_of(case)):
        parts = {name: outcome["part", name] for name in NAMES}
        assert dict(zip(PARTS, found[number], strict=True)) == pytest.approx(parts, abs=WITHIN)
    if scenario.depth == 1:
        sums = found.sum(axis=1)
        np.testing.assert_allclose(sums - sums[0], values - values[0], rtol=0, atol=1e-12)


def test_parts_of_two_rounds_are_those_of_the_first_one():
    """Nobody decides after the cards, so later rounds change no choice of the first one."""
    state = small_position("34567h", "1234567h", "1234567h", scores=(28, 29, 29))
    found = []
    for depth in (1, 2):
        scenario = Scenario(state, "red", "win", depth=depth)
        goal = goal_of(model_of(scenario), scenario.question, WorkMeter(None))
        found.append(move_outcomes_and_parts(model_of(scenario), goal, depth)[1])
    cards = slice(5)
    np.testing.assert_allclose(found[0][cards], found[1][cards], rtol=0, atol=1e-12)


def parts_of(table: ProfileTable, player: str, word: str) -> dict[str, float]:
    """Return the parts of a move if every other player plays its first move."""
    asker = table.joint.players.index(player)
    pure = np.concatenate([np.eye(count)[0] for count in table.joint.counts])
    number = [next(iter(own.values())) for own in table.joint.moves(asker)].index(move(word))
    return dict(zip(PARTS, table.joint.parts(asker, pure)[number].tolist(), strict=True))


def test_a_spent_watcher_and_a_spent_blizzard_have_their_own_parts():
    table = ProfileTable(asked(position("1hwb", "5h", "7h", players=""), "win"), seed=1)
    assert parts_of(table, "a", "b")["blizzard"] < 0.0 == parts_of(table, "a", "b")["watcher"]
    assert parts_of(table, "a", "w")["watcher"] < 0.0 == parts_of(table, "a", "w")["blizzard"]


def test_a_lost_champion_is_a_part_of_its_own():
    table = ProfileTable(asked(position("4h", "5h", "7h"), "win"), seed=1)
    assert parts_of(table, "a", "4")["champions"] < 0.0
    assert parts_of(table, "a", "4")["others_spaces"] < 0.0
