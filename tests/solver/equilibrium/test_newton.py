"""Newton's method on games: its equations against reference code, and its results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGET, EquilibriumBudget, WorkMeter
from service.solver.equilibrium.newton import newton_iterations, polish, trace_logit_path
from service.solver.equilibrium.quantal_response import NEWTON, solve_quantal
from service.solver.equilibrium.regret_matching import match
from service.solver.kernels import newton
from service.solver.normal_form import split
from tests import randomized
from tests.solver.matrix_games import (
    SEED,
    ArrayGame,
    epsilons,
    normal_form,
    pennies_of_three,
    random_game,
    random_mixture,
    symmetric_table,
)

NUMBERS = pytest.mark.parametrize("number", randomized.case_numbers(8, 24))


def linearised(table: np.ndarray, strategies: np.ndarray, levels: np.ndarray) -> np.ndarray:
    game = normal_form(table)
    moves, size = len(strategies), len(strategies) + len(table)
    slopes, system = np.empty((moves, moves)), np.empty((size, size + 1))
    newton.linearise(game.payoffs, game.shape, strategies, levels, slopes, system)
    return system


def residuals_of(table: np.ndarray, strategies: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return Fischer's function of every move, and the sums of probabilities minus 1."""
    game = normal_form(table)
    rows = []
    parts = split(strategies, game.shape)
    for own, values, level in zip(
        parts, split(game.action_values(strategies), game.shape), levels, strict=True
    ):
        rows += [np.hypot(x, level - y) - x - (level - y) for x, y in zip(own, values, strict=True)]
    return np.array([*rows, *(own.sum() - 1.0 for own in parts)])


# The equations --------------------------------------------------------------------------------


@NUMBERS
def test_the_linear_equations_have_the_residuals_and_their_slopes(number: int):
    random, table = random_game(number)
    strategies = np.concatenate([random_mixture(random, count) for count in table.shape[1:]])
    strategies = strategies + random.uniform(0.01, 0.1, strategies.shape)
    levels = random.uniform(0.0, 2.0, len(table))
    system = linearised(table, strategies, levels)
    np.testing.assert_allclose(-system[:, -1], residuals_of(table, strategies, levels), atol=1e-13)
    together = np.concatenate([strategies, levels])
    for place in range(len(together)):
        moved, tiny = together.copy(), 1e-6
        moved[place] += tiny
        changed = residuals_of(table, *np.split(moved, [len(strategies)]))
        slope = (changed - residuals_of(table, strategies, levels)) / tiny
        np.testing.assert_allclose(system[:, place], slope, atol=2e-4)


@NUMBERS
def test_elimination_solves_linear_equations(number: int):
    random = np.random.default_rng([SEED, number])
    size = 1 + number
    matrix, right = random.normal(size=(size, size)), random.normal(size=size)
    matrix[0, 0] = 0.0 if size > 1 else 1.0
    system = np.hstack([matrix, right[:, None]])
    assert newton.eliminate(system)
    np.testing.assert_allclose(system[:, -1], np.linalg.solve(matrix, right), rtol=1e-7)


def test_elimination_rejects_singular_equations():
    assert not newton.eliminate(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]))
    assert not newton.eliminate(np.zeros((3, 4)))


# Results --------------------------------------------------------------------------------------


@NUMBERS
def test_polished_strategies_are_probabilities_and_never_worse(number: int):
    random, table = random_game(number)
    game = normal_form(table)
    start = np.concatenate([random_mixture(random, count) for count in table.shape[1:]])
    solution = newton_iterations(game, start, 20, WorkMeter(None))
    assert game.epsilon(solution) <= game.epsilon(start)
    for own in split(solution, game.shape):
        assert own.sum() == pytest.approx(1.0, abs=1e-12)
        assert (own >= 0.0).all()


