"""What training and tuning need of a game's evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from random import Random
from typing import Any, Final

from service.core.arrays import Floats

SPREAD: Final = 0.35
"""Logarithm of the factor of a weight that is changed by 1."""
Changes = Sequence[float] | Floats
Predictor = Callable[[Any], Floats]
"""Returns the win shares of all players at a position between turns or rounds."""


@dataclass(frozen=True)
class Model:
    """The evaluator of a game.

    Attributes:
        file: with the evaluator of the service.
        read: returns the evaluator of a file.
        document: returns what a file of an evaluator contains, as JSON.
        names: returns the weights or groups of weights that get a factor, by number of players.
        multiplied: returns an evaluator with other weights for a number of players, by the factor
            of each name.
        predictor: returns how an evaluator predicts games with a number of players.
        agent: returns a player that follows ``quick`` hints with an evaluator.
        random_agent: plays at random.
        play: plays a game with an agent for each player; calls a function with each position
            between turns or rounds, and returns each player's share of the win.
    """

    file: Path
    read: Callable[[Path], Any]
    document: Callable[[Any], dict[str, Any]]
    names: Callable[[int], Sequence[str]]
    multiplied: Callable[[Any, int, Mapping[str, float]], Any]
    predictor: Callable[[Any, int], Predictor]
    agent: Callable[[Any], Any]
    random_agent: Any
    play: Callable[[Sequence[Any], int, Callable[[Any], None]], Sequence[float]]

    def changed(self, evaluator: Any, players: int, changes: Changes) -> Any:
        """Return an evaluator with other weights.

        Args:
            evaluator: to change.
            players: number of players; in Snow Time and solo games of Snowcrest these have their
                own weights.
            changes: of the weights of :attr:`names`; 1 is a factor of exp(:data:`SPREAD`).
        """
        names = self.names(players)
        factors = {name: exp(SPREAD * by) for name, by in zip(names, changes, strict=True)}
        return self.multiplied(evaluator, players, factors)


class OftenRandom:
    """Plays like another agent, but sometimes at random, to reach more positions.

    Args:
        model: of the game.
        agent: the other agent.
        rate: probability of a random choice.
    """

    def __init__(self, model: Model, agent: Any, rate: float) -> None:
        self._model, self._agent, self._rate = model, agent, rate

    def choose(self, question: Any, random: Random) -> Any:
        chosen = self._model.random_agent if random.random() < self._rate else self._agent
        return chosen.choose(question, random)
