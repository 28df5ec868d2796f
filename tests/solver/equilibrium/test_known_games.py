"""Games whose equilibria are published or have a closed form."""

from __future__ import annotations

import math
from functools import reduce
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import CertifiedProfile
from service.solver.equilibrium.quantal_response import solve_quantal
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm, split
from tests.solver.matrix_games import (
    ArrayGame,
    Floats,
    epsilons,
    normal_form,
    pennies_of_three,
    solve,
    table_of,
    two_player_game,
)

SMALL = 2e-3
"""Required epsilon, relative to the payoff range."""
CYCLING_EPSILON = 0.06
"""Required epsilon for three players or cycling play, where averages need not converge."""


def value(stage_game: ArrayGame, solution: CertifiedProfile) -> float:
    """Return the expected payoff of the first player."""
    expected = table_of(stage_game)[0]
    for own in solution.strategies:
        expected = np.tensordot(expected, own, axes=(0, 0))
    return float(expected)


# Two players ----------------------------------------------------------------------------------


def test_matching_pennies_has_value_zero_and_uniform_strategies():
    stage_game = two_player_game([[1, -1], [-1, 1]])
    solution = solve(stage_game)
    assert solution.epsilon == 0.0
    assert [own.tolist() for own in solution.strategies] == [[0.5, 0.5], [0.5, 0.5]]
    assert value(stage_game, solution) == 0.0


@pytest.mark.parametrize("rows", [[[3, -1], [-2, 1]], [[1, -9], [-1, 1]], [[5, 0], [0, 0.25]]])
def test_strategies_in_uneven_pennies_make_the_other_player_indifferent(rows: Any):
    """Both are indifferent: row (d - c) / s, column (d - b) / s, value (ad - bc) / s."""
    (a, b), (c, d) = rows
    total = a - b - c + d
    row, column = (d - c) / total, (d - b) / total
    stage_game = two_player_game(rows)
    solution = solve(stage_game)
    assert solution.epsilon <= SMALL * np.ptp(rows)
    expected = (a * d - b * c) / total
    assert value(stage_game, solution) == pytest.approx(expected, abs=solution.epsilon + 1e-9)
    # A deviation x gives the other player a gain of x · s · probability of its worse move.
    for own, known, other in zip(solution.strategies, (row, column), (column, row), strict=True):
        rarer = min(other, 1 - other)
        assert abs(own[0] - known) * abs(total) * rarer <= 2 * solution.epsilon + 1e-8


@pytest.mark.parametrize("stakes", [(1, 1, 1), (1, 2, 3), (10, 1, 4)])
def test_rock_paper_scissors_probabilities_follow_the_stakes(stakes: tuple[float, float, float]):
    """Rock beats scissors by a, paper rock by b, scissors paper by c: the ratio is c : a : b."""
    a, b, c = stakes
    stage_game = two_player_game([[0, -b, a], [b, 0, -c], [-a, c, 0]])
    solution = solve(stage_game)
    expected = np.array([c, a, b]) / (a + b + c)
    assert solution.epsilon <= SMALL * 2 * max(stakes)
    assert value(stage_game, solution) == pytest.approx(0, abs=solution.epsilon)
    within = 2 * solution.epsilon / min(stakes) + 1e-8
    for own in solution.strategies:
        np.testing.assert_allclose(own, expected, rtol=0, atol=within)


VON_STENGEL = ([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]])
"""B. von Stengel 2002, *Computing equilibria for two-person games*, its first example."""
VON_STENGEL_EQUILIBRIA = [
    ([1, 0, 0], [1, 0]),
    ([4 / 5, 1 / 5, 0], [2 / 3, 1 / 3]),
    ([0, 1 / 3, 2 / 3], [1 / 3, 2 / 3]),
]


def test_the_solution_of_von_stengels_example_is_one_of_its_equilibria():
    stage_game, distances = two_player_game(*VON_STENGEL), []
    solution = solve(stage_game)
    assert solution.epsilon <= SMALL * 6
    for known in VON_STENGEL_EQUILIBRIA:
        assert max(epsilons(table_of(stage_game), [*map(np.array, known)])) < 1e-12
        pairs = zip(solution.strategies, known, strict=True)
        distances.append(max(np.abs(own - np.array(other)).max() for own, other in pairs))
    assert min(distances) <= 2 * solution.epsilon + 1e-8


def test_shapleys_game_has_a_small_epsilon_although_play_cycles():
    """L. Shapley 1964, *Some topics in two-person games*; with unequal stakes."""
    stakes = np.array([1.0, 2.0, 4.0])
    solution = solve(two_player_game(np.diag(stakes), np.roll(np.diag(stakes), 1, axis=1)))
    assert solution.epsilon <= CYCLING_EPSILON * 4
    # In the only equilibrium each player makes the other indifferent among three moves.
    even = (1 / stakes) / (1 / stakes).sum()
    for own in solution.strategies:
        np.testing.assert_allclose(own, even, rtol=0, atol=3 * solution.epsilon)


