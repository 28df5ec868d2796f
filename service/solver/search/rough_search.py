"""A tree together with a rough one that is searched faster.

Nodes of the rough tree are marked, so that one search can follow both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, NamedTuple

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.sequential import (
    Check,
    EndValue,
    Leaves,
    Node,
    Outcomes,
    Reach,
    Replies,
    SimilarNode,
    TurnTree,
    Waiting,
)
from service.solver.search.attribution import merged_leaves


class RoughNode(NamedTuple):
    """A node of the rough tree."""

    node: Node


class TreeWithRough(Generic[Choice]):
    """A tree that has the nodes of a rough tree, too.

    Args:
        tree: of a decision.
        rough: of the same decision.
    """

    def __init__(self, tree: TurnTree[Choice], rough: TurnTree[Choice]) -> None:
        self._tree, self._rough = tree, rough
        self.players, self.asker = tree.players, tree.asker
        self.looks_ahead = tree.looks_ahead

    def watch(self, check: Check) -> None:
        self._tree.watch(check)
        self._rough.watch(check)

    def after(self, choice: Choice) -> Node | SimilarNode:
        return self._tree.after(choice)

    def roughly_after(self, choice: Choice) -> Node | SimilarNode:
        """Return the node of the rough tree after a choice, or the node that it resembles."""
        found = self._rough.after(choice)
        if not isinstance(found, SimilarNode):
            return RoughNode(found)
        first, second = found.positions
        positions = RoughNode(first), RoughNode(second)
        return replace(found, node=RoughNode(found.node), positions=positions)

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        if not isinstance(node, RoughNode):
            return self._tree.reach(node, ends, events)
        reach = self._rough.reach(node.node, ends, events)
        return replace(
            reach,
            ends=[*map(RoughNode, reach.ends)],
            events=[*map(RoughNode, reach.events)],
            attacks=[*map(RoughNode, reach.attacks)],
        )

    def outcomes(self, event: Node, most: int) -> Outcomes:
        if not isinstance(event, RoughNode):
            return self._tree.outcomes(event, most)
        outcomes = self._rough.outcomes(event.node, most)
        return outcomes._replace(nodes=[(share, RoughNode(node)) for share, node in outcomes.nodes])

    def replies(self, node: Node) -> Replies | None:
        if not isinstance(node, RoughNode):
            return self._tree.replies(node)
        replies = self._rough.replies(node.node)
        return replies and replace(replies, nodes=[*map(RoughNode, replies.nodes)])

    def cut_off(self, node: Node) -> Node:
        tree, own = self._of(node)
        end = tree.cut_off(own)
        return RoughNode(end) if tree is self._rough else end

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        tree, node = self._of(end)
        return tree.evaluate_end(node, rounds, determinizations)

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        groups = []
        for tree, is_rough in ((self._tree, False), (self._rough, True)):
            places = [place for place, end in enumerate(ends) if _is_rough(end) == is_rough]
            if places:
                nodes = [self._of(ends[place])[1] for place in places]
                groups.append((np.array(places), tree.leaves(nodes, rounds, determinizations)))
        return merged_leaves(groups)

    def estimate(self, features: Floats) -> Floats:
        return self._tree.estimate(features)

    def preference(self, end: Node) -> Sequence[float]:
        tree, node = self._of(end)
        return tree.preference(node)

    def waiting(self, end: Node) -> Waiting | None:
        if not isinstance(end, RoughNode):
            return self._tree.waiting(end)
        waiting = self._rough.waiting(end.node)
        assert waiting is None, "no game with rough trees lets players wait"
        return None

    def _of(self, node: Node) -> tuple[TurnTree[Choice], Node]:
        """Return the tree of a node, and the node there."""
        return (self._rough, node.node) if isinstance(node, RoughNode) else (self._tree, node)


def _is_rough(node: Node) -> bool:
    return isinstance(node, RoughNode)
