"""Between turns and the integer vectors that kernels work on; see ``kernels/turns.py``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.games.slopecrashers.engine.evaluation import Evaluator
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.rules.course import Course, Field
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Deck
from service.games.slopecrashers.rules.state import LAPS, pile_size, pool
from service.games.slopecrashers.rules.turn import Turn

Vector = NDArray[np.int16]

FAR: Final = 1e6
"""Movements to the end from where it cannot be reached."""


@dataclass(frozen=True)
class Board:
    """What does not change in a game.

    Attributes:
        fields: int8[rows, lanes].
        kinds: the cards of the deck, by number.
        uses: int64[kinds], the gifts that each can be used as, as bits.
        course: where all this lies.
    """

    fields: NDArray[np.int8]
    kinds: tuple[Card, ...]
    uses: NDArray[np.int64]
    course: Course

    def number(self, card: Card) -> int:
        """The card in a vector."""
        return at.UNSEEN if card == UNKNOWN else self.kinds.index(card)


@lru_cache(maxsize=64)
def board(course: Course, deck: Deck) -> Board:
    kinds = tuple(card for card, _ in deck.counts)
    uses = [sum(1 << gift for gift in card) for card in kinds]
    return Board(
        fields=np.array(course.rows, np.int8),
        kinds=kinds,
        uses=np.array([*uses, 0], np.int64),
        course=course,
    )


def evaluation_arguments(seen: Board, evaluator: Evaluator) -> tuple[NDArray[Any], ...]:
    """What kernels that judge positions take of a game and of an evaluator, in their order: fields,
    uses, way, worth, weights.
    """
    left = way(seen.course, evaluator.field)
    return seen.fields, seen.uses, left, evaluator.worth_of(seen.kinds), evaluator.weights


@lru_cache(maxsize=64)
def way(course: Course, gift_field: float = 0.0) -> NDArray[np.float64]:
    """What is left to the end of the race from each space.

    Args:
        gift_field: how much of a movement entering a gift field saves, from 0 to 1.

    Returns:
        float64[3, rows, lanes], movements by lap, without gifts and with every boost; of lap 0,
        which is before the first turn, everywhere the least.
    """
    worth = {Field.BOOST: 1.0, Field.GIFT: gift_field}
    saved = np.array([[worth.get(field, 0.0) for field in row] for row in course.rows])
    left = np.full((LAPS + 1, course.length, course.lanes), FAR)
    beyond = np.zeros(course.lanes)
    for lap in range(LAPS, 0, -1):
        for row in reversed(range(course.length)):
            last = row == course.length - 1
            ahead = beyond if last else left[lap, row + 1] - saved[row + 1]
            left[lap, row] = _along(course, row, ahead, saved[row])
        # Behind the line every lane of row 0 can be chosen.
        beyond = np.full(course.lanes, min(left[lap, 0] - saved[0]))
    left[0] = beyond[0]
    return left


def _along(
    course: Course, row: int, ahead: NDArray[np.float64], saved: NDArray[np.float64]
) -> list[float]:
    """The least from each space of a row, by going sideways and then ahead."""
    lanes = range(course.lanes)
    least = [1.0 + ahead[lane] if course.is_enterable(row, lane) else FAR for lane in lanes]
    for _ in lanes:
        for lane in lanes:
            for beside in (lane - 1, lane + 1):
                if beside in lanes and course.is_enterable(row, lane):
                    least[lane] = min(least[lane], 1.0 - saved[beside] + least[beside])
    return least


def pack_turn(turn: Turn, seen: Board) -> Vector:
    """A turn as a vector; of a stack that is too deep the top cards alone."""
    state = turn.state
    vector = np.zeros(at.LENGTH, np.int16)
    vector[at.N] = len(state.seats)
    vector[at.TURN] = state.turn
    vector[at.WINNER] = -1 if state.winner is None else state.winner
    vector[at.MOVES] = turn.movements
    vector[at.IN_PLAY] = at.UNSEEN if turn.in_play is None else seen.number(turn.in_play)
    vector[at.PILE] = pile_size(state, turn.in_play is not None)
    vector[at.PHASE] = _phase(turn)
    snowmen = state.snowmen[: at.SNOWMEN]
    vector[at.SNOW] = len(snowmen)
    for number, snowman in enumerate(snowmen):
        place = at.SNOWMAN + 3 * number
        vector[place : place + 3] = (*snowman.space, seen.number(snowman.card))
    for index, seat in enumerate(state.seats):
        place = at.SEAT + index * at.SEAT_SIZE
        vector[place : place + 3] = seat.place or (0, 0, 0)
        vector[place + at.MISSES] = seat.misses_turn
        vector[place + at.STUNG] = seat.stung
        gifts = seat.gifts[: at.STACK][::-1]
        vector[place + at.COUNT] = len(gifts)
        first = place + at.GIFTS
        vector[first : first + len(gifts)] = [seen.number(card) for card in gifts]
    for card, count in pool(state, turn.in_play).items():
        vector[at.POOL + seen.number(card)] = count
    for card in state.discards:
        vector[at.DISCARDS + seen.number(card)] += 1
    return vector


def _phase(turn: Turn) -> int:
    if turn.over:
        return at.ENDED
    if turn.drawing:
        return at.DRAWING
    if turn.attack is not None:
        return at.ATTACKING + int(turn.attack.gift)
    return at.DECIDING
