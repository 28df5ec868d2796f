"""Numbers and lists in the languages of the texts."""

from __future__ import annotations

import pytest

from service.core.languages import LANGUAGES
from service.texts.catalogue import text
from service.texts.formatting import decimal, join_list, percent


def test_no_line_breaks_before_the_percent_sign_in_german() -> None:
    assert [percent(0.61, language) for language in LANGUAGES] == ["61%", "61\u00a0%", "61%", "61%"]


@pytest.mark.parametrize(
    ("chance", "expected"),
    [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")],
)
def test_only_certain_events_have_0_or_100_percent(chance: float, expected: str) -> None:
    assert percent(chance, "en") == expected


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [(2, "2", "2"), (0.4, "0.4", "0,4"), (1.254, "1.25", "1,25"), (100.0, "100", "100")],
)
def test_a_decimal_has_at_most_two_digits(number: float, english: str, german: str) -> None:
    assert (decimal(number, "en"), decimal(number, "de")) == (english, german)


def test_a_list_is_written_as_in_the_language() -> None:
    assert [join_list(["3", "5", "6"], language) for language in LANGUAGES] == [
        "3, 5, and 6",
        "3, 5 und 6",
        "3、5 和 6",
        "3、5 和 6",
    ]


def test_chinese_has_spaces_around_numbers_and_latin_names_only() -> None:
    clause = text(
        "snow-time.argument.others-gain-less-of",
        "zh-Hans",
        player="Olga",
        count=1.8,
        number="约 1.8",
    )
    sentence = text("reason.but", "zh-Hans", text=clause)
    assert sentence == "但 Olga 多走约 1.8 格"
    assert join_list(["Zoé", "4%", "小雨"], "zh-Hant") == "Zoé、4% 和小雨"


def test_spaces_between_chinese_characters_disappear():
    parameters = {"choices": "警戒者", "spread": "不到 1% 胜率", "draw": ""}
    sentence = text("snow-time.advice.equal", "zh-Hans", **parameters)
    assert sentence == "警戒者都可以，相差不到 1% 胜率。"
    parameters["choices"] = "3"
    assert text("snow-time.advice.equal", "zh-Hans", **parameters).startswith("3 都可以")
    parameters["choices"] = "警戒者（60%）"
    sentence = text("snow-time.advice.mixture", "zh-Hans", **parameters)
    assert sentence.startswith("在警戒者（60%）之间变换")
