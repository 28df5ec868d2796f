"""Properties of strategies in games with any payoffs."""

from __future__ import annotations

import time
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from service.core.violations import OutOfTime
from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import CertifiedProfile, solve_equilibrium
from service.solver.equilibrium.quantal_response import logit_response, solve_quantal
from tests import randomized
from tests.solver.matrix_games import (
    ArrayGame,
    epsilons,
    random_mixture,
    random_shape,
    random_table,
    switch_compilation_off,
    symmetric_table,
    table_of,
    values,
)

SEED = randomized.seed(7)
EFFORTS = ("quick", "standard", "deep")
NUMBERS = pytest.mark.parametrize("number", randomized.case_numbers(8, 24))
properties, properties_of_a_model = randomized.Properties(), randomized.Properties()
each_model = pytest.mark.parametrize("model", ["equilibrium", "quantal"])


def random_game(number: int) -> tuple[np.random.Generator, ArrayGame]:
    random = np.random.default_rng([SEED, 1, number])
    table = random_table(random, random_shape(random, 2 + number % 4))
    print(f"SEED={SEED}", number, table.shape)
    return random, ArrayGame(table)


def solve(
    stage_game: ArrayGame, model: str = "equilibrium", effort: str = "standard", allowed: Any = None
) -> CertifiedProfile:
    allowed = allowed or (None,) * len(stage_game.players)
    if model == "quantal":
        return solve_quantal(stage_game, allowed, 2.0, EQUILIBRIUM_BUDGET, WorkMeter(None))[0]
    return solve_equilibrium(stage_game, allowed, EQUILIBRIUM_BUDGET, WorkMeter(None))


@properties_of_a_model
def rounded_probabilities_sum_to_exactly_one(number: int, model: str):
    _, stage_game = random_game(number)
    for own, count in zip(solve(stage_game, model).strategies, stage_game.counts, strict=True):
        assert own.shape == (count,)
        assert own.min() >= 0.0
        assert sum(Decimal(repr(float(chance))) for chance in own) == 1


@properties_of_a_model
def epsilon_is_that_of_the_rounded_strategies(number: int, model: str):
    _, stage_game = random_game(number)
    solution = solve(stage_game, model, EFFORTS[number % 3])
    assert solution.epsilon == pytest.approx(
        max(epsilons(table_of(stage_game), solution.strategies)), abs=1e-12
    )


@properties
def a_larger_budget_does_not_increase_epsilon_much(number: int):
    """Dropping rare actions may cost a little at each effort."""
    _, stage_game = random_game(number)
    solution = {effort: solve(stage_game, effort=effort).epsilon for effort in EFFORTS}
    hardly = 2e-4 * np.ptp(stage_game.payoffs)
    assert (
        solution["standard"] <= max(solution["quick"], 1e-3 * np.ptp(stage_game.payoffs)) + hardly
    )
    assert solution["deep"] <= max(solution["standard"], 1e-4 * np.ptp(stage_game.payoffs)) + hardly


@properties
def the_probability_of_a_dominated_move_is_bounded_by_epsilon(number: int):
    """A player who plays it with probability p gains p times the margin by leaving it."""
    random, stage_game = random_game(number)
    table, margin = table_of(stage_game).copy(), 0.25
    player = int(random.integers(len(table)))
    own = np.moveaxis(table[player], player, 0)
    worse = own[:1] - margin - random.random(own[:1].shape)
    more = np.concatenate([table, np.take(table, [0], axis=player + 1)], axis=player + 1)
    more[player] = np.moveaxis(np.concatenate([own, worse]), 0, player)
    solution = solve(ArrayGame(more), effort=EFFORTS[number % 3])
    assert solution.strategies[player][-1] * margin <= solution.epsilon + 1e-9


@pytest.mark.parametrize("number", randomized.case_numbers(4, 12))
@each_model
def test_symmetric_players_get_strategies_with_equal_bits(number: int, model: str):
    random = np.random.default_rng([SEED, 2, number])
    players, moves = ((2, 6), (3, 5), (4, 3), (5, 3))[number % 4]
    stage_game = ArrayGame(symmetric_table(random, players, moves), (0,) * players)
    solution = solve(stage_game, model, EFFORTS[number % 3])
    assert len({own.tobytes() for own in solution.strategies}) == 1
    assert solution.epsilon == pytest.approx(
        max(epsilons(table_of(stage_game), solution.strategies)), abs=1e-12
    )


