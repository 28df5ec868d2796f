"""Circuit breaker with a manual clock."""

from __future__ import annotations

import pytest

from service.cache.breaker import MAX_SLOW, SLOW_S, Breaker
from tests.cache.clock import Clock


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(max_faults=3, rest_s=1.0, clock=clock)


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.failed()


def test_it_opens_after_the_given_number_of_faults_in_a_row(breaker: Breaker):
    fail(breaker, 2)
    assert (breaker.open, breaker.allows()) == (False, True)
    fail(breaker, 1)
    assert (breaker.open, breaker.allows()) == (True, False)


def test_a_success_resets_the_count(breaker: Breaker):
    fail(breaker, 2)
    breaker.succeeded()
    fail(breaker, 2)
    assert not breaker.open


def test_after_the_rest_one_caller_may_try(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 0.99
    assert not breaker.allows()
    clock.now = 1.0
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    clock.now = 2.0  # The caller had no result.
    assert breaker.allows()


def test_a_failed_try_starts_another_rest(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 1.5
    assert breaker.allows()
    fail(breaker, 1)
    clock.now = 2.4
    assert not breaker.allows()
    clock.now = 2.5
    assert breaker.allows()


def test_a_successful_try_closes_it(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 1.0
    assert breaker.allows()
    breaker.succeeded()
    assert [breaker.allows() for _ in range(3)] == [True] * 3


# Slow replies -----------------------------------------------------------------------------------

SLOW, FAST = 2 * SLOW_S, SLOW_S / 2


def reply(breaker: Breaker, times: int, seconds: float) -> None:
    for _ in range(times):
        breaker.succeeded(seconds)


def test_it_opens_after_slow_replies_in_a_row(breaker: Breaker):
    reply(breaker, MAX_SLOW - 1, SLOW)
    assert not breaker.open
    reply(breaker, 1, SLOW)
    assert (breaker.open, breaker.allows()) == (True, False)


def test_one_fast_reply_starts_the_count_anew(breaker: Breaker):
    """On a busy machine, single replies are slow although the dependency is not."""
    reply(breaker, MAX_SLOW - 1, SLOW)
    reply(breaker, 1, FAST)
    reply(breaker, MAX_SLOW - 1, SLOW)
    assert not breaker.open


def test_a_slow_trial_keeps_it_open_and_a_fast_one_closes_it(breaker: Breaker, clock: Clock):
    reply(breaker, MAX_SLOW, SLOW)
    for seconds, opened in ((SLOW, True), (SLOW, True), (FAST, False)):
        clock.now += 1.0
        assert breaker.allows()
        breaker.succeeded(seconds)
        assert breaker.open == opened
    assert [breaker.allows() for _ in range(3)] == [True] * 3


def test_a_slow_trial_after_faults_keeps_it_open(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    for seconds, opened in ((SLOW, True), (FAST, False)):
        clock.now += 1.0
        reply(breaker, 1, seconds)
        assert breaker.open == opened


def test_changes_are_reported_once(clock: Clock):
    changes: list[bool] = []
    breaker = Breaker(max_faults=3, clock=clock, on_change=changes.append)
    fail(breaker, 5)
    reply(breaker, 2, FAST)
    reply(breaker, 2 * MAX_SLOW, SLOW)
    fail(breaker, 5)
    reply(breaker, 1, FAST)
    assert changes == [True, False, True, False]
