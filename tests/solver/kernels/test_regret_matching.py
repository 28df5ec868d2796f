"""The solver's kernels against plain twins, with compilation on and off."""

from __future__ import annotations

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from service.solver.kernels import mixed, newton
from service.solver.normal_form import reduced, revised, split
from tests import randomized
from tests.solver.matrix_games import (
    SEED,
    epsilons,
    normal_form,
    random_game,
    random_mixture,
    switch_compilation_off,
    symmetric_table,
    values,
)

properties = randomized.Properties()


# Exponential ----------------------------------------------------------------------------------


def test_the_exponential_is_as_good_as_that_of_the_library():
    points = [0.0, -0.0, -1e-300, -1e-17, -math.log(2) / 2, -math.log(2)]
    points += [-707 * place / 20_000 for place in range(20_001)]
    points += np.random.default_rng(SEED).uniform(-40, 0, 20_000).tolist()
    for point in points:
        assert mixed.exponential(point) == pytest.approx(math.exp(point), rel=2e-15, abs=0)
    assert mixed.exponential(0.0) == 1.0


def test_the_exponential_fades_to_nothing():
    for point in (-709.0, -730.0, -744.0, -745.1, -746.0, -800.0, -1e4, -1e15):
        assert mixed.exponential(point) == pytest.approx(math.exp(point), abs=2 * 5e-324)


def test_the_exponential_never_falls_where_its_argument_grows():
    points = [-760 + place * 0.0371 for place in range(20_480)]
    found = [mixed.exponential(point) for point in points if point <= 0]
    assert all(one <= other for one, other in pairwise(found))


# What moves are worth -------------------------------------------------------------------------


