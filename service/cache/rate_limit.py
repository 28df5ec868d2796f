"""Rate limit by cost: the generic cell rate algorithm (GCRA, ITU-T I.371) with debt.

The state of a client is one time: when it will have paid for everything it used, at a steady rate.
The time may be ahead of the clock by one window, which is the quota. Ours because libraries count
requests: here the cost of a solve is known only afterwards and is charged as debt.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from threading import Lock
from typing import Final

MAX_CLIENTS: Final = 100_000
"""In memory; the client least recently seen is dropped first."""
ROUNDING: Final = 1e-6
"""Units and seconds by which the difference of two large times may be wrong (usual quotas)."""
MAX_WINDOWS: Final = 2.0
"""The largest debt, in windows: finished work is charged even beyond the quota."""


@dataclass(frozen=True, slots=True)
class Quota:
    """A number of units per window.

    Attributes:
        units: of cost: one per request and one per CPU millisecond of computing.
        window_s: seconds in which they are restored.
    """

    units: int
    window_s: int

    def seconds(self, units: float) -> float:
        """Return the seconds after which these units are available again."""
        return units * self.window_s / self.units


@dataclass(frozen=True, slots=True)
class Balance:
    """A client's bucket after a request.

    Attributes:
        allowed: whether the request is within the quota.
        ahead_s: seconds by which the bucket is ahead of the clock.
    """

    allowed: bool
    ahead_s: float

    def remaining(self, quota: Quota) -> int:
        """Return the units left."""
        left = (quota.window_s - self.ahead_s) * quota.units / quota.window_s
        return max(0, int(left + ROUNDING))

    @property
    def reset_s(self) -> int:
        """Seconds until the whole quota is available."""
        return ceil(self.ahead_s - ROUNDING)

    def after(self, units: float, quota: Quota) -> Balance:
        """Return the balance when the client has paid for more units."""
        return Balance(self.allowed, self.ahead_s + quota.seconds(units))

    def retry_s(self, quota: Quota) -> int:
        """Return the seconds until a request is allowed, at least 1."""
        return max(1, ceil(self.ahead_s + quota.seconds(1) - quota.window_s - ROUNDING))


class Buckets:
    """The buckets of a process.

    Args:
        quota: of each client.
        clock: monotonic clock in seconds.
    """

    def __init__(self, quota: Quota, clock: Callable[[], float] = time.monotonic) -> None:
        self._quota, self._clock = quota, clock
        self._lock = Lock()
        self._paid_at: OrderedDict[str, float] = OrderedDict()

    def spend(self, client: str, units: float, *, owed: bool = False) -> Balance:
        """Charge a client if its quota covers the units, or in any case if they are owed."""
        window = self._quota.window_s
        with self._lock:
            now = self._clock()
            before = max(now, self._paid_at.pop(client, now))
            cost = self._quota.seconds(units)
            after = before + cost
            # Not `after - now`: rounding could make exactly one window slightly more.
            allowed = owed or before - now + cost <= window
            self._paid_at[client] = min(after, now + MAX_WINDOWS * window) if allowed else before
            if len(self._paid_at) > MAX_CLIENTS:
                self._paid_at.popitem(last=False)
            return Balance(allowed, self._paid_at.get(client, before) - now)
