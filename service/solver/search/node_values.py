"""The values of the nodes of a turn search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from service.core.arrays import Floats
from service.core.frozen import replace
from service.core.sequential import Node


@dataclass(frozen=True, slots=True, eq=False)
class NodeValue:
    """The value of a node.

    Attributes:
        shares: float64[determinizations, players]; one row if nothing is hidden.
        mean: of the asker's share.
        preference: decides among equal values: first, minus the probability that the end waits;
            then a forced win as soon as possible, or a forced loss as late; then see
            :meth:`~service.core.sequential.TurnTree.preference`; last, minus the number of
            actions.
        end: the end of the turn, if the value is that of an end.
        forced: see :attr:`~service.core.sequential.EndValue.forced`.
        waiting: the part of the mean of an end that is lost because the others may wait, too.
        sample_size: of an end, the number of deals to sample; 0 if it is only estimated.
        below: otherwise, the values that this one is the mean of, with their probabilities.
        similar: see :class:`~service.solver.search.attribution.Composition`.
        rough: whether a reach below the node is rough.
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
    rough: bool = False


def mean_shares(values: Sequence[tuple[float, NodeValue]]) -> Floats:
    """Return the mean shares of values with probabilities; rows are those of the same deals."""
    rows = max(len(value.shares) for _, value in values)
    shares = np.zeros((rows, values[0][1].shares.shape[1]))
    for probability, value in values:
        comparable = len(value.shares) in (1, rows)
        shares += probability * (value.shares if comparable else value.shares.mean(axis=0))
    return shares


def put_off(value: NodeValue) -> NodeValue:
    """Return the value of an end that is worse than others of equal value, because it waits."""
    return replace(value, preference=(-1.0, *value.preference[1:]))


def after_actions(actions: int, value: NodeValue) -> NodeValue:
    """Return the value of a node that so many actions precede."""
    if not actions:
        return value
    *first, last = value.preference
    return replace(value, preference=(*first, last - actions))
