"""A tree search agent for Slopecrashers, see ``mcts_kernels``."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from research.league.slopecrashers import mcts_kernels
from research.league.slopecrashers.agents import GreedyAgent, Question, choices_of
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import (
    Board,
    Vector,
    make_board,
    pack_turn,
    race_of,
)
from service.games.slopecrashers.rules.state import Action, State
from service.games.slopecrashers.rules.turn import Turn, apply_action

ITERATIONS: Final = 23_000
"""Ten times the time of a ``standard`` hint with four players, or a little more.

Measured were 27.7 ms of processor time for a hint and 12.2 µs for an iteration, over 145 decisions
of games that the service played, on a cloud machine with two cores.
Hints are faster since: 18.5 to 23.6 ms and 10.3 to 11.3 µs, so 18,000 to 21,000 iterations. The
number stays, because results with other numbers are not comparable.
"""
EXPLORATION, ROLLOUT_ROUNDS = 0.3, 2
GREEDY: Final = GreedyAgent()
SLOTS, LEAST_SLOTS = 8, 1024
"""Slots of the hash table for an iteration, and of any table, at least. An iteration needs 1.4
slots on average, and a table may become half full.
"""
MAX_REPEATS: Final = 2
"""Turns from equal positions; the search cannot see that a game in which all wait never ends."""


class TreeSearchAgent:
    """Single-observer information-set MCTS (Cowling, Powley, Whitehouse 2012).

    Each iteration deals the hidden cards anew. Positions that look alike to the searcher share a
    node. A playout of some rounds and the service's evaluator value a new node. A player whose turn
    begins in the same position for the third time plays this turn like ``GreedyAgent``.

    Args:
        iterations: per search.
        exploration: factor of the upper confidence bound.
    """

    def __init__(self, iterations: int = ITERATIONS, exploration: float = EXPLORATION) -> None:
        self._iterations, self._exploration = iterations, exploration
        # By player, because all seats of a league share one agent.
        self._positions: dict[str, Counter[State]] = {}
        self._repeated: set[str] = set()

    def choose(self, question: Question, random: Random) -> Action:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        if not question.play.actions:
            self._count_turn(question.player, question.play)
        if question.player in self._repeated:
            return GREEDY.choose(question, random)
        visits = self.visits(question, random.getrandbits(62) + 1, decide=True)
        return choices[int(visits.argmax())]

    def visits(self, question: Question, seed: int, *, decide: bool = False) -> NDArray[np.int64]:
        """Return int64[choices]: visits of each choice.

        Args:
            question: any decision except an answer.
            seed: 1 to 2**63 - 1.
            decide: whether to stop as soon as the most visited choice cannot change.

        Raises:
            RuntimeError: if the hash table is too small.
        """
        state = question.play.state
        board = make_board(state.course, state.deck)
        starts = np.stack([start(question.play, action, board) for action in choices_of(question)])
        slots = max(LEAST_SLOTS, 1 << (SLOTS * self._iterations).bit_length())
        counts = np.zeros((2, slots + len(starts)), np.int64)
        finished = mcts_kernels.search(
            starts,
            state.players.index(question.player),
            race_of(board, default_evaluator()),
            self._iterations,
            decide,
            ROLLOUT_ROUNDS * len(state.seats),
            self._exploration,
            np.array([seed], np.int64),
            np.zeros(slots, np.int64),
            counts,
            np.zeros(counts.shape[1]),
        )
        visits = counts[mcts_kernels.VISITS, slots:]
        left = self._iterations - finished
        if left and not (decide and mcts_kernels.is_decided(visits, left)):
            raise RuntimeError(f"the hash table is half full after {finished} iterations")
        return visits

    def _count_turn(self, player: str, turn: Turn) -> None:
        if turn.mover.place is None:  # The first turn of a game.
            self._positions[player] = Counter()
        positions = self._positions.setdefault(player, Counter())
        positions[turn.state] += 1
        self._repeated.discard(player)
        if positions[turn.state] > MAX_REPEATS:
            self._repeated.add(player)


def start(play: Turn, action: Action, board: Board) -> Vector:
    """Return the position after an action: where the search begins."""
    turn = apply_action(play, action).play
    vector = pack_turn(turn, board)
    if turn.over and turn.state.winner is None:
        at.begin(vector)
    return vector
