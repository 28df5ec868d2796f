"""Format numbers and lists in the languages of the sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from babel.lists import format_list

_CHINESE: Final = "\u2e80-\u9fff\uff00-\uffef"
"""Characters and fullwidth punctuation."""
_CHARACTER: Final = "\u3400-\u9fff"
_LATIN: Final = "0-9A-Za-z\u00c0-\u024f"
"""Digits and Latin letters."""
_SPACE_IN_CHINESE: Final = re.compile(f"(?<=[{_CHINESE}]) (?=[{_CHINESE}])")
_LATIN_IN_CHINESE: Final = re.compile(
    f"(?<=[{_CHARACTER}])(?=[{_LATIN}])|(?<=[{_LATIN}%])(?=[{_CHARACTER}])"
)


def percent(chance: float, language: str) -> str:
    """Return whole percents; 0 % and 100 % only for impossible and certain events."""
    rounded = round(100.0 * chance)
    if 0.0 < chance < 1.0:
        rounded = min(99, max(1, rounded))
    return whole_percent(rounded, language)


def whole_percent(number: int, language: str) -> str:
    """Return a number of percents."""
    return _with_sign(str(number), language)


def decimal(number: float, language: str) -> str:
    """Return a number with at most two decimals."""
    digits = f"{number:.2f}".rstrip("0").rstrip(".")
    return digits.replace(".", ",") if language == "de" else digits


def join_list(
    items: Iterable[str], language: str, style: Literal["standard", "or"] = "standard"
) -> str:
    """Return the items as a list of the language, for example "a, b, and c" or "a, b, or c"."""
    joined = format_list(list(items), style=style, locale=language.replace("-", "_"))
    return with_chinese_spaces(joined, language)


def with_chinese_spaces(sentence: str, language: str) -> str:
    """Return a sentence with spaces as in Chinese typography if the language is Chinese.

    There is a space where a number or a Latin name meets a Chinese character, and none between two
    Chinese characters or punctuation marks; the parameters of a text can be of both kinds.
    """
    if not language.startswith("zh"):
        return sentence
    return _LATIN_IN_CHINESE.sub(" ", _SPACE_IN_CHINESE.sub("", sentence))


def _with_sign(digits: str, language: str) -> str:
    # German puts a space before the sign, at which no line may break (DIN 5008).
    return f"{digits}\u00a0%" if language == "de" else f"{digits}%"
