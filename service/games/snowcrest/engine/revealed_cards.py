"""The cards that an event of the search may reveal: all of them, or a fixed sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import TypeVar

from service.games.snowcrest.catalogue.cards import Card

T = TypeVar("T")


def revealed_cards(
    possible: Mapping[Card, int], limit: int, position: tuple[object, ...]
) -> list[tuple[Card, float]]:
    """Return the possible cards with their probabilities, or a random sample of them.

    Args:
        possible: number of unseen copies of each card.
        limit: size of a sample.
        position: what the sample depends on, apart from the cards; equal positions have equal
            samples, in every process.
    """
    cards = [card for card, count in possible.items() for _ in range(count)]
    if len(cards) > limit:
        cards = _shuffled(cards, _random(repr((*position, sorted(possible)))))[:limit]
    return [(card, cards.count(card) / len(cards)) for card in dict.fromkeys(cards)]


def _random(seed_text: str) -> Random:
    """Return a random generator that depends only on the text."""
    return Random(int.from_bytes(blake2b(seed_text.encode(), digest_size=8).digest()))


def _shuffled(items: Sequence[T], random: Random) -> list[T]:
    return sorted(items, key=lambda _: random.random())
