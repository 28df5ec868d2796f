from __future__ import annotations

from random import Random

import pytest
from league.statistics.intervals import estimate, wilson


def test_wilson_gives_the_interval_of_the_textbook():
    # 81 of 263: Newcombe 1998, Two-sided confidence intervals for the single proportion, table I.
    low, high = wilson(81 / 263, 263, 0.95)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    # 0 of 20, from the same table.
    assert [round(end, 4) for end in wilson(0.0, 20, 0.95)] == [0.0, 0.1611]


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_the_interval_holds_the_share_itself(share):
    for games in (0.7, *range(1, 400)):
        low, high = wilson(share, games, 0.95)
        assert 0.0 <= low <= share <= high <= 1.0


def test_games_that_always_agree_within_a_group_count_once():
    found = estimate([[1.0, 1.0]] * 50 + [[0.0, 0.0]] * 50)
    assert found.games == 200
    assert found.share == 0.5
    assert found.effective == pytest.approx(99.0)
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 99, 0.95))


def test_groups_that_balance_count_no_more_than_their_games():
    found = estimate([[1.0, 0.0, 0.0, 0.0]] * 30)
    assert found.share == 0.25
    assert found.effective == 120


def test_a_single_group_tells_little():
    found = estimate([[1.0, 1.0, 1.0, 0.0]])
    assert found.effective == 1.0
    assert found.high - found.low > 0.75


def test_without_games_nothing_is_known():
    found = estimate([])
    assert (found.games, found.low, found.high) == (0, 0.0, 1.0)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    random = Random(4)
    held = 0
    for _ in range(600):
        # The dice of a group favour or hinder: 0.3 on average.
        luck = [random.choice((0.1, 0.5)) for _ in range(75)]
        groups = [[float(random.random() < own) for _ in range(4)] for own in luck]
        found = estimate(groups)
        held += found.low <= 0.3 <= found.high
    assert 0.92 <= held / 600 <= 0.98
