from __future__ import annotations

import numpy as np

from service.solver.normal_form import split
from service.solver.opponents.styles.chance import chance
from tests.solver.matrix_games import normal_forms, random_table


def test_every_move_has_the_same_probability():
    games = normal_forms(random_table(np.random.default_rng(1), (3, 1, 4)))
    expected = [[1 / 3] * 3, [1.0], [0.25] * 4]
    for own, plain in zip(split(chance(games, 0.0)[0], games.shape), expected, strict=True):
        assert own.tolist() == plain
