"""Suggestions for unknown names."""

from __future__ import annotations

import pytest

from service.games.common import near_misses
from service.games.common.fields import MapOf, Name, Nested, OneOf, StrictSchema
from service.games.common.near_misses import (
    MAX_LENGTH,
    MAX_LISTED,
    MAX_SENTENCES,
    unknown_name,
)
from service.games.common.validation import Violations, validate_shape

FIELDS = ("state", "player", "hint_level", "deadline_ms", "so_far")
WORDS = ("healer", "black-ice", "level-1")


class Options(StrictSchema):
    hint_level = OneOf(WORDS)
    deadline_ms = OneOf(WORDS)


class Body(StrictSchema):
    options = Nested(Options)
    words = MapOf(keys=OneOf(WORDS), values=Name())


def details(body: object) -> dict[str, str]:
    _, violations = validate_shape(Body(), body)
    return {violation.path: f"{violation.code}: {violation.detail}" for violation in violations}


FIELD_OF = {
    **dict.fromkeys(("hintLevel", "HintLevel", "hint-level", "hint level"), "hint_level"),
    **{"deadlineMs": "deadline_ms", "soFar": "so_far", "State": "state"},
    **dict.fromkeys(("plaeyr", "players"), "player"),
}


@pytest.mark.parametrize(("name", "meant"), FIELD_OF.items())
def test_the_most_similar_field_is_suggested(name: str, meant: str) -> None:
    assert unknown_name("field", name, FIELDS) == f"No field `{name}`. Did you mean `{meant}`?"


@pytest.mark.parametrize("name", ["x", "", "zzzzzz", "blizzard"])
def test_all_names_are_listed_if_none_is_similar(name: str) -> None:
    expected = "Expected one of `healer`, `black-ice`, `level-1`."

    assert unknown_name("value", name, WORDS) == f"No value `{name}`. {expected}"


def test_a_long_name_is_neither_compared_nor_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a long name was compared")

    monkeypatch.setattr(near_misses, "get_close_matches", fail)
    sentence = unknown_name("value", "healer" * MAX_LENGTH, WORDS)

    assert sentence == "Unknown value. Expected one of `healer`, `black-ice`, `level-1`."


def test_a_long_list_of_names_is_shortened() -> None:
    sentence = unknown_name("card", "?", [f"card-{number}" for number in range(1000)])

    assert sentence.count("card-") == MAX_LISTED
    assert sentence.endswith(f"` and {1000 - MAX_LISTED} more.")


def test_unknown_fields_values_and_keys_of_a_body_get_suggestions() -> None:
    body = {
        "optoins": {},
        "options": {"hintLevel": "healer", "deadline_ms": "Healer"},
        "words": {"Black_Ice": "a"},
        "_schema": 1,  # Marshmallow's own key.
    }
    assert details(body) == {
        "/optoins": "unknown-field: No field `optoins`. Did you mean `options`?",
        "/options/hintLevel": "unknown-field: No field `hintLevel`. Did you mean `hint_level`?",
        "/options/deadline_ms": "unknown-word: No value `Healer`. Did you mean `healer`?",
        "/words/Black_Ice": "unknown-word: No value `Black_Ice`. Did you mean `black-ice`?",
        "/_schema": "unknown-field: No field `_schema`. Expected one of `options`, `words`.",
    }


def test_only_some_names_of_a_hostile_body_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    monkeypatch.setattr(
        near_misses, "get_close_matches", lambda name, *_, **__: compared.append(name) or []
    )
    body = {"words": {f"k{number}": "a" for number in range(3000)}}

    assert len(details(body)) == 3000
    assert len(compared) == MAX_SENTENCES


def test_only_some_names_of_the_rules_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    violations = Violations()
    for number in range(3000):
        violations.unknown(f"/{number}", "unknown-card", "card", "heler", WORDS, "C1")

    suggested = [violation for violation in violations if "healer" in violation.detail]
    assert len(suggested) == MAX_SENTENCES
    assert violations[-1].detail == "Unknown card."
    assert violations[-1].rule == "C1"
