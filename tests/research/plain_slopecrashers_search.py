"""A plain twin of the compiled tree search of Slopecrashers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt

import numpy as np
from research.league.slopecrashers.agents import Question, choices_of
from research.league.slopecrashers.mcts import EXPLORATION, ROLLOUT_ROUNDS, start
from research.league.slopecrashers.mcts_kernels import AHEAD, DEALS, MAX_ACTIONS, MAX_DEPTH

from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation, reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import Vector, make_board, race_of


class _Generator:
    """Pseudorandom numbers (xorshift64: Marsaglia 2003)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def draw(self) -> float:
        """Return the next number in [0, 1)."""
        x = self._state
        x ^= x << 13 & (1 << 64) - 1
        x ^= x >> 7
        x ^= x << 17 & (1 << 64) - 1
        self._state = x
        return (x >> 11) / 2.0**53

    def index(self, count: int) -> int:
        """Return a number from 0 to count - 1."""
        return int(self.draw() * count)


@dataclass
class _Node:
    visits: int = 0
    share: float = 0.0
    available: int = 0

    def bound(self) -> float:
        if not self.visits:
            return inf
        mean = self.share / self.visits
        return mean + EXPLORATION * sqrt(log(self.available) / self.visits)


@dataclass
class _Tree:
    nodes: dict[bytes, _Node] = field(default_factory=dict)

    def at(self, key: bytes) -> _Node:
        return self.nodes.setdefault(key, _Node())


def _best(nodes: list[_Node]) -> int:
    return max(range(len(nodes)), key=lambda index: nodes[index].bound())


class PlainSearch:
    """A search from a decision, but no answer, with nodes by what the searcher sees."""

    def __init__(self, question: Question, seed: int) -> None:
        state = question.play.state
        self._searcher = state.players.index(question.player)
        self._board = make_board(state.course, state.deck)
        self._race = race_of(self._board, default_evaluator())
        self._tree = _Tree()
        self._starts = [
            start(question.play, action, self._board) for action in choices_of(question)
        ]
        self._branches = np.empty((reaching.BRANCHES, at.LENGTH), np.int16)
        self._random = _Generator(seed)

    def visits(self, iterations: int) -> list[int]:
        """Search, and return the visits of each choice."""
        roots = [_Node() for _ in self._starts]
        for _ in range(iterations):
            for node in roots:
                node.available += 1
            chosen = _best(roots)
            vector = self._starts[chosen].copy()
            search.deal_sample(vector, self._random.index(DEALS), 1)
            self._let_happen(vector)
            path = [(roots[chosen], self._searcher), *self._descend(vector)]
            for _ in range(ROLLOUT_ROUNDS * int(vector[at.N])):
                if vector[at.WINNER] < 0:
                    self._play_turn(vector)
            shares = np.empty(int(vector[at.N]), np.float64)
            estimation.shares(vector, self._race, shares)
            for node, mover in path:
                node.visits += 1
                node.share += shares[mover]
        return [node.visits for node in roots]

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
            chosen = new[self._random.index(len(new))] if new else _best(nodes)
            vector[:] = successors[chosen]
            self._let_happen(vector)
            path.append((nodes[chosen], mover))
            if new:
                break
        return path

    def _let_happen(self, vector: Vector) -> None:
        if vector[at.PHASE] == at.DRAWING:
            pile = [kind for kind in range(at.KINDS) for _ in range(int(vector[at.POOL + kind]))]
            drawn = self._random.index(len(pile))
            at.draw(vector, pile[drawn] if pile else at.UNSEEN)
        elif vector[at.PHASE] >= at.ATTACKING:
            at.answer_known(vector, self._board.fields, self._board.uses)

    def _play_turn(self, vector: Vector) -> None:
        """Play a random turn, mostly forward."""
        mover = int(vector[at.TURN])
        for _ in range(MAX_ACTIONS):
            if vector[at.PHASE] != at.DECIDING:
                break
            after = self._actions(vector)
            if not after or (
                reaching.may_end(vector) and vector[at.MOVES] == 0 and self._random.draw() < 0.5
            ):
                break
            chosen = after[self._random.index(len(after))]
            if self._random.draw() < AHEAD:
                here = at.progress(vector, mover)
                further = (
                    branch
                    for branch in after
                    if branch[at.PHASE] == at.ENDED or at.progress(branch, mover) > here
                )
                chosen = next(further, chosen)
            vector[:] = chosen
            self._let_happen(vector)
        if vector[at.PHASE] != at.ENDED:
            at.end_turn(vector)

    def _actions(self, vector: Vector) -> list[Vector]:
        count = reaching.successors(
            vector, self._board.fields, self._board.uses, False, self._branches
        )
        return [branch.copy() for branch in self._branches[:count]]

    def _successors(self, vector: Vector) -> list[Vector]:
        successors = self._actions(vector)
        if reaching.may_end(vector) or not successors:
            end = vector.copy()
            at.end_turn(end)
            successors.append(end)
        return successors

    def _information_set(self, vector: Vector) -> bytes:
        visible = vector.copy()
        for seat in range(int(visible[at.N])):
            if seat != self._searcher:
                first = at.SEAT + seat * at.SEAT_SIZE + at.GIFTS
                visible[first : first + at.STACK] = 0
        visible[at.POOL :] = 0
        return visible.tobytes()
