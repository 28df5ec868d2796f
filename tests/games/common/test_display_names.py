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
from tests.loops import for_each


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


LEGAL = (
    *("Zoë", "Jean-Luc O’Brien", "王小明", "مُحَمَّد", "פנינה", "Nguyễn Thị Ánh", "கண்ணன்", "สมชาย"),
    *("Ольга 2", "A", "{seat} %s \\1", "中村　太郎", "علی\u200cرضا", "ශ්\u200dරී", "٣ نورة"),
    *("x" * MAX_LENGTH, "𐐀" * MAX_LENGTH),
)


@for_each("name", LEGAL)
def test_a_name_in_any_script_is_legal(name: str):
    assert is_display_name(name)


OVERRIDES = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
ILLEGAL = {
    "empty or only a space": ("", " "),
    "outer spaces": (" Anna", "Anna ", "Anna\u00a0", "\u3000王"),
    "too long": ("x" * (MAX_LENGTH + 1), "𐐀" * (MAX_LENGTH + 1)),
    "controls": ("Anna\n", "An\tna", "An\x00na", "An\x9fna"),
    "line and paragraph separators": ("An\u2028na", "An\u2029na"),
    "overrides and isolates of direction": tuple(f"An{chr(code)}na" for code in OVERRIDES),
    "zero-width space and byte-order mark": ("An\u200bna", "\ufeffAnna"),
    "joiners outside a word": ("Anna \u200dB", "Anna\u200d", "\u200cAnna"),
    "surrogate, private use, noncharacter": ("An\ud800na", "An\ue000na", "An\uffffna"),
    "symbol": ("Anna 🎿",),
}


@pytest.mark.parametrize("names", ILLEGAL.values(), ids=ILLEGAL)
def test_controls_overrides_outer_spaces_and_symbols_are_refused(names: tuple[str, ...]):
    assert [name for name in names if is_display_name(name)] == []


def test_the_length_counts_code_points_after_composition():
    decomposed = unicodedata.normalize("NFD", "é" * MAX_LENGTH)
    assert len(decomposed) == 2 * MAX_LENGTH
    assert is_display_name(decomposed)
    # This letter has no composed form: NFC makes two code points of it.
    assert is_display_name("\u0958" * (MAX_LENGTH // 2))
    assert not is_display_name("\u0958" * (MAX_LENGTH // 2 + 1))


@pytest.mark.parametrize(
    ("seats", "labels"),
    [
        ([seat("red", "Zoë"), seat("blue")], ["Zoë", "blue"]),
        (
            [seat("red", "Anna"), seat("blue", "Anna"), seat("green", "Bo")],
            ["Anna (red)", "Anna (blue)", "Bo"],
        ),
        # The name is the id of another seat.
        ([seat("red", "blue"), seat("blue")], ["blue (red)", "blue"]),
        # Both seats of a player carry the name that one of them gives.
        (
            [seat("red", "Zoë", player="z"), seat("blue", player="z"), seat("green", player="y")],
            ["Zoë (red)", "Zoë (blue)", "green"],
        ),
        # A name written from right to left is isolated.
        ([seat("red", "محمد"), seat("blue", "王小明")], ["\u2068محمد\u2069", "王小明"]),
    ],
)
def test_a_sentence_calls_a_seat_by_its_name_and_tells_equal_names_apart_by_the_ids(
    seats: list[Any], labels: list[str]
):
    names = names_of(*seats)
    assert [names.label(each["seat"]) for each in seats] == labels
    assert NO_NAMES.label("red") == "red"


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


COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD"))


@pytest.mark.parametrize(
    ("seats", "refused"),
    [
        ([seat("red", "Zoë", player="z"), seat("green"), seat("blue", "Zoe", player="z")], [2]),
        # A seat without a player belongs to the player with its id.
        ([seat("z", "Zoë"), seat("blue", "Zoe", player="z")], [1]),
        ([seat("red", COMPOSED, player="z"), seat("blue", DECOMPOSED, player="z")], []),
    ],
)
def test_two_names_of_one_player_are_a_violation_at_the_later_seat(
    seats: list[Any], refused: list[int]
):
    assert violations_of(*seats) == [
        (f"/state/seats/{place}/name", "conflicting-display-names") for place in refused
    ]


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
