"""What has to hold of the strategies found in any game, whatever its payoffs."""

from __future__ import annotations

import time
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from service.core.violations import OutOfTime
from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import CertifiedProfile, solve_equilibrium
from service.solver.equilibrium.quantal_response import logit_response, solve_quantal
from tests import randomized
from tests.solver.matrix_games import (
    ArrayJoint,
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
MODELS = pytest.mark.parametrize("model", ["equilibrium", "quantal"])


def random_game(number: int) -> tuple[np.random.Generator, ArrayJoint]:
    random = np.random.default_rng([SEED, 1, number])
    table = random_table(random, random_shape(random, 2 + number % 4))
    print(f"SEED={SEED}", number, table.shape)
    return random, ArrayJoint(table)


def solved(
    joint: ArrayJoint, model: str = "equilibrium", effort: str = "standard", allowed: Any = None
) -> CertifiedProfile:
    allowed = allowed or (None,) * len(joint.players)
    if model == "quantal":
        return solve_quantal(joint, allowed, 2.0, EQUILIBRIUM_BUDGETS[effort], WorkMeter(None))[0]
    return solve_equilibrium(joint, allowed, EQUILIBRIUM_BUDGETS[effort], WorkMeter(None))


@properties_of_a_model
def printed_probabilities_sum_to_exactly_one(number: int, model: str):
    _, joint = random_game(number)
    for own, count in zip(solved(joint, model).strategies, joint.counts, strict=True):
        assert own.shape == (count,)
        assert own.min() >= 0.0
        assert sum(Decimal(repr(float(chance))) for chance in own) == 1


@properties_of_a_model
def the_gap_is_that_of_the_printed_strategies(number: int, model: str):
    _, joint = random_game(number)
    found = solved(joint, model, EFFORTS[number % 3])
    assert found.epsilon == pytest.approx(
        max(epsilons(table_of(joint), found.strategies)), abs=1e-12
    )


@properties
def a_higher_effort_leaves_hardly_a_larger_epsilon(number: int):
    """What is dropped as rare may cost a little in each; the rest only grows better."""
    _, joint = random_game(number)
    found = {effort: solved(joint, effort=effort).epsilon for effort in EFFORTS}
    hardly = 2e-4 * np.ptp(joint.payoffs)
    assert found["standard"] <= max(found["quick"], 1e-3 * np.ptp(joint.payoffs)) + hardly
    assert found["deep"] <= max(found["standard"], 1e-4 * np.ptp(joint.payoffs)) + hardly


@properties
def a_dominated_move_has_no_weight_beyond_epsilon(number: int):
    """Whoever plays it with chance p gains p times the margin by leaving it."""
    random, joint = random_game(number)
    table, margin = table_of(joint).copy(), 0.25
    player = int(random.integers(len(table)))
    own = np.moveaxis(table[player], player, 0)
    worse = own[:1] - margin - random.random(own[:1].shape)
    more = np.concatenate([table, np.take(table, [0], axis=player + 1)], axis=player + 1)
    more[player] = np.moveaxis(np.concatenate([own, worse]), 0, player)
    found = solved(ArrayJoint(more), effort=EFFORTS[number % 3])
    assert found.strategies[player][-1] * margin <= found.epsilon + 1e-9


@pytest.mark.parametrize("number", randomized.case_numbers(4, 12))
@MODELS
def test_players_alike_get_the_same_strategy_to_the_last_bit(number: int, model: str):
    random = np.random.default_rng([SEED, 2, number])
    players, moves = ((2, 6), (3, 5), (4, 3), (5, 3))[number % 4]
    joint = ArrayJoint(symmetric_table(random, players, moves), (0,) * players)
    found = solved(joint, model, EFFORTS[number % 3])
    assert len({own.tobytes() for own in found.strategies}) == 1
    assert found.epsilon == pytest.approx(
        max(epsilons(table_of(joint), found.strategies)), abs=1e-12
    )


@pytest.mark.parametrize("number", range(8))
@MODELS
def test_mirrored_moves_are_played_equally_often_to_the_last_bit(number: int, model: str):
    """Two equal actors with three choices each: a joint move and its mirror image are one."""
    random = np.random.default_rng([SEED, 3, number])
    mirror = np.arange(9).reshape(3, 3).T.ravel()
    table = random_table(random, (9, 4))
    table = (table + table[:, mirror]) / 2
    found = solved(ArrayJoint(table, mirrors={0: mirror}), model, EFFORTS[number % 3])
    assert found.strategies[0].tobytes() == found.strategies[0][mirror].tobytes()
    assert sum(Decimal(repr(float(chance))) for chance in found.strategies[0]) == 1


# Strategies that are given --------------------------------------------------------------------


@properties_of_a_model
def a_given_strategy_is_kept_and_its_player_is_not_asked_whether_it_would_leave(
    number: int, model: str
):
    random, joint = random_game(number)
    told = random_mixture(random, joint.counts[0])
    allowed = [told[None], *[None] * (len(joint.players) - 1)]
    found = solved(joint, model, allowed=allowed)
    np.testing.assert_allclose(found.strategies[0], told, rtol=0, atol=1.01e-9)
    others = epsilons(table_of(joint), found.strategies)[1:]
    assert found.epsilon == pytest.approx(max(others), abs=1e-12)


@pytest.mark.parametrize("number", range(8))
def test_who_can_choose_among_ways_plays_a_mixture_of_them(number: int):
    """One of two actors with two and three choices is given; the other one chooses."""
    random = np.random.default_rng([SEED, 4, number])
    told = random_mixture(random, 2)
    allowed = np.stack([np.kron(told, row) for row in np.eye(3)])
    joint = ArrayJoint(random_table(random, (6, 4, 3)))
    found = solved(joint, allowed=[allowed, None, None])
    own = found.strategies[0].reshape(2, 3)
    np.testing.assert_allclose(own, np.outer(told, own.sum(axis=0)), rtol=0, atol=2e-9)
    worth = values(table_of(joint), found.strategies)
    reachable = (allowed @ worth[0]).max() - found.strategies[0] @ worth[0]
    expected = max(reachable, *epsilons(table_of(joint), found.strategies)[1:])
    assert found.epsilon == pytest.approx(expected, abs=1e-12)


# Quantal responses ----------------------------------------------------------------------------


@properties
def the_residual_is_how_far_printed_probabilities_are_from_the_response(number: int):
    _, joint = random_game(number)
    found, residual = solve_quantal(
        joint, (None,) * len(joint.players), 2.0, EQUILIBRIUM_BUDGETS["standard"], WorkMeter(None)
    )
    worst = 0.0
    for own, value in zip(found.strategies, values(table_of(joint), found.strategies), strict=True):
        weights = np.exp(2.0 * (value - value.max()))
        worst = max(worst, np.abs(own - weights / weights.sum()).max())
    assert residual == pytest.approx(worst, abs=1e-12)
    assert residual < 1e-8


def test_a_response_plays_a_move_as_often_as_it_is_worth():
    found = logit_response(np.array([1.0, 0.0, -1000.0]), 2.0)
    assert found == pytest.approx([1 / (1 + np.exp(-2)), np.exp(-2) / (1 + np.exp(-2)), 0])
    assert logit_response(np.array([3.0]), 40.0).tolist() == [1.0]


# Later decisions ------------------------------------------------------------------------------


@pytest.mark.parametrize("effort", EFFORTS)
@MODELS
def test_where_players_meet_again_the_solution_of_that_game_counts(effort: str, model: str):
    """The first may stay at 0 or go where it seems to lose 5; pennies of 1 / 7 are played there."""
    pennies = np.array([[3.0, -1.0], [-2.0, 1.0]])
    joint = ArrayJoint(
        [[[0.0], [-5.0]], [[0.0], [5.0]]], opens={(1, 0): ((0, 1), np.stack([pennies, -pennies]))}
    )
    found = solved(joint, model, effort)
    assert found.subgames_solved
    [mixture] = joint.mixed.values()
    assert mixture == pytest.approx([3 / 7, 4 / 7, 2 / 7, 5 / 7], abs=0.02)
    assert joint.payoffs[0, 1] == pytest.approx(1 / 7, abs=0.05)
    assert joint.payoffs[1, 1] == -joint.payoffs[0, 1]
    goes = 1.0 if model == "equilibrium" else 1 / (1 + np.exp(-2 * joint.payoffs[0, 1]))
    assert found.strategies[0][1] == pytest.approx(goes, abs=1e-8)


@pytest.mark.parametrize("number", randomized.case_numbers(4, 12))
@MODELS
def test_players_alike_who_meet_again_fare_alike(number: int, model: str):
    """The game in which they meet is as good for one as for the other but for rounding noise."""
    random = np.random.default_rng([SEED, 6, number])
    players = 2 + number % 2
    inner = symmetric_table(random, players, 9 - 3 * (number % 2))
    inner *= 1.0 + 1e-15 * random.random(inner.shape)
    table = np.zeros((players, *[1] * players))
    symmetry_classes = (0,) * players
    joint = ArrayJoint(table, symmetry_classes, opens={(0,) * players: (range(players), inner)})
    solved(joint, model, EFFORTS[number % 3])
    np.testing.assert_allclose(joint.payoffs[:, 0], joint.payoffs[0, 0], rtol=0, atol=1e-9)


def test_where_players_cannot_meet_nothing_is_settled():
    """Waiting is so bad for the first that nobody of both gets there by one move alone."""
    table = np.zeros((3, 2, 2, 2))
    table[0, 1], table[1, :, 1], table[2, :, :, 1] = -1.0, -1.0, -1.0
    pennies = np.zeros((3, 2, 2))
    joint = ArrayJoint(table, opens={(1, 1, 0): ((0, 1), pennies)})
    found = solved(joint, effort="deep")
    assert [own.tolist() for own in found.strategies] == [[1.0, 0.0]] * 3
    assert found.subgames_solved, "nobody comes there"


# Always the same ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
@MODELS
def test_without_compilation_the_same_bits_are_found(
    number: int, model: str, monkeypatch: pytest.MonkeyPatch
):
    random = np.random.default_rng([SEED, 5, number])
    table = random_table(random, (3, 2, 2) if number % 2 else (3, 4))
    compiled = solved(ArrayJoint(table), model, "quick")
    switch_compilation_off(monkeypatch)
    again = solved(ArrayJoint(table), model, "quick")
    assert again.epsilon == compiled.epsilon
    for one, other in zip(again.strategies, compiled.strategies, strict=True):
        assert one.tobytes() == other.tobytes()


@MODELS
def test_a_deadline_that_has_passed_leaves_nothing(model: str):
    _, joint = random_game(1)
    allowed = (None,) * len(joint.players)
    late = WorkMeter(time.monotonic() - 1)
    solve: Any = (
        solve_equilibrium if model == "equilibrium" else partial(solve_quantal, precision=2.0)
    )
    with pytest.raises(OutOfTime):
        solve(joint, allowed, budget=EQUILIBRIUM_BUDGETS["quick"], meter=late)


def test_a_game_without_a_choice_is_solved():
    joint = ArrayJoint(np.array([2.0, -1.0, 0.0]).reshape(3, 1, 1, 1))
    for model in ("equilibrium", "quantal"):
        found = solved(joint, model)
        assert [own.tolist() for own in found.strategies] == [[1.0]] * 3
        assert found.epsilon == 0.0


@NUMBERS
@MODELS
def test_a_solution_of_a_game_has_all_properties_of_its_model(number: int, model: str):
    properties_of_a_model.check(number, model)


@NUMBERS
def test_a_solution_of_a_game_has_all_properties(number: int):
    properties.check(number)
