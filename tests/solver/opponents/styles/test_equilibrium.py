from __future__ import annotations

import numpy as np
import pytest

from service.solver.budget import WorkMeter
from service.solver.opponents.styles.equilibrium import equilibrium
from tests.solver.matrix_games import ArrayGame, epsilons, random_game, two_player_game


def test_the_known_equilibrium_of_a_small_game_is_found():
    # The worked example of the solver's page: both show heads with probability one third.
    strategies = equilibrium(two_player_game([[2.0, 0.0], [0.0, 1.0]]), WorkMeter(None))
    assert strategies == pytest.approx([1 / 3, 2 / 3, 1 / 3, 2 / 3], abs=1e-3)


@pytest.mark.parametrize("number", range(4))
def test_nobody_gains_much_by_another_move(number: int):
    _, table = random_game(number)
    strategies = equilibrium(ArrayGame(table), WorkMeter(None))
    by_player = np.split(strategies, np.cumsum(table.shape[1:])[:-1])
    assert max(epsilons(table, by_player)) < 0.02
