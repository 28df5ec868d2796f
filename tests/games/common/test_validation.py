"""Patterns of strings, for Python and every regular expression engine; empty lists as maps."""

from __future__ import annotations

import pytest
from marshmallow import ValidationError

from service.games.common.fields import FullMatch, Integer, MapOf, Name, Ruling, StrictSchema
from service.games.common.validation import INVALID, validate_shape


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


@pytest.mark.parametrize("number", ["", "R", "13", "x1", "r1", "R100", "R1\n", " R1"])
def test_anything_else_is_no_ruling(number):
    with pytest.raises(ValidationError, match="bad-name"):
        Ruling().deserialize(number)


def test_an_empty_list_is_an_empty_map():
    class Counts(StrictSchema):
        counts = MapOf(keys=Name(), values=MapOf(keys=Name(), values=Integer(0, 9)))
        number = Integer(0, 9)

    given = {"counts": {"a": [], "b": {"c": 1}}, "number": 1}
    assert validate_shape(Counts(), given) == (
        {"counts": {"a": {}, "b": {"c": 1}}, "number": 1},
        [],
    )
    assert validate_shape(Counts(), {"counts": []}) == ({"counts": {}}, [])
    document, violations = validate_shape(Counts(), {"counts": [], "number": []})
    assert document == {"counts": {}, "number": INVALID}
    assert [violation.path for violation in violations] == ["/number"]
