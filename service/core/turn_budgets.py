"""Work budgets of the search of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Breadth:
    """Limits on the width of the search tree.

    Attributes:
        ends: number of ends to follow from a node, by the number of events before the node.
        events: number of events to follow, likewise; none beyond the last entry.
        determinizations: number of deals of the hidden cards.
        outcomes: outcomes of an event, where a game samples them.
        best: number of the best choices that are searched with this breadth, at least until the
            best one of all is among them; the others keep their values.  None for all choices.
    """

    ends: Sequence[int]
    events: Sequence[int]
    determinizations: int
    outcomes: int = 1000
    best: int | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """A stage after the search: the ends that choices lead to are evaluated after some rounds.

    Attributes:
        best: number of the best choices; see :attr:`Breadth.best`.
        determinizations: number of deals of the hidden cards.
    """

    best: int | None
    determinizations: int


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """The work budget of an effort.

    Attributes:
        breadths: the narrowest first, of all choices.  All choices get their values from the
            widest breadth that the budget allows, see :attr:`Breadth.best`.
        rounds: rounds of the other players' turns after the asker's turn; a single player has none.
        positions: limit on the positions searched; the narrowest breadth may exceed it.
        lines: if there are any, the search itself looks no rounds ahead, and these stages follow.
            They have a limit of ``positions`` again.
            The first stage takes about half of it: it looks fewer rounds ahead if there are many
            ends, and leaves out the worst choices if one round takes too many positions.
        first: limit on the positions of the narrowest breadth.  The nodes that are left are cut
            off, see :meth:`TurnTree.cut_off`.
        planned: a plan goes on only while its decisions are expected to take at most so many
            positions together; None for no limit.
    """

    breadths: Sequence[Breadth]
    rounds: int
    positions: int
    lines: Sequence[Lines] = ()
    first: int = 2_000_000
    planned: int | None = None
