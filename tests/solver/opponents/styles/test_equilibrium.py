from __future__ import annotations

import numpy as np

from service.solver.opponents.styles.equilibrium import over_stage_moves


def test_strategies_of_free_players_are_those_of_the_hint():
    strategies = [np.array([0.25, 0.75]), np.array([0.0, 0.5, 0.5])]
    for own, stage in zip(strategies, over_stage_moves(strategies, [2, 3]), strict=True):
        assert stage.tolist() == own.tolist()


def test_a_player_whose_choice_is_fixed_has_one_move():
    strategies = [np.array([0.25, 0.75]), np.array([0.0, 0.5, 0.5])]
    own, fixed = over_stage_moves(strategies, [2, 1])
    assert (own.tolist(), fixed.tolist()) == ([0.25, 0.75], [1.0])
