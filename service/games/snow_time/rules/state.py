"""State of Snow Time: cards, track, seats, positions and moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Final

LEVELS: Final = 7
"""Levels of the tree; level 7 is the top."""
FRUIT_LEVELS: Final = 6
"""Fruit can lie on levels 1 to 6."""
FRUIT_TOKENS: Final = 15
DICE: Final = 2
SEATING: Final = (
    "3 to 5 players with one seat each, or 2 players with two seats each, such as "
    '{"seat": "red", "player": "anna"} and {"seat": "blue", "player": "anna"}'
)
"""In messages."""


class Card(IntEnum):
    """The ten cards of a seat in deck order, and ``NONE``; the value of a champion is its level.

    ``NONE`` is what a watcher adds that adds no card, see ``Track.optional_watcher``.
    """

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
    NONE = 11

    @property
    def is_champion(self) -> bool:
        """Whether the card is one of the champions 1 to 7."""
        return self <= LEVELS

    @property
    def label(self) -> str:
        """The card's name in JSON."""
        return str(int(self)) if self.is_champion else self.name.lower()


DECK: Final = tuple(card for card in Card if card is not Card.NONE)
CHAMPIONS: Final = tuple(card for card in DECK if card.is_champion)
SINGLE_USE: Final = (Card.WATCHER, Card.BLIZZARD)
"""Cards that leave the game when they are played."""
CARD_BY_LABEL: Final = {card.label: card for card in DECK}


class Kind(IntEnum):
    """The kinds of points."""

    FIGHT = 0
    FRUIT = 1
    MANA = 2

    @property
    def label(self) -> str:
        """The value of ``kind`` in JSON."""
        return self.name.lower()


KIND_BY_LABEL: Final = {kind.label: kind for kind in Kind}


@dataclass(frozen=True, slots=True, order=True)
class Bonus:
    """A bonus space.

    A marker that stands on ``space`` moves ``advance`` spaces on if its seat gained a point of
    ``kind`` in the round.
    """

    space: int
    kind: Kind
    advance: int


@dataclass(frozen=True)
class Track:
    """A scoring track (R1) and the options of the German rule sheet.

    Attributes:
        length: the last space; the first one is 0.
        bonuses: sorted by space.
        optional_watcher: whether a watcher may add no card (R2).
        spared_champion: whether a blizzard spares the champions that watchers add (R5).
    """

    length: int
    bonuses: tuple[Bonus, ...]
    optional_watcher: bool = False
    spared_champion: bool = False

    @cached_property
    def bonus_by_space(self) -> dict[int, Bonus]:
        """The bonus spaces by number."""
        return {bonus.space: bonus for bonus in self.bonuses}


@lru_cache(maxsize=1)
def default_track() -> Track:
    """Return the default track (R1): the service's own, not the publisher's."""
    advances = (1, 1, 2, 1, 2, 3, 2, 1, 1)
    kinds = (Kind.FIGHT, Kind.FRUIT, Kind.MANA)
    bonuses = (
        Bonus(space=3 * (place + 1), kind=kinds[place % 3], advance=advance)
        for place, advance in enumerate(advances)
    )
    return Track(length=30, bonuses=tuple(bonuses))


@dataclass(frozen=True, slots=True)
class Seat:
    """One colour: its marker and its hand in deck order.  All other cards are discarded."""

    name: str
    player: str
    score: int
    hand: tuple[Card, ...]

    @property
    def discarded_champions(self) -> tuple[Card, ...]:
        """The champions that are not in the hand, in deck order."""
        return tuple(card for card in CHAMPIONS if card not in self.hand)


@dataclass(frozen=True, slots=True)
class State:
    """A position between two rounds or after growth.  It does not store the phase.

    Attributes:
        seats: three to five seats of as many players, or four seats of two players.
        fruit: tokens on levels 1 to 6.
        track: the caller's track; None means the default track.
    """

    seats: tuple[Seat, ...]
    fruit: tuple[int, ...]
    track: Track | None = None

    @property
    def board(self) -> Track:
        """The track in use: the caller's or the default track."""
        return self.track or default_track()

    @property
    def supply(self) -> int:
        """Number of fruit tokens that are not on the tree."""
        return FRUIT_TOKENS - sum(self.fruit)

    @property
    def players(self) -> tuple[str, ...]:
        """Each player once, in the order of their first seats."""
        return tuple(dict.fromkeys(seat.player for seat in self.seats))

    def seat(self, name: str) -> Seat:
        """Return the seat with a name; StopIteration if there is none."""
        return next(seat for seat in self.seats if seat.name == name)

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """Return the seats of a player, in the order of the position; () if there are none."""
        return tuple(seat for seat in self.seats if seat.player == player)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """The choices that a seat has made in one round so far.

    Attributes:
        card: the card revealed first.
        then: what a watcher adds: a card, but no other watcher, or ``Card.NONE``; None without a
            watcher or before the choice.
        recover: the champions that a healer takes back, in deck order; None without a healer or
            before the choice.
    """

    card: Card
    then: Move | None = None
    recover: tuple[Card, ...] | None = None

    @property
    def last(self) -> Move:
        """The innermost part: its card decides whether the seat has a champion on the tree."""
        return self.then or self

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards played, in order."""
        added = () if self.then is None or self.then.card is Card.NONE else (self.then.card,)
        return (self.card, *added)

    @property
    def champion(self) -> Card | None:
        """The champion on the tree, if any."""
        return self.last.card if self.last.card.is_champion else None

    @property
    def awaits_added_card(self) -> bool:
        """Whether a watcher still has to choose the card that it adds (R2)."""
        return self.card is Card.WATCHER and self.then is None

    @property
    def awaits_recovery(self) -> bool:
        """Whether a healer still has to choose whom it takes back (R4)."""
        return self.last.card is Card.HEALER and self.last.recover is None

    @property
    def key(self) -> tuple[int, ...]:
        """Integers that order moves: the card, the added one (0: none), and what is taken back.

        Fewer champions come first, and a recovery that is not chosen yet (-1) before all others.
        """
        taken = self.last.recover
        recovery = (-1,) if taken is None else (len(taken), *map(int, taken))
        return (int(self.card), int(self.then.card) if self.then else 0, *recovery)

    def up_to(self, decision: str) -> Move:
        """Return what is chosen up to a decision: the card, the watcher's or the healer's."""
        if decision == "card":
            return Move(self.card)
        if decision == "watcher":
            return Move(self.card, self.then and Move(self.then.card))
        return self

    def at(self, decision: str) -> Move | None:
        """Return what is chosen up to a decision; None if nothing is chosen there."""
        part = self.up_to(decision)
        earlier = {"watcher": "card", "healer": "watcher"}.get(decision)
        return None if earlier and part == self.up_to(earlier) else part

    def adding(self, card: Card) -> Move:
        """Return the move with a card that its watcher adds."""
        return Move(self.card, Move(card))

    def recovering(self, champions: tuple[Card, ...]) -> Move:
        """Return the move with the champions that its healer takes back."""
        if self.then is not None:
            return Move(self.card, self.then.recovering(champions))
        return Move(self.card, recover=champions)
