"""The nodes of the turn tree."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from service.core.sequential import Node
from service.games.slopecrashers.engine.event_outcomes import Attack
from service.games.slopecrashers.engine.packing import Vector

DRAW: Final = "draw"
ATTACK: Final = "attack"


class Position(NamedTuple):
    """A packed position.

    Attributes:
        vector: see ``kernels/turns.py``.
        over: whether the turn has ended and the next one begins.
        after: :data:`DRAW` or :data:`ATTACK` if it follows one of them in the turn; a position
            after a draw is one of many outcomes.  Otherwise "".
    """

    vector: bytes
    over: bool
    after: str = ""


class Answering(NamedTuple):
    """An attack that a target may answer with its magnet.

    Attributes:
        attack: see ``event_outcomes.py``.
        after: of the positions after it, see :class:`Position`.
    """

    attack: Attack
    after: str


def position_of(node: Node) -> Position:
    """Return a node in which no answer is open."""
    assert isinstance(node, Position), "a position of this tree"
    return node


def vector_of(node: Node) -> Vector:
    """Return a copy of the packed position of a node."""
    return np.frombuffer(position_of(node).vector, np.int16).copy()
