"""Expectimax over the choices of a turn; see :mod:`.turn_expectimax`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Generic

import numpy as np

from service.core.advice import UNKNOWN
from service.core.frozen import replace
from service.core.game import Choice
from service.core.rounding import TIE, rounded
from service.core.sequential import Node, Replies, SimilarNode, TurnTree
from service.core.turn_budgets import Breadth, TurnBudget
from service.core.violations import OutOfTime
from service.solver.budget import is_over
from service.solver.search.node_values import (
    NodeValue,
    after_actions,
    bounds_of_any,
    bounds_of_choice,
    is_won,
    mean_share,
    mean_shares,
    mean_value,
    put_off,
)

MOST_EVENTS: Final = 12
"""Events that are followed one after another. Usual turns have at most six; cards that a request
brings can chain hundreds."""


class _Stopped(Exception):
    """The deadline passed or the budget is spent; the argument is ``time`` or ``work``."""


class _CutOff(Exception):
    """A node of the first pass is searched no further: the budget or the CPU time is spent."""


@dataclass
class _Pass:
    """One pass over the choices.

    Attributes:
        breadth: of the tree.
        sample_size: number of deals of the hidden cards to sample; 0 if ends are only estimated.
        most: positions of the search at which it stops, or None.
        cuts_off: whether nodes are cut off then, or when the CPU time is over.
        end_values, node_values: so far; the latter by the number of events before the node, too.
    """

    breadth: Breadth
    sample_size: int
    most: int | None
    cuts_off: bool = False
    end_values: dict[Node, NodeValue] = field(default_factory=dict)
    node_values: dict[tuple[Node, int], NodeValue] = field(default_factory=dict)


class TurnSearch(Generic[Choice]):
    """One search.

    Args:
        tree: of the decision.
        budget: the work.
        stop_at: ``time.monotonic()`` at which to stop, or None.
        graded: index of a choice that has as much work as the best ones, so that its loss is as
            certain, or None.

    The first pass always has values: once its budget or the CPU time is spent, the nodes that are
    left are cut off.

    Attributes:
        tree: of the nodes of the values.
        rounds: of the others' turns that were looked ahead.
        nodes: positions searched.
        cut: whether ends, events or outcomes were left out.
        estimated: whether any leaf was not the end of the game in the asker's turn.
        determinizations: the largest number of deals of the hidden cards.
        complete: False if the deadline stopped the search.
    """

    def __init__(
        self,
        tree: TurnTree[Choice],
        budget: TurnBudget,
        stop_at: float | None,
        graded: int | None = None,
    ) -> None:
        self.tree = tree
        tree.watch(self._check)
        self._budget, self._stop_at, self._graded = budget, stop_at, graded
        self._rounds_ahead = budget.rounds if tree.looks_ahead else 0
        self._lines = budget.lines if self._rounds_ahead else ()
        self._pass = _Pass(budget.breadths[0], 0, budget.first)
        self.rounds = 0 if self._lines else self._rounds_ahead
        self.nodes, self.determinizations = 0, 1
        self.cut = self.estimated = False
        self.complete = True

    def values_of(self, choices: Sequence[Choice]) -> list[NodeValue]:
        """Return the values of all choices at one breadth, so that they are comparable.

        A breadth of the best choices is an exception, see :attr:`Breadth.best`.
        """
        values: list[NodeValue] = []
        nodes = [self.tree.after(choice) for choice in choices]
        budget = self._budget
        for breadth in budget.breadths:
            before = self.cut, self.determinizations
            if breadth.best is None:
                self.cut, self.determinizations = False, 1
            sample_size = breadth.determinizations if self.rounds else 0
            most = budget.positions if values else budget.first
            self._pass = _Pass(breadth, sample_size, most, cuts_off=not values)
            try:
                values = self._searched(nodes, values)
            except _Stopped as stopped:
                if not values:
                    raise OutOfTime from None
                self.cut, self.determinizations = before
                self.complete = stopped.args[0] != "time"
                break
        return self._after_rounds(nodes, values) if self._lines and self.complete else values

    def _searched(
        self, nodes: Sequence[Node | SimilarNode], values: Sequence[NodeValue]
    ) -> list[NodeValue]:
        best = self._pass.breadth.best
        if best is None:
            return [self._choice_value(node) for node in nodes]
        return self._refined(nodes, values, best, lambda place: self._choice_value(nodes[place]))

    def _after_rounds(
        self, nodes: Sequence[Node | SimilarNode], values: list[NodeValue]
    ) -> list[NodeValue]:
        """Return the values with those of the ends after some rounds, stage by stage."""
        positions = self._budget.positions
        self.rounds, most = self._first_rounds(values, positions // 2)
        limit = self.nodes + positions
        for number, lines in enumerate(self._lines):
            # The first one is never stopped by its work: it looks ahead as far as that allows.
            limited = limit if number else None
            self._pass = _Pass(self._pass.breadth, lines.determinizations, limited)
            before = self.determinizations
            followed = partial(self._followed_choice, nodes, values)
            try:
                values = self._refined(nodes, values, lines.best or most, followed)
            except _Stopped as stopped:
                self.determinizations = before
                self.complete = stopped.args[0] != "time"
                if not number:
                    self.rounds = 0
                break
        return values

    def _first_rounds(self, values: Sequence[NodeValue], positions: int) -> tuple[int, int]:
        """Return how many rounds the first stage looks ahead, and from how many of the choices."""
        deals = len(self._ends_of(values)) * self._lines[0].determinizations
        turns = deals * len(self.tree.players)  # of one round
        if positions >= turns:
            return min(self._rounds_ahead, positions // turns), len(values)
        return 1, max(1, len(values) * positions // turns)

    def _ends_of(self, values: Sequence[NodeValue]) -> set[Node]:
        """Return the ends that values lead to."""
        ends, open_ = set[Node](), [*values]
        while open_:
            value = open_.pop()
            if value.end is not None:
                ends.add(value.end)
            open_ += [below for _, below in value.below]
        return ends

    def _refined(
        self,
        nodes: Sequence[Node | SimilarNode],
        values: Sequence[NodeValue],
        best: int,
        value_of: Callable[[int], NodeValue],
    ) -> list[NodeValue]:
        """Return values of which the best ones, and always the best one, are computed again.

        The graded one is, too.
        """
        refined, done = list(values), set[Node]()
        sources = [*map(_source, nodes)]
        wanted = best
        graded = set[Node]() if self._graded is None else {sources[self._graded]}
        while True:
            ranked_sources = dict.fromkeys(sources[place] for place in _ranked(refined))
            missing = graded.union(list(ranked_sources)[:wanted]) - done
            if not missing:
                return refined
            for place, source in enumerate(sources):
                if source in missing:
                    refined[place] = value_of(place)
            done |= missing
            wanted = 1

    def _choice_value(self, node: Node | SimilarNode) -> NodeValue:
        return self._differing(node, self._value(_source(node), 0))

    def _differing(self, node: Node | SimilarNode, value: NodeValue) -> NodeValue:
        """Return the value of a choice, given that of the node that it leads to or resembles."""
        if not isinstance(node, SimilarNode):
            return value
        # The similar choice has the same preference: what differs is in the shares.
        means = value.shares.mean(axis=0)
        limited = np.clip(means + np.array(node.shares), 0.0, 1.0)
        shares = value.shares + (limited - means)
        self.estimated = True
        mean = mean_share(shares, self.tree.asker)
        # A hint scales the shares so that they sum to 1; in solo games they do not.
        total = float(limited.sum()) if len(limited) > 1 else 1.0
        change = mean / total - value.mean
        return replace(
            value, shares=shares, mean=mean, similar=(node.positions, change), bounds=UNKNOWN
        )

    def _followed_choice(
        self, nodes: Sequence[Node | SimilarNode], values: Sequence[NodeValue], place: int
    ) -> NodeValue:
        return self._differing(nodes[place], self._followed(values[place]))

    def _followed(self, value: NodeValue) -> NodeValue:
        """Return a value with the ends of its line evaluated again."""
        self._check()
        if value.end is not None:
            return replace(
                self._outlook(value.end), preference=value.preference, bounds=value.bounds
            )
        below = [(probability, self._followed(each)) for probability, each in value.below]
        shares = mean_shares(below)
        mean = mean_share(shares, self.tree.asker)
        return NodeValue(shares, mean, value.preference, below=below, bounds=value.bounds)

    def _check(self, positions: int = 0) -> None:
        """Raise an exception if the time is over, or if so many positions more exceed the budget.

        Raises:
            _CutOff: if the pass cuts nodes off, unless the deadline has passed.
            _Stopped: otherwise.
        """
        most = self._pass.most
        spent = most is not None and self.nodes + positions > most
        if self._pass.cuts_off and (spent or is_over(None)):
            self.nodes += positions
            raise _CutOff
        if is_over(self._stop_at):
            raise _Stopped("time")
        if spent:
            self.nodes += positions
            raise _Stopped("work")

    def _value(self, node: Node, events: int) -> NodeValue:
        """Return the value of a node with ``events`` events before it."""
        node_values = self._pass.node_values
        value = node_values.get((node, events))
        if value is None:
            replies = self.tree.replies(node)
            value = self._replied(replies, events) if replies else self._best(node, events)
            node_values[node, events] = value
        return value

    def _replied(self, replies: Replies, events: int) -> NodeValue:
        """Return the value of the reply that is best for the player who decides."""
        values = [self._value(node, events) for node in replies.nodes]
        best = max(values, key=lambda value: rounded(float(value.shares[:, replies.seat].mean())))
        return replace(best, bounds=bounds_of_any(values, complete=True))

    def _best(self, node: Node, events: int) -> NodeValue:
        """Return the value of a node; as if the turn ended there if it is searched no further."""
        if events <= MOST_EVENTS:
            try:
                return self._best_reached(node, events)
            except _CutOff:
                pass
        self.cut = True
        value = self._outlook(self.tree.cut_off(node))
        # The turn need not end there, so nothing is proven.
        return replace(value, bounds=UNKNOWN)

    def _best_reached(self, node: Node, events: int) -> NodeValue:
        self._check()
        breadth = self._pass.breadth
        # At least one end is evaluated, however many events precede the node.
        ends = _limit(breadth.ends, events) or 1
        reach = self.tree.reach(node, ends, _limit(breadth.events, events))
        self.nodes += reach.positions
        self.cut |= reach.cut
        nodes = [*map(self._end_value, reach.ends)]
        nodes += [self._mean(event, events + 1) for event in reach.events]
        nodes += [self._mean(attack, events) for attack in reach.attacks]
        if not nodes:
            raise _CutOff  # All that the game follows from here takes too long.
        actions = reach.actions or [0] * len(nodes)
        values = [*map(after_actions, actions, nodes)]
        least = max(value.mean for value in values) - TIE
        best = max(
            (value for value in values if value.mean >= least), key=lambda value: value.preference
        )
        return replace(best, bounds=bounds_of_choice(reach, values))

    def _mean(self, event: Node, events: int) -> NodeValue:
        """Return the mean over the outcomes of an event or attack."""
        outcomes = self.tree.outcomes(event, self._pass.breadth.outcomes)
        self.nodes += outcomes.positions
        values = [self._value(node, events) for _, node in outcomes.nodes]
        return mean_value(outcomes, values, self.tree.asker)

    def _end_value(self, end: Node) -> NodeValue:
        """Return the value of an end, at most that of going first if nobody else does."""
        value = self._outlook(end)
        waiting = None if value.forced else self.tree.waiting(end)
        if waiting is None:
            return value
        if waiting.first is None:
            # A win that seems certain must not be put off without end.
            return put_off(value) if waiting.passes else value
        [going] = [
            *map(self._end_value if waiting.passes else self._outlook, waiting.first.ends),
            *(self._mean(event, 1) for event in waiting.first.events),
        ]
        if going.mean >= value.mean:
            # Of ends in the same place, one that waits may keep more cards.
            return put_off(value) if waiting.spends else value
        lost = going.mean - value.mean
        return replace(put_off(value), shares=going.shares, mean=going.mean, waiting=lost)

    def _outlook(self, end: Node) -> NodeValue:
        """Return the value of an end if the others play on at once."""
        here = self._pass
        value = here.end_values.get(end)
        if value is None:
            evaluated = self.tree.evaluate_end(
                end, self.rounds, here.sample_size or here.breadth.determinizations
            )
            self.nodes += evaluated.positions
            self.determinizations = max(self.determinizations, evaluated.determinizations)
            # The others' turns are played by a model, so their result is an estimate.
            forced = evaluated.forced
            self.estimated |= evaluated.positions > 0 and not forced
            mean = mean_share(evaluated.shares, self.tree.asker)
            soon = 1.0 / forced if forced else float(is_won(evaluated.bounds))
            preference = (0.0, soon, 0.0, *self.tree.preference(end), 0.0)
            value = NodeValue(
                evaluated.shares,
                mean,
                preference,
                end,
                forced,
                sample_size=here.sample_size,
                bounds=evaluated.bounds,
            )
            here.end_values[end] = value
        return value


def _ranked(values: Sequence[NodeValue]) -> list[int]:
    """Return the indices of values in the order in which a hint recommends them."""
    means = [rounded(value.mean) for value in values]
    best = max(means)

    def key(place: int) -> tuple[float, list[float]]:
        loss = best - means[place]
        return 0.0 if loss <= TIE else loss, [-number for number in values[place].preference]

    return sorted(range(len(values)), key=key)


def _source(node: Node | SimilarNode) -> Node:
    """Return the node that is searched for a choice."""
    return node.node if isinstance(node, SimilarNode) else node


def _limit(limits: Sequence[int], events: int) -> int:
    return limits[events] if events < len(limits) else 0
