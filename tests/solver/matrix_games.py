"""Games in normal form from payoff arrays, and plain reference code with ``numpy.einsum``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from service.core.simultaneous import OpenSubgames, SimultaneousGame
from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import CertifiedProfile, solve_equilibrium
from service.solver.equilibrium.quantal_response import solve_quantal
from service.solver.kernels import action_values, linear_program, logit, newton, regret_matching
from service.solver.normal_form import NormalForm
from service.solver.normal_forms import NormalForms
from tests import randomized

Floats = np.ndarray
SEED = randomized.seed(7)


class ArrayGame(SimultaneousGame):
    """A game of one round with given payoffs.

    Args:
        payoffs: float[players, moves of the first, moves of the second, ...].
        symmetry_classes: for each player the first player with the same game.
        mirrors: by player, see the protocol.
        subgames: by open profile (a tuple of moves), the players who decide in it and its
            payoffs, float[players, additions of the first of them, ...].
    """

    counts: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    symmetry_classes: tuple[int, ...] = ()
    payoffs: Any = None
    mirrors: Any = ()
    rounds = 1

    def __init__(
        self,
        payoffs: Any,
        symmetry_classes: Sequence[int] = (),
        mirrors: Mapping[int, Sequence[int]] | None = None,
        subgames: Mapping[tuple[int, ...], tuple[Sequence[int], Any]] | None = None,
    ) -> None:
        table = np.asarray(payoffs, np.float64)
        self.counts = table.shape[1:]
        self.players = tuple(f"p{number}" for number in range(len(table)))
        assert len(self.counts) == len(self.players)
        self.symmetry_classes = tuple(symmetry_classes) or tuple(range(len(table)))
        self.payoffs = np.ascontiguousarray(table.reshape(len(table), -1))
        given = mirrors or {}
        self.mirrors = tuple(
            np.array(given[number]) if number in given else None for number in range(len(table))
        )
        self.rounds = self.payoffs.shape[1]
        self.open = {
            int(np.ravel_multi_index(profile, self.counts)): (tuple(deciding), np.asarray(inner))
            for profile, (deciding, inner) in (subgames or {}).items()
        }
        self.solutions: dict[int, Floats] = {}
        """The solutions that were folded in, by profile."""

    def moves(self, player: int) -> tuple[Mapping[str, int], ...]:
        return tuple({self.players[player]: move} for move in range(self.counts[player]))

    def allowed_mixtures(self, weights: Any) -> tuple[None, ...]:
        assert not weights
        return (None,) * len(self.players)

    def open_profiles(self) -> tuple[Floats, Floats]:
        left = sorted(set(self.open) - set(self.solutions))
        sizes = [len(self.open[place][0]) * self.open[place][1][0].size for place in left]
        return np.array(left, np.int64), np.array(sizes, np.int64)

    def open_subgames(self, profiles: Floats) -> Sequence[OpenSubgames]:
        return [
            OpenSubgames(
                profiles=np.array([place]),
                actors=np.zeros(1, np.int64),
                deciding=np.array([self.open[place][0]]),
                sizes=self.open[place][1].shape[1:],
                payoffs=self.open[place][1].reshape(1, len(self.players), -1).astype(np.float64),
                outcome_ids=None,
            )
            for place in profiles.tolist()
        ]

    def set_subgame_solutions(self, subgames: OpenSubgames, strategies: Floats) -> None:
        [place] = subgames.profiles.tolist()
        inner = self.open[place][1]
        mixtures = np.split(strategies[0], np.cumsum(subgames.sizes)[:-1])
        for mixture in mixtures:
            inner = np.tensordot(inner, mixture, axes=(1, 0))
        self.payoffs[:, place] = inner
        self.solutions[place] = strategies[0]


def two_player_game(rows: Any, columns: Any | None = None) -> ArrayGame:
    """Return a game of two players; without ``columns`` it is a zero-sum game."""
    own = np.asarray(rows, np.float64)
    return ArrayGame(np.stack([own, -own if columns is None else np.asarray(columns)]))


def pennies_of_three(stakes: Sequence[Sequence[float]] = ((1.0, 1.0),) * 3) -> Floats:
    """Return J. Jordan's game (1993, *Three problems in learning mixed-strategy Nash equilibria*).

    The first player wants to match the second, the second the third, and the third wants to differ
    from the first.  Learning and responses cycle, and so do averages.

    Args:
        stakes: by player, for heads and tails.
    """
    table = np.zeros((3, 2, 2, 2))
    for profile in product((0, 1), repeat=3):
        pleased = profile[0] == profile[1], profile[1] == profile[2], profile[2] != profile[0]
        for player, move in enumerate(profile):
            table[(player, *profile)] = stakes[player][move] * pleased[player]
    return table


def solve(
    stage_game: ArrayGame, model: str = "equilibrium", allowed: Any = None, **options: float
) -> CertifiedProfile:
    """Return a solution; if no strategy is given, its epsilon is that of the rounded strategies."""
    free = [None] * len(stage_game.players)
    arguments = EQUILIBRIUM_BUDGET, WorkMeter(None)
    if model == "quantal":
        solution, _ = solve_quantal(stage_game, allowed or free, 2.0, *arguments)
    else:
        solution = solve_equilibrium(stage_game, allowed or free, *arguments, **options)
    print([own.tolist() for own in solution.strategies], solution.epsilon)
    if allowed is None:
        largest = max(epsilons(table_of(stage_game), solution.strategies))
        assert solution.epsilon == pytest.approx(largest, abs=1e-12)
    return solution


def table_of(stage_game: ArrayGame) -> Floats:
    """Return float[players, moves of the first, ...]."""
    return stage_game.payoffs.reshape(len(stage_game.players), *stage_game.counts)


def random_table(random: np.random.Generator, shape: Sequence[int]) -> Floats:
    return random.normal(size=(len(shape), *shape))


def random_shape(random: np.random.Generator, players: int) -> tuple[int, ...]:
    most = {2: 9, 3: 6, 4: 5, 5: 4}[players]
    return tuple(int(count) for count in random.integers(1, most + 1, size=players))


def random_game(number: int) -> tuple[np.random.Generator, Floats]:
    """Return a random generator and payoffs for two to five players; a failure prints the seed."""
    random = np.random.default_rng([SEED, number])
    table = random_table(random, random_shape(random, 2 + number % 4))
    print(f"SEED={SEED}", number, table.shape)
    return random, table


def random_mixture(random: np.random.Generator, size: int) -> Floats:
    """Return a random distribution; about half of the moves have probability 0."""
    weights = random.random(size) * (random.random(size) < 0.5)
    weights[random.integers(size)] += 0.5
    return weights / weights.sum()


def symmetric_table(random: np.random.Generator, players: int, moves: int) -> Floats:
    """Return payoffs that depend on the own move and on how many others play each move."""
    known: dict[tuple[int, tuple[int, ...]], float] = {}
    table = np.empty((players, *[moves] * players))
    for profile in np.ndindex(*[moves] * players):
        for player, own in enumerate(profile):
            others = tuple(sorted(profile[:player] + profile[player + 1 :]))
            key = (own, others)
            if key not in known:
                known[key] = random.normal()
            table[(player, *profile)] = known[key]
    return table


# Reference code -------------------------------------------------------------------------------


def values(table: Floats, strategies: Sequence[Floats]) -> list[Floats]:
    """Return the action values of every player against the others' strategies."""
    players = len(strategies)
    axes = "abcde"[:players]
    by_player = []
    for player in range(players):
        others = [other for other in range(players) if other != player]
        expression = ",".join([axes, *(axes[other] for other in others)]) + "->" + axes[player]
        by_player.append(np.einsum(expression, table[player], *(strategies[o] for o in others)))
    return by_player


def epsilons(table: Floats, strategies: Sequence[Floats]) -> list[float]:
    """Return the largest gain of every player from another move."""
    return [
        float(value.max() - own @ value)
        for own, value in zip(strategies, values(table, strategies), strict=True)
    ]


def normal_form(table: Floats, symmetry_classes: Sequence[int] = ()) -> NormalForm:
    shape = table.shape[1:]
    return NormalForm(
        np.ascontiguousarray(table.reshape(len(table), -1)),
        np.array(shape, np.int64),
        np.array(symmetry_classes or range(len(table)), np.int64),
    )


def normal_forms(*tables: Floats) -> NormalForms:
    """Return games of one shape, without symmetries, from their tables."""
    games = [normal_form(table) for table in tables]
    return NormalForms(
        np.stack([game.payoffs for game in games]), games[0].shape, games[0].symmetry_classes
    )


def switch_compilation_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the solver's kernels as plain Python, including calls among each other."""
    for module in (action_values, logit, regret_matching, newton, linear_program):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)
