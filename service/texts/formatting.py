"""Format numbers and lists in the languages of the sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from babel.lists import format_list

_CHINESE: Final = "\u2e80-\u9fff\uff00-\uffef"
"""Characters and fullwidth punctuation."""
_SPACE_IN_CHINESE: Final = re.compile(f"(?<=[{_CHINESE}]) (?=[{_CHINESE}])")


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


def join_list(items: Iterable[str], language: str) -> str:
    """Return the items as a list of the language, for example "a, b, and c"."""
    return format_list(list(items), locale=language.replace("-", "_"))


def without_spaces_in_chinese(sentence: str) -> str:
    """Return the sentence without spaces between two Chinese characters or punctuation marks.

    Texts have a space where a number or a Latin name meets a Chinese character, but a name or an
    amount can be Chinese, too.
    """
    return _SPACE_IN_CHINESE.sub("", sentence)


def _with_sign(digits: str, language: str) -> str:
    # German puts a space before the sign, at which no line may break (DIN 5008).
    return f"{digits}\u00a0%" if language == "de" else f"{digits}%"
