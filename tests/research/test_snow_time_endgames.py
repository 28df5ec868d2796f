"""Endgames of Snow Time: the script, and bounds of correlated equilibria."""

from __future__ import annotations

import numpy as np
import pytest
import research.endgames.snow_time as snow_time_endgames
from research.league.snow_time.correlated import correlated_bounds

pytestmark = pytest.mark.research


def test_bounds_of_correlated_equilibria():
    pennies = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    chicken = np.array([[[6.0, 2.0], [7.0, 0.0]], [[6.0, 7.0], [2.0, 0.0]]])

    assert correlated_bounds(pennies, 0) == pytest.approx((0.5, 0.5))
    assert correlated_bounds(chicken, 0) == pytest.approx((2.0, 7.0))


def test_the_script_counts_costs_that_no_equilibrium_avoids(capsys: pytest.CaptureFixture[str]):
    assert snow_time_endgames.main(["--positions", "50", "--seed", "101", "--small"]) == 0
    assert "in every equilibrium: 1\n" in capsys.readouterr().out
