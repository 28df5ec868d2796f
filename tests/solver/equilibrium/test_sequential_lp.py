"""Sequential linear programming: single steps against reference code, and results."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from service.solver.budget import WorkMeter
from service.solver.equilibrium.sequential_lp import SelectionObjective, maximize
from service.solver.kernels import linear_program, newton
from service.solver.normal_form import NormalForm, split
from tests import randomized
from tests.solver.matrix_games import (
    SEED,
    normal_form,
    random_game,
    random_mixture,
    switch_compilation_off,
    symmetric_table,
    values,
)

NUMBERS = pytest.mark.parametrize("number", randomized.case_numbers(8, 24))
PIVOTS = 400


def slopes_of(game: NormalForm, strategies: np.ndarray) -> np.ndarray:
    slopes = np.empty((len(strategies), len(strategies)))
    newton.differentiate(game.payoffs, game.shape, strategies, slopes)
    return slopes


def run_step(
    game: NormalForm,
    strategies: np.ndarray,
    objective: SelectionObjective,
    radius: float,
    pivots: int = PIVOTS,
) -> np.ndarray:
    nearby = np.empty(len(strategies))
    position = strategies, game.action_values(strategies), slopes_of(game, strategies)
    goal = objective.prior_values, objective.price, objective.slack, objective.fine
    limits = linear_program.Objective(*goal), radius, pivots
    linear_program.step(game.shape, game.symmetry_classes, *position, *limits, nearby)
    return nearby


def advantages(game: NormalForm, strategies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each move's value minus the player's value, and its slope by each probability.

    The slopes are finite differences.
    """

    def advantages_at(changed: np.ndarray) -> np.ndarray:
        own = split(changed, game.shape)
        worth = values(game.payoffs.reshape(-1, *game.shape), own)
        pairs = zip(own, worth, strict=True)
        return np.concatenate([value - mine @ value for mine, value in pairs])

    small = 1e-6
    # Central differences are exact to second order for products of two probabilities.
    slopes = [
        (advantages_at(strategies + step) - advantages_at(strategies - step)) / (2.0 * small)
        for step in small * np.eye(len(strategies))
    ]
    return advantages_at(strategies), np.array(slopes).T


def linear_score(
    game: NormalForm, strategies: np.ndarray, objective: SelectionObjective, change: np.ndarray
) -> float:
    """Return the score after a change by the linear model."""
    here, slopes = advantages(game, strategies)
    scores = change @ objective.prior_values
    for ahead in split(here + slopes @ change, game.shape):
        epsilon = max(0.0, ahead.max())
        scores -= objective.price * epsilon + objective.fine * max(0.0, epsilon - objective.slack)
    return float(scores)


def best_linear_score(
    game: NormalForm, strategies: np.ndarray, objective: SelectionObjective, radius: float
) -> float:
    """Return the best score by the linear model, by enumeration of all vertices.

    The score is concave and piecewise linear, so its maximum is at a point where as many bounding
    planes intersect as there are dimensions.
    """
    here, slopes = advantages(game, strategies)
    size = len(strategies)
    # Free variables: each player's last step balances its others; symmetric players step together.
    allowed, starts = [], np.cumsum(game.shape) - game.shape
    for player in np.unique(game.symmetry_classes):
        for place in range(game.shape[player] - 1):
            way = np.zeros(size)
            for twin in np.flatnonzero(game.symmetry_classes == player):
                way[starts[twin] + place] = 1.0
                way[starts[twin] + game.shape[twin] - 1] = -1.0
            allowed.append(way)
    basis = np.array(allowed).T
    planes = []
    for move in range(size):
        planes += [(basis[move], max(-radius, -strategies[move]))]
        planes += [(basis[move], min(radius, 1.0 - strategies[move]))]
    by_player = zip(split(here, game.shape), np.split(slopes @ basis, starts[1:]), strict=True)
    for ahead, rises in by_player:
        for one, rise in zip(ahead, rises, strict=True):
            planes += [(rise, -one), (rise, objective.slack - one)]
        for one, other in combinations(range(len(ahead)), 2):
            planes.append((rises[one] - rises[other], ahead[other] - ahead[one]))
    most = linear_score(game, strategies, objective, np.zeros(size))
    for some in combinations(planes, basis.shape[1]):
        normals = np.array([normal for normal, _ in some])
        if abs(np.linalg.det(normals)) < 1e-9:
            continue
        change = basis @ np.linalg.solve(normals, [at for _, at in some])
        bounded = np.abs(change).max() <= radius + 1e-9
        if bounded and (strategies + change).min() >= -1e-9:
            most = max(most, linear_score(game, strategies, objective, change))
    return most


