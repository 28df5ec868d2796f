"""Newton's method on games: its equations against plain twins, and where it leads."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGETS, EquilibriumBudget, WorkMeter
from service.solver.equilibrium.newton import newton_iterations, polish, trace_logit_path
from service.solver.equilibrium.quantal_response import NEWTON, solve_quantal
from service.solver.equilibrium.regret_matching import match
from service.solver.kernels import newton
from service.solver.normal_form import split
from tests import randomized
from tests.solver.matrix_games import (
    SEED,
    ArrayJoint,
    epsilons,
    normal_form,
    random_game,
    random_mixture,
    switch_compilation_off,
    symmetric_table,
)

NUMBERS = pytest.mark.parametrize("number", randomized.case_numbers(8, 24))


def linearised(
    table: np.ndarray, strategies: np.ndarray, levels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    game = normal_form(table)
    moves, size = len(strategies), len(strategies) + len(table)
    slopes, system = np.empty((moves, moves)), np.empty((size, size + 1))
    newton.linearise(game.payoffs, game.shape, strategies, levels, slopes, system)
    return slopes, system


def wrong(table: np.ndarray, strategies: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """What is wrong with strategies, in plain words: Fischer's function of every move, and by how
    much the probabilities of each player miss 1.
    """
    game = normal_form(table)
    found = []
    parts = split(strategies, game.shape)
    for own, worth, level in zip(
        parts, split(game.action_values(strategies), game.shape), levels, strict=True
    ):
        found += [np.hypot(x, level - y) - x - (level - y) for x, y in zip(own, worth, strict=True)]
    return np.array([*found, *(own.sum() - 1.0 for own in parts)])


# The equations --------------------------------------------------------------------------------


@NUMBERS
def test_slopes_are_what_a_move_is_worth_against_another_players_move(number: int):
    random, table = random_game(number)
    own = [random_mixture(random, count) for count in table.shape[1:]]
    slopes, _ = linearised(table, np.concatenate(own), np.zeros(len(table)))
    starts = np.cumsum([0, *table.shape[1:]])
    for one, other in product(range(len(table)), repeat=2):
        block = slopes[starts[one] : starts[one + 1], starts[other] : starts[other + 1]]
        if one == other:
            assert not block.any()
            continue
        expected = table[one]
        for third in reversed(range(len(table))):
            if third not in (one, other):
                expected = np.tensordot(expected, own[third], axes=(third, 0))
        np.testing.assert_allclose(block, expected if one < other else expected.T, atol=1e-13)


@NUMBERS
def test_the_equations_say_what_is_wrong_and_how_it_changes(number: int):
    random, table = random_game(number)
    strategies = np.concatenate([random_mixture(random, count) for count in table.shape[1:]])
    strategies = strategies + random.uniform(0.01, 0.1, strategies.shape)
    levels = random.uniform(0.0, 2.0, len(table))
    _, system = linearised(table, strategies, levels)
    np.testing.assert_allclose(-system[:, -1], wrong(table, strategies, levels), atol=1e-13)
    together = np.concatenate([strategies, levels])
    for place in range(len(together)):
        moved, tiny = together.copy(), 1e-6
        moved[place] += tiny
        changed = wrong(table, *np.split(moved, [len(strategies)]))
        slope = (changed - wrong(table, strategies, levels)) / tiny
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


def test_elimination_refuses_what_has_no_clear_solution():
    assert not newton.eliminate(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]))
    assert not newton.eliminate(np.zeros((3, 4)))


@pytest.mark.parametrize("number", range(4))
def test_without_compilation_the_same_bits_are_found(number: int, monkeypatch: pytest.MonkeyPatch):
    random, table = random_game(number)
    strategies = np.concatenate([random_mixture(random, count) for count in table.shape[1:]])

    def found() -> bytes:
        slopes, system = linearised(table, strategies, np.ones(len(table)))
        newton.eliminate(system)
        return slopes.tobytes() + system.tobytes()

    compiled = found()
    switch_compilation_off(monkeypatch)
    assert found() == compiled


# Where it leads -------------------------------------------------------------------------------


@NUMBERS
def test_what_is_polished_is_a_mixture_and_never_worse(number: int):
    random, table = random_game(number)
    game = normal_form(table)
    start = np.concatenate([random_mixture(random, count) for count in table.shape[1:]])
    found = newton_iterations(game, start, 20, WorkMeter(None))
    assert game.epsilon(found) <= game.epsilon(start)
    for own in split(found, game.shape):
        assert own.sum() == pytest.approx(1.0, abs=1e-12)
        assert (own >= 0.0).all()


def test_most_random_games_are_solved_to_the_last_digits():
    exact = 0
    for number in range(60):
        _, table = random_game(number)
        game = normal_form(table)
        rough, _ = match(game, 64, 0.0, WorkMeter(None))
        found = polish(game, rough, EQUILIBRIUM_BUDGETS["standard"], WorkMeter(None))
        assert max(epsilons(table, split(found, game.shape))) == pytest.approx(
            game.epsilon(found), abs=1e-12
        )
        exact += game.epsilon(found) < 1e-9 * game.payoff_range
    assert exact >= 40


def test_weighted_rock_paper_scissors_is_solved_from_a_rough_guess():
    # Rock beats scissors for 1, paper beats rock for 2, scissors beat paper for 3.
    table = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -3.0], [-1.0, 3.0, 0.0]])
    game = normal_form(np.stack([table, -table]))
    guess = np.array([0.4, 0.3, 0.3, 0.4, 0.3, 0.3])
    found = newton_iterations(game, guess, 20, WorkMeter(None))
    # Each move is mixed in proportion to what the other two play for between themselves.
    np.testing.assert_allclose(found, [1 / 2, 1 / 6, 1 / 3] * 2, atol=1e-12)


def test_players_alike_stay_alike_to_the_last_bit():
    random = np.random.default_rng(SEED)
    for players, moves in ((2, 5), (3, 4), (4, 3)):
        game = normal_form(symmetric_table(random, players, moves), (0,) * players)
        start = np.concatenate([random_mixture(random, moves)] * players)
        for own in split(newton_iterations(game, start, 20, WorkMeter(None)), game.shape):
            assert (
                own.tobytes()
                == newton_iterations(game, start, 20, WorkMeter(None))[:moves].tobytes()
            )


def test_no_step_at_all_changes_nothing():
    _, table = random_game(3)
    game = normal_form(table)
    np.testing.assert_array_equal(
        newton_iterations(game, game.uniform, 0, WorkMeter(None)), game.uniform
    )
    idle = replace(EQUILIBRIUM_BUDGETS["quick"], polish_steps=0)
    np.testing.assert_array_equal(polish(game, game.uniform, idle, WorkMeter(None)), game.uniform)


# Quantal responses ----------------------------------------------------------------------------


def plain_responses(worth: np.ndarray, precision: float) -> np.ndarray:
    weights = np.exp(precision * (worth - worth.max()))
    return weights / weights.sum()


@NUMBERS
def test_the_path_ends_in_mutual_responses_or_turns_back(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    for precision in (0.5, 2.0, 6.0):
        found = trace_logit_path(game, precision, WorkMeter(None))
        assert found is not None or precision > 0.5
        if found is not None:
            worths = split(game.action_values(found), game.shape)
            for own, worth in zip(split(found, game.shape), worths, strict=True):
                np.testing.assert_allclose(own, plain_responses(worth, precision), atol=1e-12)


def test_the_path_hardly_ever_turns_back():
    lost = 0
    for number in range(60):
        _, table = random_game(number)
        lost += trace_logit_path(normal_form(table), 3.0, WorkMeter(None)) is None
    assert lost <= 6


each_effort = pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
STAKES = ((3.0, 1.0), (1.0, 2.0), (1.0, 1.0))
"""By player and move, in pennies of three: the first wants to be like the second, the second like
the third, the third unlike the first (Jordan 1993).  Answers chase each other.
"""
PRECISION = 5.0


def pennies_of_three() -> np.ndarray:
    table = np.zeros((3, 2, 2, 2))
    for profile in product((0, 1), repeat=3):
        pleased = profile[0] == profile[1], profile[1] == profile[2], profile[2] != profile[0]
        for player, move in enumerate(profile):
            table[(player, *profile)] = STAKES[player][move] * pleased[player]
    return table


def heads_in_pennies_of_three() -> list[float]:
    """Of the first, the second and the third, by bisection.

    The first throws heads the more often the more often the second does, the second likewise with
    the third, and the third the more rarely the more often the first does.  So there is one logit
    equilibrium.
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


