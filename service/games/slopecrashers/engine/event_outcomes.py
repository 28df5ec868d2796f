"""The outcomes of draws and attacks, with their probabilities."""

from __future__ import annotations

import numpy as np

from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.packing import Board, Vector


def outcomes_of(vector: Vector, board: Board) -> list[tuple[float, Vector]]:
    """Return the positions after an event, with their probabilities.

    Args:
        vector: the packed position in which a draw or answers to an attack are open.
        board: the course and the deck.
    """
    if vector[turns.PHASE] == turns.DRAWING:
        return _draws(vector, board)
    return _answers(vector, board)


def _draws(vector: Vector, board: Board) -> list[tuple[float, Vector]]:
    """Return the positions after each card that may be drawn (S15)."""
    counts = vector[turns.POOL : turns.POOL + len(board.kinds)]
    outcomes = []
    for card in np.flatnonzero(counts):
        drawn = vector.copy()
        turns.draw(drawn, card)
        outcomes.append((float(counts[card] / counts.sum()), drawn))
    return outcomes


def _answers(vector: Vector, board: Board) -> list[tuple[float, Vector]]:
    """Return those after all combinations of answers, with magnets dealt from the pool (S13)."""
    gift = vector[turns.PHASE] - turns.ATTACKING
    hit = turns.targets(vector, board.fields, gift)
    known = turns.known_magnets(vector, board.uses, hit)
    for seat in _bits(known):
        turns.discard(vector, turns.take_top(vector, seat))
    cases = [(1.0, vector, known)]
    for seat in _bits(turns.unseen_tops(vector, hit & ~known)):
        cases = [
            case
            for probability, state, foiled in cases
            for case in _top_card_cases(probability, state, foiled, seat, board)
        ]
    for _, state, foiled in cases:
        turns.settle(state, board.fields, foiled)
    return [(probability, state) for probability, state, _ in cases]


def _top_card_cases(
    probability: float, state: Vector, foiled: int, seat: int, board: Board
) -> list[tuple[float, Vector, int]]:
    """Split a case by the unseen top card of a seat: each kind of magnet, or none."""
    counts = state[turns.POOL : turns.POOL + len(board.kinds)]
    size, without = int(counts.sum()), 1.0
    cases = []
    for card in np.flatnonzero(counts):
        if board.uses[card] >> turns.MAGNET & 1:
            chance = float(counts[card] / size)
            without -= chance
            answered = state.copy()
            turns.take_top(answered, seat)
            answered[turns.POOL + card] -= 1
            turns.discard(answered, card)
            cases.append((probability * chance, answered, foiled | 1 << seat))
    return [*cases, (probability * without, state.copy(), foiled)] if without > 0.0 else cases


def _bits(mask: int) -> list[int]:
    return [seat for seat in range(turns.SEATS) if mask >> seat & 1]