@pytest.mark.parametrize("number", range(8))
@each_model
def test_mirrored_moves_have_probabilities_with_equal_bits(number: int, model: str):
    """Two equal actors with three choices each: a joint move equals its mirror image."""
    random = np.random.default_rng([SEED, 3, number])
    mirror = np.arange(9).reshape(3, 3).T.ravel()
    table = random_table(random, (9, 4))
    table = (table + table[:, mirror]) / 2
    solution = solve(ArrayGame(table, mirrors={0: mirror}), model, EFFORTS[number % 3])
    assert solution.strategies[0].tobytes() == solution.strategies[0][mirror].tobytes()
    assert sum(Decimal(repr(float(chance))) for chance in solution.strategies[0]) == 1


# Given strategies -----------------------------------------------------------------------------


@properties_of_a_model
def a_given_strategy_stays_and_does_not_count_for_epsilon(number: int, model: str):
    random, stage_game = random_game(number)
    given = random_mixture(random, stage_game.counts[0])
    allowed = [given[None], *[None] * (len(stage_game.players) - 1)]
    solution = solve(stage_game, model, allowed=allowed)
    np.testing.assert_allclose(solution.strategies[0], given, rtol=0, atol=1.01e-9)
    others = epsilons(table_of(stage_game), solution.strategies)[1:]
    assert solution.epsilon == pytest.approx(max(others), abs=1e-12)


@pytest.mark.parametrize("number", range(8))
def test_a_player_with_allowed_mixtures_mixes_only_these(number: int):
    """One of two actors with two and three choices is given; the other one chooses."""
    random = np.random.default_rng([SEED, 4, number])
    given = random_mixture(random, 2)
    allowed = np.stack([np.kron(given, row) for row in np.eye(3)])
    stage_game = ArrayGame(random_table(random, (6, 4, 3)))
    solution = solve(stage_game, allowed=[allowed, None, None])
    own = solution.strategies[0].reshape(2, 3)
    np.testing.assert_allclose(own, np.outer(given, own.sum(axis=0)), rtol=0, atol=2e-9)
    worth = values(table_of(stage_game), solution.strategies)
    reachable = (allowed @ worth[0]).max() - solution.strategies[0] @ worth[0]
    expected = max(reachable, *epsilons(table_of(stage_game), solution.strategies)[1:])
    assert solution.epsilon == pytest.approx(expected, abs=1e-12)


# Quantal responses ----------------------------------------------------------------------------


@properties
def the_residual_is_the_distance_of_rounded_probabilities_from_the_response(number: int):
    _, stage_game = random_game(number)
    solution, residual = solve_quantal(
        stage_game,
        (None,) * len(stage_game.players),
        2.0,
        EQUILIBRIUM_BUDGET,
        WorkMeter(None),
    )
    worst = 0.0
    for own, value in zip(
        solution.strategies, values(table_of(stage_game), solution.strategies), strict=True
    ):
        weights = np.exp(2.0 * (value - value.max()))
        worst = max(worst, np.abs(own - weights / weights.sum()).max())
    assert residual == pytest.approx(worst, abs=1e-12)
    assert residual < 1e-8


def test_a_logit_response_weights_moves_by_their_exponential_values():
    solution = logit_response(np.array([1.0, 0.0, -1000.0]), 2.0)
    assert solution == pytest.approx([1 / (1 + np.exp(-2)), np.exp(-2) / (1 + np.exp(-2)), 0])
    assert logit_response(np.array([3.0]), 40.0).tolist() == [1.0]


# Later decisions ------------------------------------------------------------------------------


