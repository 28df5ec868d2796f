"""Single flight: threads and processes that share a Redis compute each value once."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier, Event

import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.redis import Remote
from service.cache.single_flight import COMPUTED, FLIGHT, Obtained, SingleFlight, WaitList
from service.cache.types import MAX_VALUE_BYTES
from service.core.violations import OutOfTime, Overloaded
from tests.patience import PATIENCE_S

KEY, VALUE = b"k" * 32, b"a value"


class Plain:
    """A codec for values that are bytes already; None is not cached."""

    def encode(self, value: bytes | None) -> bytes | None:
        return value

    def decode(self, data: bytes) -> bytes:
        return data

    def check(self, value: bytes | None) -> None:
        if value == b"impossible":
            raise ValueError


PLAIN = Plain()


def single_flight(redis_url: str = "", places: int = 64) -> SingleFlight:
    remote = Remote(redis_url, 60) if redis_url else None
    return SingleFlight(Cache(Memory(1 << 20), remote), WaitList(places))


def until(seconds: float = PATIENCE_S) -> float:
    return time.monotonic() + seconds


class SlowComputation:
    """Return a value after a delay, and count the calls."""

    def __init__(self, value: bytes | None = VALUE, seconds: float = 0.15) -> None:
        self.calls = 0
        self._value, self._seconds = value, seconds

    def __call__(self) -> bytes | None:
        self.calls += 1
        time.sleep(self._seconds)
        return self._value


def run_together(work: Callable[[int], object], threads: int) -> list[object]:
    """Start threads at the same time and return what each of them returns or raises."""
    barrier = Barrier(threads)

    def started(number: int) -> object:
        barrier.wait(timeout=PATIENCE_S)
        try:
            return work(number)
        except Exception as error:
            return error

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(started, range(threads)))


def test_a_cached_value_is_not_computed_again():
    flights, compute = single_flight(), SlowComputation(seconds=0.0)
    assert flights.obtain(KEY, compute, PLAIN, until()) == Obtained(VALUE, COMPUTED)
    assert flights.obtain(KEY, compute, PLAIN, until()) == Obtained(VALUE, "memory")
    assert compute.calls == 1


def test_one_of_many_threads_computes_the_value():
    flights, compute = single_flight(), SlowComputation()
    results = run_together(lambda _: flights.obtain(KEY, compute, PLAIN, until()), 32)
    assert compute.calls == 1
    assert sorted({hit.layer for hit in results}) == [COMPUTED, FLIGHT]
    assert {hit.value for hit in results} == {VALUE}


def test_one_of_many_processes_computes_the_value(redis_url: str):
    processes = [single_flight(redis_url) for _ in range(4)]
    compute = SlowComputation()
    results = run_together(lambda n: processes[n % 4].obtain(KEY, compute, PLAIN, until()), 32)
    assert compute.calls == 1
    assert {hit.value for hit in results} == {VALUE}
    assert {hit.layer for hit in results} == {FLIGHT, COMPUTED, "redis"}


def test_another_process_gets_the_value_from_redis(redis_url: str):
    compute = SlowComputation(seconds=0.0)
    single_flight(redis_url).obtain(KEY, compute, PLAIN, until())
    other = single_flight(redis_url)
    assert other.obtain(KEY, compute, PLAIN, until()) == Obtained(VALUE, "redis")
    assert other.obtain(KEY, compute, PLAIN, until()) == Obtained(VALUE, "memory")
    assert compute.calls == 1


def test_different_values_are_computed_in_parallel():
    flights, barrier = single_flight(), Barrier(4)

    def compute() -> bytes:
        barrier.wait(timeout=PATIENCE_S)
        return VALUE

    results = run_together(lambda n: flights.obtain(b"%d" % n, compute, PLAIN, until()), 4)
    assert results == [Obtained(VALUE, COMPUTED)] * 4


@pytest.mark.parametrize("shared", [False, True])
def test_every_request_computes_a_value_that_must_not_be_cached(
    shared: bool, request: pytest.FixtureRequest
):
    url = request.getfixturevalue("redis_url") if shared else ""
    processes = [single_flight(url), single_flight(url)]
    compute = SlowComputation(value=None, seconds=0.01)
    results = run_together(lambda n: processes[n % 2].obtain(KEY, compute, PLAIN, until()), 6)
    assert results == [Obtained(None, COMPUTED)] * 6
    assert compute.calls == 6


@pytest.mark.parametrize("shared", [False, True])
def test_after_a_failure_the_next_request_computes_the_value(
    shared: bool, request: pytest.FixtureRequest
):
    url = request.getfixturevalue("redis_url") if shared else ""
    processes = [single_flight(url)] * 2 if not shared else [single_flight(url), single_flight(url)]
    calls = 0

    def compute() -> bytes:
        nonlocal calls
        calls += 1
        time.sleep(0.05)
        if calls == 1:
            raise OutOfTime
        return VALUE

    results = run_together(lambda n: processes[n % 2].obtain(KEY, compute, PLAIN, until()), 6)
    assert calls == 2
    assert sum(isinstance(hit, OutOfTime) for hit in results) == 1
    assert {hit.value for hit in results if isinstance(hit, Obtained)} == {VALUE}


def test_a_request_stops_waiting_at_its_deadline():
    flights, release = single_flight(), Event()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(
            flights.obtain, KEY, lambda: release.wait(PATIENCE_S) and VALUE, PLAIN, until()
        )
        while not flights._flights:
            time.sleep(0.001)
        with pytest.raises(Overloaded):
            flights.obtain(KEY, SlowComputation(), PLAIN, until(0.05))
        release.set()
        assert first.result(timeout=PATIENCE_S) == Obtained(VALUE, COMPUTED)


def test_a_request_stops_waiting_for_another_process_at_its_deadline(redis_url: str):
    remote = Remote(redis_url, 60)
    assert remote.acquire_lease(KEY)
    compute = SlowComputation()
    begun = time.monotonic()
    with pytest.raises(Overloaded):
        single_flight(redis_url).obtain(KEY, compute, PLAIN, until(0.2))
    assert compute.calls == 0
    assert time.monotonic() - begun < 2.0


def test_the_lease_of_a_dead_process_expires(redis_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("service.cache.redis.LEASE_MS", 200)
    Remote(redis_url, 60).acquire_lease(KEY)
    compute = SlowComputation(seconds=0.0)
    assert single_flight(redis_url).obtain(KEY, compute, PLAIN, until()) == Obtained(
        VALUE, COMPUTED
    )


def test_a_full_wait_list_refuses_the_next_request_at_once():
    flights, release = single_flight(places=2), Event()

    def ask() -> object:
        return flights.obtain(KEY, lambda: release.wait(PATIENCE_S) and VALUE, PLAIN, until())

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(ask) for _ in range(3)]
        while flights._waiting._free:
            time.sleep(0.001)
        with pytest.raises(Overloaded, match="room-full"):
            ask()
        release.set()
        wait(waiting, timeout=PATIENCE_S)
    assert sorted(hit.result().layer for hit in waiting) == [COMPUTED, FLIGHT, FLIGHT]
    assert flights._waiting._free == 2


def test_a_value_that_is_too_large_is_shared_with_waiting_requests_but_not_cached(redis_url: str):
    flights = single_flight(redis_url)
    compute = SlowComputation(value=bytes(MAX_VALUE_BYTES + 1), seconds=0.1)
    results = run_together(lambda _: flights.obtain(KEY, compute, PLAIN, until()), 4)
    assert (compute.calls, {len(hit.value) for hit in results}) == (1, {MAX_VALUE_BYTES + 1})
    flights.obtain(KEY, compute, PLAIN, until())
    assert compute.calls == 2


def test_finished_flights_are_removed():
    flights = single_flight()
    run_together(
        lambda number: flights.obtain(
            b"%d" % (number % 3), SlowComputation(seconds=0.01), PLAIN, until()
        ),
        9,
    )
    assert flights._flights == {}


def test_an_impossible_value_of_redis_is_computed_anew_and_replaced(redis_url: str):
    remote = Remote(redis_url, 60)
    remote.write(remote.putting(KEY, b"impossible"))
    compute = SlowComputation(seconds=0.0)
    flights = single_flight(redis_url)
    for layer in (COMPUTED, "memory"):
        assert flights.obtain(KEY, compute, PLAIN, until()) == Obtained(VALUE, layer)
    assert flights._cache.flush(PATIENCE_S)
    assert single_flight(redis_url).obtain(KEY, compute, PLAIN, until()).layer == "redis"
    assert compute.calls == 1
