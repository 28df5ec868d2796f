"""Properties of strategies in games with any payoffs."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.quantal_response import logit_response, solve_quantal
from tests import randomized
from tests.solver.matrix_games import (
    ArrayGame,
    epsilons,
    random_game,
    random_mixture,
    random_table,
    solve,
    switch_compilation_off,
    symmetric_table,
    table_of,
    values,
)

SEED = randomized.seed(7)
NUMBERS = pytest.mark.parametrize("number", randomized.case_numbers(8, 24))
properties, properties_of_a_model = randomized.Properties(), randomized.Properties()
each_model = pytest.mark.parametrize("model", ["equilibrium", "quantal"])


def random_stage(number: int) -> tuple[np.random.Generator, ArrayGame]:
    random, table = random_game(number)
    return random, ArrayGame(table)


@properties_of_a_model
def rounded_probabilities_sum_to_exactly_one(number: int, model: str):
    _, stage_game = random_stage(number)
    for own, count in zip(solve(stage_game, model).strategies, stage_game.counts, strict=True):
        assert own.shape == (count,)
        assert own.min() >= 0.0
        assert sum(Decimal(repr(float(chance))) for chance in own) == 1


@properties
def the_probability_of_a_dominated_move_is_bounded_by_epsilon(number: int):
    """A player who plays it with probability p gains p times the margin by leaving it."""
    random, stage_game = random_stage(number)
    table, margin = table_of(stage_game).copy(), 0.25
    player = int(random.integers(len(table)))
    own = np.moveaxis(table[player], player, 0)
    worse = own[:1] - margin - random.random(own[:1].shape)
    more = np.concatenate([table, np.take(table, [0], axis=player + 1)], axis=player + 1)
    more[player] = np.moveaxis(np.concatenate([own, worse]), 0, player)
    solution = solve(ArrayGame(more))
    assert solution.strategies[player][-1] * margin <= solution.epsilon + 1e-9


@pytest.mark.parametrize("number", randomized.case_numbers(4, 12))
@each_model
def test_symmetric_players_get_strategies_with_equal_bits(number: int, model: str):
    random = np.random.default_rng([SEED, 2, number])
    players, moves = ((2, 6), (3, 5), (4, 3), (5, 3))[number % 4]
    stage_game = ArrayGame(symmetric_table(random, players, moves), (0,) * players)
    assert len({own.tobytes() for own in solve(stage_game, model).strategies}) == 1


@pytest.mark.parametrize("number", range(8))
@each_model
def test_mirrored_moves_have_probabilities_with_equal_bits(number: int, model: str):
    """Two equal actors with three choices each: a joint move equals its mirror image."""
    random = np.random.default_rng([SEED, 3, number])
    mirror = np.arange(9).reshape(3, 3).T.ravel()
    table = random_table(random, (9, 4))
    table = (table + table[:, mirror]) / 2
    own = solve(ArrayGame(table, mirrors={0: mirror}), model).strategies[0]
    assert own.tobytes() == own[mirror].tobytes()
    assert sum(Decimal(repr(float(chance))) for chance in own) == 1


# Given strategies -----------------------------------------------------------------------------


@properties_of_a_model
def a_given_strategy_stays_and_does_not_count_for_epsilon(number: int, model: str):
    random, stage_game = random_stage(number)
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
    _, stage_game = random_stage(number)
    free = [None] * len(stage_game.players)
    solution, residual = solve_quantal(stage_game, free, 2.0, EQUILIBRIUM_BUDGET, WorkMeter(None))
    worth, worst = values(table_of(stage_game), solution.strategies), 0.0
    for own, value in zip(solution.strategies, worth, strict=True):
        weights = np.exp(2.0 * (value - value.max()))
        worst = max(worst, np.abs(own - weights / weights.sum()).max())
    assert residual == pytest.approx(worst, abs=1e-12)
    assert residual < 1e-8


def test_a_logit_response_weights_moves_by_their_exponential_values():
    solution = logit_response(np.array([1.0, 0.0, -1000.0]), 2.0)
    assert solution == pytest.approx([1 / (1 + np.exp(-2)), np.exp(-2) / (1 + np.exp(-2)), 0])
    assert logit_response(np.array([3.0]), 40.0).tolist() == [1.0]


# Later decisions ------------------------------------------------------------------------------


@each_model
def test_the_solution_of_a_subgame_counts_in_the_payoffs(model: str):
    """The first player may stay at 0 or enter a subgame: it seems to lose 5, but gains 1 / 7."""
    pennies = np.array([[3.0, -1.0], [-2.0, 1.0]])
    stage_game = ArrayGame(
        [[[0.0], [-5.0]], [[0.0], [5.0]]],
        subgames={(1, 0): ((0, 1), np.stack([pennies, -pennies]))},
    )
    solution = solve(stage_game, model)
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
    table, equal = np.zeros((players, *[1] * players)), (0,) * players
    stage_game = ArrayGame(table, equal, subgames={equal: (range(players), inner)})
    solve(stage_game, model)
    [[first], *others] = stage_game.payoffs
    np.testing.assert_allclose(others, first, rtol=0, atol=1e-9)


def test_subgames_out_of_reach_are_not_solved():
    """Waiting is so bad that no single deviation leads to the subgame."""
    table = np.zeros((3, 2, 2, 2))
    table[0, 1], table[1, :, 1], table[2, :, :, 1] = -1.0, -1.0, -1.0
    pennies = np.zeros((3, 2, 2))
    stage_game = ArrayGame(table, subgames={(1, 1, 0): ((0, 1), pennies)})
    solution = solve(stage_game)
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
    compiled = solve(ArrayGame(table), model)
    switch_compilation_off(monkeypatch)
    again = solve(ArrayGame(table), model)
    assert again.epsilon == compiled.epsilon
    for one, other in zip(again.strategies, compiled.strategies, strict=True):
        assert one.tobytes() == other.tobytes()


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
