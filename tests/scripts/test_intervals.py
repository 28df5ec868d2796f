from __future__ import annotations

from random import Random

import pytest
from research.league.statistics.intervals import estimate, wilson


def test_wilson_gives_the_published_intervals():
    # 81 of 263: Newcombe 1998, Two-sided confidence intervals for the single proportion, table I.
    low, high = wilson(81 / 263, 263, 0.95)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    # 0 of 20, from the same table.
    assert [round(end, 4) for end in wilson(0.0, 20, 0.95)] == [0.0, 0.1611]


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_the_interval_contains_the_share(share):
    for games in (0.7, *range(1, 400)):
        low, high = wilson(share, games, 0.95)
        assert 0.0 <= low <= share <= high <= 1.0


def test_identical_games_of_a_group_count_once():
    result = estimate([[1.0, 1.0]] * 50 + [[0.0, 0.0]] * 50)
    assert result.games == 200
    assert result.share == 0.5
    assert result.effective == pytest.approx(99.0)
    assert (result.low, result.high) == pytest.approx(wilson(0.5, 99, 0.95))


def test_the_effective_number_never_exceeds_the_games():
    result = estimate([[1.0, 0.0, 0.0, 0.0]] * 30)
    assert result.share == 0.25
    assert result.effective == 120


def test_a_single_group_counts_as_one_game():
    result = estimate([[1.0, 1.0, 1.0, 0.0]])
    assert result.effective == 1.0
    assert result.high - result.low > 0.75


def test_without_games_the_interval_is_0_to_1():
    result = estimate([])
    assert (result.games, result.low, result.high) == (0, 0.0, 1.0)


def test_the_interval_has_its_nominal_coverage():
    random = Random(4)
    covered = 0
    for _ in range(600):
        # The dice of a group change the win rate; its mean is 0.3.
        luck = [random.choice((0.1, 0.5)) for _ in range(75)]
        groups = [[float(random.random() < own) for _ in range(4)] for own in luck]
        result = estimate(groups)
        covered += result.low <= 0.3 <= result.high
    assert 0.92 <= covered / 600 <= 0.98
