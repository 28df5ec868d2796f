"""Display names: which strings are legal, and what sentences call each seat."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest

from service.core.violations import Violation
from service.games.common.display_names import (
    MAX_LENGTH,
    NO_NAMES,
    DisplayNames,
    is_display_name,
    read_display_names,
)
from service.games.common.validation import INVALID


def seat(seat_id: str, name: str | None = None, **fields: str) -> dict[str, str]:
    return {"seat": seat_id, **fields} | ({} if name is None else {"name": name})


def names_of(*seats: Any) -> DisplayNames:
    """Return the display names of legal seats."""
    violations: list[Violation] = []
    names = read_display_names({"seats": list(seats)}, violations)
    assert violations == []
    return names


def violations_of(*seats: Any) -> list[tuple[str, str]]:
    violations: list[Violation] = []
    read_display_names({"state": {"seats": list(seats)}}, violations)
    return [(violation.path, violation.code) for violation in violations]


# Legal names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "Jean-Luc O’Brien",
        "王小明",
        "مُحَمَّد",
        "פנינה",
        "Nguyễn Thị Ánh",
        "கண்ணன்",
        "สมชาย",
        "Ольга 2",
        "A",
        "{seat} %s \\1",
        "中村　太郎",
        "علی\u200cرضا",
        "ශ්\u200dරී",
        "٣ نورة",
        "x" * MAX_LENGTH,
        "𐐀" * MAX_LENGTH,
    ],
)
def test_a_name_in_any_script_is_legal(name: str):
    assert is_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="empty"),
        pytest.param(" ", id="one space"),
        pytest.param(" Anna", id="leading space"),
        pytest.param("Anna ", id="trailing space"),
        pytest.param("Anna\u00a0", id="trailing no-break space"),
        pytest.param("\u3000王", id="leading ideographic space"),
        pytest.param("x" * (MAX_LENGTH + 1), id="too long"),
        pytest.param("𐐀" * (MAX_LENGTH + 1), id="too long beyond the basic plane"),
        pytest.param("Anna\n", id="final newline"),
        pytest.param("An\tna", id="tab"),
        pytest.param("An\x00na", id="null"),
        pytest.param("An\x9fna", id="C1 control"),
        pytest.param("An\u2028na", id="line separator"),
        pytest.param("An\u2029na", id="paragraph separator"),
        *(
            pytest.param(f"An{chr(code)}na", id=unicodedata.name(chr(code)).lower())
            for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
        ),
        pytest.param("An\u200bna", id="zero-width space"),
        pytest.param("\ufeffAnna", id="byte-order mark"),
        pytest.param("Anna \u200dB", id="joiner after a space"),
        pytest.param("Anna\u200d", id="joiner at the end"),
        pytest.param("\u200cAnna", id="joiner at the start"),
        pytest.param("An\ud800na", id="unpaired surrogate"),
        pytest.param("An\ue000na", id="private use"),
        pytest.param("An\uffffna", id="noncharacter"),
        pytest.param("Anna 🎿", id="symbol"),
    ],
)
def test_controls_overrides_outer_spaces_and_symbols_are_refused(name: str):
    assert not is_display_name(name)


def test_the_length_counts_code_points_after_composition():
    decomposed = unicodedata.normalize("NFD", "é" * MAX_LENGTH)
    assert len(decomposed) == 2 * MAX_LENGTH
    assert is_display_name(decomposed)
    # This letter has no composed form: NFC makes two code points of it.
    assert is_display_name("\u0958" * (MAX_LENGTH // 2))
    assert not is_display_name("\u0958" * (MAX_LENGTH // 2 + 1))


# Labels in sentences ----------------------------------------------------------------------------


def test_a_seat_without_a_name_is_called_by_its_id():
    assert NO_NAMES.label("red") == "red"
    assert names_of(seat("red", "Zoë"), seat("blue")).label("blue") == "blue"


def test_equal_names_of_different_players_are_told_apart_by_the_ids():
    names = names_of(seat("red", "Anna"), seat("blue", "Anna"), seat("green", "Bo"))
    assert [names.label(each) for each in ("red", "blue", "green")] == [
        "Anna (red)",
        "Anna (blue)",
        "Bo",
    ]


@pytest.mark.parametrize(
    "pair",
    [
        ("Zoë", unicodedata.normalize("NFD", "Zoë")),
        ("نگار", "نگ\u200cار"),
        ("Ana", "A\u200dna"),
        ("Ana", "Ana\ufe0f"),
        ("Ana", "Ana\u3164"),
        ("Ana B", "Ana\u00a0B"),
        ("Ana B", "Ana  B"),
    ],
    ids=ascii,
)
def test_names_that_look_the_same_are_told_apart_by_the_ids(pair: tuple[str, str]):
    assert all(map(is_display_name, pair))
    names = names_of(seat("red", pair[0]), seat("blue", pair[1]), seat("green", "Bo"))
    for name, each in zip(pair, ("red", "blue"), strict=True):
        assert names.label(each).strip("\u2068\u2069").endswith(f"({each})"), name
    assert names.label("green") == "Bo"


def test_a_name_that_is_the_id_of_another_seat_is_told_apart():
    names = names_of(seat("red", "blue"), seat("blue"))
    assert [names.label(each) for each in ("red", "blue")] == ["blue (red)", "blue"]


def test_both_seats_of_a_player_carry_the_name_that_one_of_them_gives():
    names = names_of(
        seat("red", "Zoë", player="z"), seat("blue", player="z"), seat("green", player="y")
    )
    assert [names.label(each) for each in ("red", "blue", "green")] == [
        "Zoë (red)",
        "Zoë (blue)",
        "green",
    ]


def test_a_name_written_from_right_to_left_is_isolated():
    names = names_of(seat("red", "محمد"), seat("blue", "王小明"))
    assert names.label("red") == "\u2068محمد\u2069"
    assert names.label("blue") == "王小明"


# Seats of one player ----------------------------------------------------------------------------


def test_two_names_of_one_player_are_a_violation_at_the_later_seat():
    assert violations_of(
        seat("red", "Zoë", player="z"), seat("green"), seat("blue", "Zoe", player="z")
    ) == [("/state/seats/2/name", "conflicting-display-names")]


def test_a_seat_without_a_player_belongs_to_the_player_with_its_id():
    assert violations_of(seat("z", "Zoë"), seat("blue", "Zoe", player="z")) == [
        ("/state/seats/1/name", "conflicting-display-names")
    ]


def test_names_that_differ_only_in_composition_do_not_disagree():
    composed, decomposed = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert (
        violations_of(seat("red", composed, player="z"), seat("blue", decomposed, player="z")) == []
    )


@pytest.mark.parametrize(
    "body",
    [
        {"state": INVALID},
        {"state": {"seats": INVALID}},
        {"seats": INVALID},
        {"seats": [INVALID, {"seat": INVALID, "name": "Zoë"}, {"player": INVALID, "name": "Zoë"}]},
        {"seats": [{"seat": "red", "player": INVALID, "name": "Zoë"}]},
        {"seats": [{"seat": "red", "name": INVALID}]},
    ],
)
def test_values_that_the_schema_refused_have_no_name(body: Any):
    violations: list[Violation] = []
    assert read_display_names(body, violations) == NO_NAMES
    assert violations == []


# Responses --------------------------------------------------------------------------------------


def test_a_name_returns_to_the_seat_that_had_it_and_to_no_other():
    names = names_of(seat("red", "Zoë", player="z"), seat("blue", player="z"))
    seats = [{"seat": "blue", "player": "z", "score": 1}, {"seat": "red", "player": "z"}]
    assert names.restore({"state": {"seats": seats, "fruit": []}, "dice": [1]}) == {
        "state": {"seats": [seats[0], seats[1] | {"name": "Zoë"}], "fruit": []},
        "dice": [1],
    }


def test_a_response_without_a_state_stays_the_same():
    names = names_of(seat("red", "Zoë"))
    assert names.restore({"moves": []}) == {"moves": []}


def test_a_label_has_no_unbalanced_isolate():
    label = names_of(seat("red", "שרה"), seat("blue", "שרה")).label("red")
    assert re.fullmatch("\u2068[^\u2066-\u2069]+\u2069 \\(red\\)", label)
