"""The prior over styles: fitted to the players of a population."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from research.league.snow_time.agents import SOLVER_GAME
from research.league.snow_time.style_prior import (
    FIXED,
    fit_prior,
    player_likelihoods,
    random_player,
)

from service.games.snow_time.engine.styles import read_library

pytestmark = pytest.mark.research

LIBRARY = SOLVER_GAME.style_library
NAMES = [style.name for style in LIBRARY.styles]


def test_a_style_is_as_probable_as_its_players_are_common():
    # 300 players, each surely of one style: two thirds greedy, one third the last style.
    logarithms = np.full((300, len(NAMES)), -50.0)
    logarithms[:200, NAMES.index("greedy 0/0/0")] = 0.0
    logarithms[200:, -1] = 0.0
    prior = fit_prior(LIBRARY, logarithms)
    assert sum(prior.values()) == pytest.approx(1.0, abs=1e-4)
    for name, fixed in FIXED.items():
        assert prior[name] == fixed
    assert prior["greedy 0/0/0"] == pytest.approx(0.5 * 0.6 * 2 / 3, abs=0.02)
    assert prior[NAMES[-1]] == pytest.approx(0.5 * 0.6 / 3, abs=0.02)
    assert read_library(prior).prior[0] == pytest.approx(0.3, abs=1e-4)


def test_the_likelihood_of_a_game_is_that_of_its_players():
    logarithms = player_likelihoods(LIBRARY, 1)
    assert logarithms.shape == (4, len(NAMES))
    assert logarithms.max() < 0.0


def test_no_held_out_family_is_in_the_population():
    random = Random(1)
    kinds = {random_player(random).partition(":")[0] for _ in range(200)}
    assert kinds == {"round-solver", "level-1", "quantal", "greedy", "random"}
