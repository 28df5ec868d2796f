"""Grade classes of losses.  Each game's documentation publishes the limits."""

from __future__ import annotations

from typing import Final

from service.core.vocabulary import BEST, BLUNDER, GOOD, INACCURACY, LEAD, MISTAKE, POINTS, WIN

_SPACES: Final = {BEST: 0.0, GOOD: 0.25, INACCURACY: 0.75, MISTAKE: 1.5}
_SHARES: Final = {BEST: 0.0, GOOD: 0.02, INACCURACY: 0.05, MISTAKE: 0.1}

GRADE_LIMITS: Final = {WIN: _SHARES, POINTS: _SPACES, LEAD: _SPACES}
"""By objective, the largest loss (win shares or spaces) of each class; a blunder has none."""


def grade_class(objective: str, loss: float) -> str:
    """Return the class of a loss in the objective's unit."""
    return next((name for name, limit in GRADE_LIMITS[objective].items() if loss <= limit), BLUNDER)
