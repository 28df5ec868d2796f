"""Redis as a cache: what it keeps, and every way in which it fails is a miss."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from load_testing.server import free_port

from service.cache.breaker import MOST_FAULTS, REST_S, Breaker
from service.cache.rate_limit import Quota
from service.cache.redis import (
    CROWDED,
    JITTER,
    LEASE_MS,
    MOST_CONNECTIONS,
    TIMEOUT_S,
    Remote,
)
from service.cache.types import Lease
from tests.faulty_proxy import faulty_proxy
from tests.redis_server import RedisServer

KEY, OTHER, VALUE = b"k" * 32, b"o" * 32, b"a value"
QUOTA = Quota(units=100, window_s=10)
SOON_S = 0.5
"""No call takes longer than that, whatever is wrong."""
PATIENCE_S = 20.0


class Faults(list[str]):
    """The faults that were told."""


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def remote(redis_url: str, faults: Faults) -> Remote:
    return Remote(redis_url, ttl_s=1_000, on_fault=faults.append)


@pytest.fixture
def admin(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url, socket_timeout=5)


def named(admin: Any) -> dict[str, bytes]:
    """Every key that is kept, by its kind."""
    return {key.decode().split(":")[1]: key for key in admin.keys("*")}


def keeps_again(remote: Remote) -> None:
    """It comes to be used again, even if a busy machine is too slow for it at times."""
    give_up = time.monotonic() + PATIENCE_S
    while remote.get(KEY) != VALUE:
        assert time.monotonic() < give_up, "the server is not used again"
        time.sleep(0.05)
        remote.put(KEY, VALUE)


def nothing_works(remote: Remote) -> None:
    """All calls return as if nothing were kept, and soon."""
    begun = time.monotonic()
    for _ in range(5):
        assert remote.get(KEY) is None
        remote.put(KEY, VALUE)
        assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (None, None)
        assert remote.owe("a", 1.0, QUOTA) is False
        lease = remote.acquire_lease(KEY)
        assert isinstance(lease, Lease)
        remote.release(lease)
    assert time.monotonic() - begun < SOON_S


# What it keeps ----------------------------------------------------------------------------------


def test_what_was_put_is_found_by_all_who_share_it(remote: Remote, redis_url: str):
    remote.put(KEY, VALUE)
    assert Remote(redis_url, ttl_s=9).get(KEY) == VALUE
    assert remote.get(OTHER) is None


def test_values_go_after_a_while_and_not_all_at_once(remote: Remote, admin: Any):
    left = []
    for number in range(40):
        remote.put(b"%d" % number, VALUE)
    for key in admin.keys("*"):
        left.append(admin.pttl(key) / 1_000_000)
    assert min(left) > 1.0 - JITTER - 0.01
    assert max(left) <= 1.0 + JITTER
    assert max(left) - min(left) > JITTER


def test_a_value_is_found_in_the_round_trip_that_spends(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
):
    remote.put(KEY, VALUE)
    trips = []
    pipeline = remote._lookups.client.pipeline
    monkeypatch.setattr(
        remote._lookups.client, "pipeline", lambda **told: trips.append(told) or pipeline(**told)
    )
    value, balance = remote.get_and_spend(KEY, "a", 30.0, QUOTA)
    assert value == VALUE
    assert trips == [{"transaction": False}]
    assert balance is not None
    assert balance.remaining(QUOTA) == 70


# Leases -----------------------------------------------------------------------------------------


def test_one_of_many_leads_until_it_has_put_the_value(redis_url: str):
    one, other = (Remote(redis_url, ttl_s=60) for _ in range(2))
    lease = one.acquire_lease(KEY)
    assert isinstance(lease, Lease)
    assert other.acquire_lease(KEY) is None
    one.put(KEY, VALUE, lease)
    assert other.acquire_lease(KEY) == VALUE
    assert one.acquire_lease(KEY) == VALUE


def test_a_lease_that_is_given_back_can_be_taken_at_once(redis_url: str):
    one, other = (Remote(redis_url, ttl_s=60) for _ in range(2))
    lease = one.acquire_lease(KEY)
    assert isinstance(lease, Lease)
    one.release(lease)
    assert isinstance(other.acquire_lease(KEY), Lease)


def test_nobody_ends_the_lease_of_another(redis_url: str):
    one, other = (Remote(redis_url, ttl_s=60) for _ in range(2))
    lease = one.acquire_lease(KEY)
    assert isinstance(lease, Lease)
    other.release(Lease(KEY, b"another token"))
    assert other.acquire_lease(KEY) is None


def test_a_lease_ends_by_itself(remote: Remote, admin: Any):
    remote.acquire_lease(KEY)
    assert 0 < admin.pttl(named(admin)["l"]) <= LEASE_MS


# What is not taken on trust ---------------------------------------------------------------------


@pytest.mark.parametrize("secret", [b"", b"secret"])
def test_entries_that_are_cut_short_changed_or_swapped_are_misses(
    redis_url: str, admin: Any, secret: bytes, faults: Faults
):
    remote = Remote(redis_url, 60, secret, faults.append)
    remote.put(KEY, VALUE)
    kept = admin.get(named(admin)["v"])
    remote.put(OTHER, b"another value")
    others = next(k for k in admin.keys("*") if admin.get(k) != kept)
    mine = next(k for k in admin.keys("*") if admin.get(k) == kept)
    spoilt = [kept[:-1], kept[:20], b"", kept + b"x", b"x" + kept, admin.get(others)]
    for entry in spoilt:
        admin.set(mine, entry)
        assert remote.get(KEY) is None
        assert remote.get_and_spend(KEY, "a", 1.0, QUOTA)[0] is None
        assert isinstance(remote.acquire_lease(KEY), Lease)
    assert faults == ["seal"] * 3 * len(spoilt)
    assert not remote.breaker.open


def test_with_a_secret_entries_of_those_who_do_not_know_it_are_misses(redis_url: str):
    Remote(redis_url, 60).put(KEY, b"forged")
    Remote(redis_url, 60, b"guess").put(OTHER, b"forged")
    remote = Remote(redis_url, 60, b"secret")
    assert (remote.get(KEY), remote.get(OTHER)) == (None, None)
    remote.put(KEY, VALUE)
    assert remote.get(KEY) == VALUE


def test_another_type_at_a_key_is_a_miss_and_is_replaced(
    remote: Remote, admin: Any, faults: Faults
):
    remote.put(KEY, VALUE)
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    for key in named(admin).values():
        admin.delete(key)
        admin.lpush(key, "junk")
    assert remote.get(KEY) is None
    value, balance = remote.get_and_spend(KEY, "a", 1.0, QUOTA)
    assert (value, balance) == (None, None)
    assert isinstance(remote.acquire_lease(KEY), Lease)
    assert "ResponseError" in faults
    assert not remote.breaker.open
    remote.put(KEY, VALUE)
    assert remote.get(KEY) == VALUE


def test_junk_in_a_bucket_counts_as_an_empty_one(remote: Remote, admin: Any):
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    for junk in (b"junk", b"", b"-1e400", b"nan"):
        admin.set(named(admin)["b"], junk)
        _, balance = remote.get_and_spend(None, "a", 10.0, QUOTA)
        assert balance is None or balance.remaining(QUOTA) == 90


@pytest.mark.parametrize("reply", [None, 1, b"1", [], [1], [b"1", 2], [1, b"2"], [[1], 2], "OK"])
def test_a_reply_of_another_shape_is_a_miss(
    remote: Remote, monkeypatch: pytest.MonkeyPatch, reply: Any
):
    monkeypatch.setattr(remote, "_ask", lambda line, *commands, **_: [reply] * len(commands))
    assert remote.get(KEY) is None
    assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (None, None)
    assert remote.owe("a", 1.0, QUOTA) is False
    assert not isinstance(remote.acquire_lease(KEY), bytes)
    remote.put(KEY, VALUE)


# Away -------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_a_miss(faults: Faults):
    remote = Remote(f"redis://127.0.0.1:{free_port()}", 60, on_fault=faults.append)
    nothing_works(remote)
    assert set(faults) == {"ConnectionError"}
    assert remote.breaker.open


def test_a_server_that_hangs_is_waited_for_a_few_times_and_then_left_alone(
    redis_server: RedisServer, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.append)
    keeps_again(remote)
    faults.clear()
    redis_server.freeze()
    try:
        nothing_works(remote)
        assert set(faults) == {"TimeoutError"}
        assert 3 <= len(faults) <= 3 + SOON_S / TIMEOUT_S
    finally:
        redis_server.thaw()
    time.sleep(1.1 * REST_S)
    keeps_again(remote)
    assert not remote.breaker.open


@pytest.mark.parametrize("mode", ["slow", "drip", "cut", "garble", "reset"])
def test_a_server_that_answers_badly_is_a_miss(
    redis_server: RedisServer, faults: Faults, mode: str
):
    with faulty_proxy(redis_server.port) as proxy:
        remote = Remote(f"redis://127.0.0.1:{proxy.port}", 60, on_fault=faults.append)
        keeps_again(remote)
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
        keeps_again(remote)


def test_a_crowd_of_look_ups_is_no_fault_of_the_server_and_keeps_nobody_from_leading(
    redis_url: str, faults: Faults, monkeypatch: pytest.MonkeyPatch
):
    """A hundred questions at once made both workers solve: they held the server to be away."""
    monkeypatch.setattr("service.cache.redis.MOST_CONNECTIONS", 0)
    crowded = Remote(redis_url, 60, on_fault=faults.append)
    for _ in range(2 * MOST_FAULTS):
        assert crowded.get(KEY) is None
    assert faults == [CROWDED] * 2 * MOST_FAULTS
    assert not crowded.breaker.open
    assert isinstance(crowded.acquire_lease(KEY), Lease)
    assert crowded.acquire_lease(KEY) is None, "the lease is not with the server"


def test_what_nobody_leads_is_kept_over_the_connections_of_look_ups(
    redis_url: str, faults: Faults, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.cache.redis.MOST_LEASE_CONNECTIONS", 0)
    remote = Remote(redis_url, 60, on_fault=faults.append)
    remote.put(KEY, VALUE)
    assert remote.get(KEY) == VALUE
    assert not faults


def test_connections_are_given_back_whatever_comes_of_it(faults: Faults):
    remote = Remote(f"redis://127.0.0.1:{free_port()}", 60, on_fault=faults.append)
    for _ in range(2 * MOST_CONNECTIONS):
        assert remote.get(KEY) is None
        assert isinstance(remote.acquire_lease(KEY), Lease)
    assert CROWDED not in faults
    assert remote.breaker.open


def test_a_server_that_was_restarted_is_used_again(redis_server: RedisServer):
    remote = Remote(redis_server.url, 60, breaker=Breaker(rest_s=0.2))
    keeps_again(remote)
    redis_server.stop()
    try:
        nothing_works(remote)
    finally:
        redis_server.start()
    time.sleep(0.25)
    keeps_again(remote)


def test_a_server_that_was_flushed_is_filled_again(remote: Remote, admin: Any):
    remote.put(KEY, VALUE)
    remote.get_and_spend(None, "a", 1.0, QUOTA)
    admin.flushall()
    admin.script_flush()
    assert remote.get(KEY) is None
    _, balance = remote.get_and_spend(None, "a", 1.0, QUOTA)
    assert balance is not None
    remote.put(KEY, VALUE)
    assert remote.get(KEY) == VALUE


@pytest.fixture
def spoilt(redis_server: RedisServer, patient: None) -> Iterator[Any]:
    """A client that may spoil the server, which is as before in the end."""
    admin: Any = redis_server.admin
    admin.flushall()
    yield admin
    admin.config_set("requirepass", "")
    admin.config_set("maxmemory", 0)
    admin.replicaof("NO", "ONE")


def test_a_server_that_is_full_is_read_and_not_an_outage(
    redis_server: RedisServer, spoilt: Any, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.append)
    remote.put(KEY, VALUE)
    spoilt.config_set("maxmemory", 1)
    remote.put(OTHER, VALUE)
    assert (remote.get(KEY), remote.get(OTHER)) == (VALUE, None)
    assert faults
    assert not remote.breaker.open


def test_a_server_that_is_read_only_is_read_and_not_an_outage(
    redis_server: RedisServer, spoilt: Any, faults: Faults
):
    remote = Remote(redis_server.url, 60, on_fault=faults.append)
    remote.put(KEY, VALUE)
    spoilt.replicaof("127.0.0.1", free_port())
    remote.put(OTHER, VALUE)
    assert (remote.get(KEY), remote.get(OTHER)) == (VALUE, None)
    assert remote.get_and_spend(KEY, "a", 1.0, QUOTA) == (VALUE, None)
    assert isinstance(remote.acquire_lease(OTHER), Lease)
    assert not remote.breaker.open


def test_a_wrong_password_is_a_miss(redis_server: RedisServer, spoilt: Any, faults: Faults):
    spoilt.config_set("requirepass", "right")
    nothing_works(Remote(redis_server.url, 60, on_fault=faults.append))
    wrong = redis_server.url.replace("redis://", "redis://:wrong@")
    nothing_works(Remote(wrong, 60, on_fault=faults.append))
    right = Remote(redis_server.url.replace("redis://", "redis://:right@"), 60)
    right.put(KEY, VALUE)
    assert right.get(KEY) == VALUE
    spoilt.execute_command("AUTH", "right")
