"""The values of the nodes of a turn search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from service.core.advice import UNKNOWN
from service.core.arrays import Floats
from service.core.frozen import replace
from service.core.rounding import rounded
from service.core.sequential import Node, Outcomes, Reach
from service.core.turn_hints import Bounds


@dataclass(frozen=True, slots=True, eq=False)
class NodeValue:
    """The value of a node.

    Attributes:
        shares: float64[determinizations, players]; one row if nothing is hidden.
        mean: of the asker's share.
        preference: decides among equal values: first, minus the probability that the end waits;
            then a proven win as soon as possible, or a forced loss as late; then, before a forced
            win, minus the number of actions; then see
            :meth:`~service.core.sequential.TurnTree.preference`; last, minus the number of
            actions.
        end: the end of the turn, if the value is that of an end.
        forced: see :attr:`~service.core.sequential.EndValue.forced`, of what is expected.
        waiting: the part of the mean of an end that is lost because the others may wait, too.
        sample_size: of an end, the number of deals to sample; 0 if it is only estimated.
        below: otherwise, the values that this one is the mean of, with their probabilities.
        similar: see :class:`~service.solver.search.attribution.Composition`.
        bounds: see :data:`~service.core.turn_hints.Bounds`.
    """

    shares: Floats
    mean: float
    preference: tuple[float, ...]
    end: Node = None
    forced: int = 0
    waiting: float = 0.0
    sample_size: int = 0
    below: Sequence[tuple[float, NodeValue]] = ()
    similar: tuple[tuple[Node, Node], float] | None = None
    bounds: Bounds = UNKNOWN


def mean_shares(values: Sequence[tuple[float, NodeValue]]) -> Floats:
    """Return the mean shares of values with probabilities; rows are those of the same deals."""
    rows = max(len(value.shares) for _, value in values)
    shares = np.zeros((rows, values[0][1].shares.shape[1]))
    for probability, value in values:
        comparable = len(value.shares) in (1, rows)
        shares += probability * (value.shares if comparable else value.shares.mean(axis=0))
    return shares


def mean_share(shares: Floats, asker: int) -> float:
    """Return the mean of the asker's share."""
    own = shares[:, asker]
    # Most ends have one row, and ``mean`` takes ten times as long.
    return float(own[0] if len(own) == 1 else own.mean())


def mean_value(outcomes: Outcomes, values: Sequence[NodeValue], asker: int) -> NodeValue:
    """Return the mean over the outcomes of an event or attack, given their values."""
    probabilities = [probability for probability, _ in outcomes.nodes]
    forced = [value.forced for value in values]
    below = [*zip(probabilities, values, strict=True)]
    shares = mean_shares(below)
    preference = tuple(
        rounded(
            sum(
                probability * number
                for probability, number in zip(probabilities, column, strict=True)
            )
        )
        for column in zip(*(value.preference for value in values), strict=True)
    )
    return NodeValue(
        shares,
        mean_share(shares, asker),
        preference,
        below=below,
        forced=max(forced) if min(forced) > 0 else 0,
        bounds=bounds_of_any(values, complete=outcomes.all),
    )


def put_off(value: NodeValue) -> NodeValue:
    """Return the value of an end that is worse than others of equal value, because it waits."""
    return replace(value, preference=(-1.0, *value.preference[1:]))


def after_actions(actions: int, value: NodeValue) -> NodeValue:
    """Return the value of a node that so many actions precede."""
    if not actions:
        return value
    waits, soon, before_win, *others, last = value.preference
    if value.forced > 0 and is_won(value.bounds):
        before_win -= actions
    return replace(value, preference=(waits, soon, before_win, *others, last - actions))


def is_won(bounds: Bounds) -> bool:
    """Return whether a win is proven."""
    return bounds[0] == 1.0


def bounds_of_choice(reach: Reach, values: Sequence[NodeValue]) -> Bounds:
    """Return the bounds of a decision of the asker, given the values after its choices."""
    if reach.assumed:
        return UNKNOWN
    lowest, highest = zip(*(value.bounds for value in values), strict=True)
    return max(lowest), UNKNOWN[1] if reach.cut else max(highest)


def bounds_of_any(values: Sequence[NodeValue], *, complete: bool) -> Bounds:
    """Return the bounds where chance or another player decides.

    Args:
        values: of what may follow.
        complete: whether nothing else may follow.
    """
    if not complete:
        return UNKNOWN
    lowest, highest = zip(*(value.bounds for value in values), strict=True)
    return min(lowest), max(highest)
