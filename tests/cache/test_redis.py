"""Redis cache: values, leases and quotas; every failure counts as a cache miss."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis
from load_testing.faulty_proxy import faulty_proxy
from load_testing.server import free_port

from service.cache.breaker import MAX_FAULTS, REST_S, Breaker
from service.cache.rate_limit import Quota
from service.cache.redis import JITTER, LEASE_MS, MAX_CONNECTIONS, TIMEOUT_S, Remote
from service.cache.redis_faults import CROWDED, SEAL, TIMEOUT
from service.cache.request_time import BASE_S
from service.cache.types import Lease
from tests.loops import for_each
from tests.patience import PATIENCE_S
from tests.redis_server import Faults, RedisServer

KEY, OTHER, VALUE = b"k" * 32, b"o" * 32, b"a value"
QUOTA = Quota(units=100, window_s=10)
SOON_S = 0.5
"""Time limit of all calls of a test while Redis fails."""


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def remote(redis_url: str, faults: Faults) -> Remote:
    return Remote(redis_url, ttl_s=1_000, on_fault=faults.add)


@pytest.fixture
def admin(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url, socket_timeout=PATIENCE_S)


def put(remote: Remote, key: bytes, value: bytes, lease: Lease | None = None) -> None:
    remote.write(remote.putting(key, value, lease))


def leased(remote: Remote, key: bytes = KEY) -> Lease:
    """Return the lease of a key, which no one has."""
    lease = remote.acquire_lease(key)
    assert isinstance(lease, Lease)
    return lease


def keys_by_kind(admin: Any) -> dict[str, bytes]:
    """Return the stored keys by kind: value, lease or bucket."""
    return {key.decode().split(":")[1]: key for key in admin.keys("*")}


def await_recovery(remote: Remote) -> None:
    """Wait until the breaker is closed; on a busy machine, the first replies can be slow."""
    give_up = time.monotonic() + PATIENCE_S
    while remote.get(KEY) != VALUE or remote.breaker.open:
        assert time.monotonic() < give_up, "the server is not used again"
        time.sleep(0.05)
        put(remote, KEY, VALUE)


def assert_all_calls_miss(remote: Remote) -> None:
    """Assert that all calls return quickly and behave like an empty cache."""
    begun = time.monotonic()
    for _ in range(5):
        assert remote.get(KEY) is None
        put(remote, KEY, VALUE)
        assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (None, None)
        assert remote.write(remote.owing("a", 1.0, QUOTA)) == [False]
        remote.write(remote.releasing(leased(remote)))
    assert time.monotonic() - begun < SOON_S


# Values -----------------------------------------------------------------------------------------


def test_a_value_is_visible_to_all_users_of_the_server(remote: Remote, redis_url: str):
    put(remote, KEY, VALUE)
    assert Remote(redis_url, ttl_s=9).get(KEY) == VALUE
    assert remote.get(OTHER) is None


def test_values_expire_with_jitter(remote: Remote, admin: Any):
    for number in range(40):
        put(remote, b"%d" % number, VALUE)
    lifetimes = [admin.pttl(key) / 1_000_000 for key in admin.keys("*")]
    assert min(lifetimes) > 1.0 - JITTER - 0.01
    assert max(lifetimes) <= 1.0 + JITTER
    assert max(lifetimes) - min(lifetimes) > JITTER


def test_one_round_trip_reads_the_value_and_charges_the_quota(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
):
    put(remote, KEY, VALUE)
    trips = []
    pipeline = remote._lookups.client.pipeline
    monkeypatch.setattr(
        remote._lookups.client,
        "pipeline",
        lambda **options: trips.append(options) or pipeline(**options),
    )
    value, balance = remote.get_and_spend(KEY, "a", 30.0, QUOTA)
    assert value == VALUE
    assert trips == [{"transaction": False}]
    assert balance is not None
    assert balance.remaining(QUOTA) == 70


# Leases -----------------------------------------------------------------------------------------


def test_one_client_has_the_lease_until_it_stores_the_value(redis_url: str):
    one, other = (Remote(redis_url, ttl_s=60) for _ in range(2))
    lease = leased(one)
    assert other.acquire_lease(KEY) is None
    put(one, KEY, VALUE, lease)
    assert other.acquire_lease(KEY) == VALUE
    assert one.acquire_lease(KEY) == VALUE


def test_only_the_owner_of_a_lease_can_release_it(redis_url: str):
    one, other = (Remote(redis_url, ttl_s=60) for _ in range(2))
    lease = leased(one)
    other.write(other.releasing(Lease(KEY, b"another token")))
    assert other.acquire_lease(KEY) is None
    one.write(one.releasing(lease))
    leased(other)


def test_a_lease_expires(remote: Remote, admin: Any):
    remote.acquire_lease(KEY)
    assert 0 < admin.pttl(keys_by_kind(admin)["l"]) <= LEASE_MS


# Invalid values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [b"", b"secret"])
def test_truncated_changed_or_swapped_values_are_misses(
    redis_url: str, admin: Any, secret: bytes, faults: Faults
):
    remote = Remote(redis_url, 60, secret, faults.add)
    put(remote, KEY, VALUE)
    stored = admin.get(keys_by_kind(admin)["v"])
    put(remote, OTHER, b"another value")
    other_key = next(k for k in admin.keys("*") if admin.get(k) != stored)
    own_key = next(k for k in admin.keys("*") if admin.get(k) == stored)
    invalid = [stored[:-1], stored[:20], b"", stored + b"x", b"x" + stored, admin.get(other_key)]
    for value in invalid:
        admin.set(own_key, value)
        assert remote.get(KEY) is None
        assert remote.get_and_spend(KEY, "a", 1.0, QUOTA)[0] is None
        leased(remote)
    assert faults == [SEAL] * 3 * len(invalid)
    assert not remote.breaker.open


def test_values_signed_without_the_secret_are_misses(redis_url: str):
    put(Remote(redis_url, 60), KEY, b"forged")
    put(Remote(redis_url, 60, b"guess"), OTHER, b"forged")
    remote = Remote(redis_url, 60, b"secret")
    assert (remote.get(KEY), remote.get(OTHER)) == (None, None)
    put(remote, KEY, VALUE)
    assert remote.get(KEY) == VALUE


def test_a_key_of_another_type_is_a_miss_and_is_replaced(
    remote: Remote, admin: Any, faults: Faults
):
    put(remote, KEY, VALUE)
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    for key in keys_by_kind(admin).values():
        admin.delete(key)
        admin.lpush(key, "junk")
    assert remote.get(KEY) is None
    value, balance = remote.get_and_spend(KEY, "a", 1.0, QUOTA)
    assert (value, balance) == (None, None)
    leased(remote)
    assert "error-reply" in faults
    assert not remote.breaker.open
    put(remote, KEY, VALUE)
    assert remote.get(KEY) == VALUE


def test_an_invalid_bucket_counts_as_a_new_one(remote: Remote, admin: Any):
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    for junk in (b"junk", b"", b"-1e400", b"nan"):
        admin.set(keys_by_kind(admin)["b"], junk)
        _, balance = remote.get_and_spend(None, "a", 10.0, QUOTA)
        assert balance is None or balance.remaining(QUOTA) == 90


@for_each("reply", [None, 1, b"1", [], [1], [b"1", 2], [1, b"2"], [[1], 2], "OK"])
def test_a_reply_of_another_shape_is_a_miss(
    remote: Remote, monkeypatch: pytest.MonkeyPatch, reply: Any
):
    monkeypatch.setattr(remote, "_ask", lambda line, *commands, **_: [reply] * len(commands))
    assert remote.get(KEY) is None
    assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (None, None)
    assert not isinstance(remote.acquire_lease(KEY), bytes)
    put(remote, KEY, VALUE)


# Failures of the server -------------------------------------------------------------------------


def test_an_unreachable_server_is_a_miss(faults: Faults):
    remote = Remote(f"redis://127.0.0.1:{free_port()}", 60, on_fault=faults.add)
    assert_all_calls_miss(remote)
    assert set(faults) == {"refused"}
    assert remote.breaker.open


def test_a_server_that_hangs_opens_the_breaker_after_a_few_timeouts(
    redis_server: RedisServer, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.add)
    await_recovery(remote)
    faults.clear()
    redis_server.freeze()
    try:
        assert_all_calls_miss(remote)
        assert set(faults) == {TIMEOUT}
        assert 3 <= len(faults) <= 3 + SOON_S / TIMEOUT_S
    finally:
        redis_server.thaw()
    time.sleep(1.1 * REST_S)
    await_recovery(remote)


@pytest.mark.parametrize("mode", ["slow", "drip", "cut", "garble", "reset"])
def test_invalid_replies_of_a_server_are_misses(
    redis_server: RedisServer, faults: Faults, mode: str
):
    with faulty_proxy(redis_server.port) as proxy:
        remote = Remote(f"redis://127.0.0.1:{proxy.port}", 60, on_fault=faults.add)
        await_recovery(remote)
        faults.clear()
        proxy.mode = mode
        begun = time.monotonic()
        for _ in range(8):
            assert remote.get(KEY) is None
            assert remote.get_and_spend(KEY, "a", 1.0, QUOTA)[0] is None
        assert time.monotonic() - begun < SOON_S
        assert faults
        proxy.mode = "pass"
        time.sleep(1.1 * REST_S)
        await_recovery(remote)


def test_too_many_lookups_do_not_open_the_breaker_or_block_leases(
    redis_url: str, faults: Faults, monkeypatch: pytest.MonkeyPatch
):
    """Regression: with 100 parallel requests, both workers treated Redis as down and solved."""
    monkeypatch.setattr("service.cache.redis.MAX_CONNECTIONS", 0)
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", 0.01)
    remote = Remote(redis_url, 60, on_fault=faults.add)
    for _ in range(2 * MAX_FAULTS):
        assert remote.get(KEY) is None
    assert faults == [CROWDED] * 2 * MAX_FAULTS
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", PATIENCE_S)
    assert not remote.breaker.open
    leased(remote)
    assert remote.acquire_lease(KEY) is None, "the server does not have the lease"


def test_waiting_for_a_connection_counts_for_the_limit_of_a_request(
    redis_url: str, faults: Faults, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.cache.redis.MAX_CONNECTIONS", 0)
    monkeypatch.setattr("service.cache.redis.TIMEOUT_S", 0.1)
    remote = Remote(redis_url, 60, on_fault=faults.add)

    def seconds_of_a_request() -> float:
        begun = time.monotonic()
        remote.begin_request()
        for _ in range(30):
            assert remote.get(KEY) is None
        return time.monotonic() - begun

    with ThreadPoolExecutor(1) as pool:  # The time of a request counts for its thread.
        assert pool.submit(seconds_of_a_request).result() < 2 * BASE_S
    assert faults[0] == CROWDED


def test_values_are_stored_while_all_other_connections_are_busy(
    redis_url: str, faults: Faults, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.cache.redis.MAX_LEASE_CONNECTIONS", 0)
    remote = Remote(redis_url, 60, on_fault=faults.add)
    put(remote, KEY, VALUE)
    assert remote.get(KEY) == VALUE
    assert not faults


def test_connections_are_returned_to_the_pool_after_errors(faults: Faults):
    remote = Remote(f"redis://127.0.0.1:{free_port()}", 60, on_fault=faults.add)
    for _ in range(2 * MAX_CONNECTIONS):
        assert remote.get(KEY) is None
        leased(remote)
    assert CROWDED not in faults
    assert remote.breaker.open


def test_a_restarted_server_is_used_again(redis_server: RedisServer):
    remote = Remote(redis_server.url, 60, breaker=Breaker(rest_s=0.2))
    await_recovery(remote)
    redis_server.stop()
    try:
        assert_all_calls_miss(remote)
    finally:
        redis_server.start()
    time.sleep(0.25)
    await_recovery(remote)


def test_a_flushed_server_is_filled_again(remote: Remote, admin: Any):
    put(remote, KEY, VALUE)
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    admin.flushall()
    admin.script_flush()
    assert remote.get(KEY) is None
    _, balance = remote.get_and_spend(None, "a", 1.0, QUOTA)
    assert balance is not None
    put(remote, KEY, VALUE)
    assert remote.get(KEY) == VALUE


@pytest.fixture
def configurable(redis_server: RedisServer, patient: None) -> Iterator[Any]:
    """Return an administrator's client, and reset the configuration of the server afterwards."""
    admin: Any = redis_server.admin
    admin.flushall()
    yield admin
    admin.config_set("requirepass", "")
    admin.config_set("maxmemory", 0)
    admin.replicaof("NO", "ONE")


