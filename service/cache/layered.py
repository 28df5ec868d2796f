"""The layered cache: the memory of the process in front of Redis, if there is one."""

from __future__ import annotations

from functools import partial

from service.cache.memory import Memory
from service.cache.rate_limit import Balance, Buckets, Quota
from service.cache.redis import OnFault, Remote
from service.cache.types import MAX_VALUE_BYTES, Hit, Lease
from service.cache.writer import Writer

MEMORY, REDIS = "memory", "redis"


class Cache:
    """Cached values, and what clients have spent of their quota.

    Values from Redis can be anything; callers check them before they keep them in memory.

    Args:
        memory: the cache of this process.
        remote: the cache that processes share, if there is one.
        quota: the rate limit of each client, if there is one.
        on_fault: called with every fault of a write to the shared cache.
    """

    def __init__(
        self,
        memory: Memory,
        remote: Remote | None = None,
        quota: Quota | None = None,
        on_fault: OnFault = lambda *_: None,
    ) -> None:
        self._memory, self._remote = memory, remote
        self._writer = None if remote is None else Writer(remote, on_fault)
        self.quota = quota
        self._buckets = Buckets(quota) if quota else None

    @property
    def is_shared(self) -> bool:
        """Whether other processes share values and balances."""
        return self._remote is not None

    def spend(self, client: str, units: float) -> Balance | None:
        """Charge a client without waiting; return the balance, if it is known at once."""
        if self._buckets is None:
            return None
        if self.is_shared:
            self.owe(client, units)
            return None
        return self._buckets.spend(client, units)

    def recent(self, key: bytes) -> Hit | None:
        """Return the value if it is in the memory of this process."""
        value = self._memory.get(key)
        return None if value is None else Hit(value, MEMORY)

    def get(self, key: bytes) -> Hit | None:
        """Return the value of a key and the layer that had it, or None."""
        hit = self.recent(key)
        if hit is None and self._remote is not None:
            hit = _redis_hit(self._remote.get(key))
        return hit

    def get_and_spend(
        self, key: bytes | None, client: str, units: float
    ) -> tuple[Hit | None, Balance | None]:
        """Charge a client and look up a value, in at most one round trip; a request begins so.

        Returns:
            the hit or None; and the balance, None without a quota.
        """
        if self._remote is not None:
            self._remote.begin_request()
        if self.quota is None or self._buckets is None:
            return None if key is None else self.get(key), None
        hit = None if key is None else self.recent(key)
        balance = None
        if self._remote is not None:
            missing = key if hit is None else None
            value, balance = self._remote.get_and_spend(missing, client, units, self.quota)
            if missing is not None:
                hit = _redis_hit(value)
        return hit, balance or self._buckets.spend(client, units)

    def owe(self, client: str, units: float) -> None:
        """Charge a client for work already done."""
        if self.quota is None or self._buckets is None or not units:
            return
        spend = partial(self._buckets.spend, client, units, owed=True)
        if self._writer is None:
            spend()
        else:
            self._writer.owe(client, units, self.quota, spend)

    def acquire_lease(self, key: bytes) -> Hit | Lease | None:
        """Return the value, or the lease to compute it, or None if another process has it."""
        hit = self.recent(key)
        if hit is not None:
            return hit
        if self._remote is None:
            return Lease(key, b"")
        claim = self._remote.acquire_lease(key)
        if isinstance(claim, Lease) and self._writer is not None:
            self._writer.hold(claim)
        return Hit(claim, REDIS) if isinstance(claim, bytes) else claim

    def release(self, lease: Lease) -> None:
        """Release the lease, so that another process can compute the value."""
        if self._writer is not None:
            self._writer.release(lease)

    def put(self, key: bytes, value: bytes, lease: Lease | None = None) -> None:
        """Store a value in every layer unless it is too large, and release its lease."""
        if len(value) > MAX_VALUE_BYTES:
            if lease is not None:
                self.release(lease)
            return
        self._memory.put(key, value)
        if self._writer is not None:
            self._writer.put(key, value, lease)

    def flush(self, timeout_s: float) -> bool:
        """Wait until Redis has all values, and return whether it does; for tests."""
        return self._writer is None or self._writer.flush(timeout_s)

    def keep(self, key: bytes, value: bytes) -> None:
        """Store a value from Redis in the memory of this process, after it was checked."""
        self._memory.put(key, value)

    def forget(self, key: bytes) -> None:
        """Remove a value from the memory of this process."""
        self._memory.remove(key)


def _redis_hit(value: bytes | None) -> Hit | None:
    return None if value is None else Hit(value, REDIS)
