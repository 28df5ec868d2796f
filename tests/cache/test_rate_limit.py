"""Quotas: what a client may spend, in the process and in Redis, which do the same."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from service.cache import rate_limit
from service.cache.rate_limit import Balance, Buckets, Quota
from service.cache.redis import Remote

QUOTA = Quota(units=100, window_s=10)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def spend(clock: Clock) -> Callable[..., Balance]:
    return Buckets(QUOTA, clock).spend


def test_the_quota_can_be_spent_at_once_and_not_a_unit_more(spend: Callable[..., Balance]):
    assert [spend("a", 40.0).allowed for _ in range(2)] == [True, True]
    assert not spend("a", 20.1).allowed
    assert spend("a", 20.0).allowed
    assert not spend("a", 1.0).allowed


def test_units_come_back_at_a_steady_pace(spend: Callable[..., Balance], clock: Clock):
    spend("a", 100.0)
    clock.now += 1.0
    assert not spend("a", 10.1).allowed
    assert spend("a", 10.0).allowed
    clock.now += 100.0
    assert spend("a", 100.0).allowed
    assert not spend("a", 1.0).allowed


def test_a_request_that_was_refused_costs_nothing(spend: Callable[..., Balance]):
    spend("a", 95.0)
    for _ in range(50):
        assert not spend("a", 6.0).allowed
    assert spend("a", 5.0).allowed


def test_each_client_has_its_own(spend: Callable[..., Balance]):
    spend("a", 100.0)
    assert spend("b", 100.0).allowed


def test_what_is_owed_is_charged_whatever_is_left(spend: Callable[..., Balance], clock: Clock):
    spend("a", 90.0)
    assert spend("a", 60.0, owed=True).allowed
    clock.now += 5.0
    assert not spend("a", 0.1).allowed
    clock.now += 0.1
    assert spend("a", 1.0).allowed


def test_nobody_owes_more_than_two_windows(spend: Callable[..., Balance], clock: Clock):
    spend("a", 1e9, owed=True)
    clock.now += 10.0
    assert not spend("a", 1.0).allowed
    clock.now += 0.1
    assert spend("a", 1.0).allowed


def test_the_balance_tells_what_is_left_and_when_it_is_back(spend: Callable[..., Balance]):
    told = spend("a", 25.0)
    assert (told.remaining(QUOTA), told.reset_s) == (75, 3)
    spend("a", 75.0)
    told = spend("a", 1.0)
    assert (told.remaining(QUOTA), told.reset_s, told.retry_s(QUOTA)) == (0, 10, 1)
    told = spend("a", 55.0, owed=True)
    assert (told.remaining(QUOTA), told.reset_s, told.retry_s(QUOTA)) == (0, 16, 6)


def test_who_waits_as_long_as_told_is_let_in(clock: Clock, spend: Callable[..., Balance]):
    random = Random(7)
    for _ in range(200):
        told = spend("a", 1.0)
        if not told.allowed:
            clock.now += told.retry_s(QUOTA)
            assert spend("a", 1.0).allowed
        spend("a", random.uniform(0.0, 120.0), owed=True)
        clock.now += random.uniform(0.0, 2.0)


def test_the_buckets_of_too_many_clients_are_not_all_kept(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rate_limit, "MOST_CLIENTS", 3)
    kept = Buckets(QUOTA, clock)
    for client in "abcd":
        kept.spend(client, 100.0)
    assert [kept.spend(client, 1.0).allowed for client in "dcba"] == [False, False, False, True]


# In Redis ---------------------------------------------------------------------------------------


def test_redis_spends_as_a_process_does(redis_url: str):
    """A window long enough that the time between two calls does not count."""
    quota = Quota(units=1_000, window_s=100_000)
    remote, local = Remote(redis_url, ttl_s=60), Buckets(quota, Clock())
    random = Random(11)
    for step in range(300):
        client, units = random.choice("abc"), float(random.randint(0, 90))
        if random.random() < 0.2:
            assert remote.owe(client, units, quota)
            local.spend(client, units, owed=True)
            continue
        _, found = remote.get_and_spend(None, client, units, quota)
        told = local.spend(client, units)
        assert found is not None
        assert (step, found.allowed) == (step, told.allowed)
        assert found.ahead_s == pytest.approx(told.ahead_s, abs=60.0)
        assert abs(found.remaining(quota) - told.remaining(quota)) <= 1


def test_all_who_use_one_redis_share_the_quota(redis_url: str):
    one, other = Remote(redis_url, ttl_s=60), Remote(redis_url, ttl_s=60)
    quota = Quota(units=10, window_s=10_000)
    for remote in (one, other) * 5:
        _, told = remote.get_and_spend(None, "a", 1.0, quota)
        assert told is not None
        assert told.allowed
    _, told = other.get_and_spend(None, "a", 1.0, quota)
    assert told is not None
    assert not told.allowed


def test_a_bucket_in_redis_goes_once_it_is_full_again(redis_url: str):
    remote = Remote(redis_url, ttl_s=60)
    remote.get_and_spend(None, "a", 1.0, Quota(units=1_000, window_s=20_000))
    [key] = remote._lookups.client.keys("*")
    assert 10_000 < remote._lookups.client.pttl(key) <= 20_001


def test_a_whole_quota_is_there_at_once_whatever_the_clock_says():
    """Adding a window to some times and taking the time away again gives more than the window."""
    times = [43_000.0 + step / 977 for step in range(2_000)]
    assert any(now + 100_000.0 - now > 100_000.0 for now in times)
    for now in times:
        buckets = Buckets(Quota(1, 100_000), clock=lambda now=now: now)
        assert buckets.spend("anna", 1.0).allowed
