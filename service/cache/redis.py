"""The cache that the workers of all replicas share, in Redis.

If Redis is down, slow or broken, every read is a miss and never an error: no command waits longer
than ``TIMEOUT_S``, no request longer than :mod:`service.cache.request_time` allows, and every value
is verified before it is used.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from threading import BoundedSemaphore
from typing import Any, Final, TypeAlias

from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import SSLConnection
from redis.exceptions import ResponseError
from redis.retry import Retry

from service.cache.breaker import Breaker
from service.cache.rate_limit import MAX_WINDOWS, Balance, Quota
from service.cache.redis_address import pool_of
from service.cache.redis_faults import CROWDED, LATE, SEAL, TIMEOUT, cause, detail
from service.cache.request_time import RequestTime
from service.cache.signing import seal, unseal
from service.cache.types import Lease

TIMEOUT_S: Final = 0.1
"""To get a connection, and for all replies to a request. With the defaults of redis-py a request
could wait for a minute."""
CONNECT_S: Final = 0.25
"""To open a connection, for TCP and for the TLS handshake each: it needs more round trips than a
command. It limits neither the resolver nor reading the system's certificates (23 to 55 ms)."""
MAX_CONNECTIONS: Final = 8
"""Of a worker, for reads and quotas: more would only wait for its one interpreter lock."""
MAX_LEASE_CONNECTIONS: Final = 2
"""Of a worker, for leases."""
MAX_WRITE_CONNECTIONS: Final = 1
"""Of a worker, for its one writer."""
GRACE_S: Final = 0.001
LEASE_MS: Final = 400
"""How long others wait for a worker that has died; the others renew their leases."""
JITTER: Final = 0.1
"""Share by which times to live differ, so that values stored together do not expire together."""
PREFIX: Final = b"winter-games:"

_ACQUIRE: Final = """\
local value = redis.call('GET', KEYS[1])
if value then return value end
return redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2])
"""
"""The value; or OK if the caller has the lease; or nil if another process has it."""

_RELEASE: Final = """\
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""

_RENEW: Final = """\
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
"""

_SPEND: Final = """\
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cost, window, most, owed = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local before = tonumber(redis.call('GET', KEYS[1]) or now) or now
if not (before >= now and before <= now + most) then before = now end
local after = before + cost
if owed == '0' and after - now > window then return {0, before - now} end
after = math.min(after, now + most)
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil(after - now) + 1)
return {1, math.ceil(after - now)}
"""
"""As :meth:`~service.cache.rate_limit.Buckets.spend`, in milliseconds of the server's clock."""


Command: TypeAlias = tuple[Any, ...]
Write: TypeAlias = list[Command]
"""Commands that are executed together."""

OnFault: TypeAlias = Callable[[str, str], None]
"""Called with the name of each fault, of :data:`service.cache.redis_faults.NAMES`, and a detail."""

_REQUEST_TIME: Final = RequestTime()
"""Of the request that the current thread serves."""


