from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import NormalForm, split
from service.solver.opponents.styles import solver
from tests.solver.matrix_games import normal_form, random_game, values


@pytest.mark.parametrize("number", range(8))
def test_no_player_gains_much_by_a_deviation(number: int):
    _, table = random_game(number)
    game = normal_form(table)
    strategies = split(solver.solver(game, 0.0), game.shape)
    for own, mix in zip(values(table, strategies), strategies, strict=True):
        assert own.max() - mix @ own <= 0.05 * game.payoff_range


def test_a_dominant_move_is_found():
    table = np.zeros((2, 2, 2))
    table[0, 1], table[1, :, 1] = 1.0, 1.0
    strategies = split(solver.solver(normal_form(table), 0.0), (2, 2))
    for own in strategies:
        np.testing.assert_allclose(own, [0.0, 1.0], atol=1e-9)


def test_all_moves_alike_are_played_evenly():
    game = NormalForm(np.zeros((2, 6)), np.array([2, 3]), np.array([0, 1]))
    np.testing.assert_array_equal(solver.solver(game, 0.0), [1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3])
