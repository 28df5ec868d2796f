"""The cache as everybody uses it: the memory of the process in front of Redis, if there is one."""

from __future__ import annotations

from service.cache.memory import Memory
from service.cache.rate_limit import Balance, Buckets, Quota
from service.cache.redis import Remote
from service.cache.types import MOST_VALUE_BYTES, Hit, Lease

MEMORY, REDIS = "memory", "redis"


class Cache:
    """Values, and what clients have spent.

    Args:
        memory: of the process.
        remote: what is shared between processes, if anything is.
        quota: what each client may spend, if that is limited.
    """

    def __init__(
        self, memory: Memory, remote: Remote | None = None, quota: Quota | None = None
    ) -> None:
        self._memory, self._remote = memory, remote
        self.quota = quota
        self._buckets = Buckets(quota) if quota else None

    def recent(self, key: bytes) -> Hit | None:
        """The value, if it is in the memory of the process."""
        value = self._memory.get(key)
        return None if value is None else Hit(value, MEMORY)

    def get(self, key: bytes) -> Hit | None:
        """The value kept under a key, and where it was."""
        hit = self.recent(key)
        if hit is None and self._remote is not None:
            hit = self._found(key, self._remote.get(key))
        return hit

    def get_and_spend(
        self, key: bytes | None, client: str, units: float
    ) -> tuple[Hit | None, Balance | None]:
        """Takes units from a client's bucket, and looks a value up, in one round trip at most.

        Returns:
            what was found; and the balance, None where nothing is limited.
        """
        if self.quota is None or self._buckets is None:
            return None if key is None else self.get(key), None
        hit = None if key is None else self.recent(key)
        balance = None
        if self._remote is not None:
            sought = key if hit is None else None
            found, balance = self._remote.get_and_spend(sought, client, units, self.quota)
            if sought is not None:
                hit = self._found(sought, found)
        return hit, balance or self._buckets.spend(client, units)

    def owe(self, client: str, units: float) -> None:
        """Charges a client for what was done for it."""
        if self.quota is None or self._buckets is None or not units:
            return
        if self._remote is None or not self._remote.owe(client, units, self.quota):
            self._buckets.spend(client, units, owed=True)

    def lead(self, key: bytes) -> Hit | Lease | None:
        """The value; or the right to make it; or None if another process is about to."""
        hit = self.recent(key)
        if hit is not None:
            return hit
        if self._remote is None:
            return Lease(key, b"")
        found = self._remote.lead(key)
        return self._found(key, found) if isinstance(found, bytes) else found

    def release(self, lease: Lease) -> None:
        """Lets another process make the value."""
        if self._remote is not None:
            self._remote.release(lease)

    def put(self, key: bytes, value: bytes, lease: Lease | None = None) -> None:
        """Keeps a value everywhere, unless it is too large, and ends the lease to make it."""
        if len(value) > MOST_VALUE_BYTES:
            if lease is not None:
                self.release(lease)
            return
        self._memory.put(key, value)
        if self._remote is not None:
            self._remote.put(key, value, lease)

    def _found(self, key: bytes, value: bytes | None) -> Hit | None:
        if value is None:
            return None
        self._memory.put(key, value)
        return Hit(value, REDIS)
