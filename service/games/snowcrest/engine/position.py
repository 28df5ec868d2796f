"""Nodes of the search tree, and plays that need no search of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from service.core.arrays import Floats
from service.core.sequential import SimilarNode
from service.games.snowcrest.engine.evaluation import comparable
from service.games.snowcrest.engine.kernels.searching import ANSWER, OWN
from service.games.snowcrest.engine.packing import Vector
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.turn import Turn

STARTED: Final = ANSWER + 1
"""Kind of a position right after a choice, before the answers of others."""


class Position(NamedTuple):
    """A node of the search tree.

    Attributes:
        data: the position, see ``kernels/rules/layout.py``.
        kind: what it needs next: ``STARTED``, ``OWN``, ``EVENT`` or ``ENDED``.
        events: number of events before it.
        assumed: whether the choices of others before it are assumed, or not all own choices are
            known; then nothing is proven.
    """

    data: bytes
    kind: int
    events: int = 0
    assumed: bool = False

    @property
    def vector(self) -> Vector:
        """The position as a vector that may change."""
        return np.frombuffer(self.data, np.int16).copy()


def worth_of_play(turn: Turn, play: Action) -> object:
    """Return what a play of the last turn of a game depends on.

    The same card may enter an empty cell or replace the same villager.  If challenges are open,
    cells differ: they may count rows of exhausted villagers.
    """
    if any(posted.by is None for posted in turn.state.challenges):
        return play
    resident = turn.mover.village[play.cell or 0]
    return play.card, resident and resident.card


def similar_plays(
    plays: Sequence[tuple[Action, Position]], shares: Floats, asker: int, searched: int
) -> dict[Action, Position | SimilarNode]:
    """Return what follows the plays of a card: the best ones are searched.

    A played villager does the same in every cell.  Only the replaced villager and full lines
    differ; the evaluator estimates this as a difference of win shares.

    Args:
        plays: into different cells, and the positions after them.
        shares: float64[plays, seats], the stated win shares as if the turn ended there.
        asker: index of the asker's seat.
        searched: number of plays.
    """
    own = shares[:, asker].tolist()
    order = sorted(range(len(plays)), key=lambda place: -comparable(own[place]))
    best, nodes = order[0], dict[Action, Position | SimilarNode]()
    for rank, place in enumerate(order):
        (choice, node), (_, best_node) = plays[place], plays[best]
        if rank < searched:
            nodes[choice] = node
            continue
        difference = tuple((shares[place] - shares[best]).tolist())
        pair = best_node._replace(kind=OWN), node._replace(kind=OWN)
        nodes[choice] = SimilarNode(best_node, difference, pair)
    return nodes
