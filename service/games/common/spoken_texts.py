"""Texts of numbers as people say them, in all languages; see ``core/spoken.py``."""

from __future__ import annotations

from service.core.spoken import ALMOST_SURE, spoken_percent, spoken_spaces
from service.texts.catalogue import text
from service.texts.formatting import decimal, whole_percent


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