def test_a_full_server_is_still_read_and_does_not_open_the_breaker(
    redis_server: RedisServer, configurable: Any, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.add)
    put(remote, KEY, VALUE)
    configurable.config_set("maxmemory", 1)
    put(remote, OTHER, VALUE)
    assert (remote.get(KEY), remote.get(OTHER)) == (VALUE, None)
    assert set(faults) == {"full"}
    assert not remote.breaker.open


def test_a_read_only_server_is_still_read_and_does_not_open_the_breaker(
    redis_server: RedisServer, configurable: Any, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.add)
    put(remote, KEY, VALUE)
    configurable.replicaof("127.0.0.1", free_port())
    put(remote, OTHER, VALUE)
    assert (remote.get(KEY), remote.get(OTHER)) == (VALUE, None)
    assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (VALUE, None)
    leased(remote, OTHER)
    assert set(faults) == {"read-only", "error-reply"}
    assert not remote.breaker.open


def test_a_wrong_password_is_a_miss(redis_server: RedisServer, configurable: Any, faults: Faults):
    configurable.config_set("requirepass", "right")
    assert_all_calls_miss(Remote(redis_server.url, 60, on_fault=faults.add))
    wrong = redis_server.url.replace("redis://", "redis://:wrong@")
    assert_all_calls_miss(Remote(wrong, 60, on_fault=faults.add))
    assert set(faults) == {"auth"}
    right = Remote(redis_server.url.replace("redis://", "redis://:right@"), 60)
    put(right, KEY, VALUE)
    assert right.get(KEY) == VALUE
    configurable.execute_command("AUTH", "right")
