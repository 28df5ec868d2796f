"""Differences between choices as sums of rounded parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.core.comparison import compare, round_parts
from service.core.rounding import UNITS, rounded

_PARTS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(-1.0, 1.0, allow_nan=False), min_size=1
)


def _units(value: float) -> int:
    return round(value * UNITS)


@given(_PARTS)
def test_rounded_parts_sum_to_the_rounded_whole(parts: dict[str, float]) -> None:
    whole = rounded(sum(parts.values()))
    printed = round_parts(parts, whole)
    assert sum(map(_units, printed.values())) == _units(whole)
    for name, value in parts.items():
        assert abs(printed.get(name, 0.0) - value) <= 1.001 / UNITS


def test_the_largest_remainders_are_rounded_up() -> None:
    unit = 1 / UNITS
    assert round_parts({"a": 0.4 * unit, "b": 1.3 * unit, "c": 0.3 * unit}, 2 * unit) == {
        "a": unit,
        "b": unit,
    }


def test_parts_of_zero_are_absent() -> None:
    assert round_parts({"a": 0.25, "b": 0.0}, 0.25) == {"a": 0.25}
    assert round_parts({}, 0.25) == {}


def test_the_largest_part_takes_more_than_rounding() -> None:
    assert round_parts({"a": 0.2, "b": -0.1}, 0.2) == {"a": 0.299999999, "b": -0.099999999}


def test_a_comparison_has_rounded_parts() -> None:
    comparison = compare("x", 0.3, {"a": 0.1 + 2e-10, "b": 0.2})
    assert (comparison.other, comparison.difference) == ("x", 0.3)
    assert comparison.parts == {"a": 0.1, "b": 0.2}
