"""What lies on the table in Snow Time, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Final

LEVELS: Final = 7
"""Levels of the tree; level 7 is the top."""
FRUIT_LEVELS: Final = 6
"""Fruit lies on levels 1 to 6."""
FRUIT_TOKENS: Final = 15
DICE: Final = 2


class Card(IntEnum):
    """The ten cards of a colour, in deck order; a champion's value is its level."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    HEALER = 8
    WATCHER = 9
    BLIZZARD = 10

    @property
    def is_champion(self) -> bool:
        return self <= LEVELS

    @property
    def label(self) -> str:
        """The card's name in the HTTP contract."""
        return str(int(self)) if self.is_champion else self.name.lower()


DECK: Final = tuple(Card)
CHAMPIONS: Final = tuple(card for card in DECK if card.is_champion)
CARD_BY_LABEL: Final = {card.label: card for card in DECK}


class Kind(IntEnum):
    """What a point is gained for."""

    FIGHT = 0
    FRUIT = 1
    MANA = 2

    @property
    def label(self) -> str:
        return self.name.lower()


KIND_BY_LABEL: Final = {kind.label: kind for kind in Kind}


@dataclass(frozen=True, slots=True, order=True)
class Bonus:
    """A bonus space: who stands here and gained a point of ``kind`` advances."""

    space: int
    kind: Kind
    advance: int


@dataclass(frozen=True)
class Track:
    """A scoring track from space 0 to ``length``; ``bonuses`` are sorted by space (R1)."""

    length: int
    bonuses: tuple[Bonus, ...]

    @cached_property
    def bonus_by_space(self) -> dict[int, Bonus]:
        return {bonus.space: bonus for bonus in self.bonuses}


@lru_cache(maxsize=1)
def default_track() -> Track:
    """The service's own track (R1): ours, not the publisher's."""
    advances = (1, 1, 2, 1, 2, 3, 2, 1, 1)
    kinds = (Kind.FIGHT, Kind.FRUIT, Kind.MANA)
    bonuses = (
        Bonus(space=3 * (place + 1), kind=kinds[place % 3], advance=advance)
        for place, advance in enumerate(advances)
    )
    return Track(length=30, bonuses=tuple(bonuses))


@dataclass(frozen=True, slots=True)
class Seat:
    """One colour: its marker and its hand, in deck order.  What is not in hand is discarded."""

    name: str
    player: str
    score: int
    hand: tuple[Card, ...]

    @property
    def discarded_champions(self) -> tuple[Card, ...]:
        return tuple(card for card in CHAMPIONS if card not in self.hand)


@dataclass(frozen=True, slots=True)
class State:
    """A position between two rounds, or after growth: it carries no phase.

    Attributes:
        seats: three to five of as many players, or four of two.
        fruit: tokens on levels 1 to 6.
        track: the track that the caller brought; None stands for the house track.
    """

    seats: tuple[Seat, ...]
    fruit: tuple[int, ...]
    track: Track | None = None

    @property
    def board(self) -> Track:
        """The track that holds."""
        return self.track or default_track()

    @property
    def supply(self) -> int:
        return FRUIT_TOKENS - sum(self.fruit)

    @property
    def players(self) -> tuple[str, ...]:
        """Every player once, in order of their first seat."""
        return tuple(dict.fromkeys(seat.player for seat in self.seats))

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.player == player)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A seat's choices of one round, as far as they are made.

    Attributes:
        card: the card revealed first.
        then: the card added by a watcher, itself never a watcher; None if none or not yet.
        recover: the champions a healer takes back, in deck order; None if none or not yet.
    """

    card: Card
    then: Move | None = None
    recover: tuple[Card, ...] | None = None

    @property
    def last(self) -> Move:
        """The innermost part: what the seat shows on the tree, healer or blizzard."""
        return self.then or self

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards on the table, in the order they were laid."""
        return (self.card,) if self.then is None else (self.card, self.then.card)

    @property
    def champion(self) -> Card | None:
        return self.last.card if self.last.card.is_champion else None

    @property
    def awaits_added_card(self) -> bool:
        return self.card is Card.WATCHER and self.then is None

    @property
    def awaits_recovery(self) -> bool:
        return self.last.card is Card.HEALER and self.last.recover is None

    def adding(self, card: Card) -> Move:
        return Move(self.card, Move(card))

    def recovering(self, champions: tuple[Card, ...]) -> Move:
        if self.then is not None:
            return Move(self.card, self.then.recovering(champions))
        return Move(self.card, recover=champions)
