"""The circuit breaker, with a clock told by hand."""

from __future__ import annotations

import pytest

from service.cache.breaker import Breaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(most_faults=3, rest_s=1.0, clock=clock)


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.failed()


def test_it_is_closed_until_there_were_so_many_faults_in_a_row(breaker: Breaker):
    fail(breaker, 2)
    assert (breaker.open, breaker.allows()) == (False, True)
    fail(breaker, 1)
    assert (breaker.open, breaker.allows()) == (True, False)


def test_a_success_in_between_starts_the_count_anew(breaker: Breaker):
    fail(breaker, 2)
    breaker.succeeded()
    fail(breaker, 2)
    assert not breaker.open


def test_after_a_rest_one_may_try_and_no_other(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 0.99
    assert not breaker.allows()
    clock.now = 1.0
    assert [breaker.allows() for _ in range(3)] == [True, False, False]


def test_who_tried_and_failed_lets_it_rest_again(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 1.5
    assert breaker.allows()
    fail(breaker, 1)
    clock.now = 2.4
    assert not breaker.allows()
    clock.now = 2.5
    assert breaker.allows()


def test_who_tried_and_succeeded_closes_it(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 1.0
    assert breaker.allows()
    breaker.succeeded()
    assert [breaker.allows() for _ in range(3)] == [True] * 3


def test_who_tried_and_never_came_back_does_not_keep_it_open(breaker: Breaker, clock: Clock):
    fail(breaker, 3)
    clock.now = 1.0
    assert breaker.allows()
    clock.now = 2.0
    assert breaker.allows()
