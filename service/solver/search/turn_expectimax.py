"""Hints in games that are played in turns: expectimax over one's own turn, by its tree.

A node is worth the best of what it reaches: of the ends of the turn, each worth the asker's mean
share after the others' turns, and of the events, each worth the mean of its outcomes (Michie 1966;
Russell and Norvig, *Artificial Intelligence*, section 5.5).  Only the most promising ends and
events are followed, by the game's own estimate; how many depends on the tier and on how many events
lie between, so that the work is bounded and the same for the same question.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice, Play
from service.core.rounding import TIE, apportion, rounded
from service.core.sequential import (
    ChoiceValue,
    Node,
    SimilarNode,
    TurnBudget,
    TurnGame,
    TurnHint,
    TurnQuestion,
    TurnTree,
)
from service.core.violations import OutOfTime
from service.solver.hints.grading import grade_class


class _Worth(NamedTuple):
    """What a node is worth.

    Attributes:
        shares: float64[worlds, players]; one row where nothing is hidden.
        mean: of the asker's share.
        waits: see :class:`~service.core.sequential.EndValue`.
    """

    shares: Floats
    mean: float
    waits: bool = False


METHOD: Final = "expectimax over the turn, the others' turns by the evaluator"
PACKING: Final = "1"
"""Version of how solves are packed."""


@dataclass(frozen=True, slots=True)
class TurnSolution:
    """A searched decision, without names.

    Attributes:
        shares: of each choice, in the order of the decision: of all players.
        errors: of each choice: the standard error of the asker's share, hidden cards being sampled.
        rounds, worlds, exact, complete, resolved: see :class:`~service.core.sequential.TurnHint`.
    """

    shares: Sequence[Sequence[float]]
    errors: Sequence[float]
    rounds: int
    determinizations: int
    exact: bool
    complete: bool
    nodes: int

    @property
    def method(self) -> str:
        return METHOD

    @property
    def epsilon(self) -> None:
        """No strategies are solved for."""

    def pack(self) -> bytes:
        document = {
            "shares": self.shares,
            "errors": self.errors,
            "rounds": self.rounds,
            "worlds": self.determinizations,
            "exact": self.exact,
            "complete": self.complete,
            "resolved": self.nodes,
        }
        return json.dumps(document).encode()


def unpack(packed: bytes) -> TurnSolution:
    """What :meth:`TurnSolution.pack` made.

    Raises:
        ValueError: if it is something else.
    """
    try:
        document = json.loads(packed)
        nodes, determinizations = document.pop("resolved"), document.pop("worlds")
        return TurnSolution(nodes=nodes, determinizations=determinizations, **document)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not a packed turn solution") from error


def solve(
    game: TurnGame[Play, Choice], question: TurnQuestion[Play, Choice], stop_at: float | None
) -> TurnSolution:
    """Searches a decision.

    Args:
        stop_at: ``time.monotonic()`` at which to stop early, if ever, with what the widest
            breadth came to that was finished for all choices.

    Raises:
        OutOfTime: if that came before any was.
    """
    tree, budget = game.tree(question), game.budgets[question.effort]
    search = _Search(tree, budget, stop_at)
    [choices] = question.decision.choices.values()
    found = search.of_choices(choices)
    return TurnSolution(
        shares=[worth.shares.mean(axis=0).tolist() for worth in found],
        errors=[_error(worth.shares[:, tree.asker]) for worth in found],
        rounds=budget.rounds,
        determinizations=search.determinizations,
        exact=not (search.cut or search.estimated),
        complete=search.complete,
        nodes=search.nodes,
    )


def _error(shares: Floats) -> float:
    return float(shares.std(ddof=1) / len(shares) ** 0.5) if len(shares) > 1 else 0.0


def render_turn_hint(
    solve: TurnSolution, question: TurnQuestion[Play, Choice], players: Sequence[str]
) -> TurnHint[Choice]:
    """What the asker is told of a solve; ``players`` in the order of its shares."""
    asker = players.index(question.player)
    [choices] = question.decision.choices.values()
    # Alone, a share is the chance of winning, and nobody has the rest of it.
    printed = [
        apportion(shares) if len(shares) > 1 else [rounded(shares[0])] for shares in solve.shares
    ]
    best = max(shares[asker] for shares in printed)
    found = [
        ChoiceValue(
            choice=choice,
            value=shares[asker],
            loss=rounded(best - shares[asker]),
            error=rounded(error),
            shares=dict(zip(players, shares, strict=True)),
        )
        for choice, shares, error in zip(choices, printed, solve.errors, strict=False)
    ]
    # Those that are as good as the best in print keep their order, and so do all others.
    told = sorted(found, key=lambda value: value.loss if value.loss > TIE else 0.0)
    graded = next((value for value in told if value.choice == question.chosen), None)
    return TurnHint(
        choices=told,
        grade=None if graded is None else (graded, grade_class("win", graded.loss)),
        win_shares=told[0].shares,
        method=solve.method,
        rounds=solve.rounds,
        determinizations=solve.determinizations,
        exact=solve.exact,
        complete=solve.complete,
        nodes=solve.nodes,
    )


class _Spent(Exception):
    """There was no more time, or work was not to be more; the argument says which."""


class _Search(Generic[Choice]):
    """One search.

    Attributes:
        resolved: positions looked at.
        cut: whether anything was left out.
        estimated: whether any leaf was not the asker's own end of the game.
        worlds: the most that hidden cards were dealt in.
        complete: whether there was time for everything.
    """

    def __init__(self, tree: TurnTree[Choice], budget: TurnBudget, stop_at: float | None) -> None:
        self._tree, self._effort, self._stop_at = tree, budget, stop_at
        self._breadth = budget.breadths[0]
        self._settled: dict[Node, _Worth] = {}
        self._known: dict[tuple[Node, int], _Worth] = {}
        self.nodes, self.determinizations = 0, 1
        self.cut = self.estimated = False
        self.complete = True

    def of_choices(self, choices: Sequence[Choice]) -> list[_Worth]:
        """All choices at the same breadth, so that they compare, whatever their order."""
        nodes = [self._tree.after(choice) for choice in choices]
        found: list[_Worth] = []
        for breadth in self._effort.breadths:
            self._breadth, self._known, self._settled = breadth, {}, {}
            before, self.cut, self.determinizations = (self.cut, self.determinizations), False, 1
            try:
                found = [self._of_choice(node) for node in nodes]
            except _Spent as spent:
                if not found:
                    raise OutOfTime from None
                self.cut, self.determinizations = before
                self.complete = spent.args[0] != "time"
                break
        return _going_on(found)

    def _of_choice(self, node: Node | SimilarNode) -> _Worth:
        if not isinstance(node, SimilarNode):
            return self._of(node, 0)
        like = self._of(node.node, 0)
        shares = np.clip(like.shares + np.array(node.shares), 0.0, 1.0)
        self.estimated = True
        return self._worth(shares, waits=like.waits)

    def _afford(self) -> None:
        """Raises _Spent where nothing more is to be done."""
        if self._stop_at is not None and time.monotonic() >= self._stop_at:
            raise _Spent("time")
        widened = self._breadth is not self._effort.breadths[0]
        if widened and self.nodes > self._effort.positions:
            raise _Spent("work")

    def _of(self, node: Node, events: int) -> _Worth:
        """What a node is worth, with so many events before it."""
        found = self._known.get((node, events))
        if found is None:
            found = self._known[node, events] = self._best(node, events)
        return found

    def _best(self, node: Node, events: int) -> _Worth:
        self._afford()
        breadth = self._breadth
        # However many events lie before it, a node is worth its best end at least.
        ends = _at(breadth.ends, events) or 1
        reach = self._tree.reach(node, ends, _at(breadth.events, events))
        self.nodes += reach.positions
        self.cut |= reach.cut
        worths = [self._settle(end) for end in reach.ends]
        worths += [self._mean(event, events + 1) for event in reach.events]
        return max(worths, key=lambda worth: (not worth.waits, worth.mean))

    def _mean(self, event: Node, events: int) -> _Worth:
        """The mean over the outcomes of an event."""
        outcomes = self._tree.outcomes(event, self._breadth.outcomes)
        worths = [self._of(node, events) for _, node in outcomes]
        rows = max(len(worth.shares) for worth in worths)
        shares = np.zeros((rows, len(self._tree.players)))
        for (probability, _), worth in zip(outcomes, worths, strict=True):
            comparable = len(worth.shares) in (1, rows)
            shares += probability * (worth.shares if comparable else worth.shares.mean(axis=0))
        return self._worth(shares)

    def _settle(self, end: Node) -> _Worth:
        found = self._settled.get(end)
        if found is None:
            settled = self._tree.evaluate_end(
                end, self._effort.rounds, self._breadth.determinizations
            )
            self.nodes += settled.positions
            self.determinizations = max(self.determinizations, settled.determinizations)
            # The others' turns are not searched: what they come to is always an estimate.
            self.estimated |= settled.positions > 0
            found = self._worth(settled.shares, waits=settled.waits)
            self._settled[end] = found
        return found

    def _worth(self, shares: Floats, *, waits: bool = False) -> _Worth:
        return _Worth(shares, float(shares[:, self._tree.asker].mean()), waits)


def _going_on(worths: list[_Worth]) -> list[_Worth]:
    """Whoever has to go first gains nothing by waiting: that is worth the best other at most."""
    others = [worth for worth in worths if not worth.waits]
    if not others:
        return worths
    best = max(others, key=lambda worth: worth.mean)
    return [best if worth.waits and worth.mean > best.mean else worth for worth in worths]


def _at(most: Sequence[int], events: int) -> int:
    return most[events] if events < len(most) else 0
