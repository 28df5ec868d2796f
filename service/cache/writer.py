"""Writes to Redis in the background, so that no request waits for them.

One thread of each process executes them in order, several in one round trip. It also renews the
leases that the process holds: a lease is short, so that others do not wait for a process that has
died, but a solve can be long.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Final

from service.cache.rate_limit import Quota
from service.cache.redis import OnFault, Remote, Write
from service.cache.redis_faults import DROPPED, OTHER, detail
from service.cache.types import Lease

MAX_WRITES: Final = 1_000
MAX_BYTES: Final = 16 << 20
"""Of all waiting values."""
MAX_BATCH: Final = 64
"""Writes in one round trip."""
RENEWAL_S: Final = 0.1
"""Seconds between two renewals of a lease; a quarter of its time."""


def _nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A waiting write.

    Attributes:
        write: returns the commands.
        size: bytes of its value.
        lease: that it releases.
        otherwise: called if it was not executed.
    """

    write: Callable[[], Write]
    size: int = 0
    lease: Lease | None = None
    otherwise: Callable[[], object] = _nothing


class Writer:
    """Executes writes on a thread of its own, which starts with the first one.

    Args:
        remote: the server.
        on_fault: called with every fault.
    """

    def __init__(self, remote: Remote, on_fault: OnFault = lambda *_: None) -> None:
        self._remote, self._on_fault = remote, on_fault
        self._changed = Condition()
        self._jobs: deque[_Job] = deque()
        self._bytes = 0
        self._busy = False
        self._held: dict[Lease, float] = {}
        """The time of the next renewal of each lease."""
        self._process: int | None = None

    def put(self, key: bytes, value: bytes, lease: Lease | None = None) -> None:
        """Store a value, and release the lease for it."""
        remote = self._remote
        self._add(_Job(lambda: remote.putting(key, value, lease), len(value), lease))

    def owe(self, client: str, units: float, quota: Quota, otherwise: Callable[[], object]) -> None:
        """Charge a client for work already done; call ``otherwise`` if that fails."""
        remote = self._remote
        self._add(_Job(lambda: remote.owing(client, units, quota), otherwise=otherwise))

    def release(self, lease: Lease) -> None:
        """Release a lease."""
        self._add(_Job(lambda: self._remote.releasing(lease), lease=lease))

    def hold(self, lease: Lease) -> None:
        """Renew a lease until it is released."""
        with self._changed:
            self._held[lease] = time.monotonic() + RENEWAL_S
            self._start()
            self._changed.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait until all writes are executed, and return whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._jobs or self._busy), timeout_s)

    def _add(self, job: _Job) -> None:
        with self._changed:
            full = len(self._jobs) >= MAX_WRITES or self._bytes + job.size > MAX_BYTES
            if full:
                if job.lease is not None:
                    # It expires soon.
                    self._held.pop(job.lease, None)
            else:
                self._jobs.append(job)
                self._bytes += job.size
                self._start()
                self._changed.notify_all()
        if full:
            self._on_fault(DROPPED, "")
            job.otherwise()

    def _start(self) -> None:
        # Workers are forked, and threads are not forked with them.
        if self._process != os.getpid():
            self._process = os.getpid()
            Thread(target=self._run, name="redis-writer", daemon=True).start()

    def _run(self) -> None:
        while True:
            jobs, renewed = self._next()
            executed = [False] * len(jobs)
            try:
                writes = [job.write() for job in jobs]
                writes += [self._remote.renewing(lease) for lease in renewed]
                executed = self._remote.write(*writes)
            except Exception as error:
                self._on_fault(OTHER, detail(error))
            for job, done in zip(jobs, executed, strict=False):
                if not done:
                    job.otherwise()
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _next(self) -> tuple[list[_Job], list[Lease]]:
        """Wait for work and return it: writes, and leases to renew."""
        with self._changed:
            while True:
                now = time.monotonic()
                jobs = [self._jobs.popleft() for _ in range(min(MAX_BATCH, len(self._jobs)))]
                for job in jobs:
                    self._bytes -= job.size
                    if job.lease is not None:
                        self._held.pop(job.lease, None)
                renewed = [lease for lease, due in self._held.items() if due <= now]
                for lease in renewed:
                    self._held[lease] = now + RENEWAL_S
                if jobs or renewed:
                    self._busy = True
                    return jobs, renewed
                due = min(self._held.values(), default=None)
                self._changed.wait(None if due is None else due - now)
