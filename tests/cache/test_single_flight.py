"""Values made once, by threads of a process and by processes that share a Redis."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier, Event

import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.redis import Remote
from service.cache.single_flight import FLIGHT, MADE, SingleFlight, WaitList
from service.cache.types import MOST_VALUE_BYTES, Hit
from service.core.violations import OutOfTime, Overloaded

KEY, VALUE = b"k" * 32, b"a value"
PATIENCE_S = 20.0


def once(redis_url: str = "", places: int = 64) -> SingleFlight:
    remote = Remote(redis_url, 60) if redis_url else None
    return SingleFlight(Cache(Memory(1 << 20), remote), WaitList(places))


def until(seconds: float = PATIENCE_S) -> float:
    return time.monotonic() + seconds


class Making:
    """Makes a value, slowly, and counts how often."""

    def __init__(self, value: bytes | None = VALUE, seconds: float = 0.15) -> None:
        self.times = 0
        self._value, self._seconds = value, seconds

    def __call__(self) -> bytes | None:
        self.times += 1
        time.sleep(self._seconds)
        return self._value


def at_once(work: Callable[[int], object], threads: int) -> list[object]:
    """What each of some threads returns or raises that start together."""
    barrier = Barrier(threads)

    def started(number: int) -> object:
        barrier.wait(timeout=PATIENCE_S)
        try:
            return work(number)
        except Exception as error:
            return error

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(started, range(threads)))


def test_what_is_kept_is_not_made_again():
    one, make = once(), Making(seconds=0.0)
    assert one.obtain(KEY, make, until()) == Hit(VALUE, MADE)
    assert one.obtain(KEY, make, until()) == Hit(VALUE, "memory")
    assert make.times == 1


def test_of_many_threads_one_makes_the_value():
    one, make = once(), Making()
    found = at_once(lambda _: one.obtain(KEY, make, until()), 32)
    assert make.times == 1
    assert sorted({hit.layer for hit in found}) == [FLIGHT, MADE]
    assert {hit.value for hit in found} == {VALUE}


def test_of_many_processes_one_makes_the_value(redis_url: str):
    processes = [once(redis_url) for _ in range(4)]
    make = Making()
    found = at_once(lambda number: processes[number % 4].obtain(KEY, make, until()), 32)
    assert make.times == 1
    assert {hit.value for hit in found} == {VALUE}
    assert {hit.layer for hit in found} == {FLIGHT, MADE, "redis"}


def test_another_process_finds_what_was_made(redis_url: str):
    make = Making(seconds=0.0)
    once(redis_url).obtain(KEY, make, until())
    other = once(redis_url)
    assert other.obtain(KEY, make, until()) == Hit(VALUE, "redis")
    assert other.obtain(KEY, make, until()) == Hit(VALUE, "memory")
    assert make.times == 1


def test_other_values_are_made_at_the_same_time():
    one, barrier = once(), Barrier(4)

    def make() -> bytes:
        barrier.wait(timeout=PATIENCE_S)
        return VALUE

    found = at_once(lambda number: one.obtain(b"%d" % number, make, until()), 4)
    assert found == [Hit(VALUE, MADE)] * 4


@pytest.mark.parametrize("shared", [False, True])
def test_what_is_not_to_be_kept_each_makes_for_itself(shared: bool, request: pytest.FixtureRequest):
    url = request.getfixturevalue("redis_url") if shared else ""
    processes = [once(url), once(url)]
    make = Making(value=None, seconds=0.01)
    found = at_once(lambda number: processes[number % 2].obtain(KEY, make, until()), 6)
    assert found == [None] * 6
    assert make.times == 6


@pytest.mark.parametrize("shared", [False, True])
def test_who_fails_lets_the_next_one_try(shared: bool, request: pytest.FixtureRequest):
    url = request.getfixturevalue("redis_url") if shared else ""
    processes = [once(url)] * 2 if not shared else [once(url), once(url)]
    times = 0

    def make() -> bytes:
        nonlocal times
        times += 1
        time.sleep(0.05)
        if times == 1:
            raise OutOfTime
        return VALUE

    found = at_once(lambda number: processes[number % 2].obtain(KEY, make, until()), 6)
    assert times == 2
    assert sum(isinstance(hit, OutOfTime) for hit in found) == 1
    assert {hit.value for hit in found if isinstance(hit, Hit)} == {VALUE}


def test_nobody_waits_longer_than_until_then():
    one, release = once(), Event()
    with ThreadPoolExecutor(1) as pool:
        led = pool.submit(one.obtain, KEY, lambda: release.wait(PATIENCE_S) and VALUE, until())
        while not one._flights:
            time.sleep(0.001)
        with pytest.raises(Overloaded):
            one.obtain(KEY, Making(), until(0.05))
        release.set()
        assert led.result(timeout=PATIENCE_S) == Hit(VALUE, MADE)


def test_nobody_waits_longer_for_another_process(redis_url: str):
    remote = Remote(redis_url, 60)
    assert remote.acquire_lease(KEY)
    make = Making()
    begun = time.monotonic()
    with pytest.raises(Overloaded):
        once(redis_url).obtain(KEY, make, until(0.2))
    assert make.times == 0
    assert time.monotonic() - begun < 2.0


def test_a_process_that_died_while_it_made_the_value_is_waited_for_no_longer_than_its_lease(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.cache.redis.LEASE_MS", 200)
    Remote(redis_url, 60).acquire_lease(KEY)
    make = Making(seconds=0.0)
    assert once(redis_url).obtain(KEY, make, until()) == Hit(VALUE, MADE)


def test_when_all_places_to_wait_are_taken_the_next_is_refused_at_once():
    one, release = once(places=2), Event()

    def ask() -> object:
        return one.obtain(KEY, lambda: release.wait(PATIENCE_S) and VALUE, until())

    with ThreadPoolExecutor(3) as pool:
        asking = [pool.submit(ask) for _ in range(3)]
        while one._waiting._free:
            time.sleep(0.001)
        with pytest.raises(Overloaded, match="room-full"):
            ask()
        release.set()
        wait(asking, timeout=PATIENCE_S)
    assert sorted(hit.result().layer for hit in asking) == [FLIGHT, FLIGHT, MADE]
    assert one._waiting._free == 2


def test_a_value_that_is_too_large_is_told_to_those_who_wait_and_not_kept(redis_url: str):
    one = once(redis_url)
    make = Making(value=bytes(MOST_VALUE_BYTES + 1), seconds=0.1)
    found = at_once(lambda _: one.obtain(KEY, make, until()), 4)
    assert (make.times, {len(hit.value) for hit in found}) == (1, {MOST_VALUE_BYTES + 1})
    one.obtain(KEY, make, until())
    assert make.times == 2


def test_nothing_is_left_of_flights_that_ended():
    one = once()
    at_once(lambda number: one.obtain(b"%d" % (number % 3), Making(seconds=0.01), until()), 9)
    assert one._flights == {}
