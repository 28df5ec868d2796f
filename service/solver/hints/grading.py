"""How a loss against the best move is called; the limits are published with each game."""

from __future__ import annotations

from typing import Final

_SPACES: Final = (("best", 0.0), ("good", 0.25), ("inaccuracy", 0.75), ("mistake", 1.5))
_SHARES: Final = (("best", 0.0), ("good", 0.02), ("inaccuracy", 0.05), ("mistake", 0.1))

WORST: Final = "blunder"
GRADE_LIMITS: Final = {"win": dict(_SHARES), "points": dict(_SPACES), "lead": dict(_SPACES)}
"""By objective, the greatest loss (win shares or spaces) of each class; beyond is a blunder."""
CLASSES: Final = (*GRADE_LIMITS["win"], WORST)
"""The best first."""


def grade_class(objective: str, loss: float) -> str:
    """The class of a loss in the objective's unit."""
    return next((name for name, limit in GRADE_LIMITS[objective].items() if loss <= limit), WORST)
