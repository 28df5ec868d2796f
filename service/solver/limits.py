"""How much a search may do: fixed work by tier, and a deadline that only stops it early."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from service.core.faults import OutOfTime


@dataclass(frozen=True, slots=True)
class Allowance:
    """What looking beyond the first round may cost; that round itself is always resolved.

    Attributes:
        rounds: rounds resolved.
        joint_lines: joint choices whose positions are listed, which costs memory.
        positions: distinct positions looked at, each of which costs some time of its own.
        outcomes: outcomes weighed, which is what most of the time goes into.
    """

    rounds: int
    joint_lines: int
    positions: int
    outcomes: int


ALLOWANCES: Final = {
    "quick": Allowance(200_000, 20_000, 500, 2_000_000),
    "standard": Allowance(1_000_000, 100_000, 2_500, 10_000_000),
    "deep": Allowance(10_000_000, 10_000_000, 1_000_000, 2_000_000_000),
}

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
