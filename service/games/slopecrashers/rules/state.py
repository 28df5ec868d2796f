"""The state of a game of Slopecrashers and the actions of a turn."""

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
"""Per turn, without boosts and gifts."""
STUNG_MOVEMENTS: Final = 1
MAX_ACTIONS: Final = 64
"""Per turn, without draws and answers (S5)."""


class Space(NamedTuple):
    """A space of the track; rows from the start, lanes from the left, both from 0."""

    row: int
    lane: int


class Place(NamedTuple):
    """Where a character is: the lap, from 1, and the space."""

    lap: int
    row: int
    lane: int

    @property
    def space(self) -> Space:
        """Row and lane, whatever the lap."""
        return Space(self.row, self.lane)

    @property
    def progress(self) -> tuple[int, int]:
        """Sort key: the larger is ahead (S4, S10)."""
        return (self.lap, self.row)


@dataclass(frozen=True, slots=True)
class Seat:
    """One player.

    Attributes:
        player: name of the player.
        place: of the character; None before the first turn and after a win.
        gifts: the stack, top first; ``UNKNOWN`` for cards that the caller has not seen.
        misses_turn: whether the next turn is skipped (S11).
        stung: whether the next turn played starts with one movement (S10).
    """

    player: str
    place: Place | None = None
    gifts: tuple[Card, ...] = ()
    misses_turn: bool = False
    stung: bool = False


class Snowman(NamedTuple):
    """A snowman on the track, and its card."""

    space: Space
    card: Card


@dataclass(frozen=True, slots=True)
class State:
    """A position between two turns.

    Attributes:
        seats: two to six, in turn order.
        turn: index of the seat whose turn is next.
        course: the track.
        deck: all gift cards of the game.
        discards: used and discarded gifts, in deck order.
        snowmen: sorted by row and lane.
        winner: index of the seat that has won; None before the end.
        own_pieces: all pieces that the caller gave, on the track or not; None for the default.
        own_deck: whether the caller gave the deck.
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
        """The players in turn order."""
        return tuple(seat.player for seat in self.seats)

    @property
    def mover(self) -> Seat:
        """The seat whose turn is next."""
        return self.seats[self.turn]

    def seats_after(self, seat: int) -> Iterator[int]:
        """Return the other seats in turn order, beginning after the given one."""
        count = len(self.seats)
        return ((seat + step) % count for step in range(1, count))

    def seats_on(self, space: Space) -> tuple[int, ...]:
        """Return the seats with characters on a space; during a turn there may be several."""
        return tuple(
            index
            for index, seat in enumerate(self.seats)
            if seat.place is not None and seat.place.space == space
        )

    def snowman_on(self, space: Space) -> Snowman | None:
        """Return the snowman on a space; None if there is none."""
        return next((snowman for snowman in self.snowmen if snowman.space == space), None)

    def with_seat(self, index: int, seat: Seat) -> State:
        """Return the position with one seat replaced."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))


# Hidden cards (S15) ---------------------------------------------------------------------------


def pile_size(state: State, in_play: int = 0) -> int:
    """Return the number of cards in the pile.

    Args:
        in_play: number of cards whose effect is not over, so that they are not discarded yet.
    """
    elsewhere = sum(len(seat.gifts) for seat in state.seats) + len(state.snowmen) + in_play
    return state.deck.size - elsewhere - len(state.discards)


def pool(state: State, in_play: Card | None = None) -> dict[Card, int]:
    """Return the cards of the pile and of the unknown gifts: the deck without all known cards.

    Returns:
        Positive counts by card, in deck order.
    """
    known = Counter(state.discards)
    known.update(snowman.card for snowman in state.snowmen)
    known.update(card for seat in state.seats for card in seat.gifts if card != UNKNOWN)
    if in_play is not None:
        known[in_play] += 1
    return {card: count - known[card] for card, count in state.deck.counts if count > known[card]}


def observed(state: State, player: str) -> State:
    """Return the state as a player sees it: the gifts of others are unknown (S15)."""
    return replace(
        state,
        seats=tuple(
            seat if seat.player == player else replace(seat, gifts=(UNKNOWN,) * len(seat.gifts))
            for seat in state.seats
        ),
    )


# Actions --------------------------------------------------------------------------------------


class Direction(IntEnum):
    """A direction relative to the race direction."""

    FORWARD = 0
    LEFT = 1
    RIGHT = 2
    BACK = 3

    @property
    def label(self) -> str:
        """The value of ``direction`` in JSON."""
        return self.name.lower()

    @property
    def rows(self) -> int:
        """Rows that a step in this direction advances: 1, 0 or -1."""
        return (1, 0, 0, -1)[self]

    @property
    def lanes(self) -> int:
        """Lanes that a step in this direction goes to the right: 1, 0 or -1."""
        return (0, -1, 1, 0)[self]


STEP_DIRECTIONS: Final = (Direction.FORWARD, Direction.LEFT, Direction.RIGHT)
"""Directions of steps and springs (S5, S7)."""


class ActionType(IntEnum):
    """The kind of an action."""

    PLACE = 0
    STEP = 1
    PLAY = 2
    DISCARD = 3
    END = 4
    ANSWER = 5
    DRAW = 6

    @property
    def label(self) -> str:
        """The value of ``type`` in JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a turn: a choice, an answer or a draw.  Fields of other types are None.

    Attributes:
        type: kind of action.
        direction: of a step or a spring.
        gift: the use of a played card.
        card: the card played, discarded, drawn or used as an answer.
        row: of a new snowman.
        lane: of a new snowman, of the first placement, or of row 0 after crossing the line.
        player: the player who answers an attack.
        magnet: whether the answer uses a magnet.
    """

    type: ActionType
    direction: Direction | None = None
    gift: Gift | None = None
    card: Card | None = None
    row: int | None = None
    lane: int | None = None
    player: str | None = None
    magnet: bool | None = None


END: Final = Action(ActionType.END)


def draw_action(card: Card) -> Action:
    """Return the action that records a draw."""
    return Action(ActionType.DRAW, card=card)
