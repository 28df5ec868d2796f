"""Agents that choose like people; their styles are in no library, so they test predictions.

Both judge a choice by the spaces gained and the worth of the hand afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from research.league.snow_time.agents import SOLVER_GAME, TOLERANCE
from research.league.snow_time.round_solver import CardWorth, Floats, most_recovered
from service.core.hints import Question
from service.games.snow_time.rules.state import DECK, Card, Move, State

PREFERENCE: Final = 0.6
"""Standard deviation of the logarithm of a person's preference for each card."""
AVOIDANCE: Final = 0.5
"""How much less likely a person plays the card of the last round."""


def own_payoffs(
    question: Question[State, Move], worth: CardWorth
) -> tuple[tuple[Mapping[str, Move], ...], Floats]:
    """Return a player's moves, and float64[moves, choices of the others], its payoffs."""
    stage_game = SOLVER_GAME.stage_game(question)
    player = stage_game.players.index(question.player)
    values = (worth.champion, worth.watcher, worth.blizzard)
    table = stage_game.heuristic_payoffs([values])[0, player].reshape(stage_game.counts)
    moves = stage_game.moves(player)
    return moves, np.moveaxis(table, player, 0).reshape(len(moves), -1)


class MinimaxRegretAgent:
    """Plays a move with the smallest largest regret, over all choices of the others.

    Args:
        champion, watcher, blizzard: worth of a card in hand, in spaces.
    """

    def __init__(self, champion: float = 0.75, watcher: float = 1.0, blizzard: float = 1.5) -> None:
        self._worth = CardWorth(champion, watcher, blizzard)

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "healer":
            return {actor: most_recovered(question, actor) for actor in question.actors}
        moves, payoffs = own_payoffs(question, self._worth)
        regrets = (payoffs.max(axis=0) - payoffs).max(axis=1)
        least: list[int] = np.flatnonzero(regrets < regrets.min() + TOLERANCE).tolist()
        return moves[random.choice(least)]


@dataclass
class Person:
    """A player of one game.

    Attributes:
        preferences: factor for each card.
        last: cards of the last round.
    """

    preferences: Mapping[Card, float]
    last: tuple[Card, ...] = ()


class HabitualAgent:
    """Errs, prefers some cards and avoids the one of the last round.

    It expects the others to play uniformly. Each player of each game has its own preferences.

    Args:
        precision: of its logit response, per space.
        random_move_rate: probability of a uniformly random move.
        champion, watcher, blizzard: worth of a card in hand, in spaces.
    """

    def __init__(
        self,
        precision: float = 2.0,
        random_move_rate: float = 0.1,
        champion: float = 0.55,
        watcher: float = 0.9,
        blizzard: float = 1.4,
    ) -> None:
        self._worth = CardWorth(champion, watcher, blizzard)
        self._precision, self._random_move_rate = precision, random_move_rate
        self._people: WeakKeyDictionary[Random, Person] = WeakKeyDictionary()
        """By generator: each player of each game has its own."""

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if random not in self._people:
            self._people[random] = Person(
                {card: exp(random.gauss(0.0, PREFERENCE)) for card in DECK}
            )
        person = self._people[random]
        moves, payoffs = own_payoffs(question, self._worth)
        values = payoffs.mean(axis=1)
        weights = np.exp(self._precision * (values - values.max()))
        if question.decision.name == "card":
            for index, move in enumerate(moves):
                for choice in move.values():
                    avoided = choice.card in person.last
                    weights[index] *= person.preferences[choice.card]
                    weights[index] *= AVOIDANCE if avoided else 1.0
        if random.random() < self._random_move_rate:
            weights[:] = 1.0
        chosen = random.choices(moves, weights.tolist())[0]
        if question.decision.name == "card":
            person.last = tuple(choice.card for choice in chosen.values())
        return chosen
