"""Agents for Slopecrashers: who moves by chance, who runs ahead, the service, a tree searcher."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from league.slopecrashers.playout_kernels import let_happen, playout
from service.core.sequential import TurnQuestion
from service.games.slopecrashers.engine.evaluation import read, shipped
from service.games.slopecrashers.engine.kernels import reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import Board, Vector, board, judged_by, packed, way
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.state import Atom
from service.games.slopecrashers.rules.turn import Turn, applied
from service.solver.search.turn_expectimax import solve, tell

TURNS = SlopecrashersTurns()
Question = TurnQuestion[Turn, Atom]
Numbers = tuple[NDArray[Any], ...]


def choices_of(question: Question) -> tuple[Atom, ...]:
    [choices] = question.decision.choices.values()
    return choices


class RandomRacer:
    """Any legal atom, with equal chance."""

    def choose(self, question: Question, random: Random) -> Atom:
        return random.choice(choices_of(question))


class SolvingRacer:
    """The best of the service's hint.

    Args:
        tier: of the hint.
        evaluator: a file of one, in place of the service's.
    """

    def __init__(self, tier: str = "standard", evaluator: str = "") -> None:
        self._tier = tier
        self._game = SlopecrashersTurns(read(Path(evaluator))) if evaluator else TURNS

    def choose(self, question: Question, random: Random) -> Atom:
        asked = replace(question, tier=self._tier)
        found = tell(solve(self._game, asked, None), asked, question.play.state.players)
        return found.choices[0].choice


class HastyRacer:
    """Goes for the end of its turn, or the draw or attack, that looks best as it stands.

    Nobody else's turn is looked at, so it takes a tenth of the time of a hint.

    Args:
        evaluator: a file of one; the service's if none is given.
    """

    def __init__(self, evaluator: str = "") -> None:
        self._evaluator = read(Path(evaluator)) if evaluator else shipped()
        self._game = SlopecrashersTurns(self._evaluator)
        self._states = np.empty((MOST_POSITIONS, at.LENGTH), np.int16)
        self._seen = np.zeros((2, 4 * MOST_POSITIONS), np.int64)
        self._ratings = np.empty(MOST_POSITIONS)
        self._kinds = np.empty(MOST_POSITIONS, np.int64)

    def choose(self, question: Question, random: Random) -> Atom:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        state = question.play.state
        seen = board(state.course, state.deck)
        numbers = judged_by(seen, self._evaluator)
        return max(choices, key=lambda atom: self._rating(question.play, atom, seen, numbers))

    def _rating(self, play: Turn, atom: Atom, seen: Board, numbers: Numbers) -> float:
        turn = applied(play, atom).play
        vector = packed(turn, seen)
        if turn.over:
            if turn.state.winner is None:
                at.begin(vector)
            value = np.empty(len(turn.state.seats))
            search.shares(vector, *numbers[2:], value)
            return float(value[play.state.turn])
        states, ratings, kinds = self._states, self._ratings, self._kinds
        count, states[0] = 1, vector
        if vector[at.PHASE] == at.DECIDING:
            count = abs(reaching.reach(vector, seen.fields, seen.uses, False, states, self._seen))
        search.rate(vector, *numbers, states, count, ratings, kinds)
        return float(ratings[:count].max(where=kinds[:count] > 0, initial=0.0))


class GreedyRacer:
    """Gets as far as it can in this turn, by the movements that are then left to the end.

    Draws and answers are taken not to come; of equal atoms the first one in an order by chance.
    Attacks are always answered with a magnet.
    """

    def choose(self, question: Question, random: Random) -> Atom:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        shuffled = random.sample(choices, len(choices))
        return min(shuffled, key=lambda atom: self._left(question, atom))

    def _left(self, question: Question, atom: Atom) -> float:
        """Movements left at the best end of the turn that the atom leads to."""
        state = question.play.state
        seen = board(state.course, state.deck)
        turn = applied(question.play, atom).play
        while turn.attack is not None:
            turn = applied(turn, answer_choices(turn)[-1]).play
        place = at.SEAT + state.players.index(question.player) * at.WIDE
        if turn.over:
            return _left(packed(turn, seen), seen, place)
        states = np.empty((MOST_POSITIONS, at.LENGTH), np.int16)
        scratch = np.zeros((2, 4 * MOST_POSITIONS), np.int64)
        vector = packed(turn, seen)
        count = reaching.reach(vector, seen.fields, seen.uses, True, states, scratch)
        ends = [
            _left(reached, seen, place)
            for reached in states[: abs(count)]
            if reached[at.PHASE] == at.ENDED or reaching.may_end(reached)
        ]
        return min(ends, default=1e9)


MOST_POSITIONS: Final = 2048


def _left(vector: Vector, seen: Board, place: int) -> float:
    if vector[at.WINNER] >= 0:
        return 0.0
    lap, row, lane = vector[place : place + 3]
    return float(way(seen.course)[lap, row, lane])


# Information-set tree search ------------------------------------------------------------------

ITERATIONS: Final = 690
"""Ten times the time of a hint at ``standard`` with four players: ``tournament.py calibrate --game
slopecrashers`` counts processor time over 131 decisions of the service's own games (16.0 ms a hint,
231 µs an iteration, on a slow day of a cloud machine of two cores).
"""
EXPLORATION, ROLLOUT_ROUNDS = 0.3, 2


@dataclass
class _Info:
    """What the searcher has seen of a position as it looks to it.

    Attributes:
        visits, share: how often a choice was made that leads here, and the sum of the shares that
            the one who made it got.
        available: how often it could have been made.
    """

    visits: int = 0
    share: float = 0.0
    available: int = 0


@dataclass
class _Tree:
    known: dict[bytes, _Info] = field(default_factory=dict)

    def at(self, key: bytes) -> _Info:
        return self.known.setdefault(key, _Info())


class TreeRacer:
    """Single-observer information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012).

    Each iteration deals what is hidden anew; positions that look alike to the searcher are one
    node.  A new node is judged by a playout of some rounds and the service's evaluator.

    Args:
        iterations: of each search.
        exploration: the factor of the upper confidence bound.
    """

    def __init__(self, iterations: int = ITERATIONS, exploration: float = EXPLORATION) -> None:
        self._iterations, self._exploration = iterations, exploration

    def choose(self, question: Question, random: Random) -> Atom:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        return _Search(question, random, self._exploration).best(self._iterations)


class _Search:
    def __init__(self, question: Question, random: Random, exploration: float) -> None:
        state = question.play.state
        self._choices = choices_of(question)
        self._random, self._exploration = random, exploration
        self._me = state.players.index(question.player)
        self._board = board(state.course, state.deck)
        self._numbers = judged_by(self._board, shipped())
        self._tree = _Tree()
        self._starts = [self._after(question.play, atom) for atom in self._choices]
        self._branches = np.empty((reaching.BRANCHES, at.LENGTH), np.int16)
        self._seed = np.array([random.getrandbits(62) + 1], np.int64)

    def _after(self, play: Turn, atom: Atom) -> Vector:
        turn = applied(play, atom).play
        vector = packed(turn, self._board)
        if turn.over and turn.state.winner is None:
            at.begin(vector)
        return vector

    def best(self, iterations: int) -> Atom:
        roots = [_Info() for _ in self._starts]
        for _ in range(iterations):
            number = self._random.getrandbits(20)
            for info in roots:
                info.available += 1
            chosen = max(range(len(roots)), key=lambda place: self._bound(roots[place]))
            vector = self._starts[chosen].copy()
            search.deal(vector, number)
            let_happen(vector, self._board.fields, self._board.uses, self._seed)
            path = [(roots[chosen], self._me), *self._descend(vector)]
            shares = self._judge(vector)
            for info, mover in path:
                info.visits += 1
                info.share += shares[mover]
        most = max(range(len(roots)), key=lambda place: roots[place].visits)
        return self._choices[most]

    def _descend(self, vector: Vector) -> list[tuple[_Info, int]]:
        """Goes down to a node that is new, which ``vector`` becomes; the way there."""
        path: list[tuple[_Info, int]] = []
        while vector[at.WINNER] < 0 and len(path) < MOST_DEPTH:
            mover = int(vector[at.TURN])
            reached = self._reached(vector)
            infos = [self._tree.at(self._looks(position)) for position in reached]
            for info in infos:
                info.available += 1
            fresh = [place for place, info in enumerate(infos) if not info.visits]
            if fresh:
                chosen = self._random.choice(fresh)
            else:
                chosen = max(range(len(infos)), key=lambda place: self._bound(infos[place]))
            vector[:] = reached[chosen]
            let_happen(vector, self._board.fields, self._board.uses, self._seed)
            path.append((infos[chosen], mover))
            if fresh:
                break
        return path

    def _reached(self, vector: Vector) -> list[Vector]:
        count = reaching.successors(
            vector, self._board.fields, self._board.uses, False, self._branches
        )
        reached = [branch.copy() for branch in self._branches[:count]]
        if reaching.may_end(vector) or not reached:
            end = vector.copy()
            at.pass_on(end)
            reached.append(end)
        return reached

    def _looks(self, vector: Vector) -> bytes:
        """The position as the searcher sees it: without the others' cards."""
        seen = vector.copy()
        for seat in range(int(seen[at.N])):
            if seat != self._me:
                first = at.SEAT + seat * at.WIDE + at.GIFTS
                seen[first : first + at.STACK] = 0
        seen[at.POOL :] = 0
        return seen.tobytes()

    def _bound(self, info: _Info) -> float:
        """Upper confidence bound, by how often the choice was there (Cowling et al., eq. 1)."""
        if not info.visits:
            return float("inf")
        mean = info.share / info.visits
        return mean + self._exploration * sqrt(log(info.available) / info.visits)

    def _judge(self, vector: Vector) -> NDArray[np.float64]:
        shares = np.empty(int(vector[at.N]), np.float64)
        playout(
            vector,
            ROLLOUT_ROUNDS * len(shares),
            *self._numbers,
            self._branches,
            self._seed,
            shares,
        )
        return shares


MOST_DEPTH: Final = 60
"""Atoms of a way down the tree."""
