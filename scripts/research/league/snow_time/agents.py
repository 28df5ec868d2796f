"""Agents for Snow Time: random, greedy and the service's strategies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from service.core.hints import Question
from service.core.simultaneous import SimultaneousGame
from service.games.snow_time.engine.evaluation import Evaluator, read_evaluator
from service.games.snow_time.engine.round_game import SnowTimeRoundGame
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import WorkMeter
from service.solver.search.best_response import move_values
from service.solver.search.strategy_profile import SolveContext, StrategyProfile, solve_round

SOLVER_GAME = SnowTimeRoundGame()
"""The game as the solver sees it, with the shipped evaluator."""
TOLERANCE: Final = 1e-9
"""Values that differ by less are ties; they differ by rounding only."""

Strategy = Sequence[tuple[Mapping[str, Move], float]]
"""Joint moves of a player with their probabilities."""


class RandomAgent:
    """Chooses every legal move with the same probability."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        return {actor: random.choice(question.decision.choices[actor]) for actor in question.actors}


class GreedyAgent:
    """Plays a best response, measured in points, to uniform opponents; breaks ties at random.

    Seats with equal content at one table share one search.
    """

    def __init__(self) -> None:
        self._position = b""
        self._best: dict[object, list[tuple[Move, ...]]] = {}

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        state = question.position
        position = SOLVER_GAME.position_key(question)
        if position != self._position:
            self._position, self._best = position, {}
        own = state.seats_of(question.player)
        if len(own) == 1:
            seat = own[0]
            content: object = (seat.score, seat.hand, question.revealed.get(seat.name))
        else:
            content = question.player
        if content not in self._best:
            self._best[content] = _best_on_points(question)
        return dict(zip(question.actors, random.choice(self._best[content]), strict=True))


def _best_on_points(question: Question[State, Move]) -> list[tuple[Move, ...]]:
    """Return the player's best moves, each as one move per actor."""
    question = replace(question, model="uniform", objective="points")
    stage = SOLVER_GAME.best_response_model(question)
    values = move_values(stage, question, WorkMeter(None))
    return [
        tuple(stage.moves[index][actor] for actor in question.actors)
        for index in np.flatnonzero(values > values.max() - TOLERANCE).tolist()
    ]


class SolutionCache:
    """Solves decisions as the service does, and remembers the last one for all seats of a table.

    Args:
        model, objective, effort: as in a request.
        evaluator: path of a data file, or an evaluator; empty for the shipped evaluator.
    """

    def __init__(
        self, model: str, objective: str, effort: str, evaluator: str | Evaluator = ""
    ) -> None:
        self._model, self._objective, self._effort = model, objective, effort
        self._game = (
            game_with_evaluator(evaluator)
            if isinstance(evaluator, str)
            else SnowTimeRoundGame(evaluator)
        )
        self._last: tuple[object, SimultaneousGame[Move, State], StrategyProfile] | None = None

    def solve(
        self, question: Question[State, Move]
    ) -> tuple[SimultaneousGame[Move, State], StrategyProfile]:
        """Return the decision in normal form, and the strategies of all players."""
        # At the healer decision all other choices are fixed, so each player has its own solution.
        player = question.player if question.decision.name == "healer" else None
        key = (SOLVER_GAME.position_key(question), player)
        if self._last is None or self._last[0] != key:
            context = SolveContext(self._game, owners(question), WorkMeter(None))
            joint, profile = solve_round(context, self._with_options(question), player)
            self._last = (key, joint, profile)
        return self._last[1], self._last[2]

    def _with_options(self, question: Question[State, Move]) -> Question[State, Move]:
        return replace(question, model=self._model, objective=self._objective, effort=self._effort)


@lru_cache(maxsize=64)
def shared_solutions(model: str, objective: str, effort: str, evaluator: str = "") -> SolutionCache:
    """Return one cache for all agents of this process with the same options."""
    return SolutionCache(model, objective, effort, evaluator)


@lru_cache(maxsize=16)
def game_with_evaluator(evaluator: str) -> SnowTimeRoundGame:
    """Return the game with the evaluator of a data file; empty for the shipped evaluator."""
    if not evaluator:
        return SOLVER_GAME
    text = Path(evaluator).read_text(encoding="utf-8")
    return SnowTimeRoundGame(read_evaluator(json.loads(text)))


class ServiceAgent:
    """Draws moves from the service's strategies; one solution serves a whole table.

    Args:
        model, objective, effort: as in a request. Under ``level-1`` a player's strategy is its
            logit response to uniform opponents.
        random_move_rate: probability of a uniformly random move, to reach more positions.
        evaluator: path of a data file, or an evaluator; empty for the shipped evaluator.
    """

    def __init__(
        self,
        model: str = "equilibrium",
        objective: str = "win",
        effort: str = "standard",
        random_move_rate: float = 0.0,
        evaluator: str | Evaluator = "",
    ) -> None:
        cache = shared_solutions if isinstance(evaluator, str) else SolutionCache
        self._solutions = cache(model, objective, effort, evaluator)
        self._random_move_rate = random_move_rate

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if self._random_move_rate and random.random() < self._random_move_rate:
            return RandomAgent().choose(question, random)
        return draw_move(self.strategy(question), random)

    def strategy(self, question: Question[State, Move]) -> Strategy:
        """Return the player's moves with their probabilities, apart from random moves."""
        joint, profile = self._solutions.solve(question)
        player = joint.players.index(question.player)
        return list(zip(joint.moves(player), profile.strategies[player].tolist(), strict=True))


def draw_move(strategy: Strategy, random: Random) -> Mapping[str, Move]:
    """Return a joint move drawn from a strategy."""
    moves, probabilities = zip(*strategy, strict=True)
    drawn: Mapping[str, Move] = random.choices(moves, probabilities)[0]
    return drawn


def owners(question: Question[State, Move]) -> dict[str, str]:
    """Return the player of each seat, in the order of the position."""
    return {seat.name: seat.player for seat in question.position.seats}
