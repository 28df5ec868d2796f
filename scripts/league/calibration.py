"""How many iterations take a tree searcher ten times as long as a hint takes the service."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from league.agents import STAGES, SolvingAgent, owners
from league.games import play, start
from league.mcts import TreeSearcher
from service.core.hint import Question
from service.games.snow_time.state import Move, State
from service.solver.hint import solve

TIMES: Final = 10
GAMES: Final = 4
EVERY: Final = 3
"""Every third card decision of a game is measured."""
TRIED: Final = 20_000
"""Iterations measured."""


@dataclass(frozen=True)
class Calibration:
    """What was measured, in seconds of processor time, and what follows.

    Attributes:
        decisions: measured.
        hint: mean time of a hint.
        iteration: mean time of an iteration.
    """

    decisions: int
    hint: float
    iteration: float

    @property
    def iterations(self) -> int:
        """For ``TIMES`` the time of a hint, to two figures."""
        exact = TIMES * self.hint / self.iteration
        unit: int = 10 ** max(0, len(str(int(exact))) - 2)
        return round(exact / unit) * unit


class _Listener:
    """Plays as the service does, and keeps the questions of one player."""

    def __init__(self) -> None:
        self._agent = SolvingAgent()
        self.questions: list[Question[State, Move]] = []

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "card":
            self.questions.append(question)
        return self._agent.choose(question, random)


def calibrate() -> Calibration:
    """Measures both at the same card decisions of the service's own games of four."""
    listener, agent = _Listener(), SolvingAgent()
    for seed in range(GAMES):
        play(start(4, 4), {"a": listener, "b": agent, "c": agent, "d": agent}, seed)
    questions = listener.questions[::EVERY]
    searcher = TreeSearcher(TRIED)
    hints = searches = 0.0
    for warm_up in (True, False):
        for place, question in enumerate(questions):
            began = time.process_time()
            solve(STAGES, question, owners(question))
            hinted = time.process_time()
            searcher.visits(question, seed=place + 1)
            if not warm_up:
                hints += hinted - began
                searches += time.process_time() - hinted
    count = len(questions)
    return Calibration(count, hints / count, searches / count / TRIED)
