"""A tree search agent for Snow Time: decoupled UCT, see ``mcts_kernels``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from research.league.snow_time import mcts_kernels
from research.league.snow_time.round_solver import most_recovered
from service.core.hints import Question
from service.games.snow_time.engine.packing import hand_bits, pack_track
from service.games.snow_time.rules.state import DECK, Card, Move, State, Track

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ITERATIONS: Final = 48_000
"""Ten times the time of a ``standard`` hint with four seats.

Processor time over 29 card decisions of games that the service played, on a cloud machine with two
cores: 12.8 ms for a hint, 2.65 µs for an iteration.
"""
EXPLORATION, ROLLOUT = 0.2, 2
"""The strongest of six settings with equal running time.

They played 120 games against three level-1 agents and 80 against three round solvers, with rollouts
of 0, 2 and 6 rounds and to the end, exploration 0.05 to 0.3, and the most visited move or one drawn
by visits.
"""
QUARTERS: Final = mcts_kernels.QUARTERS
CHAMPION, WATCHER, BLIZZARD = 3, 1, 6
"""Worth of a card in hand, in quarter spaces."""
MAX_NODES: Final = 1 << 19
"""Limit of the node keys, see ``mcts_kernels.search``."""


class TreeSearchAgent:
    """Plays the move that decoupled UCT visited most, or draws a move by visits.

    Args:
        iterations: per search.
        mixed: whether to draw a move with a probability proportional to its visits.
        exploration, rollout: see ``mcts_kernels.search``.
    """

    def __init__(
        self,
        iterations: int = ITERATIONS,
        mixed: bool = False,
        exploration: float = EXPLORATION,
        rollout: int = ROLLOUT,
    ) -> None:
        if not 1 <= iterations < MAX_NODES:
            raise ValueError(f"iterations must be 1 to {MAX_NODES - 1}")
        self._iterations, self._mixed = iterations, mixed
        self._exploration, self._rollout = exploration, rollout

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "healer":
            return {actor: most_recovered(question, actor) for actor in question.actors}
        visits = self.visits(question, random.getrandbits(62) + 1)
        names = [seat.name for seat in question.position.seats]
        chosen = {}
        for actor in question.actors:
            moves = question.decision.choices[actor]
            counts = [int(visits[names.index(actor), move.last.card]) for move in moves]
            if self._mixed:
                chosen[actor] = random.choices(moves, counts)[0]
            else:
                chosen[actor] = moves[counts.index(max(counts))]
        return chosen

    def visits(self, question: Question[State, Move], seed: int) -> NDArray[np.int32]:
        """Return int32[seats, 11]: visits by card number, and their sum at 0.

        Args:
            question: a card or watcher decision.
            seed: 1 to 2**63 - 1.
        """
        state = question.position
        seats, players = state.seats, state.players
        revealed = [question.revealed.get(seat.name) for seat in seats]
        nodes = self._iterations + 1
        visits = np.zeros((nodes, len(seats), mcts_kernels.CARDS), np.int32)
        slots = 1 << (2 * nodes).bit_length()
        mcts_kernels.search(
            np.array([0 if move is None else move.card for move in revealed], np.int64),
            np.array(
                [[seat.score for seat in seats], [hand_bits(seat.hand) for seat in seats]],
                np.int64,
            ),
            np.array([players.index(seat.player) for seat in seats], np.int64),
            np.array(state.fruit, np.int64),
            board(state.board),
            hand_worth(),
            potentials(state.board.length),
            self._iterations,
            self._rollout,
            self._exploration,
            np.array([seed], np.int64),
            visits,
            np.zeros(visits.shape, np.float64),
            np.full((slots, 2), -1, np.int64),
        )
        root: NDArray[np.int32] = visits[0]
        return root


@lru_cache(maxsize=32)
def board(track: Track) -> Ints:
    """Return int64[2, length + 1]: bonus kind of every space (-1 for none), and its advance."""
    return np.stack(pack_track(track))


@lru_cache(maxsize=1)
def hand_worth() -> Ints:
    """Return int64[1024]: worth of each hand (cards as bits) in quarter spaces."""
    by_card = {Card.HEALER: 0, Card.WATCHER: WATCHER, Card.BLIZZARD: BLIZZARD}
    return np.array(
        [
            sum(by_card.get(card, CHAMPION) for card in DECK if hand >> (card - 1) & 1)
            for hand in range(1 << len(DECK))
        ],
        np.int64,
    )


@lru_cache(maxsize=32)
def potentials(length: int) -> Floats:
    """Return float64[length + 1, standings]: a seat's weight by leader's space and own standing.

    A softmax of score and hand that sharpens towards the end of the track: the first evaluator of
    the service (``potential-1``). It is fixed here, so that this opponent never changes.
    """
    columns = QUARTERS * length + int(hand_worth().max()) + 1
    table = np.empty((length + 1, columns), np.float64)
    for leader in range(length + 1):
        pace = 1.0 / (1.0 + 2.0 * sqrt((length - leader) / 2.0)) / QUARTERS
        for column in range(columns):
            table[leader, column] = exp(pace * (column - QUARTERS * leader))
    return table
