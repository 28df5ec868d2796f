"""The search of a turn and the parts of its choices, computed leaf by leaf; slow and simple.

The equations are those of ``docs/comparisons.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import fsum
from typing import Any

import numpy as np

from service.core.rounding import TIE, rounded
from service.core.sequential import NEXT_TURN, RESULT, SimilarNode, TurnTree
from service.core.turn_budgets import TurnBudget

Terms = np.ndarray
"""float64[parts, features]."""
Numbers = Mapping[str, float]
Estimate = Callable[[np.ndarray], float]
"""Returns the asker's share for the features of a position."""


@dataclass(frozen=True)
class PlainLeaf:
    """A probability with a result, or with the terms of the parts.

    The terms of a finished game only have the right shape.
    """

    probability: float
    result: float | None
    terms: Terms


@dataclass(frozen=True)
class Way:
    """The best way to go on after a choice.

    Attributes:
        mean: of the asker's share.
        preference: decides among equal values, see ``TurnTree.preference``.
        ends: of the turn, with probabilities.
        similar: for a choice valued like another one: the two positions, and the change.
        waiting: what the mean loses because the others may wait, too.
        hurries: 1 for a win that is forced.
    """

    mean: float
    preference: Sequence[float]
    ends: Sequence[tuple[float, Any]]
    similar: tuple[Any, Any, float] | None = None
    waiting: float = 0.0
    hurries: float = 0.0


def ways_of(tree: TurnTree[Any], choices: Iterable[Any], budget: TurnBudget) -> list[Way]:
    """Return the way that a search with a single breadth finds for each choice.

    With a stage after the search, the ways are found without rounds and then evaluated again.
    """
    [breadth] = budget.breadths
    rounds = 0 if budget.lines else budget.rounds

    def limit(limits: Sequence[int], events: int) -> int:
        return limits[events] if events < len(limits) else 0

    def outlook(end: Any) -> Way:
        value = tree.evaluate_end(end, rounds, breadth.determinizations)
        low = value.bounds[0]
        soon = 1 / value.forced if value.forced else float(low == 1.0)
        low = low if value.forced else 0.0
        share = value.shares[:, tree.asker].mean()
        return Way(share, (0.0, soon, 0.0, *tree.preference(end), 0.0), [(1.0, end)], hurries=low)

    def way_of(end: Any) -> Way:
        way = outlook(end)
        if way.preference[1]:
            return way
        waiting = tree.waiting(end)
        if waiting is None:
            return way
        first = waiting.first
        if way.mean > 1 - 1e-5 and waiting.passes:
            way = replace(way, preference=(-1.0, *way.preference[1:]))
        going = way
        if first is not None:
            limited = way_of if waiting.passes else outlook
            [going] = [*map(limited, first.ends), *(mean(event, 1) for event in first.events)]
        if going.mean >= way.mean:
            spends = first is not None and waiting.spends
            return replace(way, preference=(-1.0, *way.preference[1:])) if spends else way
        preference, lost = (-1.0, *way.preference[1:]), going.mean - way.mean
        return replace(way, mean=going.mean, preference=preference, waiting=lost)

    def means_after_rounds(way: Way) -> list[float]:
        """Return the shares of all players."""
        deals = budget.lines[0].determinizations if budget.lines else breadth.determinizations
        seats = range(len(tree.players))
        return [share_of(seat, way, budget.rounds, deals) for seat in seats]

    def mean(event: Any, events: int) -> Way:
        outcomes = tree.outcomes(event, breadth.outcomes)
        below = [(chance, way_from(after, events)) for chance, after in outcomes.nodes]
        columns = zip(*([chance * n for n in way.preference] for chance, way in below), strict=True)
        return Way(
            fsum(chance * way.mean for chance, way in below),
            tuple(rounded(sum(column)) for column in columns),
            [(chance * p, end) for chance, way in below for p, end in way.ends],
            waiting=fsum(chance * way.waiting for chance, way in below),
            hurries=min(way.hurries for _, way in below) if outcomes.all else 0.0,
        )

    def way_from(node: Any, events: int) -> Way:
        replies = tree.replies(node)
        if replies is None:
            return best(node, events)
        ways = [way_from(reply, events) for reply in replies.nodes]
        reply = max(ways, key=lambda way: rounded(share_of(replies.seat, way)))
        return replace(reply, hurries=min(way.hurries for way in ways))

    def share_of(
        seat: int, way: Way, rounds: int = rounds, deals: int = breadth.determinizations
    ) -> float:
        """Return a player's share at the ends of a way; nobody waits for others."""
        values = [(p, tree.evaluate_end(end, rounds, deals)) for p, end in way.ends]
        return fsum(p * value.shares[:, seat].mean() for p, value in values)

    @cache
    def best(node: Any, events: int) -> Way:
        reach = tree.reach(node, limit(breadth.ends, events) or 1, limit(breadth.events, events))
        ways = [way_of(end) for end in reach.ends]
        ways += [mean(event, events + 1) for event in reach.events]
        ways += [mean(attack, events) for attack in reach.attacks]
        actions = reach.actions or [0] * len(ways)
        ways = [
            replace(way, preference=after_actions(way, count))
            for way, count in zip(ways, actions, strict=True)
        ]
        least = max(way.mean for way in ways) - TIE
        most = max((way for way in ways if way.mean >= least), key=lambda way: way.preference)
        return replace(most, hurries=0.0 if reach.assumed else max(way.hurries for way in ways))

    def after_actions(way: Way, count: int) -> list[float]:
        numbers = [*way.preference]
        numbers[-1] -= count
        numbers[2] -= count if way.hurries == 1.0 else 0
        return numbers

    def after(choice: Any) -> Way:
        node = tree.after(choice)
        if not isinstance(node, SimilarNode):
            return way_from(node, 0)
        like = way_from(node.node, 0)
        means = means_after_rounds(like)
        if budget.lines:
            like = replace(like, mean=means[tree.asker])
        elif like.waiting:
            # The others have what the player loses by waiting; with more of them, shared equally.
            others = len(means) - 1
            means = [mean - like.waiting / others for mean in means]
            means[tree.asker] = like.mean
        changed = zip(means, node.shares, strict=True)
        limited = [min(1.0, max(0.0, mean + change)) for mean, change in changed]
        share = limited[tree.asker]
        if len(limited) > 1:
            share /= fsum(limited)
        return replace(like, mean=share, similar=(*node.positions, share - like.mean))

    return [after(choice) for choice in choices]


