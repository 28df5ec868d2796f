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
    """

    rounds: int
    joint_lines: int
    positions: int


ALLOWANCES: Final = {
    "quick": Allowance(rounds=200_000, joint_lines=20_000, positions=500),
    "standard": Allowance(rounds=1_000_000, joint_lines=100_000, positions=2_500),
    "deep": Allowance(rounds=10_000_000, joint_lines=1_000_000, positions=1_000_000),
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
