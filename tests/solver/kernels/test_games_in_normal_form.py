"""The solver's kernels against reference code, with compilation on and off."""

from __future__ import annotations

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from service.solver.behavioral_play import regret_play
from service.solver.kernels import action_values, logit, newton, regret_matching
from service.solver.normal_form import fix_strategies, logit_responses, split, update_profiles
from service.solver.normal_forms import NormalForms
from service.solver.opponents.styles.regret_matching import STEPS
from service.solver.opponents.styles.regret_matching import regret_matching as style_of_regret
from tests import randomized
from tests.solver.matrix_games import (
    SEED,
    epsilons,
    normal_form,
    normal_forms,
    random_game,
    random_mixture,
    switch_compilation_off,
    symmetric_table,
    values,
)

properties = randomized.Properties()


# Exponential ----------------------------------------------------------------------------------


def test_the_exponential_is_as_accurate_as_the_library():
    points = [0.0, -0.0, -1e-300, -1e-17, -math.log(2) / 2, -math.log(2)]
    points += [-707 * place / 20_000 for place in range(20_001)]
    points += np.random.default_rng(SEED).uniform(-40, 0, 20_000).tolist()
    for point in points:
        assert logit.exponential(point) == pytest.approx(math.exp(point), rel=2e-15, abs=0)
    assert logit.exponential(0.0) == 1.0


def test_the_exponential_decays_to_zero():
    for point in (-709.0, -730.0, -744.0, -745.1, -746.0, -800.0, -1e4, -1e15):
        assert logit.exponential(point) == pytest.approx(math.exp(point), abs=2 * 5e-324)


def test_the_exponential_is_monotonic():
    points = [-760 + place * 0.0371 for place in range(20_480)]
    computed = [logit.exponential(point) for point in points if point <= 0]
    assert all(one <= other for one, other in pairwise(computed))


def test_the_exponentials_of_an_array_are_those_of_its_numbers():
    points = -np.random.default_rng(SEED).uniform(0, 760, 500)
    computed = points.copy()
    logit.exponentiate(computed)
    assert computed.tolist() == [logit.exponential(point) for point in points]


# Action values --------------------------------------------------------------------------------


