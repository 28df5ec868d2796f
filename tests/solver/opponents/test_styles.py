"""The styles of opponents, each against a plain computation."""

from __future__ import annotations

import numpy as np
import pytest

from service.solver.equilibrium.regret_matching import match_all
from service.solver.normal_form import split
from service.solver.normal_forms import NormalForms
from service.solver.opponents.styles import regret_matching, solver
from service.solver.opponents.styles.chance import chance
from service.solver.opponents.styles.equilibrium import over_stage_moves
from service.solver.opponents.styles.greedy import greedy
from service.solver.opponents.styles.level_1 import level_1
from service.solver.opponents.styles.level_2 import level_2
from service.solver.opponents.styles.quantal import PATH, STEP, quantal
from tests import randomized
from tests.solver.matrix_games import Floats, normal_forms, random_game, values


def even(table: Floats, precision: float = 0.0) -> list[Floats]:
    return [np.full(count, 1 / count) for count in table.shape[1:]]


def best(table: Floats, precision: float) -> list[Floats]:
    return [np.float64(own == own.max()) for own in values(table, even(table))]


def responses(table: Floats, strategies: list[Floats], precision: float) -> list[Floats]:
    weights = [np.exp(precision * (own - own.max())) for own in values(table, strategies)]
    return [own / own.sum() for own in weights]


def one_step(table: Floats, precision: float) -> list[Floats]:
    return responses(table, even(table), precision)


def two_steps(table: Floats, precision: float) -> list[Floats]:
    return responses(table, one_step(table, precision), precision)


def half_way_at_growing_precision(table: Floats, precision: float) -> list[Floats]:
    strategies = even(table)
    for part, steps in PATH:
        for _ in range(steps):
            answers = responses(table, strategies, part * precision)
            pairs = zip(strategies, answers, strict=True)
            strategies = [own + STEP * (answer - own) for own, answer in pairs]
    return strategies


def average_of_regrets(table: Floats, precision: float, steps: int = 60) -> list[Floats]:
    strategies = even(table)
    regrets, total = ([np.zeros(count) for count in table.shape[1:]] for _ in range(2))
    for _ in range(steps):
        for player, value in enumerate(values(table, strategies)):
            total[player] += strategies[player]
            regrets[player] += value - strategies[player] @ value
        positive = [np.maximum(own, 0.0) for own in regrets]
        pairs = zip(positive, even(table), strict=True)
        strategies = [own / own.sum() if own.any() else same for own, same in pairs]
    return [own / steps for own in total]


PLAIN = [
    (chance, even, 0.0, 0.0),
    (greedy, best, 0.0, 0.0),
    *((level_1, one_step, precision, 1e-12) for precision in (0.0, 1.5, 40.0)),
    (level_2, two_steps, 4.0, 1e-12),
    (quantal, half_way_at_growing_precision, 2.0, 1e-12),
    (regret_matching.regret_matching, average_of_regrets, 0.0, 1e-9),
]
"""Styles with their plain computations, precisions and tolerances."""


@pytest.mark.parametrize("number", randomized.case_numbers(8, 24))
def test_a_style_equals_its_plain_computation(number: int):
    _, table = random_game(number)
    games = normal_forms(table)
    for style, plain, precision, within in PLAIN:
        expected = np.concatenate(plain(table, precision))
        [strategies] = style(games, precision)
        message = f"{style.__name__} at {precision}"
        np.testing.assert_allclose(strategies, expected, rtol=0, atol=within, err_msg=message)


def test_equally_good_moves_share_the_probability():
    # Against uniform play the first two rows of player 0 are both worth 2, except for rounding.
    rows = np.array([[1.0, 3.0], [2.0, 2.0 + 1e-12], [2.0, 0.0]])
    [strategies] = greedy(normal_forms(np.stack([rows, -rows])), 0.0)
    assert strategies[:3].tolist() == [0.5, 0.5, 0.0]


def test_quantal_strategies_are_close_to_a_logit_equilibrium():
    _, table = random_game(5)
    games = normal_forms(table)
    strategies = split(quantal(games, 1.0)[0], games.shape)
    for own, answer in zip(strategies, responses(table, strategies, 1.0), strict=True):
        np.testing.assert_allclose(own, answer, atol=0.01)


def test_large_games_get_fewer_steps_of_regret_matching(monkeypatch: pytest.MonkeyPatch):
    _, table = random_game(2)
    games = normal_forms(table)
    monkeypatch.setattr(regret_matching, "ENTRIES", 20 * games.payoffs.size)
    [strategies] = regret_matching.regret_matching(games, 0.0)
    expected = np.concatenate(average_of_regrets(table, 0.0, 20))
    np.testing.assert_allclose(strategies, expected, atol=1e-9)


# Equilibrium and solver -----------------------------------------------------------------------


def test_equilibrium_players_play_as_in_the_hint_and_fixed_choices_are_one_move():
    strategies = [np.array([0.25, 0.75]), np.array([0.0, 0.5, 0.5])]
    for counts, second in (([2, 3], [0.0, 0.5, 0.5]), ([2, 1], [1.0])):
        played = over_stage_moves(strategies, counts)
        assert [own.tolist() for own in played] == [[0.25, 0.75], second]


@pytest.mark.parametrize("number", range(8))
def test_no_player_gains_much_by_a_deviation_from_the_solver(number: int):
    _, table = random_game(number)
    games = normal_forms(table)
    strategies = split(solver.solver(games, 0.0)[0], games.shape)
    for own, mix in zip(values(table, strategies), strategies, strict=True):
        assert own.max() - mix @ own <= 0.05 * (table.max() - table.min())


def test_the_solver_plays_a_dominant_move():
    table = np.zeros((2, 2, 2))
    table[0, 1], table[1, :, 1] = 1.0, 1.0
    [strategies] = solver.solver(normal_forms(table), 0.0)
    np.testing.assert_allclose(strategies, [0.0, 1.0, 0.0, 1.0], atol=1e-9)


def test_the_solver_plays_equal_moves_evenly():
    games = NormalForms(np.zeros((1, 2, 6)), np.array([2, 3]), np.array([0, 1]))
    np.testing.assert_array_equal(solver.solver(games, 0.0), [[1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]])


@pytest.mark.parametrize(("entries", "steps"), [(100_000, 248), (1200, 100), (12, 56)])
def test_the_solver_has_fewer_steps_in_large_games(
    entries: int, steps: int, monkeypatch: pytest.MonkeyPatch
):
    asked: list[int] = []

    def counted(*arguments, **options):
        asked.append(arguments[3])
        return match_all(*arguments, **options)

    monkeypatch.setattr(solver, "match_all", counted)
    monkeypatch.setattr(solver, "ENTRIES", entries)
    solver.solver(normal_forms(np.random.default_rng(5).normal(size=(2, 3, 2))), 0.0)
    assert asked == [steps]
