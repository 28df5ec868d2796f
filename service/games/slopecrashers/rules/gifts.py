"""Gift cards: names, uses and the default deck (S1, S14)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias


class Gift(IntEnum):
    """A use of a card; in deck order."""

    SPRING = 0
    CHILI = 1
    ROCKET = 2
    MAGNET = 3
    BLACK_ICE = 4
    BEE_STING = 5
    CARRIER_PIGEON = 6
    SNOWMAN = 7

    @property
    def label(self) -> str:
        """The gift's name in the HTTP contract."""
        return self.name.lower().replace("_", "-")


Card: TypeAlias = tuple[Gift, ...]
"""The uses of a card: one, or two in deck order, of which its owner chooses one."""

UNKNOWN: Final[Card] = ()
"""A card that the caller has not seen."""
UNKNOWN_LABEL: Final = "unknown"

GIFT_BY_LABEL: Final = {gift.label: gift for gift in Gift}


def deck_order(card: Card) -> tuple[int, Card]:
    """Return the sort key of a card: cards with one use first, then by uses."""
    return (len(card), card)


def card_label(card: Card) -> str:
    """Return the card's name in the HTTP contract, such as ``rocket`` or ``spring-or-rocket``."""
    return "-or-".join(gift.label for gift in card) or UNKNOWN_LABEL


CARDS: Final[tuple[Card, ...]] = (
    *((gift,) for gift in Gift),
    *combinations(Gift, 2),
)
"""All cards that a deck may contain, in deck order."""

MAX_DECK_SIZE: Final = 200
"""Cards in a deck."""

CARD_BY_LABEL: Final[dict[str, Card]] = {card_label(card): card for card in CARDS}


@dataclass(frozen=True)
class Deck:
    """Number of each card; cards in deck order, counts positive."""

    counts: tuple[tuple[Card, int], ...]

    @cached_property
    def size(self) -> int:
        """Number of cards in the deck."""
        return sum(count for _, count in self.counts)

    @cached_property
    def count_by_card(self) -> dict[Card, int]:
        """Number of copies by card; cards of which there are none are absent."""
        return dict(self.counts)


DEFAULT_DECK: Final = Deck(
    (
        ((Gift.SPRING,), 6),
        ((Gift.CHILI,), 6),
        ((Gift.ROCKET,), 5),
        ((Gift.MAGNET,), 5),
        ((Gift.BLACK_ICE,), 4),
        ((Gift.BEE_STING,), 4),
        ((Gift.CARRIER_PIGEON,), 4),
        ((Gift.SNOWMAN,), 3),
        ((Gift.SPRING, Gift.ROCKET), 1),
        ((Gift.CHILI, Gift.MAGNET), 1),
        ((Gift.BEE_STING, Gift.CARRIER_PIGEON), 1),
    )
)
"""40 cards, composed for this service and not by the publisher (S1)."""
