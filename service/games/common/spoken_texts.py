"""Texts of probabilities as people say them, in all languages."""

from __future__ import annotations

from typing import Final

from service.texts.catalogue import text
from service.texts.formatting import whole_percent

ALMOST_SURE: Final = 0.95
"""Chances from here on are said to be almost sure, except a certain one."""


def how_likely(chance: float, language: str) -> str:
    """Return a probability, such as "61%", "less than 1%" or "almost surely"."""
    if chance >= ALMOST_SURE:
        return text("spoken.surely" if chance >= 1.0 else "spoken.almost-surely", language)
    if 0.0 < chance < 0.01:
        return text("spoken.below", language, amount=whole_percent(1, language))
    return whole_percent(round(100.0 * chance), language)
