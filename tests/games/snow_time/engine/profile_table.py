"""A decision in normal form beside its plain twin, with random strategies and settled subgames."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from service.core.simultaneous import OpenSubgames
from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.engine.stage_game.normal_form import SnowTimeNormalForm
from service.games.snow_time.rules.state import Move
from tests.games.snow_time.engine.plain_normal_form import Moves, PlainNormalForm


def mixture(random: np.random.Generator, size: int) -> np.ndarray:
    """Return a random distribution; about half of the choices have probability 0."""
    weights = random.random(size) * (random.random(size) < 0.5)
    weights[random.integers(size)] += 0.5
    return weights / weights.sum()


def profiles_of(joint: SnowTimeNormalForm) -> list[dict[str, Move]]:
    """Return the moves of all players in every profile."""
    by_player = [joint.moves(player) for player in range(len(joint.players))]
    return [
        {name: move for moves in joined for name, move in moves.items()}
        for joined in product(*by_player)
    ]


class ProfileTable:
    """A game in normal form, and the results of its profiles by the rules."""

    def __init__(self, plain: PlainNormalForm, seed: int) -> None:
        self.plain = plain
        self.joint = SnowTimeNormalForm(plain.question, default_evaluator())
        self.random = np.random.default_rng(seed)
        self.profiles = profiles_of(self.joint)
        self.settled: dict[int, list[tuple[Moves, float]]] = {}
        self.strategies = [mixture(self.random, count) for count in self.joint.counts]

    def chances(self, profile: int) -> list[tuple[Moves, float]]:
        """Return the complete moves of a profile, with probabilities."""
        return self.settled.get(profile) or [(self.plain.played(self.profiles[profile]), 1.0)]

    def settle(self, share: float) -> list[int]:
        """Settle a share of the open profiles with random mixtures, in two calls."""
        numbers, _ = self.joint.open_profiles()
        chosen = numbers[self.random.random(len(numbers)) < share]
        for part in (chosen[::2], chosen[1::2]):
            for subgames in self.joint.open_subgames(part):
                self._settle(subgames)
        return chosen.tolist()

    def _settle(self, subgames: OpenSubgames) -> None:
        own = [
            [mixture(self.random, size) for size in subgames.sizes]
            for _ in range(len(subgames.profiles))
        ]
        self.joint.set_subgame_solutions(
            subgames, np.array([np.concatenate(mixed) for mixed in own])
        )
        for profile, deciding, mixed in zip(
            subgames.profiles.tolist(), subgames.deciding, own, strict=True
        ):
            shown = self.plain.shown(self.profiles[profile])
            watching = self.plain.watching(self.profiles[profile])
            ways = [
                list(zip(self.plain.additions(watching[self.joint.players[p]]), chances,
                         strict=True))
                for p, chances in zip(deciding, mixed, strict=True)
            ]  # fmt: skip
            self.settled[profile] = [
                (
                    self.plain.complete(
                        shown | {name: move for own, _ in added for name, move in own.items()}
                    ),
                    float(prod(chance for _, chance in added)),
                )
                for added in product(*ways)
            ]

    def results(self, asker: int) -> list[list[tuple[Moves, float]]]:
        """Return the complete moves after each move of a player, with probabilities."""
        by_move: list[list[tuple[Moves, float]]] = [[] for _ in range(self.joint.counts[asker])]
        for profile, numbers in enumerate(product(*map(range, self.joint.counts))):
            chance = prod(
                float(self.strategies[player][number])
                for player, number in enumerate(numbers)
                if player != asker
            )
            if chance:
                by_move[numbers[asker]] += [
                    (moves, chance * share) for moves, share in self.chances(profile)
                ]
        return by_move
