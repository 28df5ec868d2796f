"""Numbers and lists in the languages of the texts."""

from __future__ import annotations

from service.core.languages import LANGUAGES
from service.texts.catalogue import text
from service.texts.formatting import decimal, join_list, percent
from tests.loops import for_each


def test_no_line_breaks_before_the_percent_sign_in_german() -> None:
    assert [percent(0.61, language) for language in LANGUAGES] == ["61%", "61\u00a0%", "61%", "61%"]


@for_each(
    "chance, expected", [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")]
)
def test_only_certain_events_have_0_or_100_percent(chance: float, expected: str) -> None:
    assert percent(chance, "en") == expected


@for_each(
    "number, english, german",
    [(2, "2", "2"), (0.4, "0.4", "0,4"), (1.254, "1.25", "1,25"), (100.0, "100", "100")],
)
def test_a_decimal_has_at_most_two_digits(number: float, english: str, german: str) -> None:
    assert (decimal(number, "en"), decimal(number, "de")) == (english, german)


def test_a_list_is_written_as_in_the_language() -> None:
    lists = [join_list(["3", "5", "6"], language) for language in LANGUAGES]
    assert lists == ["3, 5, and 6", "3, 5 und 6", "3、5 和 6", "3、5 和 6"]


def test_chinese_has_spaces_around_numbers_and_latin_names_only() -> None:
    card = text("snow-time.played-by.champion", "zh-Hans", player="Olga", card="6")
    sentence = text("snow-time.consequence.knocks", "zh-Hans", own="7", theirs=card)
    assert sentence == "你的 7 把 Olga 的 6 打落。"
    assert join_list(["Zoé", "4%", "小雨"], "zh-Hant") == "Zoé、4% 和小雨"


def test_spaces_between_chinese_characters_disappear():
    def equal(choices: str) -> str:
        return text("rounds.advice.equal", "zh-Hans", do="出 5", choices=choices)

    assert equal("警戒者") == "出 5。警戒者也差不多。"
    assert equal("3") == "出 5。3 也差不多。"
