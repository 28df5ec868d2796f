"""Calibrate the tree search: how many iterations take ten times the time of a hint."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from research.league.running.cells import SLOPECRASHERS, SNOW_TIME
from research.league.running.recording import RecordingAgent
from research.league.slopecrashers import agents as slopecrashers
from research.league.slopecrashers import mcts as slopecrashers_mcts
from research.league.slopecrashers import play as slopecrashers_play
from research.league.snow_time.agents import SOLVER_GAME, ServiceAgent, owners
from research.league.snow_time.mcts import TreeSearchAgent
from research.league.snow_time.play import initial_state, play
from service.core.hints import Question
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.rules.state import Action
from service.games.slopecrashers.rules.turn import Turn
from service.games.snow_time.rules.state import Move, State
from service.solver.hints.hint import compute_hint

TIMES: Final = 10
GAMES: Final = 4
EVERY: Final = 3
"""Every third decision of one player is measured."""
SNOW_TIME_ITERATIONS: Final = 20_000
SLOPECRASHERS_ITERATIONS: Final = 20_000
"""Iterations of a measured search."""


@dataclass(frozen=True)
class Calibration:
    """Measured times, in seconds of processor time.

    Attributes:
        decisions: number of measured decisions.
        hint: mean time of a hint.
        iteration: mean time of an iteration.
    """

    decisions: int
    hint: float
    iteration: float

    @property
    def iterations(self) -> int:
        """Iterations that take ``TIMES`` the time of a hint, to two significant digits."""
        exact = TIMES * self.hint / self.iteration
        unit: int = 10 ** max(0, len(str(int(exact))) - 2)
        return round(exact / unit) * unit


AnyQuestion = TypeVar("AnyQuestion")


def calibrate(game: str = SNOW_TIME) -> Calibration:
    """Measure hints and searches at the same decisions of games between four service agents."""
    if game == SLOPECRASHERS:
        service = slopecrashers.ServiceAgent()
        tree = slopecrashers_mcts.TreeSearchAgent(SLOPECRASHERS_ITERATIONS)
        return _measure(
            _slopecrashers_questions(),
            lambda question: service.choose(question, Random(0)),
            lambda question, seed: tree.visits(question, seed),
            SLOPECRASHERS_ITERATIONS,
        )
    searcher = TreeSearchAgent(SNOW_TIME_ITERATIONS)
    return _measure(
        _snow_time_questions(),
        lambda question: compute_hint(SOLVER_GAME, question, owners(question)),
        lambda question, seed: searcher.visits(question, seed=seed),
        SNOW_TIME_ITERATIONS,
    )


def _measure(
    questions: Sequence[AnyQuestion],
    hint: Callable[[AnyQuestion], object],
    search: Callable[[AnyQuestion, int], object],
    iterations: int,
) -> Calibration:
    hints = searches = 0.0
    for warm_up in (True, False):
        for number, question in enumerate(questions):
            start = time.process_time()
            hint(question)
            hint_end = time.process_time()
            search(question, number + 1)
            if not warm_up:
                hints += hint_end - start
                searches += time.process_time() - hint_end
    count = len(questions)
    return Calibration(count, hints / count, searches / count / iterations)


# Decisions of games between service agents ----------------------------------------------------


class _CardDecisionRecorder:
    """Plays as the service does, and records the card decisions."""

    def __init__(self) -> None:
        self._agent = ServiceAgent()
        self.questions: list[Question[State, Move]] = []

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "card":
            self.questions.append(question)
        return self._agent.choose(question, random)


def _snow_time_questions() -> list[Question[State, Move]]:
    recorder, agent = _CardDecisionRecorder(), ServiceAgent()
    for seed in range(GAMES):
        play(initial_state(4, 4), {"a": recorder, "b": agent, "c": agent, "d": agent}, seed)
    return recorder.questions[::EVERY]


def _slopecrashers_questions() -> list[TurnQuestion[Turn, Action]]:
    agent = slopecrashers.ServiceAgent()
    recorder = RecordingAgent(slopecrashers.ServiceAgent())
    for seed in range(GAMES):
        first = slopecrashers_play.initial_state(4, seed)
        agents: dict[str, slopecrashers_play.Agent] = dict.fromkeys(first.players, agent)
        agents["a"] = recorder
        slopecrashers_play.play(first, agents, seed)
    questions = [each for each in recorder.questions if each.decision.name != "answer"]
    return questions[::EVERY]