# Three players --------------------------------------------------------------------------------


def volunteers(players: int, cost: float, symmetry_classes: tuple[int, ...] = ()) -> ArrayGame:
    """A. Diekmann 1985: all get 1 if any player volunteers (move 0); volunteers pay the cost."""
    table = np.zeros((players, *[2] * players))
    for profile in product((0, 1), repeat=players):
        for player, move in enumerate(profile):
            table[(player, *profile)] = (0 in profile) - cost * (move == 0)
    return ArrayGame(table, symmetry_classes)


@pytest.mark.parametrize(("players", "cost"), [(3, 0.36), (3, 0.04), (4, 0.125), (5, 0.6)])
def test_symmetric_volunteers_wait_with_the_probability_that_the_cost_implies(
    players: int, cost: float
):
    """Waiting with probability q equals volunteering if q ** (players - 1) is the cost."""
    solution = solve(volunteers(players, cost, (0,) * players))
    assert len({own.tobytes() for own in solution.strategies}) == 1
    waiting = cost ** (1 / (players - 1))
    assert solution.epsilon <= SMALL
    # With a difference x one move is better by about x; epsilon is x times the other's probability.
    off = abs(solution.strategies[0][1] ** (players - 1) - cost)
    assert off * min(waiting, 1 - waiting) <= 2 * solution.epsilon + 1e-8


def test_without_symmetry_any_equilibrium_of_the_volunteers_is_a_solution():
    assert solve(volunteers(3, 0.36)).epsilon <= SMALL


@pytest.mark.parametrize("stakes", [(1, 1, 1, 1, 1, 1), (3, 1, 1, 2, 1, 1), (1, 2, 3, 1, 1, 4)])
def test_jordans_pennies_of_three_have_a_small_epsilon(stakes: tuple[float, ...]):
    """The probability that makes the observing player indifferent is known."""
    a, b, c, d, e, f = stakes
    solution = solve(ArrayGame(pennies_of_three(((a, b), (c, d), (e, f)))))
    assert solution.epsilon <= CYCLING_EPSILON * max(stakes)
    heads = [own[0] for own in solution.strategies]
    one_equilibrium = [e / (e + f), b / (a + b), d / (c + d)]
    assert heads == pytest.approx(one_equilibrium, abs=2 * solution.epsilon + 1e-8)


def test_the_odd_one_out_game_has_a_symmetric_equilibrium():
    """Three throw pennies; who differs from the other two pays both."""
    table = np.zeros((3, 2, 2, 2))
    for profile in product((0, 1), repeat=3):
        odd = [p for p in range(3) if profile.count(profile[p]) == 1]
        for player in range(3):
            table[(player, *profile)] = 0.0 if not odd else -2.0 if player in odd else 1.0
    solution = solve(ArrayGame(table, (0, 0, 0)))
    assert solution.epsilon == 0.0
    assert len({own.tobytes() for own in solution.strategies}) == 1


# Coarse correlated equilibria -----------------------------------------------------------------

BEATS = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -3.0], [-1.0, 3.0, 0.0]])
"""Rock, paper, scissors: rock beats scissors for 1, paper rock for 2, scissors paper for 3."""
BALANCED = np.array([1 / 2, 1 / 6, 1 / 3])
"""Only against this strategy all three moves have the value 0."""
PAIRS = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, -1.0], [2.0, -1.0, 0.0]])
"""Stakes of each pair; negative stakes exchange winner and loser."""
PRIZES = np.array([4.0, -3.0, 1.0])
"""Fixed additional payoffs of the players."""
ROUNDS = 20_000


def rock_paper_scissors_of_three() -> Floats:
    """Return a game in which each player plays one move against both others.

    It is a zero-sum polymatrix game (Cai, Candogan, Daskalakis, Papadimitriou 2016, *Zero-Sum
    Polymatrix Games: A Generalization of Minmax*).  Therefore all coarse correlated equilibria
    have the same move frequencies and payoffs:

    Let xⱼ be the marginal frequencies of player j, and yᵢ = Σⱼ wᵢⱼ xⱼ with the stakes w.  A fixed
    move s gives player i its prize plus (A yᵢ)ₛ.  The balanced strategy x* has A x* = 0, hence
    x* · A yᵢ = 0, and the best s gives at least the prize.  In a coarse correlated equilibrium i
    gets no less than that.  The sum of all payoffs is the sum of the prizes.  So each player gets
    its prize and the best s gives no more.  Since x* is positive for every s, no s gives less:
    A yᵢ = 0, and yᵢ is a multiple of x*.  The stakes are invertible (their determinant is
    2 · 1 · 2 · −1), so every xⱼ is a multiple of x* too: it is x*.
    """
    table: Floats = np.zeros((3, 3, 3, 3)) + PRIZES[:, None, None, None]
    for profile in product(range(3), repeat=3):
        for player, other in permutations(range(3), 2):
            brings = BEATS[profile[player], profile[other]]
            table[(player, *profile)] += PAIRS[player, other] * brings
    return table


