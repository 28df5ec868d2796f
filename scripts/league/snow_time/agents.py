"""Agents for the league that ask the service's own solver, and the one that asks nobody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from service.core.hints import Question
from service.core.simultaneous import SimultaneousGame
from service.games.snow_time.engine.best_response_model import SnowTimeRoundGame
from service.games.snow_time.engine.evaluation import Evaluator, read_evaluator
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import WorkMeter
from service.solver.search.best_response import values_of_moves
from service.solver.search.strategy_profile import SolveContext, StrategyProfile, play_round

STAGES = SnowTimeRoundGame()
TIED: Final = 1e-9
"""Points that differ by less are the same but for rounding."""


class RandomAgent:
    """Any legal move, all with the same chance."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        return {actor: random.choice(question.decision.choices[actor]) for actor in question.actors}


class GreedyAgent:
    """Best response on points to others who choose uniformly; ties are drawn.

    Seats of equal content at one table share one search.
    """

    def __init__(self) -> None:
        self._position = b""
        self._found: dict[object, list[tuple[Move, ...]]] = {}

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        state = question.position
        position = STAGES.key(question)
        if position != self._position:
            self._position, self._found = position, {}
        own = state.seats_of(question.player)
        if len(own) == 1:
            seat = own[0]
            content: object = (seat.score, seat.hand, question.told.get(seat.name))
        else:
            content = question.player
        if content not in self._found:
            self._found[content] = _best_on_points(question)
        return dict(zip(question.actors, random.choice(self._found[content]), strict=True))


def _best_on_points(question: Question[State, Move]) -> list[tuple[Move, ...]]:
    """The asker's best moves, each as the choices of its actors in their order."""
    asked = replace(question, model="uniform", objective="points")
    stage = STAGES.stage(asked)
    values = values_of_moves(stage, asked, WorkMeter(None))
    return [
        tuple(stage.moves[place][actor] for actor in question.actors)
        for place in np.flatnonzero(values > values.max() - TIED).tolist()
    ]


class SolutionCache:
    """What the service finds for everybody at a table; the last solve is kept for all who ask.

    Args:
        model, objective, tier: as in a request.
        evaluator: the path of a data file, or one at hand; without one, the service's own.
    """

    def __init__(
        self, model: str, objective: str, tier: str, evaluator: str | Evaluator = ""
    ) -> None:
        self._model, self._objective, self._tier = model, objective, tier
        self._stages = (
            stages(evaluator) if isinstance(evaluator, str) else SnowTimeRoundGame(evaluator)
        )
        self._last: tuple[object, SimultaneousGame[Move, State], StrategyProfile] | None = None

    def asked(self, question: Question[State, Move]) -> Question[State, Move]:
        """The question as it is put to the service."""
        return replace(question, model=self._model, objective=self._objective, tier=self._tier)

    def of(
        self, question: Question[State, Move]
    ) -> tuple[SimultaneousGame[Move, State], StrategyProfile]:
        """The decision in normal form, and everybody's strategies."""
        # At the healer decision everybody else is fixed, so that each asker has its own.
        asker = question.player if question.decision.name == "healer" else None
        key = (STAGES.key(question), asker)
        if self._last is None or self._last[0] != key:
            setting = SolveContext(self._stages, owners(question), WorkMeter(None))
            joint, play = play_round(setting, self.asked(question), asker)
            self._last = (key, joint, play)
        return self._last[1], self._last[2]


@lru_cache(maxsize=64)
def solves(model: str, objective: str, tier: str, evaluator: str = "") -> SolutionCache:
    """One for all agents of a process that put the same questions."""
    return SolutionCache(model, objective, tier, evaluator)


@lru_cache(maxsize=16)
def stages(evaluator: str) -> SnowTimeRoundGame:
    """The service's game with the evaluator of a data file, or with its own."""
    if not evaluator:
        return STAGES
    text = Path(evaluator).read_text(encoding="utf-8")
    return SnowTimeRoundGame(read_evaluator(json.loads(text)))


class SolvingAgent:
    """Draws from the strategies that the service finds; one solve serves a whole table.

    Args:
        model, objective, tier: as in a request.  Under ``level-1`` a player's strategy is its
            quantal response to everybody else choosing uniformly.
        rash: the chance of any legal move instead, to see more of the game.
        evaluator: the path of a data file, or one at hand; without one, the service's own.
    """

    def __init__(
        self,
        model: str = "equilibrium",
        objective: str = "win",
        tier: str = "standard",
        rash: float = 0.0,
        evaluator: str | Evaluator = "",
    ) -> None:
        shared = solves if isinstance(evaluator, str) else SolutionCache
        self._solves = shared(model, objective, tier, evaluator)
        self._rash = rash

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if self._rash and random.random() < self._rash:
            return RandomAgent().choose(question, random)
        joint, play = self._solves.of(question)
        player = joint.players.index(question.player)
        strategy = play.strategies[player].tolist()
        return random.choices(joint.moves(player), strategy)[0]


class Exploiter:
    """The best pure response to the strategies that the service publishes for the others.

    It knows how everybody at the table chooses now, not what they draw; what comes after the
    round it values as the service does.

    Args:
        tier: of the service it plays against.
    """

    def __init__(self, tier: str = "standard") -> None:
        self._solves = solves("equilibrium", "win", tier)

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        joint, play = self._solves.of(question)
        player = joint.players.index(question.player)
        outcomes = joint.outcomes(player, np.concatenate(play.strategies))
        values = outcomes[:, joint.columns(player).shares.start + player]
        best: list[int] = np.flatnonzero(values > values.max() - TIED).tolist()
        return joint.moves(player)[random.choice(best)]


def owners(question: Question[State, Move]) -> dict[str, str]:
    """The player of each seat, in the position's order."""
    return {seat.name: seat.player for seat in question.position.seats}
