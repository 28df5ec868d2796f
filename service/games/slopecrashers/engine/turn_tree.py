"""A turn as the solver wants it: packed positions, searched by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from service.core.sequential import Breadth, EndValue, Node, Reach, TurnBudget, TurnQuestion
from service.games.slopecrashers.engine.evaluation import Evaluator, default_evaluator
from service.games.slopecrashers.engine.kernels import reaching, search
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.packing import (
    Board,
    Vector,
    board,
    evaluation_arguments,
    pack_turn,
)
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import Action, ActionType, Direction
from service.games.slopecrashers.rules.turn import Turn, apply_action

MOST_POSITIONS: Final = 2048
"""Of one reach."""
DISCOUNT: Final = 1e-6
"""How much of an estimate is not believed, so that whoever can win now does not put it off for a
win in the next turn that seems as sure.
"""
_WORDS: Final = 4 * MOST_POSITIONS


_NARROW: Final = Breadth((2, 1), (1,), determinizations=2)
TURN_BUDGETS: Final = {
    "quick": TurnBudget((Breadth((1, 1), (1,), determinizations=2),), rounds=1, positions=0),
    # Wider searches choose the same in nearly all positions (``evaluator.md``).
    "standard": TurnBudget((_NARROW,), rounds=1, positions=0),
    "deep": TurnBudget(
        (
            _NARROW,
            Breadth((6, 2), (3,), determinizations=8),
            Breadth((16, 6, 2), (8, 3), determinizations=16),
        ),
        rounds=2,
        positions=1_000_000,
    ),
}


class _Position(NamedTuple):
    """A packed position; ``over`` if the turn has just ended and the next begins."""

    vector: bytes
    over: bool


class SlopecrashersTurns:
    """The game as the service's :class:`~service.core.sequential.TurnGame`.

    Args:
        evaluator: that it works with; the one of this version if none is given.
    """

    budgets = TURN_BUDGETS

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()

    @property
    def evaluator(self) -> str:
        return self._evaluator.version

    def tree(self, question: TurnQuestion[Turn, Action]) -> _Tree:
        return _Tree(question, self._evaluator)

    def position_key(self, question: TurnQuestion[Turn, Action]) -> bytes:
        turn = question.play
        state = turn.state
        [choices] = question.decision.choices.values()
        told = [replace(choice, player=None) for choice in choices]
        attack = turn.attack and (turn.attack.waiting, turn.attack.foiled)
        vector = pack_turn(turn, board(state.course, state.deck)).tobytes()
        # A vector does not hold all of very deep stacks, and of very many snowmen.
        deep = [seat.gifts for seat in state.seats], state.snowmen
        asker = state.players.index(question.player)
        course, deck = state.course.rows, state.deck.counts
        first = _goes_first(turn, asker)
        return repr((vector, deep, course, deck, asker, told, attack, first)).encode()


class _Tree:
    """See :class:`~service.core.sequential.TurnTree`."""

    def __init__(self, question: TurnQuestion[Turn, Action], evaluator: Evaluator) -> None:
        turn = question.play
        self.players = turn.state.players
        self.asker = self.players.index(question.player)
        self._turn = turn
        self._board: Board = board(turn.state.course, turn.state.deck)
        self._numbers = evaluation_arguments(self._board, evaluator)
        self._states = np.empty((MOST_POSITIONS, at.LENGTH), np.int16)
        self._seen = np.zeros((2, _WORDS), np.int64)
        self._waiting = None
        if _goes_first(turn, self.asker):
            self._waiting = _own(pack_turn(turn, self._board), self.asker)

    def after(self, choice: Action) -> Node:
        turn = apply_action(self._turn, choice).play
        while turn.attack is not None and turn.state.turn != self.asker:
            # Others are asked after the asker: whoever is known to have a magnet uses it.
            told = answer_choices(turn)
            turn = apply_action(turn, told[0] if _is_known(turn) else told[-1]).play
        vector = pack_turn(turn, self._board)
        if turn.over and turn.state.winner is None:
            # The packed turn begins where the rules leave it: they have passed over who misses it.
            at.begin(vector)
        return _Position(vector.tobytes(), turn.over)

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        vector = _vector(node)
        if _is_over(node):
            return Reach([node], [], 1, cut=False)
        if vector[at.TURN] != self.asker:
            return self._turn_of_another(vector)
        if vector[at.PHASE] != at.DECIDING:
            return Reach([], [node], 1, cut=False)
        board, states = self._board, self._states
        count = reaching.reach(vector, board.fields, board.uses, False, states, self._seen)
        cut, count = count < 0, abs(count)
        ratings, kinds = np.empty(count), np.empty(count, np.int64)
        search.rate(
            vector,
            *self._numbers,
            states,
            count,
            ratings,
            kinds,
        )
        ranked = np.argsort(-ratings, kind="stable")
        found = [ranked[kinds[ranked] == kind] for kind in (1, 2)]
        # Where no event is to be followed but nothing else is there, the best one is.
        most = ends, events or not len(found[0])
        if not len(found[0]) and not len(found[1]):
            # A way on that is certain may lie deeper in the stack than what is packed.
            at.end_turn(vector)
            return Reach([_Position(vector.tobytes(), over=True)], [], count, cut=True)
        kept = [states[places[:limit]] for places, limit in zip(found, most, strict=True)]
        return Reach(
            ends=[_Position(state.tobytes(), over=True) for state in kept[0]],
            events=[_Position(state.tobytes(), over=False) for state in kept[1]],
            positions=count,
            cut=cut or any(len(each) > limit for each, limit in zip(found, most, strict=True)),
        )

    def _turn_of_another(self, vector: Vector) -> Reach:
        """The asker has answered an attack; the attacker goes on as well as it can."""
        out = np.empty(at.LENGTH, np.int16)
        count = search.best_end(
            vector,
            *self._numbers,
            self._states,
            self._seen,
            out,
            np.empty(at.SEATS, np.float64),
        )
        return Reach([_Position(out.tobytes(), over=True)], [], count, cut=False)

    def outcomes(self, event: Node, most: int) -> Sequence[tuple[float, Node]]:
        # Few cards differ, so that none is left out.
        vector = _vector(event)
        if vector[at.PHASE] == at.DRAWING:
            return self._draws(vector)
        return self._answers(vector)

    def _draws(self, vector: Vector) -> list[tuple[float, Node]]:
        """Every card that may be drawn (S15)."""
        counts = vector[at.POOL : at.POOL + len(self._board.kinds)]
        outcomes: list[tuple[float, Node]] = []
        for card in np.flatnonzero(counts):
            drawn = vector.copy()
            at.draw(drawn, card)
            node = _Position(drawn.tobytes(), over=False)
            outcomes.append((float(counts[card] / counts.sum()), node))
        return outcomes

    def _answers(self, vector: Vector) -> list[tuple[float, Node]]:
        """Who may have a magnet has one as often as the pool says, one after the other (S13)."""
        board, gift = self._board, vector[at.PHASE] - at.ATTACKING
        hit = at.targets(vector, board.fields, gift)
        known = at.known_magnets(vector, board.uses, hit)
        for seat in _bits(known):
            at.discard(vector, at.take_top(vector, seat))
        cases = [(1.0, vector, known)]
        for seat in _bits(at.unseen_tops(vector, hit & ~known)):
            cases = [
                case
                for probability, state, foiled in cases
                for case in self._tops(probability, state, foiled, seat)
            ]
        outcomes: list[tuple[float, Node]] = []
        for probability, state, foiled in cases:
            at.settle(state, board.fields, foiled)
            outcomes.append((probability, _Position(state.tobytes(), over=False)))
        return outcomes

    def _tops(
        self, probability: float, state: Vector, foiled: int, seat: int
    ) -> list[tuple[float, Vector, int]]:
        counts = state[at.POOL : at.POOL + len(self._board.kinds)]
        size, without = int(counts.sum()), 1.0
        cases = []
        for card in np.flatnonzero(counts):
            if self._board.uses[card] >> at.MAGNET & 1:
                chance = float(counts[card] / size)
                without -= chance
                told = state.copy()
                at.take_top(told, seat)
                told[at.POOL + card] -= 1
                at.discard(told, card)
                cases.append((probability * chance, told, foiled | 1 << seat))
        return [*cases, (probability * without, state.copy(), foiled)] if without > 0.0 else cases

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        vector = _vector(end)
        values = np.empty((determinizations, len(self.players)), np.float64)
        searched = np.zeros(1, np.int64)
        dealt = search.evaluate_end(
            vector,
            self.asker,
            rounds,
            determinizations,
            *self._numbers,
            self._states,
            self._seen,
            values,
            searched,
        )
        if searched[0]:
            values = (1.0 - DISCOUNT) * values + DISCOUNT / len(self.players)
        waits = self._waiting is not None and _own(vector, self.asker) == self._waiting
        return EndValue(values[: max(dealt, 1)], abs(dealt), int(searched[0]), waits)


def _goes_first(turn: Turn, asker: int) -> bool:
    """Whether it is the asker's turn, who has done nothing to get on in it, with nobody ahead."""
    state = turn.state
    if state.turn != asker or state.mover.place is None:
        return False
    begun = all(
        atom.type is ActionType.STEP and atom.direction in (Direction.LEFT, Direction.RIGHT)
        for atom in turn.actions
    )
    own = state.mover.place.progress
    return begun and all(seat.place is None or seat.place.progress <= own for seat in state.seats)


def _own(vector: Vector, seat: int) -> tuple[int, ...]:
    """Where a player is but for the lane, and how many gifts it has."""
    first = at.SEAT + seat * at.SEAT_SIZE
    return int(vector[first + at.LAP]), int(vector[first + at.ROW]), int(vector[first + at.COUNT])


def _is_known(turn: Turn) -> bool:
    """Whether the top card of who is asked has been seen."""
    assert turn.attack is not None, "somebody is asked"
    return turn.state.seats[turn.attack.waiting[0]].gifts[0] != UNKNOWN


def _vector(node: Node) -> Vector:
    assert isinstance(node, _Position), "a node of this tree"
    return np.frombuffer(node.vector, np.int16).copy()


def _is_over(node: Node) -> bool:
    return isinstance(node, _Position) and node.over


def _bits(mask: int) -> list[int]:
    return [seat for seat in range(at.SEATS) if mask >> seat & 1]