@properties
def turned_payoffs_have_the_own_move_fastest_and_the_others_before_it(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    expected = [np.moveaxis(own, player, -1).ravel() for player, own in enumerate(table)]
    assert np.array_equal(game.turned, expected)


@properties
def payoffs_that_changed_are_turned_as_if_all_were(number: int):
    random, table = random_game(number)
    counts = table.shape[1:]
    payoffs = table.reshape(len(table), -1).copy()
    alike, ways = range(len(counts)), [None] * len(counts)
    game = reduced(payoffs, counts, alike, ways)
    assert game.turned.size  # It is turned before it changes.
    changed = np.flatnonzero(random.random(payoffs.shape[1]) < 0.3)
    payoffs[:, changed] = random.normal(size=(len(payoffs), len(changed)))
    found = revised(game, changed, payoffs, counts, alike, ways)
    assert np.array_equal(found.turned, reduced(payoffs, counts, alike, ways).turned)
    assert found.spread == float(payoffs.max() - payoffs.min())


@properties
def with_given_strategies_a_changed_game_is_made_anew(number: int):
    random, table = random_game(number)
    counts = table.shape[1:]
    payoffs = table.reshape(len(table), -1).copy()
    alike = range(len(counts))
    ways = [random_mixture(random, counts[0])[None], *[None] * (len(counts) - 1)]
    game = reduced(payoffs, counts, alike, ways)
    changed = np.array([0, payoffs.shape[1] - 1])
    payoffs[:, changed] += 1.0
    found = revised(game, changed, payoffs, counts, alike, ways)
    assert np.array_equal(found.turned, reduced(payoffs, counts, alike, ways).turned)


def reached(strategies: list[np.ndarray], profile: tuple[int, ...]) -> float:
    """The most that all others but one lead there, each player in turn being that one."""
    chances = [own[move] for own, move in zip(strategies, profile, strict=True)]
    return max(
        math.prod(chance for other, chance in enumerate(chances) if other != player)
        for player in range(len(chances))
    )


@properties
def a_profile_is_met_as_often_as_the_others_lead_to_it(number: int):
    random, table = random_game(number)
    shape = table.shape[1:]
    strategies = [random_mixture(random, count) for count in shape]
    everything = list(product(*map(range, shape)))
    some = np.flatnonzero(random.random(len(everything)) < 0.5)
    found = np.empty(len(some))
    mixed.reach(some, np.array(shape), np.concatenate(strategies), found)
    expected = [reached(strategies, everything[profile]) for profile in some]
    assert np.array_equal(found, expected)


@properties
def slopes_are_what_moves_are_worth_with_two_players_moves_told(number: int):
    """Also where much is never played, which is passed over."""
    random, table = random_game(number)
    shape = table.shape[1:]
    strategies = [random_mixture(random, count) for count in shape]
    game, size = normal_form(table), sum(shape)
    found = np.empty((size, size))
    newton.differentiate(game.payoffs, game.shape, np.concatenate(strategies), found)
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
    assert np.array_equal(found, expected)


@properties
def moves_are_worth_their_expectation_over_the_others(number: int):
    random, table = random_game(number)
    strategies = [random_mixture(random, count) for count in table.shape[1:]]
    game = normal_form(table)
    found = split(game.respond(np.concatenate(strategies)), game.shape)
    for one, other in zip(found, values(table, strategies), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-13)


@properties
def the_gap_is_the_most_that_anybody_gains_by_another_move(number: int):
    random, table = random_game(number)
    strategies = [random_mixture(random, count) for count in table.shape[1:]]
    found = normal_form(table).epsilon(np.concatenate(strategies))
    assert found == pytest.approx(max(epsilons(table, strategies)), abs=1e-13)
    assert found >= 0.0


@pytest.mark.parametrize(("players", "moves"), [(2, 5), (3, 4), (4, 3), (5, 2)])
def test_the_moves_of_players_alike_are_worth_the_same_to_the_last_bit(players: int, moves: int):
    random = np.random.default_rng([SEED, players])
    table = symmetric_table(random, players, moves)
    own = random_mixture(random, moves)
    strategies = [own] * players
    alike = normal_form(table, (0,) * players).respond(np.concatenate(strategies))
    for one in split(alike, (moves,) * players):
        assert one.tobytes() == alike[:moves].tobytes()
    np.testing.assert_allclose(alike, np.concatenate(values(table, strategies)), atol=1e-13)


# Fewer choices --------------------------------------------------------------------------------


@properties
def a_game_of_given_ways_is_the_game_of_their_mixtures(number: int):
    random, table = random_game(number)
    ways: list[np.ndarray | None] = []
    for place, count in enumerate(table.shape[1:]):
        kinds = (None, random_mixture(random, count)[None])
        several = np.stack([random_mixture(random, count) for _ in range(3)])
        ways.append((*kinds, several)[(number + place) % 3])
    joint = normal_form(table)
    game = reduced(joint.payoffs, table.shape[1:], range(len(ways)), ways)
    expected = table
    for place, own in enumerate(ways):
        if own is not None:
            expected = np.moveaxis(np.tensordot(own, expected, axes=(1, place + 1)), 0, place + 1)
    assert tuple(game.shape) == expected.shape[1:]
    np.testing.assert_allclose(game.payoffs, expected.reshape(len(table), -1), atol=1e-13)


# Average play ---------------------------------------------------------------------------------


@properties
def who_adapts_plays_on_average_what_plain_regret_matching_says(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    found = np.empty(int(game.shape.sum()))
    mixed.average_matching(game.turned, game.shape, game.alike, 25, found)
    own = [np.full(count, 1.0 / count) for count in table.shape[1:]]
    regrets = [np.zeros(count) for count in table.shape[1:]]
    total = [np.zeros(count) for count in table.shape[1:]]
    for _ in range(25):
        worths = values(table, own)
        total = [one + mine for one, mine in zip(total, own, strict=True)]
        regrets = [
            regret + worth - mine @ worth
            for regret, worth, mine in zip(regrets, worths, own, strict=True)
        ]
        positive = [np.maximum(regret, 0.0) for regret in regrets]
        own = [
            one / one.sum() if one.any() else np.full(len(one), 1.0 / len(one)) for one in positive
        ]
    np.testing.assert_allclose(found, np.concatenate(total) / 25, atol=1e-9)


# Compilation ----------------------------------------------------------------------------------


def everything_of(table: np.ndarray, alike: tuple[int, ...]) -> list[np.ndarray]:
    """Whatever the kernels make of a game."""
    game = normal_form(table, alike)
    found = [game.turned, game.respond(game.uniform), np.array([game.epsilon(game.uniform)])]
    for predictive in (False, True):
        current, best = game.uniform[None], game.uniform[None]
        regrets, epsilon = np.zeros_like(best), np.array([np.inf])
        for window in (8, 16, 32):
            mixed.match_regrets(
                game.turned[None], game.shape, game.alike, window, predictive, np.array([1e-9]),
                current, regrets, best, epsilon,
            )  # fmt: skip
        found += [current, regrets, best, epsilon]
    for precision, midway in product((0.5, 3.0, 50.0), (False, True)):
        strategies, best, epsilon = game.uniform, game.uniform, np.array([np.inf])
        residual = mixed.follow_logit(
            game.turned, game.shape, game.alike, game.shape > 1, precision, 0.3, midway, 40, 1e-12,
            strategies, best, epsilon,
        )  # fmt: skip
        found += [strategies, best, epsilon, np.array([residual])]
    average = np.empty_like(game.uniform)
    mixed.average_matching(game.turned, game.shape, game.alike, 12, average)
    some = np.arange(0, game.payoffs.shape[1], 2)
    turned, chances = np.zeros_like(game.turned), np.empty(len(some))
    mixed.turn_some(game.payoffs, game.shape, some, turned)
    mixed.reach(some, game.shape, average, chances)
    return [*found, average, turned, chances]


@pytest.mark.parametrize("number", range(8))
def test_without_compilation_the_same_bits_are_found(number: int, monkeypatch: pytest.MonkeyPatch):
    random, table = random_game(number)
    alike = tuple(range(len(table)))
    if number >= 6:
        table, alike = symmetric_table(random, 3, 3), (0, 0, 0)
    compiled = everything_of(table, alike)
    switch_compilation_off(monkeypatch)
    for one, other in zip(everything_of(table, alike), compiled, strict=True):
        assert one.tobytes() == other.tobytes()


def test_without_compilation_the_exponential_has_the_same_bits(monkeypatch: pytest.MonkeyPatch):
    points = np.random.default_rng(SEED).uniform(-760, 0, 2_000)
    compiled = [mixed.exponential(point) for point in points]
    switch_compilation_off(monkeypatch)
    assert [float(mixed.exponential(point)) for point in points] == compiled


@pytest.mark.parametrize("number", randomized.case_numbers(12, 40))
def test_the_kernels_agree_with_their_definitions(number: int):
    properties.check(number)