class Remote:
    """A Redis server.

    Args:
        url: see :func:`~service.cache.redis_address.pool_of`.
        ttl_s: approximate lifetime of values in seconds.
        secret: signs values; see :mod:`service.cache.signing`.
        on_fault: called with every fault.
        breaker: decides whether to call the server at all.
        on_reply: called with the seconds of every round trip that succeeded.

    Raises:
        ValueError: if the URL is invalid or names several servers.
    """

    def __init__(
        self,
        url: str,
        ttl_s: int,
        secret: bytes = b"",
        on_fault: OnFault = lambda *_: None,
        breaker: Breaker | None = None,
        on_reply: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._lookups = _Line(url, MAX_CONNECTIONS)
        self._leases = _Line(url, MAX_LEASE_CONNECTIONS)
        self._writes = _Line(url, MAX_WRITE_CONNECTIONS)
        self._ttl_ms = 1000 * ttl_s
        self._secret = secret
        self._on_fault, self._on_reply = on_fault, on_reply
        self.breaker = breaker or Breaker()

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key, or None."""
        [reply] = self._ask(self._lookups, ("GET", _named(b"v", key)))
        return self._unsealed(key, reply)

    def get_and_spend(
        self, key: bytes | None, client: str, units: float, quota: Quota
    ) -> tuple[bytes | None, Balance | None]:
        """Charge a client and look up a value in one round trip.

        Returns:
            the value or None; and the balance, None if Redis did not answer.
        """
        commands = [_spending(client, units, quota, owed=False)]
        if key is not None:
            commands.append(("GET", _named(b"v", key)))
        balance, *replies = self._ask(self._lookups, *commands)
        value = self._unsealed(key, replies[0]) if key is not None else None
        return value, _balance(balance)

    def begin_request(self) -> None:
        """Note that this thread begins to serve another request."""
        _REQUEST_TIME.begin()

    def write(self, *writes: Write) -> list[bool]:
        """Execute writes in one round trip; return which of them were executed."""
        replies = iter(self._ask(self._writes, *(each for own in writes for each in own)))
        return [
            not any(isinstance(next(replies), _Fault) for _ in range(len(own))) for own in writes
        ]

    def owing(self, client: str, units: float, quota: Quota) -> Write:
        """Return the write that charges a client for work already done."""
        return [_spending(client, units, quota, owed=True)]

    def putting(self, key: bytes, value: bytes, lease: Lease | None = None) -> Write:
        """Return the write of a value, until it expires, that also releases the lease for it."""
        sealed = seal(key, value, self._secret)
        ttl_ms = int(self._ttl_ms * random.uniform(1.0 - JITTER, 1.0 + JITTER))
        commands: Write = [("SET", _named(b"v", key), sealed, "PX", ttl_ms)]
        return commands if lease is None else [*commands, *self.releasing(lease)]

    def releasing(self, lease: Lease) -> Write:
        """Return the write that releases a lease, so that another process can have it."""
        return [("EVAL", _RELEASE, 1, _named(b"l", lease.key), lease.token)]

    def renewing(self, lease: Lease) -> Write:
        """Return the write that makes a lease last for ``LEASE_MS`` again."""
        return [("EVAL", _RENEW, 1, _named(b"l", lease.key), lease.token, LEASE_MS)]

    def acquire_lease(self, key: bytes) -> bytes | Lease | None:
        """Return the value, or a lease to compute it, or None if another process has the lease.

        If Redis is down, every worker gets a lease and computes for itself.
        """
        lease = Lease(key, secrets.token_bytes(16))
        keys = _named(b"v", key), _named(b"l", key)
        [reply] = self._ask(self._leases, ("EVAL", _ACQUIRE, 2, *keys, lease.token, LEASE_MS))
        if isinstance(reply, _Fault) or reply == b"OK":
            return lease
        if reply is None:
            return None
        value = self._unsealed(key, reply)
        return lease if value is None else value

    def _unsealed(self, key: bytes, reply: Any) -> bytes | None:
        if not isinstance(reply, bytes):
            return None
        value = unseal(key, reply, self._secret)
        if value is None:
            self._on_fault(SEAL, "")
        return value

    def _ask(self, line: _Line, *commands: Command) -> Sequence[Any]:
        """Send commands in one round trip; return a reply or a :class:`_Fault` for each."""
        faults = [_Fault()] * len(commands)
        left_s = _REQUEST_TIME.left_s
        if not left_s:
            self._on_fault(LATE, "")
            return faults
        start = time.monotonic()
        try:
            return self._ask_in_time(line, commands, min(left_s, TIMEOUT_S)) or faults
        finally:
            _REQUEST_TIME.use(time.monotonic() - start)

    def _ask_in_time(
        self, line: _Line, commands: Sequence[Command], timeout_s: float
    ) -> Sequence[Any]:
        """Return a reply for each command; nothing if the round trip failed.

        Args:
            line: the connections to use.
            commands: the commands.
            timeout_s: seconds to wait for a free connection, and for the replies.
        """
        if not line.room.acquire(timeout=timeout_s):
            self._on_fault(CROWDED, "")
            return ()
        start = time.monotonic()
        try:
            if not self.breaker.allows():
                return ()
            pipeline = line.client.pipeline(transaction=False)
            for command in commands:
                pipeline.execute_command(*command)
            replies = pipeline.execute(raise_on_error=False)
        except Exception as error:
            if timeout_s < TIMEOUT_S and cause(error) == TIMEOUT:
                self._on_fault(LATE, "")
                return ()
            self.breaker.failed()
            self._report(error)
            return ()
        finally:
            line.room.release()
        seconds = time.monotonic() - start
        self.breaker.succeeded(seconds)
        self._on_reply(seconds)
        return [self._checked(reply) for reply in replies]

    def _checked(self, reply: Any) -> Any:
        if isinstance(reply, ResponseError):
            # The server is up and refuses the command: read-only, full, wrong type at the key.
            self._report(reply)
            return _Fault()
        return reply

    def _report(self, error: Exception) -> None:
        self._on_fault(cause(error), detail(error, self._lookups.password))


class _Line:
    """A bounded pool of connections to the server."""

    def __init__(self, url: str, max_connections: int) -> None:
        pool = pool_of(
            url,
            socket_timeout=CONNECT_S,  # Of the TLS handshake; replies have a deadline.
            socket_connect_timeout=CONNECT_S,
            retry=Retry(NoBackoff(), 0),
            retry_on_error=[],
            redis_connect_func=_log_in,
            protocol=2,
            driver_info=None,
        )
        self.password: str | None = pool.connection_kwargs.get("password")
        pool.connection_class = type("Timed", (_Timed, pool.connection_class), {})
        self.client: Any = Redis(connection_pool=pool)
        self.room = BoundedSemaphore(max_connections)


def _log_in(connection: Any) -> None:
    connection.on_connect()
    if isinstance(connection, SSLConnection):
        # After the handshake a TLS 1.3 server sends session tickets. redis-py takes them for a late
        # reply and gives up, unless the reply to AUTH, SELECT or this PING, even an error, follows.
        connection.send_command("PING")  # type: ignore[no-untyped-call]
        with suppress(ResponseError):
            connection.read_response()


class _Timed:
    """A connection with one deadline for all replies to a request.

    The client's own timeout starts anew with every received part, so that a server that sends a
    byte at a time would block a request forever.
    """

    reply_until = inf
    grace = True
    """Whether to read once more after the deadline: the thread may have slept since."""

    def send_packed_command(self, *command: Any, **options: Any) -> None:
        timeout_s = min(TIMEOUT_S, _REQUEST_TIME.left_s)
        self.reply_until, self.grace = time.monotonic() + timeout_s, True
        super().send_packed_command(*command, **options)  # type: ignore[misc]

    def _connect(self) -> _TimedSocket:
        return _TimedSocket(super()._connect(), self)  # type: ignore[misc]


class _TimedSocket:
    def __init__(self, socket: Any, connection: _Timed) -> None:
        self._socket, self._connection = socket, connection

    def recv_into(self, buffer: Any) -> int:
        left = self._connection.reply_until - time.monotonic()
        if left <= 0.0:
            if not self._connection.grace:
                raise TimeoutError
            self._connection.grace, left = False, GRACE_S
        self._socket.settimeout(left)
        received: int = self._socket.recv_into(buffer)
        return received

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class _Fault:
    """Takes the place of a reply that failed."""


def _named(kind: bytes, key: bytes) -> bytes:
    return PREFIX + kind + b":" + key.hex().encode()


def _spending(client: str, units: float, quota: Quota, *, owed: bool) -> Command:
    cost_ms, window_ms = 1000.0 * quota.seconds(units), 1000 * quota.window_s
    most_ms = int(MAX_WINDOWS * window_ms)
    bucket = _named(b"b", client.encode())
    return "EVAL", _SPEND, 1, bucket, f"{cost_ms:.3f}", window_ms, most_ms, int(owed)


def _balance(reply: Any) -> Balance | None:
    match reply:
        case [int(allowed), int(ahead_ms)] if ahead_ms >= 0:
            return Balance(bool(allowed), ahead_ms / 1000.0)
    return None