def regrets_of(table: Floats, frequencies: Floats) -> list[float]:
    """Return the gain of each player from one fixed move, given the frequency of each profile."""
    regrets = []
    for player, own in enumerate(table):
        axes = tuple(axis for axis in range(own.ndim) if axis != player)
        instead = (own * frequencies.sum(axis=player, keepdims=True)).sum(axis=axes)
        regrets.append(float(instead.max() - (own * frequencies).sum()))
    return regrets


def run_regret_matching(
    game: NormalForm, rounds: int, predictive: bool, current: Floats, regrets: Floats
) -> Floats:
    """Run the kernel and return the candidate with the smallest epsilon."""
    best, least = current.copy(), np.array([np.inf])
    limits = np.array([rounds]), predictive, np.array([-np.inf])
    game_arrays = game.own_action_last[None], game.shape, game.symmetry_classes
    regret_matching.regret_matching_plus(*game_arrays, *limits, current, regrets, best, least)
    strategies: Floats = best[0]
    return strategies


def play_frequencies(game: NormalForm, predictive: bool) -> Floats:
    """Return the frequency of each profile under regret matching of all players."""
    current, regrets = game.uniform[None].copy(), np.zeros((1, len(game.uniform)))
    frequencies = np.zeros(game.shape)
    for _ in range(ROUNDS):
        frequencies += reduce(np.multiply.outer, split(current[0], game.shape)) / ROUNDS
        run_regret_matching(game, 1, predictive, current, regrets)
    assert frequencies.sum() == pytest.approx(1.0, abs=1e-9)
    return frequencies


@pytest.mark.parametrize(("predictive", "factor"), [(False, 1.0), (True, 8**0.5)])
def test_regret_matching_reaches_the_coarse_correlated_equilibrium_of_rock_paper_scissors(
    predictive: bool, factor: float
):
    """After T rounds, regrets are at most factor · √(moves · T) · payoff range.

    See Tammelin 2014; for the predictive variant, whose predictions miss by at most twice the
    payoff range, Farina, Kroer, Sandholm 2021.
    """
    table = rock_paper_scissors_of_three()
    game = normal_form(table)
    frequencies = play_frequencies(game, predictive)
    worth = [float((own * frequencies).sum()) for own in table]
    regrets = regrets_of(table, frequencies)
    moves = [frequencies.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
    print(regrets, worth, moves)
    for own, regret in zip(table, regrets, strict=True):
        assert regret <= factor * math.sqrt(3 / ROUNDS) * np.ptp(own)
    assert worth == pytest.approx(PRIZES, abs=sum(max(regret, 0.0) for regret in regrets))
    # Predictive play gets closer; there is no proof how close.
    for own in moves:
        np.testing.assert_allclose(own, BALANCED, rtol=0, atol=0.002 if predictive else 0.02)
    # The average is better than every iterate.
    average = run_regret_matching(game, ROUNDS, predictive, game.uniform[None], np.zeros((1, 9)))
    np.testing.assert_allclose(average, np.concatenate(moves), rtol=0, atol=1e-9)


def test_the_solution_of_rock_paper_scissors_of_three_is_its_only_equilibrium():
    for own in solve(ArrayGame(rock_paper_scissors_of_three())).strategies:
        np.testing.assert_allclose(own, BALANCED, rtol=0, atol=1e-6)


# Quantal responses ----------------------------------------------------------------------------


def logistic(gain: float) -> float:
    return 1 / (1 + math.exp(-gain)) if gain > -700 else 0.0


@pytest.mark.parametrize("precision", [0.0, 0.3, 1.0, 2.0])
@pytest.mark.parametrize(
    "rows",
    [
        ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        ([[9, 0], [0, 1]], [[0, 1], [1, 0]]),
        ([[3, -1], [-2, 1]], [[-1, 1], [4, 0.5]]),
        ([[20, 0], [0, 3]], [[0, 1], [1, 0]]),
    ],
)
def test_a_logit_equilibrium_of_two_by_two_equals_the_root_by_bisection(
    rows: Any, precision: float
):
    """Generalised pennies have one, since the responses cross once (Goeree, Holt 2001)."""
    (own, other), stage_game = rows, two_player_game(*rows)

    def second(first: float) -> float:
        gain = first * (other[0][0] - other[0][1]) + (1 - first) * (other[1][0] - other[1][1])
        return logistic(precision * gain)

    def excess(first: float) -> float:
        there = second(first)
        gain = there * (own[0][0] - own[1][0]) + (1 - there) * (own[0][1] - own[1][1])
        return first - logistic(precision * gain)

    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    solution, residual = solve_quantal(
        stage_game, (None, None), precision, EQUILIBRIUM_BUDGET, WorkMeter(None)
    )
    print(solution.strategies, residual, low)
    assert residual <= 2e-8
    assert solution.strategies[0][0] == pytest.approx(low, abs=1e-7)
    assert solution.strategies[1][0] == pytest.approx(second(low), abs=1e-7)
