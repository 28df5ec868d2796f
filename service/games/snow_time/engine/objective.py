"""What players maximise, as the engine needs it."""

from __future__ import annotations

from dataclasses import dataclass

from service.core.vocabulary import LEAD, WIN


@dataclass(frozen=True)
class Objective:
    """What all players maximise.

    Attributes:
        win_shares: true for shares of the win, false for spaces gained.
        opponent_weight: how much a space gained by others counts against an own space.
    """

    win_shares: bool
    opponent_weight: float

    @classmethod
    def of(cls, objective: str, players: int) -> Objective:
        """Return the objective of a question with so many players."""
        return cls(objective == WIN, 1.0 / (players - 1) if objective == LEAD else 0.0)