def test_most_random_games_have_an_exact_solution():
    exact = 0
    for number in range(60):
        _, table = random_game(number)
        game = normal_form(table)
        rough, _ = match(game, 64, 0.0, WorkMeter(None))
        solution = polish(game, rough, EQUILIBRIUM_BUDGET, WorkMeter(None))
        assert max(epsilons(table, split(solution, game.shape))) == pytest.approx(
            game.epsilon(solution), abs=1e-12
        )
        exact += game.epsilon(solution) < 1e-9 * game.payoff_range
    assert exact >= 40


def test_symmetric_players_keep_equal_bits():
    random = np.random.default_rng(SEED)
    for players, moves in ((2, 5), (3, 4), (4, 3)):
        game = normal_form(symmetric_table(random, players, moves), (0,) * players)
        start = np.concatenate([random_mixture(random, moves)] * players)
        solution = newton_iterations(game, start, 20, WorkMeter(None))
        assert len({own.tobytes() for own in split(solution, game.shape)}) == 1


# Quantal responses ----------------------------------------------------------------------------


def plain_responses(values: np.ndarray, precision: float) -> np.ndarray:
    weights = np.exp(precision * (values - values.max()))
    return weights / weights.sum()


@NUMBERS
def test_the_path_ends_in_a_logit_equilibrium_or_turns_back(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    for precision in (0.5, 2.0, 6.0):
        solution = trace_logit_path(game, precision, WorkMeter(None))
        assert solution is not None or precision > 0.5
        if solution is not None:
            worths = split(game.action_values(solution), game.shape)
            for own, values in zip(split(solution, game.shape), worths, strict=True):
                np.testing.assert_allclose(own, plain_responses(values, precision), atol=1e-12)


def test_the_path_rarely_turns_back():
    lost = 0
    for number in range(60):
        _, table = random_game(number)
        lost += trace_logit_path(normal_form(table), 3.0, WorkMeter(None)) is None
    assert lost <= 6


STAKES = ((3.0, 1.0), (1.0, 2.0), (1.0, 1.0))
PRECISION = 5.0


def heads_in_pennies_of_three() -> list[float]:
    """Return the probabilities of heads of the three players, by bisection.

    The first player's probability of heads increases with the second's, the second's with the
    third's, and the third's decreases with the first's.  So there is one logit equilibrium.
    """

    def heads(player: int, pleased: float) -> float:
        own, other = STAKES[player]
        return float(1 / (1 + np.exp(-PRECISION * (own * pleased - other * (1 - pleased)))))

    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        third = heads(2, 1 - middle)
        second = heads(1, third)
        low, high = (middle, high) if middle < heads(0, second) else (low, middle)
    return [low, second, third]


def solve_pennies_of_three(budget: EquilibriumBudget) -> tuple[list[float], float]:
    """Return the probabilities of heads, and the residual."""
    stage_game = ArrayGame(pennies_of_three(STAKES))
    solved, residual = solve_quantal(stage_game, [None] * 3, PRECISION, budget, WorkMeter(None))
    heads = [float(own[0]) for own in solved.strategies]
    print(heads, residual)
    return heads, residual


def test_the_path_is_used_if_iterated_responses_do_not_converge(monkeypatch: pytest.MonkeyPatch):
    heads, residual = solve_pennies_of_three(EQUILIBRIUM_BUDGET)
    assert residual < 1e-8
    assert heads == pytest.approx(heads_in_pennies_of_three(), abs=1e-8)
    monkeypatch.setattr(
        "service.solver.equilibrium.quantal_response.trace_logit_path", lambda *_: None
    )
    _, residual = solve_pennies_of_three(EQUILIBRIUM_BUDGET)
    assert residual > 0.1


def test_the_path_is_used_in_games_small_enough_for_the_budget():
    enough = NEWTON * pennies_of_three(STAKES).size
    for entries, followed in ((enough, True), (enough - 1, False)):
        budget = replace(EQUILIBRIUM_BUDGET, entries=entries)
        _, residual = solve_pennies_of_three(budget)
        assert residual < 1e-8 if followed else residual > 0.1
