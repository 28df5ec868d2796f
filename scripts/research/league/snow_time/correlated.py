"""The shares of a player in all correlated equilibria of a decision (Aumann 1974).

Each Nash equilibrium is one of them, so bounds of these shares hold for every equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from research.league.snow_time.agents import SOLVER_GAME, owners
from service.core.hints import Question
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import WorkMeter
from service.solver.search.strategy_profile import SolveContext, solve_round

Floats = NDArray[np.float64]


def share_bounds(question: Question[State, Move], player: str) -> tuple[float, float]:
    """Return the smallest and the largest share of a player in a correlated equilibrium.

    Args:
        question: the decision. Later rounds are worth what the evaluator says, and watchers play
            as the solver lets them.
        player: any of its players.
    """
    context = SolveContext(SOLVER_GAME, owners(question), WorkMeter(None))
    game, _ = solve_round(context, question, None)
    payoffs = np.asarray(game.payoffs).reshape(len(game.players), *game.counts)
    return correlated_bounds(payoffs, list(game.players).index(player))


def correlated_bounds(payoffs: Floats, player: int) -> tuple[float, float]:
    """Return the smallest and the largest payoff of a player in a correlated equilibrium.

    Args:
        payoffs: float64[players, moves of the first, moves of the second, ...].
        player: its number.
    """
    own, rows = payoffs[player].ravel(), [*_temptations(payoffs)]
    limits = {"A_ub": np.array(rows), "b_ub": np.zeros(len(rows))} if rows else {}
    total = {"A_eq": np.ones((1, own.size)), "b_eq": [1.0], "bounds": (0, None)}
    least, most = (linprog(sign * own, **limits, **total).fun for sign in (1.0, -1.0))
    return float(least), -float(most)


def _temptations(payoffs: Floats) -> Iterator[Floats]:
    """Yield what each player gains by another move than each one, by profile."""
    places = np.indices(payoffs.shape[1:])
    for number, table in enumerate(payoffs):
        for move in range(table.shape[number]):
            for other in range(table.shape[number]):
                if other != move:
                    instead = np.take(table, [other], axis=number)
                    yield np.where(places[number] == move, instead - table, 0.0).ravel()
