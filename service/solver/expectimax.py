"""Expectimax of one asker against given strategies, with exact chance between rounds.

The asker chooses best at each of its own decisions, knowing what has been revealed by then; the
others' choices and the dice are averaged over.  (Hauk, Buro, Schaeffer 2006, *Rediscovering
*-Minimax Search*, describe the plain form; nothing is pruned here.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.core.play import Choice
from service.core.stage import Beyond, Stage, Tables
from service.solver.limits import Meter

Floats = NDArray[np.float64]

TIE_DECIMALS = 12
"""Options whose values differ by rounding noise only are ties; the first one is taken."""


class TooMuchWork(Exception):
    """Looking further ahead would need more rounds than the tier allows."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What to look for.

    Attributes:
        weights: float64[width], the objective as a linear form of an outcome.
        rounds_allowed: rounds that looking beyond the first may resolve.
        meter: counts the work and keeps the deadline.
    """

    weights: Floats
    rounds_allowed: int
    meter: Meter


def move_outcomes(stage: Stage[Choice], aim: Aim, depth: int) -> Floats:
    """The expected outcome of every move, looking ``depth`` rounds ahead.

    Returns:
        float64[batch, moves, width].

    Raises:
        TooMuchWork: before anything is spent on more than the search may do.
        OutOfTime: once the deadline has passed.
    """
    aim.meter.check()
    beyond = _look_beyond(stage, aim, depth - 1) if depth > 1 else None
    tables = stage.expect(beyond)
    aim.meter.resolved += stage.rounds
    return np.stack([_fold(groups, tables, aim.weights) for groups in stage.plans], axis=1)


def _look_beyond(stage: Stage[Choice], aim: Aim, depth: int) -> Beyond:
    """What is expected after every position that the round can lead to."""
    if stage.joint_lines > aim.rounds_allowed:
        raise TooMuchWork
    indices, positions = stage.reach()
    onward = []
    needed = 0
    for position in positions:
        aim.meter.check()
        following = stage.onward(position)
        onward.append(following)
        needed += following[1].rounds if following else 0
        if needed > aim.rounds_allowed:
            raise TooMuchWork
    columns = stage.columns
    kept = [
        *range(columns.gains.start, columns.gains.stop),
        *range(columns.shares.start, columns.shares.stop),
        columns.estimated,
    ]
    values = np.zeros((len(positions), len(kept)), np.float64)
    for place, following in enumerate(onward):
        if following is not None:
            chances, next_stage = following
            outcomes = move_outcomes(next_stage, aim, depth)
            best = _best(np.moveaxis(outcomes, 1, 0), aim.weights)
            values[place] = (chances[:, None] * best[:, kept]).sum(axis=0)
    return Beyond(indices, values)


def _fold(groups: Sequence[Sequence[int]], tables: Tables, weights: Floats) -> Floats:
    """float64[batch, width]: a move's outcome, later decisions taken best when they come."""
    added = []
    for plans in groups:
        table: Floats = tables.by_plan[plans[0]]
        if len(plans) > 1:
            table = _best(np.stack([tables.by_plan[plan] for plan in plans]), weights)
            if len(groups) > 1:
                for axis, starts in enumerate(tables.first_label_starts):
                    table = np.add.reduceat(table, starts, axis=axis + 1)
        added.append(table)
    folded = _best(np.stack(added), weights) if len(added) > 1 else added[0]
    total: Floats = folded.reshape(folded.shape[0], -1, folded.shape[-1]).sum(axis=1)
    return total


def _best(options: Floats, weights: Floats) -> Floats:
    """Of float64[options, ..., width] the best option by the objective, place by place."""
    values = np.round(np.einsum("...k,k->...", options, weights), TIE_DECIMALS)
    chosen = values.argmax(axis=0)
    taken: Floats = np.take_along_axis(options, chosen[None, ..., None], axis=0)[0]
    return taken
