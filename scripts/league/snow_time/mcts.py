"""An agent that searches by Monte Carlo: decoupled UCT, see ``mcts_kernels``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import exp, sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.snow_time import mcts_kernels
from league.snow_time.round_solver import most_recovered
from service.core.hints import Question
from service.games.snow_time.engine.packing import hand_bits, pack_track
from service.games.snow_time.rules.state import DECK, Card, Move, State, Track

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ITERATIONS: Final = 48_000
"""Ten times the time of a hint at ``standard`` with four seats: ``tournament.py calibrate`` counts
processor time over 29 card decisions of the service's own games (12.8 ms a hint, 2.65 µs an
iteration, on a cloud machine of two cores).
"""
EXPLORATION, ROLLOUT = 0.2, 2
"""The strongest of six settings that take equally long, by 120 games against three at level 1 and
80 against three round solvers; rollouts of 0, 2, 6 rounds and to the end, exploration 0.05 to 0.3,
the most visited move or one drawn by visits.
"""
QUARTERS: Final = mcts_kernels.QUARTERS
CHAMPION, WATCHER, BLIZZARD = 3, 1, 6
"""What a card in hand is worth, in quarter spaces."""
MOST_NODES: Final = 1 << 19
"""What a key has room for, see ``mcts_kernels.search``."""


class TreeSearcher:
    """Plays what decoupled UCT visited most, or as often as it visited it.

    Args:
        iterations: of each search.
        mixed: draw a move with a chance proportional to its visits.
        exploration, rollout: see ``mcts_kernels.search``.
    """

    def __init__(
        self,
        iterations: int = ITERATIONS,
        mixed: bool = False,
        exploration: float = EXPLORATION,
        rollout: int = ROLLOUT,
    ) -> None:
        if not 1 <= iterations < MOST_NODES:
            raise ValueError(f"iterations must be 1 to {MOST_NODES - 1}")
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
            counted = [int(visits[names.index(actor), move.last.card]) for move in moves]
            if self._mixed:
                chosen[actor] = random.choices(moves, counted)[0]
            else:
                chosen[actor] = moves[counted.index(max(counted))]
        return chosen

    def visits(self, question: Question[State, Move], seed: int) -> NDArray[np.int32]:
        """int32[seats, 11]: how often each card was tried, by its number; at 0 their sum.

        Args:
            question: a card or watcher decision.
            seed: 1 to below 2**63.
        """
        state = question.position
        seats, players = state.seats, state.players
        told = [question.told.get(seat.name) for seat in seats]
        nodes = self._iterations + 1
        visits = np.zeros((nodes, len(seats), mcts_kernels.CARDS), np.int32)
        slots = 1 << (2 * nodes).bit_length()
        mcts_kernels.search(
            np.array([0 if move is None else move.card for move in told], np.int64),
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
        found: NDArray[np.int32] = visits[0]
        return found


@lru_cache(maxsize=32)
def board(track: Track) -> Ints:
    """int64[2, length + 1]: the bonus kind of every space, -1 for none, and its advance."""
    return np.stack(pack_track(track))


@lru_cache(maxsize=1)
def hand_worth() -> Ints:
    """int64[1024]: quarter spaces that each hand is worth, a set of cards as bits."""
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
    """float64[length + 1, standings]: a seat's weight by the leader's space and its standing.

    A softmax of score and hand that sharpens towards the end of the track.  It is the service's
    first evaluator (``potential-1``), kept here so that the opponent does not change with it.
    """
    columns = QUARTERS * length + int(hand_worth().max()) + 1
    table = np.empty((length + 1, columns), np.float64)
    for leader in range(length + 1):
        pace = 1.0 / (1.0 + 2.0 * sqrt((length - leader) / 2.0)) / QUARTERS
        for column in range(columns):
            table[leader, column] = exp(pace * (column - QUARTERS * leader))
    return table
