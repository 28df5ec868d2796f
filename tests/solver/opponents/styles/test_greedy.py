from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import split
from service.solver.opponents.styles.greedy import greedy
from tests.solver.matrix_games import normal_forms, random_game, values


@pytest.mark.parametrize("number", range(8))
def test_the_move_that_is_best_against_uniform_play_is_taken(number: int):
    _, table = random_game(number)
    uniform = [np.full(count, 1 / count) for count in table.shape[1:]]
    games = normal_forms(table)
    strategies = split(greedy(games, 0.0)[0], games.shape)
    for own, value in zip(strategies, values(table, uniform), strict=True):
        assert own[value.argmax()] == own.sum() == 1.0


def test_equally_good_moves_share_the_probability():
    # Against uniform play the first two rows of player 0 are both worth 2, the last one 1.
    rows = np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 0.0]])
    [strategies] = greedy(normal_forms(np.stack([rows, -rows])), 0.0)
    assert strategies[:3].tolist() == [0.5, 0.5, 0.0]
