"""Numbers as people say them."""

from __future__ import annotations

import pytest

from service.core.spoken import Spoken, spoken_percent, spoken_spaces
from service.games.common.spoken_texts import how_likely, mean_spaces


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (1e-9, "less than 1%"), (0.0099, "less than 1%"), (0.0182, "2%")],
)
def test_shares_are_said_in_whole_per_cent(share: float, text: str) -> None:
    assert how_likely(share, "en") == text


def test_a_share_is_not_more_precise_than_its_error() -> None:
    assert spoken_percent(0.34, error=0.04) == Spoken(35)
    assert spoken_percent(0.03, error=0.04) == Spoken(5, below=True)


def test_only_a_certain_share_is_a_hundred_per_cent() -> None:
    assert spoken_percent(0.999) == Spoken(99)
    assert spoken_percent(1.0) == Spoken(100, exact=True)


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.004, "less than 1%"),
        (0.61, "61%"),
        (0.9499, "95%"),
        (0.95, "almost surely"),
        (1.0, "surely"),
    ],
)
def test_large_chances_are_said_in_words(chance: float, text: str) -> None:
    assert how_likely(chance, "en") == text


@pytest.mark.parametrize(
    ("spaces", "text"),
    [(2.0, "2"), (-1.26, "1.3"), (0.03, "less than 0.1"), (0.0, "0")],
)
def test_spaces_have_one_decimal(spaces: float, text: str) -> None:
    assert mean_spaces(spaces, "en") == text


def test_a_space_is_never_below_the_smallest_step_without_saying_so() -> None:
    assert spoken_spaces(0.04) == Spoken(0.1, below=True)
