"""How wide the searches of Slopecrashers are."""

from __future__ import annotations

from typing import Final

from service.core.sequential import Node
from service.core.turn_budgets import Breadth, TurnBudget
from service.games.slopecrashers.engine.nodes import ATTACK, DRAW, position_of

# More ends or events cost time, but hardly change the choice.
_NARROW: Final = Breadth((16, 1), (3,), determinizations=5)
_PLANNED: Final = 300_000
"""One in forty plans is shortened, and the slowest takes half the time."""
TURN_BUDGETS: Final = {
    "quick": TurnBudget((Breadth((16, 1), (3,), determinizations=3),), 1, 0, planned=_PLANNED),
    "standard": TurnBudget((_NARROW,), 1, 0, planned=_PLANNED),
    "deep": TurnBudget(
        (
            _NARROW,
            Breadth((32, 4), (4,), determinizations=8),
            Breadth((32, 8, 2), (8, 3), determinizations=16),
        ),
        rounds=2,
        positions=2_000_000,
    ),
}
LARGE_HAND: Final = 4
LARGE_HAND_DIVISOR: Final = 4
"""With more gifts than this, a quarter of the ends and events is followed: they are many and differ
little.
"""
ATTACK_DIVISOR: Final = 8
"""After an attack, an eighth of them is followed: an attack has several outcomes, and a turn may
have several attacks.
"""
FEW_DEALS: Final = 12
"""Up to this number, all deals are searched: one gift of eleven kinds may decide the race."""
ALL_DEALS: Final = 3
"""All deals are searched if they are at most this multiple of the sample size."""
DRAWN_DIVISOR: Final = 4
"""Ends after a draw get this fraction of the determinizations."""


def followed_limits(ends: int, events: int, gifts: int, after: str) -> tuple[int, int]:
    """Return how many ends and events of a node are followed.

    Args:
        ends, events: limits of the :class:`~service.core.turn_budgets.Breadth`.
        gifts: number in the asker's hand.
        after: see :class:`~service.games.slopecrashers.engine.nodes.Position`.
    """
    divisor = LARGE_HAND_DIVISOR if gifts > LARGE_HAND else 1
    if after == ATTACK:
        divisor *= ATTACK_DIVISOR
    return -(-ends // divisor), -(-events // divisor)


def deal_limits(end: Node, determinizations: int) -> tuple[int, int]:
    """Return how the hidden cards at an end are dealt.

    Args:
        end: of the turn.
        determinizations: of the :class:`~service.core.turn_budgets.Breadth`.

    Returns:
        The size of a sample of deals, and up to how many deals all of them are searched instead.
    """
    samples, least = determinizations, FEW_DEALS
    if position_of(end).after == DRAW:
        # The mean over the outcomes has a smaller error than each of them.
        samples, least = max(1, determinizations // DRAWN_DIVISOR), 0
    return samples, max(least, ALL_DEALS * samples)
