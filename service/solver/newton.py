"""From strategies of small gap to an equilibrium close by, if there is one: Newton's method.

In an equilibrium every move is either not played or worth no less than any other: with x the
probability of a move and y what it is worth less than the player gets, x ≥ 0, y ≥ 0 and x y = 0.
That holds where √(x² + y²) − x − y = 0 (Fischer 1992, *A special Newton-type optimization method*),
an equation for each move, to which Newton's method is applied with shorter steps where the whole
one does not help.  Near a solution every step doubles the number of correct digits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.solver import kernels
from service.solver.games import Floats, NormalForm, Part, split
from service.solver.limits import Effort

SHORTEST: Final = 1.0 / 32.0
"""Of a step; where not even that helps, there is no solution close by."""
LIKELY: Final = 1e-3
"""What is played more rarely is not looked at unless it is best."""
SOLVED: Final = 1e-20
"""Sum of the squares of what is wrong that ends the method."""
_NEVER = 1e-9
"""Probabilities below this are none."""


def polish(game: NormalForm, strategies: Floats, steps: int) -> Floats:
    """The strategies of least gap on the way to an equilibrium close to some.

    Args:
        game: with two or more players; every step costs as much as some responses of everybody.
        strategies: where to start, and what is returned if nothing better is found.
        steps: at most.
    """
    best, least = strategies, game.gap(strategies)
    payoffs = game.payoffs / game.spread
    moves, size = len(strategies), len(strategies) + len(game.shape)
    slopes, system = np.empty((moves, moves)), np.empty((size, size + 1))
    levels = np.array([own.max() for own in split(game.respond(strategies), game.shape)])
    levels /= game.spread
    current = strategies

    def wrong(strategies: Floats, levels: Floats) -> float:
        kernels.linearise(payoffs, game.shape, strategies, levels, slopes, system)
        return float((system[:, size] ** 2).sum())

    before = wrong(current, levels)
    for _ in range(steps):
        if before <= SOLVED or not kernels.eliminate(system):
            break
        step, change = 1.0, system[:, size].copy()
        while step >= SHORTEST:
            parts = split(current + step * change[:moves], game.shape)
            closer = np.concatenate([parts[twin] for twin in game.alike])
            higher = (levels + step * change[moves:])[game.alike]
            after = wrong(closer, higher)
            if after < before:
                break
            step /= 2.0
        else:
            break
        current, levels, before = closer, higher, after
        possible = _mixtures(game, current)
        found = game.gap(possible)
        if found < least:
            best, least = possible, found
    return best


def polished(game: NormalForm, strategies: Floats, effort: Effort) -> Floats:
    """An equilibrium close to some strategies where there is one, else the same."""
    if not effort.polish_steps:
        return strategies
    values = [game.respond(strategies)]
    part = Part.of(game, [strategies], values, effort.polish_profiles, LIKELY)
    found = part.above(polish(part.game, part.below(strategies), effort.polish_steps))
    return found if game.gap(found) < game.gap(strategies) else strategies


def _mixtures(game: NormalForm, strategies: Floats) -> Floats:
    """The same as probabilities."""
    parts = split(np.where(strategies < _NEVER, 0.0, strategies), game.shape)
    return np.concatenate([own / own.sum() for own in parts])