def played_in_pennies_of_three(effort: EquilibriumBudget) -> tuple[list[float], float]:
    """The chances of heads, and the residual."""
    joint = ArrayJoint(pennies_of_three())
    solved, residual = solve_quantal(joint, [None] * 3, PRECISION, effort, WorkMeter(None))
    heads = [float(own[0]) for own in solved.strategies]
    print(heads, residual)
    return heads, residual


@each_effort
def test_a_path_is_followed_where_responses_to_responses_do_not_settle(
    effort: str, monkeypatch: pytest.MonkeyPatch
):
    heads, residual = played_in_pennies_of_three(EQUILIBRIUM_BUDGETS[effort])
    assert residual < 1e-8
    assert heads == pytest.approx(heads_in_pennies_of_three(), abs=1e-8)
    monkeypatch.setattr(
        "service.solver.equilibrium.quantal_response.trace_logit_path", lambda *_: None
    )
    _, residual = played_in_pennies_of_three(EQUILIBRIUM_BUDGETS[effort])
    assert residual > 0.1


def test_the_path_is_followed_in_games_small_enough_for_the_tier():
    target_epsilon = NEWTON * pennies_of_three().size
    for entries, followed in ((target_epsilon, True), (target_epsilon - 1, False)):
        effort = replace(EQUILIBRIUM_BUDGETS["quick"], entries=entries)
        _, residual = played_in_pennies_of_three(effort)
        assert residual < 1e-8 if followed else residual > 0.1


def test_the_path_of_players_alike_gives_them_the_same_bits():
    random = np.random.default_rng(SEED)
    game = normal_form(symmetric_table(random, 3, 4), (0, 0, 0))
    found = trace_logit_path(game, 1.0, WorkMeter(None))
    assert found is not None
    for own in split(found, game.shape):
        assert own.tobytes() == found[:4].tobytes()
