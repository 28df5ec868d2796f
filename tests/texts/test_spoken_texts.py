"""Probabilities as people say them."""

from __future__ import annotations

from service.games.common.spoken_texts import how_likely
from tests.loops import for_each

SPOKEN = {
    **{0.0: "0%", 1e-9: "less than 1%", 0.0099: "less than 1%", 0.0182: "2%", 0.61: "61%"},
    **{0.9499: "95%", 0.95: "almost surely", 0.999: "almost surely", 1.0: "surely"},
}


@for_each("chance, text", SPOKEN.items())
def test_chances_are_whole_per_cent_and_large_ones_words(chance: float, text: str) -> None:
    assert how_likely(chance, "en") == text
