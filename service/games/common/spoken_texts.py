"""Texts of numbers as people say them, in all languages; see ``core/spoken.py``."""

from __future__ import annotations

from typing import Final

from service.core.spoken import ALMOST_SURE, Spoken, spoken_percent, spoken_spaces
from service.games.common.formatting import decimal

_ABOUT: Final = {"en": "about {}", "de": "etwa {}", "zh-Hans": "约 {}", "zh-Hant": "約 {}"}
_BELOW: Final = {
    "en": "less than {}",
    "de": "weniger als {}",
    "zh-Hans": "不到 {}",
    "zh-Hant": "不到 {}",
}
_PERCENT: Final = {"en": "{}%", "de": "{} %", "zh-Hans": "{}%", "zh-Hant": "{}%"}
_SURELY: Final = {"en": "surely", "de": "sicher", "zh-Hans": "必定", "zh-Hant": "必定"}
_ALMOST_SURELY: Final = {
    "en": "almost surely",
    "de": "fast sicher",
    "zh-Hans": "几乎必定",
    "zh-Hant": "幾乎必定",
}


def about_percent(share: float, language: str, error: float = 0.0) -> str:
    """Return the size of a share of the win, such as "about 3%" or "less than 1%".

    Args:
        share: of any sign.
        language: one of ``LANGUAGES``.
        error: standard error of the share.
    """
    spoken = spoken_percent(share, error)
    return _qualified(spoken, _PERCENT[language].format(round(spoken.amount)), language)


def about_spaces(spaces: float, language: str) -> str:
    """Return the size of a number of spaces, such as "about 1.3" or "2"; of any sign."""
    spoken = spoken_spaces(spaces)
    return _qualified(spoken, decimal(spoken.amount, language), language)


def how_likely(chance: float, language: str, error: float = 0.0) -> str:
    """Return a probability, such as "61%", "less than 1%" or "almost surely"."""
    if chance >= ALMOST_SURE:
        return (_SURELY if chance >= 1.0 else _ALMOST_SURELY)[language]
    spoken = spoken_percent(chance, error)
    percent = _PERCENT[language].format(round(spoken.amount))
    return _BELOW[language].format(percent) if spoken.below else percent


def _qualified(spoken: Spoken, number: str, language: str) -> str:
    if spoken.exact:
        return number
    return (_BELOW if spoken.below else _ABOUT)[language].format(number)
