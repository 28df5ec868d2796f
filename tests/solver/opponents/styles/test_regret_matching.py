from __future__ import annotations

import numpy as np
import pytest

from service.solver.normal_form import split
from service.solver.opponents.styles import regret_matching
from tests.solver.matrix_games import normal_forms, random_game, values


def plain_average(table: np.ndarray, steps: int) -> list[np.ndarray]:
    counts = table.shape[1:]
    strategies = [np.full(count, 1 / count) for count in counts]
    regrets = [np.zeros(count) for count in counts]
    total = [np.zeros(count) for count in counts]
    for _ in range(steps):
        for player, value in enumerate(values(table, strategies)):
            total[player] += strategies[player]
            regrets[player] += value - strategies[player] @ value
        positive = [np.maximum(own, 0.0) for own in regrets]
        strategies = [
            own / own.sum() if own.sum() > 0.0 else np.full(len(own), 1 / len(own))
            for own in positive
        ]
    return [own / steps for own in total]


@pytest.mark.parametrize("number", range(8))
def test_the_style_is_the_average_of_sixty_steps(number: int):
    _, table = random_game(number)
    games = normal_forms(table)
    strategies = split(regret_matching.regret_matching(games, 0.0)[0], games.shape)
    for own, plain in zip(strategies, plain_average(table, 60), strict=True):
        np.testing.assert_allclose(own, plain, atol=1e-9)


def test_large_games_get_fewer_steps(monkeypatch: pytest.MonkeyPatch):
    _, table = random_game(2)
    games = normal_forms(table)
    monkeypatch.setattr(regret_matching, "ENTRIES", 20 * games.payoffs.size)
    strategies = split(regret_matching.regret_matching(games, 0.0)[0], games.shape)
    for own, plain in zip(strategies, plain_average(table, 20), strict=True):
        np.testing.assert_allclose(own, plain, atol=1e-9)
