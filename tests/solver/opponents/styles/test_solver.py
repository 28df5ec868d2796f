from __future__ import annotations

import numpy as np
import pytest

from service.solver.equilibrium import regret_matching
from service.solver.normal_form import split
from service.solver.normal_forms import NormalForms
from service.solver.opponents.styles import solver
from tests.solver.matrix_games import normal_forms, random_game, values


@pytest.mark.parametrize("number", range(8))
def test_no_player_gains_much_by_a_deviation(number: int):
    _, table = random_game(number)
    games = normal_forms(table)
    strategies = split(solver.solver(games, 0.0)[0], games.shape)
    for own, mix in zip(values(table, strategies), strategies, strict=True):
        assert own.max() - mix @ own <= 0.05 * (table.max() - table.min())


def test_a_dominant_move_is_found():
    table = np.zeros((2, 2, 2))
    table[0, 1], table[1, :, 1] = 1.0, 1.0
    strategies = split(solver.solver(normal_forms(table), 0.0)[0], (2, 2))
    for own in strategies:
        np.testing.assert_allclose(own, [0.0, 1.0], atol=1e-9)


def test_all_moves_alike_are_played_evenly():
    games = NormalForms(np.zeros((1, 2, 6)), np.array([2, 3]), np.array([0, 1]))
    np.testing.assert_array_equal(solver.solver(games, 0.0), [[1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3]])


@pytest.mark.parametrize(("entries", "steps"), [(100_000, 248), (1200, 100), (12, 56)])
def test_large_games_get_fewer_steps(entries: int, steps: int, monkeypatch: pytest.MonkeyPatch):
    asked = []

    def match_all(*arguments, **options):
        asked.append(arguments[3])
        return regret_matching.match_all(*arguments, **options)

    monkeypatch.setattr(solver, "match_all", match_all)
    monkeypatch.setattr(solver, "ENTRIES", entries)
    solver.solver(normal_forms(np.random.default_rng(5).normal(size=(2, 3, 2))), 0.0)
    assert asked == [steps]
