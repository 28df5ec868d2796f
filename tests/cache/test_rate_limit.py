"""Rate limits in the process and in Redis, which must behave in the same way."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from random import Random

import pytest

from service.cache import rate_limit
from service.cache.rate_limit import Balance, Buckets, Quota
from service.cache.redis import Remote
from tests import randomized
from tests.cache.clock import Clock
from tests.loops import for_each

QUOTA = Quota(units=100, window_s=10)


@pytest.fixture
def spend(clock: Clock) -> Callable[..., Balance]:
    return Buckets(QUOTA, clock).spend


def test_a_client_can_spend_exactly_its_quota_at_once(spend: Callable[..., Balance]):
    assert [spend("a", 40.0).allowed for _ in range(2)] == [True, True]
    assert not spend("a", 20.1).allowed
    assert spend("a", 20.0).allowed
    assert not spend("a", 1.0).allowed


def test_units_are_refilled_at_a_constant_rate(spend: Callable[..., Balance], clock: Clock):
    spend("a", 100.0)
    clock.now += 1.0
    assert not spend("a", 10.1).allowed
    assert spend("a", 10.0).allowed
    clock.now += 100.0
    assert spend("a", 100.0).allowed
    assert not spend("a", 1.0).allowed


def test_a_refused_request_costs_nothing(spend: Callable[..., Balance]):
    spend("a", 95.0)
    for _ in range(50):
        assert not spend("a", 6.0).allowed
    assert spend("a", 5.0).allowed


def test_each_client_has_its_own_quota(spend: Callable[..., Balance]):
    spend("a", 100.0)
    assert spend("b", 100.0).allowed


def test_debt_is_charged_even_beyond_the_quota(spend: Callable[..., Balance], clock: Clock):
    spend("a", 90.0)
    assert spend("a", 60.0, owed=True).allowed
    clock.now += 5.0
    assert not spend("a", 0.1).allowed
    clock.now += 0.1
    assert spend("a", 1.0).allowed


def test_debt_is_limited_to_two_windows(spend: Callable[..., Balance], clock: Clock):
    spend("a", 1e9, owed=True)
    clock.now += 10.0
    assert not spend("a", 1.0).allowed
    clock.now += 0.1
    assert spend("a", 1.0).allowed


def test_the_balance_states_the_remaining_units_and_the_waiting_times(
    spend: Callable[..., Balance],
):
    balance = spend("a", 25.0)
    assert (balance.remaining(QUOTA), balance.reset_s) == (75, 3)
    spend("a", 75.0)
    balance = spend("a", 1.0)
    assert (balance.remaining(QUOTA), balance.reset_s, balance.retry_s(QUOTA)) == (0, 10, 1)
    balance = spend("a", 55.0, owed=True)
    assert (balance.remaining(QUOTA), balance.reset_s, balance.retry_s(QUOTA)) == (0, 16, 6)


def test_a_client_is_allowed_after_the_stated_waiting_time(
    clock: Clock, spend: Callable[..., Balance]
):
    random = Random(7)
    for _ in range(200):
        balance = spend("a", 1.0)
        if not balance.allowed:
            clock.now += balance.retry_s(QUOTA)
            assert spend("a", 1.0).allowed
        spend("a", random.uniform(0.0, 120.0), owed=True)
        clock.now += random.uniform(0.0, 2.0)


def test_the_number_of_buckets_is_limited(clock: Clock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rate_limit, "MAX_CLIENTS", 3)
    buckets = Buckets(QUOTA, clock)
    for client in "abcd":
        buckets.spend(client, 100.0)
    assert [buckets.spend(client, 1.0).allowed for client in "dcba"] == [False, False, False, True]


@for_each("seed", randomized.case_numbers(20, 200))
def test_whole_units_remain_at_every_time_of_the_clock(seed: int):
    """Differences of large times are rounded, but nobody loses a unit or waits a second for it."""
    random = Random(seed)
    clock = Clock(random.uniform(0.0, 1e7))
    quota = Quota(units=random.randint(1, 1_000), window_s=random.randint(1, 100_000))
    buckets = Buckets(quota, clock)
    for spent in range(1, min(quota.units, 30) + 1):
        balance = buckets.spend("a", 1.0)
        assert balance.allowed
        assert balance.remaining(quota) == quota.units - spent
        assert balance.reset_s == ceil(Fraction(spent * quota.window_s, quota.units))
        assert balance.retry_s(quota) == max(
            1, ceil(Fraction((spent + 1 - quota.units) * quota.window_s, quota.units))
        )


# In Redis ---------------------------------------------------------------------------------------


def test_redis_and_the_process_compute_the_same_balances(redis_url: str):
    """The window is so long that the time between two calls does not matter."""
    quota = Quota(units=1_000, window_s=100_000)
    remote, local = Remote(redis_url, ttl_s=60), Buckets(quota, Clock())
    random = Random(11)
    for step in range(300):
        client, units = random.choice("abc"), float(random.randint(0, 90))
        if random.random() < 0.2:
            assert remote.write(remote.owing(client, units, quota)) == [True]
            local.spend(client, units, owed=True)
            continue
        _, remote_balance = remote.get_and_spend(None, client, units, quota)
        local_balance = local.spend(client, units)
        assert remote_balance is not None
        assert (step, remote_balance.allowed) == (step, local_balance.allowed)
        assert remote_balance.ahead_s == pytest.approx(local_balance.ahead_s, abs=60.0)
        assert abs(remote_balance.remaining(quota) - local_balance.remaining(quota)) <= 1


def test_all_users_of_one_redis_share_the_quota(redis_url: str):
    one, other = Remote(redis_url, ttl_s=60), Remote(redis_url, ttl_s=60)
    quota = Quota(units=10, window_s=10_000)
    for remote in (one, other) * 5:
        _, balance = remote.get_and_spend(None, "a", 1.0, quota)
        assert balance is not None
        assert balance.allowed
    _, balance = other.get_and_spend(None, "a", 1.0, quota)
    assert balance is not None
    assert not balance.allowed


def test_a_bucket_in_redis_expires_when_it_is_full_again(redis_url: str):
    remote = Remote(redis_url, ttl_s=60)
    remote.get_and_spend(None, "a", 1.0, Quota(units=1_000, window_s=20_000))
    [key] = remote._lookups.client.keys("*")
    assert 10_000 < remote._lookups.client.pttl(key) <= 20_001


def test_rounding_of_the_clock_never_refuses_the_first_request():
    """For some times, ``now + window - now`` is greater than ``window`` in floating point."""
    times = [43_000.0 + step / 977 for step in range(2_000)]
    assert any(now + 100_000.0 - now > 100_000.0 for now in times)
    for now in times:
        buckets = Buckets(Quota(1, 100_000), clock=lambda now=now: now)
        assert buckets.spend("anna", 1.0).allowed
