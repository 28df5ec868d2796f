"""Pack turns into integer vectors for the kernels; see ``kernels/turns.py``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.slopecrashers.engine.evaluation import Evaluator
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.estimation import Race
from service.games.slopecrashers.rules.course import Course, Field
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Deck
from service.games.slopecrashers.rules.state import LAPS, State, pile_size, pool
from service.games.slopecrashers.rules.turn import Turn

Vector = NDArray[np.int16]

FAR: Final = 1e6
"""Movements left on spaces from which the finish cannot be reached."""
SPRING_COST: Final = 10.0
"""Movements that it costs to jump where there is no other way: a spring has to be drawn first."""
"""By so much more of a movement, gift fields are counted; too little for another way to be best."""
DETOUR_SLOTS: Final = 16_384
"""Detours around snowmen that a search stores, see ``kernels/estimation.py``; a power of 2."""


@dataclass(frozen=True)
class Board:
    """The constants of a game.

    Attributes:
        fields: int8[rows, lanes], fields of the track.
        kinds: the kinds of cards in the deck; a packed card is an index of it.
        uses: int64[kinds + 1], bit set of the uses of each kind; 0 for unseen cards.
        course: the track.
    """

    fields: NDArray[np.int8]
    kinds: tuple[Card, ...]
    uses: NDArray[np.int64]
    course: Course

    def card_index(self, card: Card) -> int:
        """Return the packed form of a card."""
        return turns.UNSEEN if card == UNKNOWN else self.kinds.index(card)


@lru_cache(maxsize=64)
def make_board(course: Course, deck: Deck) -> Board:
    """Return the constants of a game with this track and deck."""
    kinds = tuple(card for card, _ in deck.counts)
    uses = [sum(1 << gift for gift in card) for card in kinds]
    return Board(
        fields=np.array(course.rows, np.int8),
        kinds=kinds,
        uses=np.array([*uses, 0], np.int64),
        course=course,
    )


def race_of(board: Board, evaluator: Evaluator) -> Race:
    """Return the constants of a race that kernels read: board, distances and weights."""
    left = _distances_and_saved(board.course, evaluator.field)
    values, detours = evaluator.card_values(board.kinds), np.zeros((DETOUR_SLOTS, 3))
    return Race(board.fields, board.uses, left, values, evaluator.weights, detours)


@lru_cache(maxsize=64)
def _distances_and_saved(course: Course, gift_field: float) -> NDArray[np.float64]:
    """Return float64[4, rows, lanes], see ``kernels/estimation.py``."""
    saved = _saved(course, gift_field)
    for row in range(course.length):
        for lane in range(course.lanes):
            if not course.is_enterable(row, lane):
                saved[row, lane] = -1.0
    return np.concatenate([distances(course, gift_field), saved[None]])


def _saved(course: Course, gift_field: float) -> NDArray[np.float64]:
    """Return float64[rows, lanes], the movements that entering a space saves.

    At most the movement that it takes, or going back and forth would shorten the way.
    """
    worth = {Field.BOOST: 1.0, Field.GIFT: gift_field, Field.GIFT_BOOST: 1.0}
    return np.array([[worth.get(field, 0.0) for field in row] for row in course.rows])


@lru_cache(maxsize=64)
def distances(course: Course, gift_field: float = 0.0) -> NDArray[np.float64]:
    """Return the movements left to the finish from each space.

    Args:
        course: the track.
        gift_field: the part of a movement that entering a gift field saves, from 0 to 1.

    Returns:
        float64[3, rows, lanes], by lap: the minimum with every boost, and without gifts where
        there is a way without a spring.  Lap 0, before the first turn, has the minimum over all
        start spaces everywhere.
    """
    saved = _saved(course, gift_field)
    drawing = any(field.has(Field.GIFT) for row in course.rows for field in row)
    spring = SPRING_COST if drawing else FAR
    off = np.array(course.rows) == Field.OFF_COURSE
    jump = np.where(off, FAR, spring)
    left = np.full((LAPS + 1, course.length, course.lanes), FAR)
    # After the line the player chooses any lane of row 0; a spring may land on row 1.
    beyond = np.zeros((2, course.lanes))
    for lap in range(LAPS, 0, -1):
        ahead = np.concatenate([left[lap] - saved, beyond])
        for row in reversed(range(course.length)):
            over = jump[row + 1] if row + 1 < course.length else spring
            ways = np.minimum(1.0 + ahead[row + 1], over + ahead[row + 2])
            left[lap, row] = _row_distances(course, row, jump[row], ways, saved[row])
            ahead[row] = left[lap, row] - saved[row]
        landings = ahead[0].min(), np.where(off[0], FAR, ahead[1]).min()
        beyond = np.repeat(np.array(landings)[:, None], course.lanes, axis=1)
    left[0] = beyond[0, 0]
    return left


def _row_distances(
    course: Course,
    row: int,
    jump: NDArray[np.float64],
    ways: NDArray[np.float64],
    saved: NDArray[np.float64],
) -> list[float]:
    """Return the minimum from each space of a row, sideways and then by a way ahead.

    Args:
        jump: float64[lanes], movements that it costs to jump over each space.
        ways: float64[lanes], movements left by the best way ahead from each space.
        saved: float64[lanes], see :func:`_saved`.
    """
    lanes = range(course.lanes)
    least = [ways[lane] if course.is_enterable(row, lane) else FAR for lane in lanes]
    for _ in lanes:
        for lane in lanes:
            for side in (-1, 1):
                for to, over in ((lane + side, None), (lane + 2 * side, lane + side)):
                    if to in lanes and course.is_enterable(row, lane):
                        cost = 1.0 if over is None else jump[over]
                        least[lane] = min(least[lane], cost - saved[to] + least[to])
    return least


def is_truncated(state: State) -> bool:
    """Return whether a packed position leaves out gifts deep in a stack, or snowmen."""
    deepest = max(len(seat.gifts) for seat in state.seats)
    return deepest > turns.STACK or len(state.snowmen) > turns.SNOWMEN


def pack_turn(turn: Turn, board: Board) -> Vector:
    """Return a turn as a vector, with only the top cards of a stack that is too deep."""
    state = turn.state
    vector = np.zeros(turns.LENGTH, np.int16)
    vector[turns.N] = len(state.seats)
    vector[turns.TURN] = state.turn
    vector[turns.WINNER] = -1 if state.winner is None else state.winner
    vector[turns.MOVES] = turn.movements
    vector[turns.IN_PLAY] = turns.UNSEEN if turn.in_play is None else board.card_index(turn.in_play)
    vector[turns.PILE] = pile_size(state, turn.in_play is not None)
    vector[turns.PHASE] = _phase(turn)
    snowmen = state.snowmen[: turns.SNOWMEN]
    vector[turns.SNOW] = len(snowmen)
    for number, snowman in enumerate(snowmen):
        place = turns.SNOWMAN + 3 * number
        vector[place : place + 3] = (*snowman.space, board.card_index(snowman.card))
    for index, seat in enumerate(state.seats):
        place = turns.SEAT + index * turns.SEAT_SIZE
        vector[place : place + 3] = seat.place or (0, 0, 0)
        vector[place + turns.MISSES] = seat.misses_turn
        vector[place + turns.STUNG] = seat.stung
        gifts = seat.gifts[: turns.STACK][::-1]
        vector[place + turns.COUNT] = len(gifts)
        first = place + turns.GIFTS
        vector[first : first + len(gifts)] = [board.card_index(card) for card in gifts]
    for card, count in pool(state, turn.in_play).items():
        vector[turns.POOL + board.card_index(card)] = count
    for card in state.discards:
        vector[turns.DISCARDS + board.card_index(card)] += 1
    return vector


def _phase(turn: Turn) -> int:
    if turn.over:
        return turns.ENDED
    if turn.drawing:
        return turns.DRAWING
    if turn.attack is not None:
        return turns.ATTACKING + int(turn.attack.gift)
    return turns.DECIDING
