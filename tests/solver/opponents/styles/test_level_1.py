from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import split
from service.solver.opponents.styles.level_1 import level_1
from tests.solver.matrix_games import normal_forms, random_game, values


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("precision", [0.0, 1.5, 40.0])
def test_moves_follow_the_exponential_of_their_value_against_uniform_play(
    number: int, precision: float
):
    _, table = random_game(number)
    uniform = [np.full(count, 1 / count) for count in table.shape[1:]]
    games = normal_forms(table)
    strategies = split(level_1(games, precision)[0], games.shape)
    for own, value in zip(strategies, values(table, uniform), strict=True):
        weights = np.exp(precision * (value - value.max()))
        np.testing.assert_allclose(own, weights / weights.sum(), atol=1e-12)
