"""What lies on the table in Slopecrashers, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple

from service.games.slopecrashers.rules.course import Course, Piece
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Deck, Gift

LAPS: Final = 2
MOVEMENTS: Final = 2
"""In a turn, before boosts and gifts."""
STUNG_MOVEMENTS: Final = 1
MOST_ATOMS: Final = 64
"""In a turn, besides draws and answers (S5)."""


class Space(NamedTuple):
    """A space of the course; rows count from the start, lanes from the left, both from 0."""

    row: int
    lane: int


class Place(NamedTuple):
    """Where a character is: which descent, counted from 1, and where on the course."""

    lap: int
    row: int
    lane: int

    @property
    def space(self) -> Space:
        return Space(self.row, self.lane)

    @property
    def progress(self) -> tuple[int, int]:
        """What is compared to tell who is ahead (S4, S10)."""
        return (self.lap, self.row)


@dataclass(frozen=True, slots=True)
class Seat:
    """One player.

    Attributes:
        player: the name.
        place: of the character; None before the first turn, and once it has won.
        gifts: the stack, top first; ``UNKNOWN`` where whoever posts the state has not seen it.
        misses_turn: whether the next turn is passed over (S11).
        stung: whether the next turn that is played starts with one movement (S10).
    """

    player: str
    place: Place | None = None
    gifts: tuple[Card, ...] = ()
    misses_turn: bool = False
    stung: bool = False


class Snowman(NamedTuple):
    """A snowman on the course, and the card that put it there."""

    space: Space
    card: Card


@dataclass(frozen=True, slots=True)
class State:
    """A position between two turns.

    Attributes:
        seats: two to six, in the order of turns.
        turn: index of the seat whose turn is next.
        course: the pieces as they are laid.
        deck: all gift cards of the game.
        discards: used and discarded gifts, in deck order.
        snowmen: by row and lane.
        winner: index of the seat that has won, if one has.
        own_pieces: all pieces that the caller brought, laid or not; None stands for the house's.
        own_deck: whether the caller brought the deck.
    """

    seats: tuple[Seat, ...]
    turn: int
    course: Course
    deck: Deck
    discards: tuple[Card, ...] = ()
    snowmen: tuple[Snowman, ...] = ()
    winner: int | None = None
    own_pieces: tuple[Piece, ...] | None = None
    own_deck: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.seats)

    @property
    def mover(self) -> Seat:
        """Whose turn is next."""
        return self.seats[self.turn]

    def after(self, seat: int) -> Iterator[int]:
        """The other seats in the order of turns, from the left of one."""
        count = len(self.seats)
        return ((seat + step) % count for step in range(1, count))

    def standing_on(self, space: Space) -> tuple[int, ...]:
        """The seats whose characters are there; on the way there may be several."""
        return tuple(
            index
            for index, seat in enumerate(self.seats)
            if seat.place is not None and seat.place.space == space
        )

    def snowman_on(self, space: Space) -> Snowman | None:
        return next((snowman for snowman in self.snowmen if snowman.space == space), None)

    def with_seat(self, index: int, seat: Seat) -> State:
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))


# Hidden cards (S15) ---------------------------------------------------------------------------


def pile_size(state: State, in_play: int = 0) -> int:
    """How many cards lie face down, ``in_play`` being on the table but not yet discarded."""
    elsewhere = sum(len(seat.gifts) for seat in state.seats) + len(state.snowmen) + in_play
    return state.deck.size - elsewhere - len(state.discards)


def pool(state: State, in_play: Card | None = None) -> dict[Card, int]:
    """What the pile and the unknown gifts may be together: the deck less all known cards.

    Returns:
        how many of each card, in deck order, none of them 0 times.
    """
    known = Counter(state.discards)
    known.update(snowman.card for snowman in state.snowmen)
    known.update(card for seat in state.seats for card in seat.gifts if card != UNKNOWN)
    if in_play is not None:
        known[in_play] += 1
    return {card: count - known[card] for card, count in state.deck.counts if count > known[card]}


def observed(state: State, player: str) -> State:
    """What a player sees: of the others' gifts how many there are, and no more (S15)."""
    return replace(
        state,
        seats=tuple(
            seat if seat.player == player else replace(seat, gifts=(UNKNOWN,) * len(seat.gifts))
            for seat in state.seats
        ),
    )


# What a turn consists of ----------------------------------------------------------------------


class Direction(IntEnum):
    """Seen in the direction of the race."""

    FORWARD = 0
    LEFT = 1
    RIGHT = 2
    BACK = 3

    @property
    def label(self) -> str:
        return self.name.lower()

    @property
    def rows(self) -> int:
        return (1, 0, 0, -1)[self]

    @property
    def lanes(self) -> int:
        return (0, -1, 1, 0)[self]


AHEAD: Final = (Direction.FORWARD, Direction.LEFT, Direction.RIGHT)
"""Where steps and springs lead (S5, S7)."""


class Act(IntEnum):
    """What kind of thing is done."""

    PLACE = 0
    STEP = 1
    PLAY = 2
    DISCARD = 3
    END = 4
    ANSWER = 5
    DRAW = 6

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing done in a turn; what does not belong to it is None.

    Attributes:
        act: what kind of thing.
        direction: of a step or a spring.
        gift: what a card is played as.
        card: which card is played, discarded, drawn or answered with.
        row: where a snowman is put.
        lane: likewise; where a character is placed, or where it comes onto the board again after
            the line.
        player: who answers an attack.
        magnet: whether with one.
    """

    act: Act
    direction: Direction | None = None
    gift: Gift | None = None
    card: Card | None = None
    row: int | None = None
    lane: int | None = None
    player: str | None = None
    magnet: bool | None = None


END: Final = Atom(Act.END)


def drawn(card: Card) -> Atom:
    """The record of a draw."""
    return Atom(Act.DRAW, card=card)
