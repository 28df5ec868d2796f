"""Grade classes of losses.  Each game's documentation publishes the limits."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import BEST, BLUNDER, GOOD, INACCURACY, LEAD, MISTAKE, POINTS, WIN

_SPACES: Final = {BEST: 0.0, GOOD: 0.25, INACCURACY: 0.75, MISTAKE: 1.5}
_SHARES: Final = {BEST: 0.0, GOOD: 0.02, INACCURACY: 0.05, MISTAKE: 0.1}

GRADE_LIMITS: Final = {WIN: _SHARES, POINTS: _SPACES, LEAD: _SPACES}
"""By objective, the largest loss (win shares or spaces) of each class; a blunder has none.  Those
of win shares apply to a stake of ``REFERENCE_STAKE``, and in proportion to other stakes."""
REFERENCE_STAKE: Final = 0.5
LEAST_STAKE: Final = 0.1
"""The stake is what the player can lose: the value of the best choice, at least this much."""


def grade_class(objective: str, loss: float, best: float, error: float = 0.0) -> str:
    """Return the class of a loss.

    Args:
        objective: the unit of the loss.
        loss: of the choice.
        best: value of the best choice.
        error: standard error of the loss; a smaller loss is at worst good.
    """
    stake = max(best, LEAST_STAKE) / REFERENCE_STAKE if objective == WIN else 1.0
    limits = GRADE_LIMITS[objective].items()
    class_ = next((name for name, limit in limits if loss <= limit * stake), BLUNDER)
    return GOOD if loss <= error and class_ != BEST else class_