def small_game(number: int) -> tuple[np.random.Generator, NormalForm]:
    random = np.random.default_rng([SEED, number])
    print(f"SEED={SEED}", number)
    if number % 4 == 3:
        return random, normal_form(symmetric_table(random, 3, 3), (0, 0, 0))
    shape = [(2, 2), (3, 2), (2, 1, 2)][number % 4]
    return random, normal_form(random.normal(size=(len(shape), *shape)))


def random_strategies(random: np.random.Generator, game: NormalForm) -> np.ndarray:
    own = [random_mixture(random, int(count)) for count in game.shape]
    return np.concatenate([own[first] for first in game.symmetry_classes])


def random_objective(random: np.random.Generator, game: NormalForm) -> SelectionObjective:
    own = [random.normal(size=count) for count in game.shape]
    prior_values = np.concatenate([own[first] for first in game.symmetry_classes])
    return SelectionObjective(
        prior_values, random.choice([0.5, 2.0, 8.0]), random.choice([0.0, 0.1, 1.0]), 20.0
    )


@NUMBERS
def test_a_step_is_the_best_of_the_linear_model(number: int):
    random, game = small_game(number)
    strategies, objective = random_strategies(random, game), random_objective(random, game)
    radius = float(random.choice([0.1, 0.3, 1.0]))
    result = run_step(game, strategies, objective, radius)
    most = best_linear_score(game, strategies, objective, radius)
    score = linear_score(game, strategies, objective, result - strategies)
    assert score == pytest.approx(most, abs=1e-6)
    assert np.abs(result - strategies).max() <= radius + 1e-9


@NUMBERS
def test_more_pivots_never_lower_the_score_of_the_linear_model(number: int):
    random, table = random_game(number)
    game = normal_form(table)
    strategies, objective = random_strategies(random, game), random_objective(random, game)
    scores = [linear_score(game, strategies, objective, np.zeros(len(strategies)))]
    for pivots in (0, 1, 2, 4, 8, PIVOTS):
        change = run_step(game, strategies, objective, 0.3, pivots) - strategies
        scores.append(linear_score(game, strategies, objective, change))
    print(scores)
    assert np.diff(scores).min() >= -1e-6
    assert scores[1] == pytest.approx(scores[0], abs=1e-6)


@pytest.mark.parametrize("number", range(8))
def test_without_compilation_a_step_has_the_same_bits(number: int, monkeypatch: pytest.MonkeyPatch):
    random, game = small_game(number)
    strategies, objective = random_strategies(random, game), random_objective(random, game)
    compiled = run_step(game, strategies, objective, 0.3)
    switch_compilation_off(monkeypatch)
    np.testing.assert_array_equal(run_step(game, strategies, objective, 0.3), compiled)


# Results --------------------------------------------------------------------------------------


@NUMBERS
def test_maximize_returns_the_score_and_never_a_lower_one_than_at_the_start(number: int):
    random, table = random_game(number)
    game = normal_form(table)
    start, objective = random_strategies(random, game), random_objective(random, game)
    before = objective.score(game, start, game.action_values(start))
    result, score = maximize(game, start, objective, 20, WorkMeter(None))
    assert score == objective.score(game, result, game.action_values(result)) >= before
    for own in split(result, game.shape):
        assert own.sum() == pytest.approx(1.0)
        assert own.min() >= 0.0


def test_without_prior_values_steps_mostly_lead_to_an_equilibrium():
    left = []
    for number in range(24):
        random, game = small_game(number)
        start = random_strategies(random, game)
        objective = SelectionObjective(0.0 * start, 1.0, 9.0, 0.0)
        result, score = maximize(game, start, objective, 40, WorkMeter(None))
        assert game.epsilon(result) <= 1e-12 - score
        left.append(game.epsilon(result))
    print(sorted(left))
    assert sum(epsilon <= 1e-6 for epsilon in left) >= 18


def test_symmetric_players_stay_symmetric():
    for number in (3, 7, 11):
        random, game = small_game(number)
        start, objective = random_strategies(random, game), random_objective(random, game)
        result, _ = maximize(game, start, objective, 20, WorkMeter(None))
        assert len({own.tobytes() for own in split(result, game.shape)}) == 1


def test_epsilon_is_accepted_as_long_as_it_is_worth_its_price():
    """A player's second move costs 1 and has the prior value 3: at a price of 2 it is played up to
    the slack, and at a price of 4 never.
    """
    game = normal_form(np.array([[[0.0], [-1.0]], [[0.0], [0.0]]]))
    prior_values = np.array([0.0, 3.0, 0.0])
    for price, share in ((2.0, 0.25), (4.0, 0.0)):
        start, objective = (
            np.array([1.0, 0.0, 1.0]),
            SelectionObjective(prior_values, price, 0.25, 50.0),
        )
        result, _ = maximize(game, start, objective, 20, WorkMeter(None))
        np.testing.assert_allclose(result, [1.0 - share, share, 1.0], atol=1e-9)
