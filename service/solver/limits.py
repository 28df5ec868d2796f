"""How much a search may do: fixed work by tier, and a deadline that only stops it early."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from service.core.faults import OutOfTime

ROUNDS_BY_TIER: Final = {"quick": 200_000, "standard": 1_000_000, "deep": 10_000_000}
"""Resolved rounds that looking further ahead may need; the first round is always resolved."""

MOST_DEPTH: Final = 2


@dataclass(slots=True)
class Meter:
    """The work done so far, and when to stop.

    Attributes:
        stop_at: ``time.monotonic()`` of the deadline, or None.
        resolved: rounds resolved.
    """

    stop_at: float | None
    resolved: int = 0

    def check(self) -> None:
        """Raises :class:`OutOfTime` once the deadline has passed."""
        if self.stop_at is not None and time.monotonic() >= self.stop_at:
            raise OutOfTime
