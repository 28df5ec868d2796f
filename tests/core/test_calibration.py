"""Stated shares of the win."""

from dataclasses import replace

import numpy as np
import pytest

from service.core.calibration import Calibration, calibrations, evaluator_name
from service.games.slopecrashers.engine.evaluation import default_evaluator

SHARES = np.array([[0.6, 0.3, 0.1], [1.0, 0.0, 0.0], [0.2, 0.5, 0.3]])


def test_a_calibration_that_changes_nothing():
    assert Calibration(1.0, 0.0, 0.0, 0.0).stated(SHARES, 1) == pytest.approx(SHARES)


def test_sharpness_optimism_and_doubt():
    stated = Calibration(2.0, np.log(3.0), 0.1, 0.0).stated(SHARES[:1], 1)
    # 0.36, 0.09 / 3 and 0.01 in proportion, and a tenth in equal parts.
    parts = np.array([[0.36, 0.03, 0.01]]) / 0.4
    assert stated == pytest.approx(0.9 * parts + 0.1 / 3)


@pytest.mark.parametrize("asker", [0, 1, 2])
def test_stated_shares_sum_to_one_and_keep_the_order_of_own_shares(asker):
    """Against equal others, more stays more."""
    own = np.linspace(0.0, 1.0, 21)
    shares = np.repeat((1.0 - own)[:, None] / 2.0, 3, axis=1)
    shares[:, asker] = own
    stated = Calibration(0.7, 0.3, 0.1, 0.0).stated(shares, asker)
    assert stated.sum(axis=1) == pytest.approx(np.ones(21))
    assert (np.diff(stated[:, asker]) > 0.0).all()


def test_calibrations_are_read_by_number_of_players():
    read = calibrations({"2": [1.5, 0.2, 0.1, 0.05]})
    assert read == {2: Calibration(1.5, 0.2, 0.1, 0.05)}


def test_a_game_that_was_played_to_its_end_may_go_otherwise():
    """Of the wins that a search of Slopecrashers had played out for three, 22 % were lost."""
    won = Calibration(1.0, 0.0, 0.0, 0.3).of_finished(np.eye(3)[:1])
    assert won == pytest.approx(np.array([[0.8, 0.1, 0.1]]))


def test_an_evaluator_has_another_name_if_any_number_changes():
    evaluator = default_evaluator()
    names = {evaluator_name(evaluator), evaluator_name(replace(evaluator, room=0.123))}
    assert len(names) == 2
    assert all(name.startswith(f"{evaluator.version}.") for name in names)
