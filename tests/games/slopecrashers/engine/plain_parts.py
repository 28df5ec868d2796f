"""The leaves of a hint, in plain functions of readable positions.

The equations are those of ``docs/comparisons.md``.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from service.games.slopecrashers.engine.breadth import deal_limits
from service.games.slopecrashers.engine.end_leaves import PARTS
from service.games.slopecrashers.engine.kernels import rating, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packed_tree import MAX_POSITIONS
from service.games.slopecrashers.engine.packing import Vector, make_board, race_of
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import Place, Snowman, Space, State
from tests.games.slopecrashers.engine.plain_evaluation import (
    EVALUATOR,
    gifts_saved,
    movements_left,
    order,
    place_left,
    share,
)
from tests.solver.search.plain_attribution import PlainLeaf


def discounted(value, count):
    surprise = EVALUATOR.calibration[count].surprise
    return (1.0 - surprise) * value + surprise / count


def estimate(asker, left):
    """Return the asker's calibrated share for the movements left of all seats."""
    shares = [share(left.tolist(), seat) for seat in range(len(left))]
    sharpness, optimism, doubt, _ = EVALUATOR.calibration[len(left)]
    powers = [each**sharpness for each in shares]
    powers[asker] /= np.exp(optimism)
    return (1.0 - doubt) * powers[asker] / sum(powers) + doubt / len(left)


# Leaves ---------------------------------------------------------------------------------------


def leaf_after(
    position: State, asker: int, play_turn: Callable[[State], State], probability: float = 1.0
) -> PlainLeaf:
    """Play on from the end of a turn to the end of the asker's next turn.

    Args:
        position: after the turn.
        asker: index of the asker's seat.
        play_turn: returns the position after the next turn.
        probability: of the leaf.
    """
    seats = range(len(position.seats))
    terms = np.zeros((len(PARTS), len(position.seats)))
    left = dict(zip(PARTS, terms, strict=True))
    at_once, due = position.winner is not None, False
    left["progress"][asker] = 0.0 if at_once else place_left(position, asker)
    left["gifts"][asker] = -gifts_saved(position, asker)

    def others():
        for seat in seats:
            if seat != asker:
                left["others"][seat] = movements_left(position, seat) - order(position, seat)

    while position.winner is None:
        own_turn = position.turn == asker
        if own_turn and not due:
            due = True
            others()
        missing = position.seats[asker].misses_turn
        position = play_turn(position)
        if missing and not position.seats[asker].misses_turn and not due:
            due = True
            others()
        if own_turn:
            break
    over = position.winner is not None
    for seat in () if over else seats:
        left["next-turn"][seat] = movements_left(position, seat) - terms[:, seat].sum()
    if not over:
        return PlainLeaf(probability, None, terms)
    result = float(position.winner == asker)
    result = result if at_once else discounted(result, len(seats))
    return PlainLeaf(probability, result, np.zeros_like(terms))


# Packed positions -----------------------------------------------------------------------------


def unpack(vector: Vector, start: State) -> State:
    """Return what the evaluator counts in a packed position of the same game."""
    kinds = make_board(start.course, start.deck).kinds
    seats = []
    for index, seat in enumerate(start.seats):
        numbers = vector[at.SEAT + index * at.SEAT_SIZE :][: at.SEAT_SIZE].tolist()
        lap, row, lane = numbers[:3]
        stack = numbers[at.GIFTS : at.GIFTS + numbers[at.COUNT]][::-1]
        # The sting of the player in turn is already part of the movements.
        began_stung = index == vector[at.TURN] and vector[at.MOVES] == at.STUNG_MOVEMENTS
        seats.append(
            replace(
                seat,
                place=Place(lap, row, lane) if lap else None,
                gifts=tuple(UNKNOWN if card == at.UNSEEN else kinds[card] for card in stack),
                misses_turn=bool(numbers[at.MISSES]),
                stung=bool(numbers[at.STUNG] or began_stung),
            )
        )
    winner = int(vector[at.WINNER])
    snowmen = vector[at.SNOWMAN :][: 3 * vector[at.SNOW]].reshape(-1, 3).tolist()
    return replace(
        start,
        seats=tuple(seats),
        turn=int(vector[at.TURN]),
        snowmen=tuple(Snowman(Space(row, lane), kinds[card]) for row, lane, card in snowmen),
        winner=None if winner < 0 else winner,
    )


def vector_of(end: Any) -> Vector:
    """Return the packed position of an end of a turn."""
    return np.frombuffer(end.vector, np.int16).copy()


def leaves_of(start: State, asker: int, determinizations: int, end: Any) -> list[PlainLeaf]:
    """Return the leaves of an end of a turn.

    The search deals the hidden cards and plays the turns; the terms are those of the unpacked
    positions.

    Args:
        start: any position of the game.
        asker: index of the asker's seat.
        determinizations: those of the effort.
        end: the end of the turn.
    """
    race = race_of(make_board(start.course, start.deck), EVALUATOR)
    states = np.empty((MAX_POSITIONS, at.LENGTH), np.int16)
    seen = np.zeros((2, 4 * MAX_POSITIONS), np.int64)
    leaves = []
    for probability, dealt in deals(vector_of(end), asker, *deal_limits(end, determinizations)):

        def play_turn(_: State, dealt: Vector = dealt) -> State:
            after = np.empty(at.LENGTH, np.int16)
            rating.best_end(dealt, race, states, seen, after, np.empty(at.SEATS))
            dealt[:] = after
            return unpack(dealt, start)

        leaves.append(leaf_after(unpack(dealt, start), asker, play_turn, probability))
    return leaves


def deals(vector: Vector, asker: int, samples: int, limit: int) -> Iterator[tuple[float, Vector]]:
    """Yield the deals of the hidden cards that the search evaluates, with their probabilities."""
    count = search.count_deals(vector)
    for number in range(samples if count > limit else count):
        deal, chance = vector.copy(), 1.0 / samples
        if count <= limit:
            chance = search.deal_numbered(deal, number)
        elif samples == 1:
            own = at.SEAT + asker * at.SEAT_SIZE
            gifts = vector[own + at.COUNT]
            search.deal_sample(deal, gifts * at.KINDS + vector[own + at.GIFTS + gifts - 1], 1)
        else:
            search.deal_sample(deal, number, samples)
        if chance > 0.0:
            yield chance, deal
