"""Information-set Monte Carlo tree search of Slopecrashers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.slopecrashers.agents import GreedyAgent, Question, choices_of
from league.slopecrashers.playout_kernels import let_happen, playout
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import (
    Vector,
    evaluation_arguments,
    make_board,
    pack_turn,
)
from service.games.slopecrashers.rules.state import Action, State
from service.games.slopecrashers.rules.turn import Turn, apply_action

ITERATIONS: Final = 3600
"""Ten times the time of a ``standard`` hint with four players: ``tournament.py calibrate --game
slopecrashers`` measured 21.6 ms of processor time for a hint and 60 µs for an iteration, over 145
decisions of games that the service played, on a busy cloud machine with two cores.
"""
EXPLORATION, ROLLOUT_ROUNDS = 0.3, 2
GREEDY: Final = GreedyAgent()
MAX_DEPTH: Final = 60
"""Actions on a path in the tree."""
MAX_REPEATS: Final = 2
"""Turns from equal positions; the search cannot see that a game in which all wait never ends."""


@dataclass
class _Node:
    """Statistics of an information set of the searcher.

    Attributes:
        visits: how often a choice led here.
        share: sum of the win shares of the player who made that choice.
        available: how often the choice was legal.
    """

    visits: int = 0
    share: float = 0.0
    available: int = 0


@dataclass
class _Tree:
    nodes: dict[bytes, _Node] = field(default_factory=dict)

    def at(self, key: bytes) -> _Node:
        return self.nodes.setdefault(key, _Node())


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
        return _Search(question, random, self._exploration).best(self._iterations)

    def _count_turn(self, player: str, turn: Turn) -> None:
        if turn.mover.place is None:  # The first turn of a game.
            self._positions[player] = Counter()
        positions = self._positions.setdefault(player, Counter())
        positions[turn.state] += 1
        self._repeated.discard(player)
        if positions[turn.state] > MAX_REPEATS:
            self._repeated.add(player)


class _Search:
    def __init__(self, question: Question, random: Random, exploration: float) -> None:
        state = question.play.state
        self._choices = choices_of(question)
        self._random, self._exploration = random, exploration
        self._searcher = state.players.index(question.player)
        self._board = make_board(state.course, state.deck)
        self._parameters = evaluation_arguments(self._board, default_evaluator())
        self._tree = _Tree()
        self._starts = [self._after(question.play, action) for action in self._choices]
        self._branches = np.empty((reaching.BRANCHES, at.LENGTH), np.int16)
        self._seed = np.array([random.getrandbits(62) + 1], np.int64)

    def _after(self, play: Turn, action: Action) -> Vector:
        turn = apply_action(play, action).play
        vector = pack_turn(turn, self._board)
        if turn.over and turn.state.winner is None:
            at.begin(vector)
        return vector

    def best(self, iterations: int) -> Action:
        """Search, and return the action with the most visits."""
        roots = [_Node() for _ in self._starts]
        for _ in range(iterations):
            number = self._random.getrandbits(20)
            for node in roots:
                node.available += 1
            chosen = max(range(len(roots)), key=lambda index: self._bound(roots[index]))
            vector = self._starts[chosen].copy()
            search.deal_sample(vector, number, 1)
            let_happen(vector, self._board.fields, self._board.uses, self._seed)
            path = [(roots[chosen], self._searcher), *self._descend(vector)]
            shares = self._evaluate(vector)
            for node, mover in path:
                node.visits += 1
                node.share += shares[mover]
        most = max(range(len(roots)), key=lambda index: roots[index].visits)
        return self._choices[most]

    def _descend(self, vector: Vector) -> list[tuple[_Node, int]]:
        """Select down to a new node; change ``vector`` to its position and return the path."""
        path: list[tuple[_Node, int]] = []
        while vector[at.WINNER] < 0 and len(path) < MAX_DEPTH:
            mover = int(vector[at.TURN])
            successors = self._successors(vector)
            nodes = [self._tree.at(self._information_set(position)) for position in successors]
            for node in nodes:
                node.available += 1
            new = [index for index, node in enumerate(nodes) if not node.visits]
            if new:
                chosen = self._random.choice(new)
            else:
                chosen = max(range(len(nodes)), key=lambda index: self._bound(nodes[index]))
            vector[:] = successors[chosen]
            let_happen(vector, self._board.fields, self._board.uses, self._seed)
            path.append((nodes[chosen], mover))
            if new:
                break
        return path

    def _successors(self, vector: Vector) -> list[Vector]:
        count = reaching.successors(
            vector, self._board.fields, self._board.uses, False, self._branches
        )
        successors = [branch.copy() for branch in self._branches[:count]]
        if reaching.may_end(vector) or not successors:
            end = vector.copy()
            at.end_turn(end)
            successors.append(end)
        return successors

    def _information_set(self, vector: Vector) -> bytes:
        """Return the position as the searcher sees it: without the other players' cards."""
        visible = vector.copy()
        for seat in range(int(visible[at.N])):
            if seat != self._searcher:
                first = at.SEAT + seat * at.SEAT_SIZE + at.GIFTS
                visible[first : first + at.STACK] = 0
        visible[at.POOL :] = 0
        return visible.tobytes()

    def _bound(self, node: _Node) -> float:
        """Return the upper confidence bound by availability (Cowling et al., eq. 1)."""
        if not node.visits:
            return float("inf")
        mean = node.share / node.visits
        return mean + self._exploration * sqrt(log(node.available) / node.visits)

    def _evaluate(self, vector: Vector) -> NDArray[np.float64]:
        shares = np.empty(int(vector[at.N]), np.float64)
        playout(
            vector,
            ROLLOUT_ROUNDS * len(shares),
            *self._parameters,
            self._branches,
            self._seed,
            shares,
        )
        return shares
