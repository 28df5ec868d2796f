"""Grade classes of losses, relative to what is at stake."""

from __future__ import annotations

import pytest

from service.solver.hints.grading import grade_class


@pytest.mark.parametrize(
    ("best", "loss", "class_"),
    [
        (0.5, 0.0, "best"),
        (0.5, 0.02, "good"),
        (0.5, 0.021, "inaccuracy"),
        (0.25, 0.02, "inaccuracy"),
        (0.25, 0.06, "blunder"),
        (1.0, 0.06, "inaccuracy"),
        (0.02, 0.02, "mistake"),
        (0.002, 0.002, "good"),
    ],
)
def test_a_loss_of_the_win_counts_by_its_part_of_the_best_value(
    best: float, loss: float, class_: str
) -> None:
    assert grade_class("win", loss, best) == class_


def test_a_loss_of_spaces_counts_alone() -> None:
    assert {grade_class("points", 0.3, best) for best in (-2.0, 0.1, 5.0)} == {"inaccuracy"}


def test_a_loss_within_its_error_is_at_worst_good() -> None:
    assert grade_class("win", 0.09, 0.25, error=0.1) == "good"
    assert grade_class("win", 0.0, 0.25, error=0.1) == "best"
    assert grade_class("win", 0.11, 0.25, error=0.1) == "blunder"
