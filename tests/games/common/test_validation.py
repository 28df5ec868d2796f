"""Patterns of strings: strict in Python, and readable for every regular expression engine."""

from __future__ import annotations

import pytest
from marshmallow import ValidationError

from service.games.common.fields import FullMatch, Name, Ruling


@pytest.mark.parametrize("name", ["a", "Z_-9", "x" * 32])
def test_an_id_of_1_to_32_safe_characters_is_accepted(name: str):
    assert Name().deserialize(name) == name


@pytest.mark.parametrize("name", ["", "x" * 33, "a b", "é", "٣", "a\n", "\na", "a\nb", "a\r"])
def test_every_other_id_is_refused_also_with_a_final_newline(name: str):
    with pytest.raises(ValidationError, match="bad-name"):
        Name().deserialize(name)


def test_a_pattern_has_to_match_the_whole_string():
    validator = FullMatch("^a|b$", error="bad: No.")
    assert validator("b") == "b"
    with pytest.raises(ValidationError, match="bad: No"):
        validator("ac")


@pytest.mark.parametrize("number", ["R1", "S13", "C20"])
def test_a_ruling_is_the_letter_of_a_game_and_a_number(number):
    assert Ruling().deserialize(number) == number


@pytest.mark.parametrize("number", ["", "R", "13", "X1", "r1", "R100", "R1\n", " R1"])
def test_anything_else_is_no_ruling(number):
    with pytest.raises(ValidationError, match="bad-name"):
        Ruling().deserialize(number)
