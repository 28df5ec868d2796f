"""Rounded numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from service.core.rounding import DECIMALS, apportion, apportion_mirrored, rounded
from tests.randomized import examples

UNIT = Fraction(1, 10**DECIMALS)
MANY = examples(60, 300)

counts = st.lists(st.integers(0, 10_000), min_size=1, max_size=60).filter(any)
shares = st.lists(st.floats(0, 1e6), min_size=1, max_size=60).filter(
    lambda given: sum(given) > 1e-9
)


def printed(value: float) -> Fraction:
    """Return the exact number in JSON; it has at most nine decimals."""
    decimal = Decimal(repr(value))
    assert -decimal.as_tuple().exponent <= DECIMALS, repr(value)
    return Fraction(decimal)


@given(shares, st.just(10**DECIMALS) | st.integers(0, 10**DECIMALS))
@MANY
def test_rounded_shares_sum_to_exactly_the_rounded_whole(given: list[float], units: int):
    whole = units / 10**DECIMALS
    assert sum(map(printed, apportion(given, whole))) == printed(whole)


def test_zeros_stay_zero():
    assert apportion([0.0, 0.0], whole=0.0) == [0.0, 0.0]


@given(shares)
@MANY
def test_rounding_changes_shares_by_less_than_a_unit(given: list[float]):
    total = sum(map(Fraction, given))
    for share, result in zip(given, apportion(given), strict=True):
        assert result >= 0
        assert abs(printed(result) - Fraction(share) / total) < UNIT * Fraction(1001, 1000)


@given(counts)
@MANY
def test_rounding_preserves_the_order_of_shares(given: list[int]):
    result = apportion(given)
    for one, its in zip(given, result, strict=True):
        assert all(its >= other for count, other in zip(given, result, strict=True) if one > count)


@given(counts)
@MANY
def test_equal_shares_differ_by_at_most_a_unit_in_favour_of_the_first(given: list[int]):
    result = apportion(given)
    for place, one in enumerate(given):
        for later in range(place + 1, len(given)):
            if given[later] == one:
                assert 0 <= printed(result[place]) - printed(result[later]) <= UNIT


@given(counts)
@MANY
def test_a_zero_share_stays_zero_and_a_whole_share_stays_whole(given: list[int]):
    result = apportion(given)
    assert all(its == 0.0 for one, its in zip(given, result, strict=True) if one == 0)
    if sum(map(bool, given)) == 1:
        assert max(result) == 1.0


@given(shares, st.integers(-20, 20))
@MANY
def test_only_proportions_matter(given: list[float], power: int):
    scaled = [share * 2.0**power for share in given]
    if all(there / 2.0**power == here for here, there in zip(given, scaled, strict=True)):
        assert apportion(scaled) == apportion(given)


@given(counts)
@MANY
def test_rounded_shares_stay_unchanged(given: list[int]):
    result = apportion(given)
    assert apportion(result) == result


@st.composite
def mirrored(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    """Draw shares and mirror images: some pairs, some their own image."""
    order = draw(st.permutations(range(draw(st.integers(1, 30)))))
    pairs = draw(st.integers(0, len(order) // 2))
    mirror = list(range(len(order)))
    for place in range(pairs):
        one, other = order[2 * place : 2 * place + 2]
        mirror[one], mirror[other] = other, one
    given_shares = [draw(st.floats(0, 1) | st.just(0.0)) for _ in order]
    given_shares[draw(st.integers(0, len(order) - 1))] += 0.5
    return given_shares, mirror


@given(mirrored())
@MANY
def test_mirror_images_are_equal_and_shares_sum_to_exactly_one(case):
    given_shares, mirror = case
    result = apportion_mirrored(given_shares, mirror)
    assert sum(map(printed, result)) == 1
    assert [result[image] for image in mirror] == result
    total = sum(map(Fraction, given_shares))
    for place, image in enumerate(mirror):
        even = (Fraction(given_shares[place]) + Fraction(given_shares[image])) / 2 / total
        assert result[place] >= 0.0
        assert abs(printed(result[place]) - even) < UNIT * (len(mirror) + 2)


def test_shares_that_are_their_own_images_are_rounded_as_usual():
    assert apportion_mirrored([1, 1, 2], [0, 1, 2]) == [0.25, 0.25, 0.5]
    assert apportion_mirrored([3, 1, 1, 3], [0, 2, 1, 3]) == [0.375, 0.125, 0.125, 0.375]
    assert apportion_mirrored([1, 0, 0], [0, 2, 1]) == [1.0, 0.0, 0.0]


def test_three_thirds_sum_to_one():
    assert apportion([1, 1, 1]) == [0.333333334, 0.333333333, 0.333333333]
    assert apportion([2, 1]) == [0.666666667, 0.333333333]
    assert apportion(share for share in (1.0, 3.0)) == [0.25, 0.75]


@given(st.floats(-1000, 1000))
@MANY
def test_a_number_is_rounded_to_the_nearest_of_nine_decimals(value: float):
    result = rounded(value)
    assert abs(printed(result) - Fraction(value)) <= UNIT * Fraction(501, 1000)
    assert rounded(result) == result
    assert rounded(-value) == -result


@given(st.floats(-1e-9, 1e-9))
@MANY
def test_rounding_never_gives_minus_zero(value: float):
    assert repr(rounded(value)) != "-0.0"