@properties
def own_action_last_changes_the_own_move_fastest(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    expected = [np.moveaxis(own, player, -1).ravel() for player, own in enumerate(table)]
    assert np.array_equal(game.own_action_last, expected)


@properties
def updated_payoffs_equal_a_complete_conversion(number: int):
    """With a fixed strategy the game is rebuilt."""
    random, table = random_game(number)
    counts = table.shape[1:]
    symmetry_classes, free = range(len(counts)), [None] * len(counts)
    for allowed in (free, [random_mixture(random, counts[0])[None], *free[1:]]):
        payoffs = table.reshape(len(table), -1).copy()
        game = fix_strategies(payoffs, counts, symmetry_classes, allowed)
        assert game.own_action_last.size  # The cached layout exists before the change.
        changed = np.flatnonzero(random.random(payoffs.shape[1]) < 0.3)
        payoffs[:, changed] = random.normal(size=(len(payoffs), len(changed)))
        computed = update_profiles(game, changed, payoffs, counts, symmetry_classes, allowed)
        whole = fix_strategies(payoffs, counts, symmetry_classes, allowed)
        assert np.array_equal(computed.own_action_last, whole.own_action_last)
        assert computed.payoff_range == whole.payoff_range


def plain_reach(strategies: list[np.ndarray], profile: tuple[int, ...]) -> float:
    """Return the largest probability of the others' parts over all players."""
    chances = [own[move] for own, move in zip(strategies, profile, strict=True)]
    return max(
        math.prod(chance for other, chance in enumerate(chances) if other != player)
        for player in range(len(chances))
    )


@properties
def reach_is_the_largest_probability_of_the_others_parts(number: int):
    random, table = random_game(number)
    shape = table.shape[1:]
    strategies = [random_mixture(random, count) for count in shape]
    everything = list(product(*map(range, shape)))
    some = np.flatnonzero(random.random(len(everything)) < 0.5)
    computed = np.empty(len(some))
    action_values.reach_probabilities(some, np.array(shape), np.concatenate(strategies), computed)
    expected = [plain_reach(strategies, everything[profile]) for profile in some]
    assert np.array_equal(computed, expected)


@properties
def slopes_are_values_given_the_moves_of_two_players(number: int):
    """Also if many moves have probability 0, which the kernel skips."""
    random, table = random_game(number)
    shape = table.shape[1:]
    strategies = [random_mixture(random, count) for count in shape]
    game, size = normal_form(table), sum(shape)
    computed = np.empty((size, size))
    newton.differentiate(game.payoffs, game.shape, np.concatenate(strategies), computed)
    starts = np.cumsum(shape) - shape
    expected = np.zeros((size, size))
    for profile in product(*map(range, shape)):
        for player, other in permutations(range(len(shape)), 2):
            chance = math.prod(
                strategies[third][profile[third]]
                for third in range(len(shape))
                if third not in (player, other)
            )
            row, column = starts[player] + profile[player], starts[other] + profile[other]
            expected[row, column] += chance * table[player][profile]
    assert np.array_equal(computed, expected)


@properties
def action_values_are_expectations_over_the_others(number: int):
    random, table = random_game(number)
    strategies = [random_mixture(random, count) for count in table.shape[1:]]
    game = normal_form(table)
    computed = split(game.action_values(np.concatenate(strategies)), game.shape)
    for one, other in zip(computed, values(table, strategies), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)


@properties
def epsilon_is_the_largest_gain_from_another_move(number: int):
    random, table = random_game(number)
    strategies = [random_mixture(random, count) for count in table.shape[1:]]
    computed = normal_form(table).epsilon(np.concatenate(strategies))
    assert computed == pytest.approx(max(epsilons(table, strategies)), abs=1e-13)
    assert computed >= 0.0


@pytest.mark.parametrize(("players", "moves"), [(2, 5), (3, 4), (4, 3), (5, 2)])
def test_symmetric_players_have_action_values_with_equal_bits(players: int, moves: int):
    random = np.random.default_rng([SEED, players])
    table = symmetric_table(random, players, moves)
    own = random_mixture(random, moves)
    strategies = [own] * players
    computed = normal_form(table, (0,) * players).action_values(np.concatenate(strategies))
    for one in split(computed, (moves,) * players):
        assert one.tobytes() == computed[:moves].tobytes()
    np.testing.assert_allclose(computed, np.concatenate(values(table, strategies)), atol=1e-13)


# Fixed strategies -----------------------------------------------------------------------------


@properties
def fixed_strategies_give_the_payoffs_of_their_mixtures(number: int):
    random, table = random_game(number)
    allowed: list[np.ndarray | None] = []
    for place, count in enumerate(table.shape[1:]):
        kinds = (None, random_mixture(random, count)[None])
        several = np.stack([random_mixture(random, count) for _ in range(3)])
        allowed.append((*kinds, several)[(number + place) % 3])
    stage_game = normal_form(table)
    game = fix_strategies(stage_game.payoffs, table.shape[1:], range(len(allowed)), allowed)
    expected = table
    for place, own in enumerate(allowed):
        if own is not None:
            expected = np.moveaxis(np.tensordot(own, expected, axes=(1, place + 1)), 0, place + 1)
    assert tuple(game.shape) == expected.shape[1:]
    np.testing.assert_allclose(game.payoffs, expected.reshape(len(table), -1), atol=1e-13)


# Several games --------------------------------------------------------------------------------


@properties
def games_computed_together_have_the_values_and_responses_of_each_alone(number: int):
    random, table = random_game(number)
    tables = [table, random.normal(size=table.shape), 3.0 * table]
    games = normal_forms(*tables)
    assert [game.payoffs.tolist() for game in games.games()] == games.payoffs.tolist()
    strategies = np.stack(
        [np.concatenate([random_mixture(random, count) for count in games.shape]) for _ in tables]
    )
    values = games.action_values(strategies)
    responses = games.logit_responses(values, 2.5)
    averages = style_of_regret(games, 0.0)
    for place, game in enumerate(games.games()):
        assert np.array_equal(games.own_action_last[place], game.own_action_last)
        assert np.array_equal(values[place], game.action_values(strategies[place]))
        assert np.array_equal(games.uniform_values[place], game.action_values(game.uniform))
        assert np.array_equal(averages[place], regret_play(game, STEPS))
        alone = logit_responses(game, values[place], 2.5)
        np.testing.assert_allclose(responses[place], alone, rtol=1e-14)


# Compilation ----------------------------------------------------------------------------------


def kernel_results(table: np.ndarray, symmetry_classes: tuple[int, ...]) -> list[np.ndarray]:
    """Return the results of all kernels for a game."""
    game = normal_form(table, symmetry_classes)
    computed = [
        game.own_action_last,
        game.action_values(game.uniform),
        np.array([game.epsilon(game.uniform)]),
    ]
    for predictive in (False, True):
        current, best = game.uniform[None], game.uniform[None]
        regrets, epsilon = np.zeros_like(best), np.array([np.inf])
        arrays = game.own_action_last[None], game.shape, game.symmetry_classes
        limits = np.array([8, 16, 32]), predictive, np.array([1e-9])
        regret_matching.regret_matching_plus(*arrays, *limits, current, regrets, best, epsilon)
        computed += [current, regrets, best, epsilon]
    for precision, midway in product((0.5, 3.0, 50.0), (False, True)):
        strategies, best, epsilon = game.uniform, game.uniform, np.array([np.inf])
        arrays = game.own_action_last, game.shape, game.symmetry_classes, game.shape > 1
        iteration = logit.Iteration(precision, 0.3, midway, 40, 1e-12)
        residual = logit.iterate_logit(*arrays, iteration, strategies, best, epsilon)
        computed += [strategies, best, epsilon, np.array([residual])]
    average = regret_play(game, 12)
    some = np.arange(0, game.payoffs.shape[1], 2)
    own_action_last, chances = np.zeros_like(game.own_action_last), np.empty(len(some))
    action_values.update_own_action_last(game.payoffs, game.shape, some, own_action_last)
    action_values.reach_probabilities(some, game.shape, average, chances)
    games = NormalForms(
        np.stack([game.payoffs, 2.0 * game.payoffs]), game.shape, game.symmetry_classes
    )
    together = [games.uniform_values, games.logit_responses(games.uniform_values, 3.0)]
    return [*computed, average, own_action_last, chances, *together]


@pytest.mark.parametrize("number", range(8))
def test_results_without_compilation_have_the_same_bits(
    number: int, monkeypatch: pytest.MonkeyPatch
):
    random, table = random_game(number)
    symmetry_classes = tuple(range(len(table)))
    if number >= 6:
        table, symmetry_classes = symmetric_table(random, 3, 3), (0, 0, 0)
    compiled = kernel_results(table, symmetry_classes)
    switch_compilation_off(monkeypatch)
    for one, other in zip(kernel_results(table, symmetry_classes), compiled, strict=True):
        assert one.tobytes() == other.tobytes()


def test_without_compilation_the_exponential_has_the_same_bits(monkeypatch: pytest.MonkeyPatch):
    points = np.random.default_rng(SEED).uniform(-760, 0, 2_000)
    compiled = [logit.exponential(point) for point in points]
    switch_compilation_off(monkeypatch)
    assert [float(logit.exponential(point)) for point in points] == compiled


@pytest.mark.parametrize("number", randomized.case_numbers(12, 40))
def test_the_kernels_agree_with_their_definitions(number: int):
    properties.check(number)
