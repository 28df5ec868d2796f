from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import split
from service.solver.opponents.styles.level_2 import level_2
from tests.solver.matrix_games import normal_forms, random_game, values


def logit(value: np.ndarray, precision: float) -> np.ndarray:
    weights = np.exp(precision * (value - value.max()))
    return weights / weights.sum()


@pytest.mark.parametrize("number", range(8))
def test_level_2_responds_to_level_1_of_the_same_precision(number: int):
    _, table = random_game(number)
    uniform = [np.full(count, 1 / count) for count in table.shape[1:]]
    first = [logit(value, 4.0) for value in values(table, uniform)]
    games = normal_forms(table)
    strategies = split(level_2(games, 4.0)[0], games.shape)
    for own, value in zip(strategies, values(table, first), strict=True):
        np.testing.assert_allclose(own, logit(value, 4.0), atol=1e-12)
