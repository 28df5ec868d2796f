"""Texts of numbers as people say them, in all languages; see ``core/spoken.py``."""

from __future__ import annotations

from dataclasses import replace

from service.core.spoken import ALMOST_SURE, Spoken, spoken_percent, spoken_spaces
from service.texts.catalogue import text
from service.texts.formatting import decimal, whole_percent


def about_percent(share: float, language: str, error: float = 0.0) -> str:
    """Return the size of a share of the win, such as "about 3%" or "less than 1%".

    Args:
        share: of any sign.
        language: one of ``LANGUAGES``.
        error: standard error of the share.
    """
    spoken = spoken_percent(share, error)
    return _qualified(spoken, whole_percent(round(spoken.amount), language), language)


def about_cases(chance: float, language: str) -> str:
    """Return a probability as a number of 100 cases, such as "about 3" or "less than 1"."""
    spoken = spoken_percent(chance)
    return _qualified(spoken, decimal(spoken.amount, language), language)


def about_tenths(chance: float, language: str) -> str:
    """Return a probability as a number of 10 cases, such as "about 3" or "less than 1"."""
    tenths = min(9, round(10.0 * chance))
    return _qualified(
        Spoken(max(1, tenths), below=not tenths), decimal(max(1, tenths), language), language
    )


def about_spaces(spaces: float, language: str) -> str:
    """Return the size of a number of spaces, such as "about 1.3" or "2"; of any sign.

    Fractions are means, so they are said to be about that.
    """
    spoken = spoken_spaces(spaces)
    number = decimal(spoken.amount, language)
    whole = spoken.exact and spoken.amount.is_integer()
    return number if whole else _qualified(replace(spoken, exact=False), number, language)


def mean_spaces(spaces: float, language: str) -> str:
    """Return a mean number of spaces or points, such as "1.3" or "less than 0.1"; of any sign."""
    spoken = spoken_spaces(spaces)
    number = decimal(spoken.amount, language)
    return text("spoken.below", language, amount=number) if spoken.below else number


def how_likely(chance: float, language: str, error: float = 0.0) -> str:
    """Return a probability, such as "61%", "less than 1%" or "almost surely"."""
    if chance >= ALMOST_SURE:
        return text("spoken.surely" if chance >= 1.0 else "spoken.almost-surely", language)
    spoken = spoken_percent(chance, error)
    percent = whole_percent(round(spoken.amount), language)
    return text("spoken.below", language, amount=percent) if spoken.below else percent


def _qualified(spoken: Spoken, number: str, language: str) -> str:
    if spoken.exact:
        return number
    return text("spoken.below" if spoken.below else "spoken.about", language, amount=number)