@pytest.mark.parametrize("effort", EFFORTS)
@each_model
def test_the_solution_of_a_subgame_counts_in_the_payoffs(effort: str, model: str):
    """The first player may stay at 0 or enter a subgame: it seems to lose 5, but gains 1 / 7."""
    pennies = np.array([[3.0, -1.0], [-2.0, 1.0]])
    stage_game = ArrayGame(
        [[[0.0], [-5.0]], [[0.0], [5.0]]],
        subgames={(1, 0): ((0, 1), np.stack([pennies, -pennies]))},
    )
    solution = solve(stage_game, model, effort)
    assert solution.subgames_solved
    [mixture] = stage_game.solutions.values()
    assert mixture == pytest.approx([3 / 7, 4 / 7, 2 / 7, 5 / 7], abs=0.02)
    assert stage_game.payoffs[0, 1] == pytest.approx(1 / 7, abs=0.05)
    assert stage_game.payoffs[1, 1] == -stage_game.payoffs[0, 1]
    goes = 1.0 if model == "equilibrium" else 1 / (1 + np.exp(-2 * stage_game.payoffs[0, 1]))
    assert solution.strategies[0][1] == pytest.approx(goes, abs=1e-8)


@pytest.mark.parametrize("number", randomized.case_numbers(4, 12))
@each_model
def test_symmetric_players_get_equal_payoffs_from_a_subgame(number: int, model: str):
    """The subgame is symmetric except for rounding noise."""
    random = np.random.default_rng([SEED, 6, number])
    players = 2 + number % 2
    inner = symmetric_table(random, players, 9 - 3 * (number % 2))
    inner *= 1.0 + 1e-15 * random.random(inner.shape)
    table = np.zeros((players, *[1] * players))
    symmetry_classes = (0,) * players
    stage_game = ArrayGame(
        table, symmetry_classes, subgames={(0,) * players: (range(players), inner)}
    )
    solve(stage_game, model, EFFORTS[number % 3])
    np.testing.assert_allclose(
        stage_game.payoffs[:, 0], stage_game.payoffs[0, 0], rtol=0, atol=1e-9
    )


def test_subgames_out_of_reach_are_not_solved():
    """Waiting is so bad that no single deviation leads to the subgame."""
    table = np.zeros((3, 2, 2, 2))
    table[0, 1], table[1, :, 1], table[2, :, :, 1] = -1.0, -1.0, -1.0
    pennies = np.zeros((3, 2, 2))
    stage_game = ArrayGame(table, subgames={(1, 1, 0): ((0, 1), pennies)})
    solution = solve(stage_game, effort="deep")
    assert [own.tolist() for own in solution.strategies] == [[1.0, 0.0]] * 3
    assert solution.subgames_solved, "the subgame cannot be reached"


# Reproducibility -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
@each_model
def test_results_without_compilation_have_the_same_bits(
    number: int, model: str, monkeypatch: pytest.MonkeyPatch
):
    random = np.random.default_rng([SEED, 5, number])
    table = random_table(random, (3, 2, 2) if number % 2 else (3, 4))
    compiled = solve(ArrayGame(table), model, "quick")
    switch_compilation_off(monkeypatch)
    again = solve(ArrayGame(table), model, "quick")
    assert again.epsilon == compiled.epsilon
    for one, other in zip(again.strategies, compiled.strategies, strict=True):
        assert one.tobytes() == other.tobytes()


@each_model
def test_a_deadline_in_the_past_raises_out_of_time(model: str):
    _, stage_game = random_game(1)
    allowed = (None,) * len(stage_game.players)
    late = WorkMeter(time.monotonic() - 1)
    solve: Any = (
        solve_equilibrium if model == "equilibrium" else partial(solve_quantal, precision=2.0)
    )
    with pytest.raises(OutOfTime):
        solve(stage_game, allowed, budget=EQUILIBRIUM_BUDGET, meter=late)


def test_a_game_without_choices_has_a_solution():
    stage_game = ArrayGame(np.array([2.0, -1.0, 0.0]).reshape(3, 1, 1, 1))
    for model in ("equilibrium", "quantal"):
        solution = solve(stage_game, model)
        assert [own.tolist() for own in solution.strategies] == [[1.0]] * 3
        assert solution.epsilon == 0.0


@NUMBERS
@each_model
def test_a_solution_has_all_properties_of_its_model(number: int, model: str):
    properties_of_a_model.check(number, model)


@NUMBERS
def test_a_solution_has_all_properties(number: int):
    properties.check(number)
