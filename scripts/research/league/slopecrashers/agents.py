"""Agents for Slopecrashers: random, greedy, one-turn search and the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.evaluation import Evaluator, default_evaluator, read
from service.games.slopecrashers.engine.kernels import estimation, rating, reaching
from service.games.slopecrashers.engine.kernels import turns as at
from service.games.slopecrashers.engine.kernels.estimation import Race
from service.games.slopecrashers.engine.packing import (
    Board,
    Vector,
    distances,
    make_board,
    pack_turn,
    race_of,
)
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.state import Action
from service.games.slopecrashers.rules.turn import Turn, apply_action
from service.solver.search.turn_expectimax import render_turn_hint, solve

SOLVER_GAME = SlopecrashersTurns()
"""The game as the solver sees it, with the shipped evaluator."""
MAX_POSITIONS: Final = 2048
"""Positions that one turn can reach, at most."""
UNREACHABLE: Final = 1e9

Question = TurnQuestion[Turn, Action]


def choices_of(question: Question) -> tuple[Action, ...]:
    """Return the legal actions of the player to move."""
    [choices] = question.decision.choices.values()
    return choices


class RandomAgent:
    """Chooses every legal action with the same probability."""

    def choose(self, question: Question, random: Random) -> Action:
        return random.choice(choices_of(question))


class ServiceAgent:
    """Plays the best action of the service's hint.

    Args:
        effort: search effort of the hint.
        evaluator: path of an evaluator file, or an evaluator; empty for the shipped evaluator.
    """

    def __init__(self, effort: str = "standard", evaluator: str | Evaluator = "") -> None:
        own = read(Path(evaluator)) if evaluator and isinstance(evaluator, str) else evaluator
        self._effort = effort
        self._game = SlopecrashersTurns(own) if isinstance(own, Evaluator) else SOLVER_GAME

    def choose(self, question: Question, random: Random) -> Action:
        question = replace(question, effort=self._effort)
        solution = solve(self._game, question, None)
        return render_turn_hint(solution, question, question.play.state.players).choices[0].choice


class OneTurnAgent:
    """Maximizes the evaluator over the positions in which its own turn can end.

    It does not search the turns of other players, so it needs a tenth of the time of a hint.
    Draws and attacks are evaluated as they stand.

    Args:
        evaluator: path of an evaluator file; empty for the shipped evaluator.
    """

    def __init__(self, evaluator: str = "") -> None:
        self._evaluator = read(Path(evaluator)) if evaluator else default_evaluator()
        self._game = SlopecrashersTurns(self._evaluator)
        self._states = np.empty((MAX_POSITIONS, at.LENGTH), np.int16)
        self._hashes = np.zeros((2, 4 * MAX_POSITIONS), np.int64)
        self._ratings = np.empty(MAX_POSITIONS)
        self._kinds = np.empty(MAX_POSITIONS, np.int64)
        self._scratch = np.empty(at.LENGTH, np.int16), np.empty(at.SEATS)

    def choose(self, question: Question, random: Random) -> Action:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        state = question.play.state
        packed_board = make_board(state.course, state.deck)
        race = race_of(packed_board, self._evaluator)
        return max(
            choices,
            key=lambda action: self._rating(question.play, action, packed_board, race),
        )

    def _rating(self, play: Turn, action: Action, packed_board: Board, race: Race) -> float:
        """Return the greatest win share at the end of the turn after an action."""
        turn = apply_action(play, action).play
        vector = pack_turn(turn, packed_board)
        if turn.over:
            if turn.state.winner is None:
                at.begin(vector)
            value = np.empty(len(turn.state.seats))
            estimation.shares(vector, race, value)
            return float(value[play.state.turn])
        states, ratings, kinds = self._states, self._ratings, self._kinds
        count, states[0] = 1, vector
        if vector[at.PHASE] == at.DECIDING:
            count = abs(
                reaching.reach(
                    vector,
                    packed_board.fields,
                    packed_board.uses,
                    reaching.STOP,
                    states,
                    self._hashes,
                )
            )
        rating.rate(vector, race, states, count, *self._scratch, ratings, kinds)
        return float(ratings[:count].max(where=kinds[:count] > 0, initial=0.0))


class GreedyAgent:
    """Minimizes the movements left to the finish at the end of its turn.

    It assumes no draws and no answers by other players, breaks ties at random, and answers every
    attack with a magnet.
    """

    def choose(self, question: Question, random: Random) -> Action:
        choices = choices_of(question)
        if question.decision.name == "answer":
            return choices[0]
        shuffled = random.sample(choices, len(choices))
        return min(shuffled, key=lambda action: self._movements_left(question, action))

    def _movements_left(self, question: Question, action: Action) -> float:
        """Return the movements left at the best end of the turn after an action."""
        state = question.play.state
        packed_board = make_board(state.course, state.deck)
        turn = apply_action(question.play, action).play
        while turn.attack is not None:
            turn = apply_action(turn, answer_choices(turn)[-1]).play
        offset = at.SEAT + state.players.index(question.player) * at.SEAT_SIZE
        if turn.over:
            return _movements_left(pack_turn(turn, packed_board), packed_board, offset)
        states = np.empty((MAX_POSITIONS, at.LENGTH), np.int16)
        hashes = np.zeros((2, 4 * MAX_POSITIONS), np.int64)
        vector = pack_turn(turn, packed_board)
        count = reaching.reach(
            vector, packed_board.fields, packed_board.uses, reaching.SKIP, states, hashes
        )
        ends = [
            _movements_left(reached, packed_board, offset)
            for reached in states[: abs(count)]
            if reached[at.PHASE] == at.ENDED or reaching.may_end(reached)
        ]
        return min(ends, default=UNREACHABLE)


def _movements_left(vector: Vector, packed_board: Board, offset: int) -> float:
    if vector[at.WINNER] >= 0:
        return 0.0
    lap, row, lane = vector[offset : offset + 3]
    return float(distances(packed_board.course)[lap, row, lane])