def parts_of_ways(
    ways: Sequence[Way],
    best: int,
    names: Sequence[str],
    leaves_of: Callable[[Any], Sequence[PlainLeaf]],
    estimate: Estimate,
) -> list[Numbers]:
    """Return the parts of all choices; the mean leaf of the best one is the reference.

    ``leaves_of`` returns the leaves of the end of a turn, and ``estimate`` is the evaluator.
    """
    leaves = cache(leaves_of)
    at = _mean_terms(
        [(chance * leaf.probability, leaf) for chance, end in way.ends for leaf in leaves(end)]
        for way in (ways[best], Way(0.0, (), [each for way in ways for each in way.ends]))
    )

    def split(end: Any, base: Terms = at) -> Numbers:
        by_leaf = [(leaf.probability, leaf) for leaf in leaves(end)]
        return _mean((p, plain_parts(leaf, base, names, estimate)) for p, leaf in by_leaf)

    rows = []
    for way in ways:
        parts = _mean((chance, split(end)) for chance, end in way.ends)
        if way.similar:
            first, other, change = way.similar
            # What is equal in both positions has no part.
            own = _mean_terms([[(leaf.probability, leaf) for leaf in leaves(first)]], at)
            before, after = (split(position, own) for position in (first, other))
            estimated = fsum(after.values()) - fsum(before.values())
            scale = change / estimated if abs(estimated) > 1e-9 else 1.0
            parts = _sum(parts, (scale, after), (-scale, before))
        waiting = NEXT_TURN if NEXT_TURN in names else RESULT
        rows.append(_sum(parts, (1.0, {waiting: way.waiting})))
    return rows


def plain_parts(
    leaf: PlainLeaf, reference: Terms, names: Sequence[str], estimate: Estimate
) -> dict[str, float]:
    """Return the parts of a leaf compared with the terms of a reference."""
    base = estimate(reference.sum(axis=0))
    if leaf.result is not None:
        return {RESULT: leaf.result - base}
    parts = dict.fromkeys(names, 0.0)
    for order in (range(len(names)), reversed(range(len(names)))):
        terms, before = reference.copy(), base
        for place in order:
            terms[place] = leaf.terms[place]
            after = estimate(terms.sum(axis=0))
            parts[names[place]] += (after - before) / 2.0
            before = after
    return parts


def _mean_terms(
    groups: Iterable[Sequence[tuple[float, PlainLeaf]]], otherwise: Terms | None = None
) -> Terms:
    """Return the mean terms of the estimated leaves of the first group that has any."""
    for leaves in groups:
        estimated = [
            (chance, leaf.terms) for chance, leaf in leaves if leaf.result is None and chance > 0.0
        ]
        if estimated:
            weight = fsum(chance for chance, _ in estimated)
            return sum(chance * terms for chance, terms in estimated) / weight
        none = np.zeros_like(leaves[0][1].terms)
    return none if otherwise is None else otherwise


def _mean(cases: Iterable[tuple[float, Numbers]]) -> Numbers:
    """Return the expectation over probabilities and numbers; absent numbers are 0."""
    return _sum({}, *cases)


def _sum(numbers: Numbers, *more: tuple[float, Numbers]) -> Numbers:
    total = Counter(numbers)
    for factor, own in more:
        for name, number in own.items():
            total[name] += factor * number
    return total
