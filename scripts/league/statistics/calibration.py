"""How many iterations take a tree searcher ten times as long as a hint takes the service."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeVar

from league.running.cells import SLOPECRASHERS, SNOW_TIME
from league.running.recording import Watched
from league.slopecrashers.agents import SolvingRacer, TreeRacer
from league.slopecrashers.play import race
from league.slopecrashers.play import start as course
from league.snow_time.agents import STAGES, SolvingAgent, owners
from league.snow_time.mcts import TreeSearcher
from league.snow_time.play import play, start
from service.core.hints import Question
from service.core.sequential import TurnQuestion
from service.games.slopecrashers.rules.state import Atom
from service.games.slopecrashers.rules.turn import Turn
from service.games.snow_time.rules.state import Move, State
from service.solver.hints.hint import solve

TIMES: Final = 10
GAMES: Final = 4
EVERY: Final = 3
"""Every third decision of one player is measured."""
TRIED: Final = 20_000
TRIED_RACER: Final = 500
"""Iterations measured, in Snow Time and in Slopecrashers."""


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


Asked = TypeVar("Asked")


def calibrate(game: str = SNOW_TIME) -> Calibration:
    """Measures both at the same decisions of the service's own games of four."""
    if game == SLOPECRASHERS:
        racer, tree = SolvingRacer(), TreeRacer(TRIED_RACER)
        return _measured(
            _race_questions(),
            lambda question: racer.choose(question, Random(0)),
            lambda question, seed: tree.choose(question, Random(seed)),
            TRIED_RACER,
        )
    searcher = TreeSearcher(TRIED)
    return _measured(
        _round_questions(),
        lambda question: solve(STAGES, question, owners(question)),
        lambda question, seed: searcher.visits(question, seed=seed),
        TRIED,
    )


def _measured(
    questions: Sequence[Asked],
    hint: Callable[[Asked], object],
    search: Callable[[Asked, int], object],
    tried: int,
) -> Calibration:
    hints = searches = 0.0
    for warm_up in (True, False):
        for place, question in enumerate(questions):
            began = time.process_time()
            hint(question)
            hinted = time.process_time()
            search(question, place + 1)
            if not warm_up:
                hints += hinted - began
                searches += time.process_time() - hinted
    count = len(questions)
    return Calibration(count, hints / count, searches / count / tried)


# Decisions of the service's own games ---------------------------------------------------------


class _Listener:
    """Plays as the service does, and keeps the questions of one player."""

    def __init__(self) -> None:
        self._agent = SolvingAgent()
        self.questions: list[Question[State, Move]] = []

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "card":
            self.questions.append(question)
        return self._agent.choose(question, random)


def _round_questions() -> list[Question[State, Move]]:
    listener, agent = _Listener(), SolvingAgent()
    for seed in range(GAMES):
        play(start(4, 4), {"a": listener, "b": agent, "c": agent, "d": agent}, seed)
    return listener.questions[::EVERY]


def _race_questions() -> list[TurnQuestion[Turn, Atom]]:
    watched, racer = Watched(SolvingRacer()), SolvingRacer()
    for seed in range(GAMES):
        race(course(4, seed), {"a": watched, "b": racer, "c": racer, "d": racer}, seed)
    return [asked for asked in watched.questions if asked.decision.name != "answer"][::EVERY]
