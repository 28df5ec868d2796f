"""How numbers and lists are put into words, in the languages that sentences come in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SEPARATOR: Final = {"en": ", ", "de": ", ", "zh": "、"}


def percent(chance: float, language: str) -> str:
    """Whole percents; what is neither sure nor impossible is not told as such."""
    whole = round(100.0 * chance)
    if 0.0 < chance < 1.0:
        whole = min(99, max(1, whole))
    return f"{whole} %" if language == "de" else f"{whole}%"


def decimal(number: float, language: str) -> str:
    """Two decimals at most."""
    told = f"{number:.2f}".rstrip("0").rstrip(".")
    return told.replace(".", ",") if language == "de" else told


def hundredths(share: float, language: str) -> str:
    """A difference of shares as percents with two decimals at most."""
    told = decimal(100.0 * share, language)
    return f"{told} %" if language == "de" else f"{told}%"


def listed(told: Iterable[str], language: str) -> str:
    """One after the other."""
    return _SEPARATOR[language].join(told)
