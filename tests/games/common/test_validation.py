"""Patterns of strings, for Python and every regular expression engine; empty lists as maps."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import ValidationError

from service.games.common.fields import FullMatch, Integer, MapOf, Name, Ruling, StrictSchema
from service.games.common.validation import INVALID, validate_shape


@pytest.mark.parametrize(
    ("field", "legal", "illegal"),
    [
        (
            Name(),
            ["a", "Z_-9", "x" * 32],
            ["", "x" * 33, "a b", "é", "٣", "a\n", "\na", "a\nb", "a\r"],
        ),
        (Ruling(), ["R1", "S13", "C20"], ["", "R", "13", "x1", "r1", "R100", "R1\n", " R1"]),
    ],
    ids=["id of 1 to 32 safe characters", "letter of a game and a number"],
)
def test_a_pattern_accepts_whole_strings_without_a_final_newline(
    field: Any, legal: list[str], illegal: list[str]
):
    assert [field.deserialize(each) for each in legal] == legal
    for each in illegal:
        with pytest.raises(ValidationError, match="bad-name"):
            field.deserialize(each)


def test_a_pattern_has_to_match_the_whole_string():
    validator = FullMatch("^a|b$", error="bad: No.")
    assert validator("b") == "b"
    with pytest.raises(ValidationError, match="bad: No"):
        validator("ac")


def test_an_empty_list_is_an_empty_map():
    class Counts(StrictSchema):
        counts = MapOf(keys=Name(), values=MapOf(keys=Name(), values=Integer(0, 9)))
        number = Integer(0, 9)

    given = {"counts": {"a": [], "b": {"c": 1}}, "number": 1}
    read = {"counts": {"a": {}, "b": {"c": 1}}, "number": 1}
    assert validate_shape(Counts(), given) == (read, [])
    assert validate_shape(Counts(), {"counts": []}) == ({"counts": {}}, [])
    document, violations = validate_shape(Counts(), {"counts": [], "number": []})
    assert document == {"counts": {}, "number": INVALID}
    assert [violation.path for violation in violations] == ["/number"]
