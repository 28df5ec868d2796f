"""Agents for Snowcrest: random, greedy and the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from research.league.snowcrest.play import Question
from service.games.snowcrest.engine.evaluation import (
    KNOTS,
    Evaluator,
    default_evaluator,
    from_document,
    load_evaluator,
)
from service.games.snowcrest.engine.turn_tree import TURN_BUDGETS, SnowcrestTurns
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.payments.resources import Resource
from service.solver.search.turn_expectimax import solve

SOLVER_GAME = SnowcrestTurns()
"""The game as the solver sees it, with the shipped evaluator."""


class RandomAgent:
    """Chooses every legal action with the same probability."""

    def choose(self, question: Question, random: Random) -> Action:
        [choices] = question.decision.choices.values()
        return random.choice(choices)


class ServiceAgent:
    """Plays the best action of the service's hint.

    Args:
        effort: search effort of the hint.
        evaluator: path of an evaluator file, or an evaluator; empty for the shipped evaluator.
    """

    def __init__(self, effort: str = "standard", evaluator: str | Evaluator = "") -> None:
        path = Path(evaluator) if evaluator and isinstance(evaluator, str) else None
        own = load_evaluator(path) if path else evaluator
        self._effort = effort
        self._game = SnowcrestTurns(own) if isinstance(own, Evaluator) else SOLVER_GAME

    def choose(self, question: Question, random: Random) -> Action:
        return best_choice(self._game, replace(question, effort=self._effort))


class OwnTurnAgent(ServiceAgent):
    """Plays the best action by the service's search of its own turn, without looking ahead.

    Args:
        effort: search effort.
        evaluator: path of an evaluator file; empty for the shipped evaluator.
    """

    def __init__(self, effort: str = "standard", evaluator: str = "") -> None:
        own = load_evaluator(Path(evaluator)) if evaluator else default_evaluator()
        self._effort, self._game = effort, own_turn_game(own)


class GreedyAgent(ServiceAgent):
    """Maximizes scrolls minus omen within its own turn, then the number of resources."""

    def __init__(self) -> None:
        self._effort, self._game = "quick", own_turn_game(GREEDY_EVALUATOR)


def own_turn_game(evaluator: Evaluator) -> SnowcrestTurns:
    """Return the game for players who search their own turn only."""
    game = SnowcrestTurns(evaluator)
    game.budgets = {effort: replace(each, rounds=0) for effort, each in TURN_BUDGETS.items()}
    return game


def best_choice(game: SnowcrestTurns, question: Question) -> Action:
    """Return the choice with the greatest win share, the first of equal ones."""
    solution = solve(game, question, None)
    [choices] = question.decision.choices.values()
    player = question.play.state.players.index(question.player)
    return choices[max(range(len(choices)), key=lambda index: solution.shares[index][player])]


def _greedy_evaluator() -> Evaluator:
    sets = len(KNOTS) + 1
    scroll, resource = [100.0] * sets, [1.0] * sets
    worth: dict[str, Any] = {"scrolls": scroll, "omen": scroll}
    worth |= {kind.label: resource for kind in Resource}
    slopes = [0.002] * sets
    solo = {name: [slopes[0] * number for number in row] for name, row in worth.items()}
    return from_document({"version": "greedy", "slopes": slopes, "several": worth, "solo": solo})


GREEDY_EVALUATOR: Final = _greedy_evaluator()
