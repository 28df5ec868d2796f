from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import split
from service.solver.opponents.styles.quantal import PATH, STEP, quantal
from tests.solver.matrix_games import normal_forms, random_game, values


def response(table: np.ndarray, strategies: list[np.ndarray], precision: float):
    weights = [np.exp(precision * (v - v.max())) for v in values(table, strategies)]
    return [own / own.sum() for own in weights]


@pytest.mark.parametrize("number", range(8))
def test_the_strategies_go_half_way_to_the_logit_response_at_growing_precision(number: int):
    _, table = random_game(number)
    strategies = [np.full(count, 1 / count) for count in table.shape[1:]]
    for part, steps in PATH:
        for _ in range(steps):
            answers = response(table, strategies, part * 2.0)
            strategies = [
                own + STEP * (answer - own) for own, answer in zip(strategies, answers, strict=True)
            ]
    games = normal_forms(table)
    for own, plain in zip(split(quantal(games, 2.0)[0], games.shape), strategies, strict=True):
        np.testing.assert_allclose(own, plain, atol=1e-12)


def test_the_strategies_are_close_to_a_logit_equilibrium():
    _, table = random_game(5)
    games = normal_forms(table)
    strategies = split(quantal(games, 1.0)[0], games.shape)
    for own, answer in zip(strategies, response(table, strategies, 1.0), strict=True):
        np.testing.assert_allclose(own, answer, atol=0.01)
