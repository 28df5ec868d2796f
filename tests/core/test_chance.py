"""Drawing from enumerated outcomes."""

from collections import Counter
from fractions import Fraction

import pytest

from service.core.chance import draw
from service.core.game import Chance

TENTHS = Chance("tenth", tuple((place, Fraction(1, 10)) for place in range(10)))
UNEVEN = Chance("uneven", (("rare", Fraction(1, 8)), ("common", Fraction(7, 8))))


def test_a_seed_always_draws_the_same():
    # Python's generator starts with 0.844…, 0.134…, 0.956… and 0.237… for these seeds.
    assert [draw(TENTHS, seed) for seed in range(4)] == [8, 1, 9, 2]


def test_outcomes_come_as_often_as_they_are_likely():
    counts = Counter(draw(UNEVEN, seed) for seed in range(8_000))
    assert counts["rare"] == pytest.approx(1_000, abs=100)


def test_the_only_outcome_is_drawn():
    certain = Chance("certain", ((("nothing",), Fraction(1)),))
    assert {draw(certain, seed) for seed in range(20)} == {("nothing",)}


@pytest.mark.parametrize("seed", [0, 2**53 - 1])
def test_the_ends_of_the_range_of_seeds_draw_something(seed):
    assert draw(TENTHS, seed) in range(10)
