"""Draws from enumerated outcomes."""

from collections import Counter
from fractions import Fraction

import pytest

from service.core.chance import draw
from service.core.game import Chance

TENTHS = Chance("tenth", tuple((place, Fraction(1, 10)) for place in range(10)))
UNEVEN = Chance("uneven", (("rare", Fraction(1, 8)), ("common", Fraction(7, 8))))


def test_equal_seeds_give_equal_outcomes():
    # Python's generator starts with 0.844…, 0.134…, 0.956… and 0.237… for these seeds.
    assert [draw(TENTHS, seed) for seed in range(4)] == [8, 1, 9, 2]
    assert draw(TENTHS, 2**53 - 1) in range(10)


def test_frequencies_match_the_probabilities():
    counts = Counter(draw(UNEVEN, seed) for seed in range(8_000))
    assert counts["rare"] == pytest.approx(1_000, abs=100)


def test_a_certain_outcome_is_always_drawn():
    certain = Chance("certain", ((("nothing",), Fraction(1)),))
    assert {draw(certain, seed) for seed in range(20)} == {("nothing",)}
