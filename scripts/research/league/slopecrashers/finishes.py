"""Random positions of Slopecrashers near the finish, with hidden gifts and gift fields."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from service.games.slopecrashers.rules.course import Course, Field, Piece
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, UNKNOWN, Card, Gift
from service.games.slopecrashers.rules.state import (
    LAPS,
    Place,
    Seat,
    Snowman,
    Space,
    State,
    observed,
    pool,
)
from service.games.slopecrashers.rules.turn import Turn

FIELDS: Final = (Field.PLAIN, Field.GIFT, Field.BOOST, Field.ABYSS, Field.OBSTACLE)
WEIGHTS: Final = (8, 2, 1, 1, 1)
NEAR: Final = 4
"""Rows before the finish in which the players are."""
PLAYERS: Final = (2, 2, 2, 3, 4)
SNOWMAN: Final[Card] = (Gift.SNOWMAN,)
HANDS: Final = (0, 0, 1, 1, 2, 3)
"""Numbers of gifts; all are equally likely."""


def finish(random: Random) -> State:
    """Return a race near the finish of the second lap."""
    names, cards = "abcd"[: random.choice(PLAYERS)], _shuffled_deck(random)
    while True:
        rows, lanes = random.randint(4, 8), random.randint(2, 4)
        track = [tuple(random.choices(FIELDS, WEIGHTS, k=lanes)) for _ in range(rows)]
        course = Course((Piece("random", ((Field.PLAIN,) * lanes, *track[1:])),))
        free = [
            Space(row, lane)
            for row in range(rows - NEAR, rows)
            for lane in range(lanes)
            if course.is_enterable(row, lane)
        ]
        if len(free) > len(names) + 1:
            break
    spaces = random.sample(free, len(free))
    seats = tuple(
        Seat(
            name,
            Place(LAPS, *spaces.pop()),
            tuple(cards.pop() for _ in range(random.choice(HANDS))),
            misses_turn=random.random() < 0.1,
            stung=random.random() < 0.1,
        )
        for name in names
    )
    count = min(len(spaces), cards.count(SNOWMAN), random.choice((0, 0, 1, 2)))
    snowmen = [Snowman(spaces.pop(), SNOWMAN) for _ in range(count)]
    return State(seats, 0, course, DEFAULT_DECK, snowmen=tuple(sorted(snowmen)))


def dealt(turn: Turn, player: str, random: Random) -> Turn:
    """Return the turn with other cards in place of those that a player does not see."""
    state = observed(turn.state, player)
    cards = [card for card, count in pool(state, turn.in_play).items() for _ in range(count)]
    random.shuffle(cards)
    seats = tuple(
        replace(seat, gifts=tuple(cards.pop() if card == UNKNOWN else card for card in seat.gifts))
        for seat in state.seats
    )
    return replace(turn, state=replace(state, seats=seats))


def _shuffled_deck(random: Random) -> list[Card]:
    cards = [card for card, count in DEFAULT_DECK.counts for _ in range(count)]
    random.shuffle(cards)
    return cards
