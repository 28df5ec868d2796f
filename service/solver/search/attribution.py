"""Attribute the value of a choice to the parts of the positions that it leads to.

The value of a choice is the mean of the asker's share over *leaves*: finished games, and estimated
positions whose features are sums of terms of parts (``core/sequential.py``).  Each estimate is
compared with that of one reference, the mean leaf of the best choice.  To attribute the difference
between two estimates, the terms of the reference are replaced by those of the leaf, part by part,
first in the order of the parts and then in the reverse order.  The change of the estimate with a
part, averaged over both orders, belongs to that part.  The difference between a finished game and
the reference belongs to the result.

The parts of a choice are the means over its leaves.  They sum to its value minus the estimate of
the reference.  Therefore the differences between the parts of two choices sum to the difference
between their values, and parts in which two certain outcomes do not differ are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.game import Choice
from service.core.sequential import NEXT_TURN, Leaves, Node, TurnTree

TINY: Final = 1e-9
"""Differences between shares that rounding hides."""


@dataclass(frozen=True, slots=True)
class Composition:
    """What the value of a choice is made of.

    Attributes:
        value: the asker's share.
        ends: the probability of each end of the turn, by the end and the number of deals that were
            sampled after it, or 0.
        similar: for a choice that was estimated from a similar one: the positions of the
            :class:`~service.core.sequential.SimilarNode`, and the change of the asker's share.
        waiting: what the value loses because the others may wait as well as the asker.
    """

    value: float
    ends: Mapping[tuple[Node, int], float]
    similar: tuple[tuple[Node, Node], float] | None = None
    waiting: float = 0.0


def attribute(
    tree: TurnTree[Choice],
    names: Sequence[str],
    compositions: Sequence[Composition],
    best: int,
    rounds: int,
) -> Floats:
    """Return the parts of the values of choices, float64[choices, parts + 1]; the last one is the
    result.

    Args:
        tree: of the decision.
        names: of the parts of an estimate.
        compositions: of all choices.
        best: index of the choice whose mean leaf is the reference.
        rounds: as the ends were evaluated.
    """
    numbers = {end: number for number, end in enumerate(_distinct_ends(compositions))}
    weights = np.zeros((len(compositions), len(numbers)))
    for row, composition in zip(weights, compositions, strict=True):
        for end, probability in composition.ends.items():
            row[numbers[end]] = probability
    leaves = _leaves(tree, list(numbers), rounds)
    reference = _mean_terms(leaves, weights, best)
    of_parts = _weighted(weights, _by_end(tree, leaves, reference[None]))
    # Without a next turn, what waiting loses belongs to the result.
    next_turn = names.index(NEXT_TURN) if NEXT_TURN in names else -1
    of_parts[:, next_turn] += [each.waiting for each in compositions]
    similar = [
        (place, each.similar) for place, each in enumerate(compositions) if each.similar is not None
    ]
    if similar:
        nodes = [node for _, (positions, _) in similar for node in positions]
        of_nodes = tree.leaves(nodes, rounds, 0)
        parts = _by_end(tree, of_nodes, _references_of_pairs(of_nodes, reference))
        for (place, (_, change)), pair in zip(similar, range(0, len(nodes), 2), strict=True):
            of_parts[place] += _scaled(parts[pair + 1] - parts[pair], change)
    return of_parts


def parts_of_leaves(
    estimate: Callable[[Floats], Floats], leaves: Leaves, references: Floats
) -> Floats:
    """Return the difference between each leaf and its reference by part, and last by result.

    Args:
        estimate: see :meth:`~service.core.sequential.TurnTree.estimate`.
        leaves: the leaves.
        references: float64[leaves or 1, parts, features], the terms of the references.

    Returns:
        float64[leaves, parts + 1].
    """
    count, size, width = leaves.terms.shape
    at_references = references.sum(axis=1)
    least = np.broadcast_to(estimate(at_references), (count,))
    at_reference = np.broadcast_to(at_references, (count, width))
    references = np.broadcast_to(references, leaves.terms.shape)
    parts = np.zeros((count, size + 1))
    finished = ~np.isnan(leaves.results)
    parts[finished, size] = leaves.results[finished] - least[finished]
    changes = leaves.terms[~finished] - references[~finished]
    if not len(changes):
        return parts
    at_reference, least = at_reference[~finished, None], least[~finished, None]
    # The estimates after the first part, the first two parts, and so on; then from the last part.
    # Both orders end with the leaf itself.
    steps = np.concatenate([changes.cumsum(axis=1), changes[:, :0:-1].cumsum(axis=1)], axis=1)
    estimates = estimate((at_reference + steps).reshape(-1, width)).reshape(len(changes), -1)
    forward = np.diff(estimates[:, :size], axis=1, prepend=least)
    whole = estimates[:, size - 1 : size]
    backward = np.diff(np.hstack([estimates[:, size:], whole]), axis=1, prepend=least)[:, ::-1]
    parts[~finished, :size] = (forward + backward) / 2.0
    return parts


def _leaves(tree: TurnTree[Choice], ends: Sequence[tuple[Node, int]], rounds: int) -> Leaves:
    """Return the leaves of ends, each with its number of deals."""
    by_size: dict[int, list[int]] = {}
    for number, (_, size) in enumerate(ends):
        by_size.setdefault(size, []).append(number)
    groups = [
        (np.array(numbers), tree.leaves([ends[number][0] for number in numbers], rounds, size))
        for size, numbers in by_size.items()
    ]
    return _merged_leaves(groups)


def _merged_leaves(groups: Sequence[tuple[Ints, Leaves]]) -> Leaves:
    """Return the leaves of several groups of ends as one.

    Args:
        groups: the index of each end of a group among all ends, and the leaves of the group.
    """
    return Leaves(
        ends=np.concatenate([numbers[leaves.ends] for numbers, leaves in groups]),
        probabilities=np.concatenate([leaves.probabilities for _, leaves in groups]),
        results=np.concatenate([leaves.results for _, leaves in groups]),
        terms=np.concatenate([leaves.terms for _, leaves in groups]),
    )


def _mean_terms(leaves: Leaves, weights: Floats, best: int) -> Floats:
    """Return the mean terms of the estimated leaves of the best choice, or of all choices."""
    estimated = np.isnan(leaves.results)
    ends, terms = leaves.ends[estimated], leaves.terms[estimated]
    for row in (weights[best], weights.sum(axis=0)):
        by_leaf = row[ends] * leaves.probabilities[estimated]
        total = by_leaf.sum()
        if total > 0.0:
            mean: Floats = (by_leaf[:, None, None] * terms).sum(axis=0) / total
            return mean
    return np.zeros(leaves.terms.shape[1:])


def _references_of_pairs(leaves: Leaves, reference: Floats) -> Floats:
    """Return float64[leaves, parts, features]: the mean terms of the first node of each pair.

    What is equal in both nodes then has no part in the difference between them.

    Args:
        leaves: of nodes in pairs.
        reference: float64[parts, features], if no leaf of the first node is estimated.
    """
    pairs = leaves.ends // 2
    estimated = np.isnan(leaves.results) & (leaves.ends % 2 == 0)
    weights = leaves.probabilities * estimated
    totals = np.bincount(pairs, weights)
    sums = np.zeros((len(totals), *reference.shape))
    np.add.at(sums, pairs[estimated], weights[estimated, None, None] * leaves.terms[estimated])
    known = totals > 0.0
    sums[known] /= totals[known, None, None]
    sums[~known] = reference
    return sums[pairs]


def _by_end(tree: TurnTree[Choice], leaves: Leaves, references: Floats) -> Floats:
    """Return the parts of ends: the means over their leaves."""
    parts = parts_of_leaves(tree.estimate, leaves, references)
    sums = np.zeros((int(leaves.ends.max()) + 1, parts.shape[1]))
    np.add.at(sums, leaves.ends, leaves.probabilities[:, None] * parts)
    return sums


def _weighted(weights: Floats, by_end: Floats) -> Floats:
    """Return the product of two matrices, added up in the same order on every machine."""
    return np.stack([(row[:, None] * by_end).sum(axis=0) for row in weights])


def _scaled(difference: Floats, change: float) -> Floats:
    """Return the parts of a change that is limited: shares are from 0 to 1, and their sum is 1."""
    total = float(difference.sum())
    scaled: Floats = difference * (change / total if abs(total) > TINY else 1.0)
    return scaled


def _distinct_ends(compositions: Sequence[Composition]) -> Iterator[tuple[Node, int]]:
    return iter(dict.fromkeys(end for each in compositions for end in each.ends))
