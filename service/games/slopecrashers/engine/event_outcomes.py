"""The outcomes of draws, and of attacks with their answers, with probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.packing import Board, Vector


class Attack(NamedTuple):
    """An attack before the answers of the targets that hold a magnet.

    Attributes:
        vector: the packed position, with their magnets on top of their stacks.
        waiting: their seats, in the order of their answers (S13).
        unseen: those of which the attacker does not see the magnet, as bits.
        foiled: the seats that have used a magnet, as bits.
    """

    vector: bytes
    waiting: tuple[int, ...]
    unseen: int = 0
    foiled: int = 0


def draws(vector: Vector, board: Board) -> list[tuple[float, Vector]]:
    """Return the positions after each card that may be drawn, with their probabilities (S15).

    Args:
        vector: the packed position before the draw.
        board: the course and the deck.
    """
    counts = vector[turns.POOL : turns.POOL + len(board.kinds)]
    outcomes = []
    for card in np.flatnonzero(counts):
        drawn = vector.copy()
        turns.draw(drawn, card)
        outcomes.append((float(counts[card] / counts.sum()), drawn))
    return outcomes


def attacks(vector: Vector, board: Board) -> list[tuple[float, Attack]]:
    """Return the attack for each combination of magnets that unseen top cards may be.

    Args:
        vector: the packed position in which the answers are open.
        board: the course and the deck.

    Returns:
        Probabilities, which sum to 1, and the attacks.
    """
    hit = turns.targets(vector, board.fields, vector[turns.PHASE] - turns.ATTACKING)
    known = turns.known_magnets(vector, board.uses, hit)
    cases = [(1.0, vector, 0)]
    for seat in _bits(turns.unseen_tops(vector, hit)):
        cases = [
            case
            for probability, state, unseen in cases
            for case in _top_card_cases(probability, state, unseen, seat, board)
        ]
    seats = int(vector[turns.N])
    in_order = [(int(vector[turns.TURN]) + after) % seats for after in range(1, seats)]
    return [
        (probability, Attack(state.tobytes(), _of(in_order, known | unseen), unseen))
        for probability, state, unseen in cases
    ]


def _top_card_cases(
    probability: float, state: Vector, unseen: int, seat: int, board: Board
) -> list[tuple[float, Vector, int]]:
    """Split a case by the unseen top card of a seat: each kind of magnet, or none."""
    counts = state[turns.POOL : turns.POOL + len(board.kinds)]
    size, without = int(counts.sum()), 1.0
    cases = []
    for card in np.flatnonzero(counts):
        if board.uses[card] >> turns.MAGNET & 1:
            chance = float(counts[card] / size)
            without -= chance
            holding = state.copy()
            holding[_top(holding, seat)] = card
            holding[turns.POOL + card] -= 1
            cases.append((probability * chance, holding, unseen | 1 << seat))
    return [*cases, (probability * without, state.copy(), unseen)] if without > 0.0 else cases


def replies(attack: Attack) -> tuple[Attack, Attack]:
    """Return the attack after the next target has used its magnet, and after it has kept it.

    The attacker does not learn of a magnet that is kept.
    """
    seat, *waiting = attack.waiting
    used = np.frombuffer(attack.vector, np.int16).copy()
    kept = used.copy()
    card = turns.take_top(used, seat)
    turns.discard(used, card)
    if attack.unseen >> seat & 1:
        kept[_top(kept, seat)] = turns.UNSEEN
        kept[turns.POOL + card] += 1
    left = attack._replace(waiting=tuple(waiting))
    return (
        left._replace(vector=used.tobytes(), foiled=attack.foiled | 1 << seat),
        left._replace(vector=kept.tobytes()),
    )


def settled(attack: Attack, board: Board) -> Vector:
    """Return the position after an attack that all targets have answered."""
    vector = np.frombuffer(attack.vector, np.int16).copy()
    turns.settle(vector, board.fields, attack.foiled)
    return vector


def _top(vector: Vector, seat: int) -> int:
    """Return the place of the top card of a seat."""
    at = turns.SEAT + seat * turns.SEAT_SIZE
    return int(at + turns.GIFTS + vector[at + turns.COUNT] - 1)


def _of(seats: list[int], mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in seats if mask >> seat & 1)


def _bits(mask: int) -> list[int]:
    return [seat for seat in range(turns.SEATS) if mask >> seat & 1]
