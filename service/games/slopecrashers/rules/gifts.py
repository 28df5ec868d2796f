"""Gift cards: what they are called, what they can be used as, and the house deck (S1, S14)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias


class Gift(IntEnum):
    """What a card can be used as, in deck order."""

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
"""A card's uses: one, or two in deck order of which its holder chooses."""

UNKNOWN: Final[Card] = ()
"""A card that whoever posts a state has not seen."""
UNKNOWN_LABEL: Final = "unknown"

GIFT_BY_LABEL: Final = {gift.label: gift for gift in Gift}


def deck_order(card: Card) -> tuple[int, Card]:
    """What sorts cards: plain ones first, each by its gifts."""
    return (len(card), card)


def label(card: Card) -> str:
    """The card's name in the HTTP contract: ``rocket``, ``spring-or-rocket`` or ``unknown``."""
    return "-or-".join(gift.label for gift in card) or UNKNOWN_LABEL


CARDS: Final[tuple[Card, ...]] = (
    *((gift,) for gift in Gift),
    *combinations(Gift, 2),
)
"""Every card that a deck may hold, in deck order."""

CARD_BY_LABEL: Final[dict[str, Card]] = {label(card): card for card in CARDS}


@dataclass(frozen=True)
class Deck:
    """How many of each card there are; cards in deck order, none of them 0 times."""

    counts: tuple[tuple[Card, int], ...]

    @cached_property
    def size(self) -> int:
        return sum(count for _, count in self.counts)

    @cached_property
    def count_by_card(self) -> dict[Card, int]:
        return dict(self.counts)


HOUSE_DECK: Final = Deck(
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
"""The service's own mix of 40 cards (S1): ours, not the publisher's."""
