"""Writes in the background: order, bounds, renewal of leases, and requests that do not wait."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any, cast

import pytest
from load_testing.faulty_proxy import faulty_proxy

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.rate_limit import Quota
from service.cache.redis import LEASE_MS, OnFault, Remote, Write
from service.cache.redis_faults import DROPPED, LATE
from service.cache.request_time import BASE_S, SHARE, RequestTime
from service.cache.types import Lease
from service.cache.writer import MAX_BATCH, MAX_BYTES, MAX_WRITES, RENEWAL_S, Writer
from tests.cache.clock import Clock
from tests.patience import PATIENCE_S
from tests.redis_server import Faults, RedisServer

KEY, VALUE = b"k" * 32, b"a value"
QUOTA = Quota(units=100, window_s=10)


class Recorder:
    """Stands for Redis: records each round trip, and waits while it is held up."""

    def __init__(self) -> None:
        self.trips: list[list[Write]] = []
        self.free = Event()
        self.free.set()
        self.works = True
        self.error: Exception | None = None

    def write(self, *writes: Write) -> list[bool]:
        if self.error is not None:
            raise self.error
        self.trips.append(list(writes))
        assert self.free.wait(PATIENCE_S)
        return [self.works] * len(writes)

    def putting(self, key: bytes, value: bytes, lease: Lease | None = None) -> Write:
        return [("put", key)]

    def releasing(self, lease: Lease) -> Write:
        return [("release", lease.key)]

    def renewing(self, lease: Lease) -> Write:
        return [("renew", lease.key)]

    def owing(self, client: str, units: float, quota: Quota) -> Write:
        return [("owe", client)]

    @property
    def writes(self) -> list[tuple[str, Any]]:
        return [command for trip in self.trips for write in trip for command in write]


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    recorder = Recorder()
    yield recorder
    recorder.free.set()


def writer_of(recorder: Recorder, on_fault: OnFault = lambda *_: None) -> Writer:
    return Writer(cast(Remote, recorder), on_fault)


def await_(condition: Callable[[], object]) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.002)


def test_writes_are_executed_in_order_and_several_in_one_round_trip(recorder: Recorder):
    writer = writer_of(recorder)
    recorder.free.clear()
    writer.put(b"0", VALUE)
    await_(lambda: recorder.trips)
    for number in range(1, 100):
        writer.put(b"%d" % number, VALUE)
    recorder.free.set()
    assert writer.flush(PATIENCE_S)
    assert recorder.writes == [("put", b"%d" % number) for number in range(100)]
    assert [len(trip) for trip in recorder.trips] == [1, MAX_BATCH, 99 - MAX_BATCH]


@pytest.mark.parametrize(("count", "size"), [(MAX_WRITES, 1), (MAX_BYTES >> 20, 1 << 20)])
def test_a_full_queue_drops_further_writes(recorder: Recorder, count: int, size: int):
    faults = Faults()
    writer = writer_of(recorder, faults.add)
    recorder.free.clear()
    writer.put(b"first", VALUE)
    await_(lambda: recorder.trips)
    for _ in range(count + 3):
        writer.put(KEY, bytes(size))
    assert faults == [DROPPED] * 3
    recorder.free.set()
    assert writer.flush(PATIENCE_S)
    assert len(recorder.writes) == count + 1
    writer.put(KEY, VALUE)
    assert writer.flush(PATIENCE_S)
    assert len(faults) == 3


def test_an_unexpected_error_does_not_stop_the_writer(recorder: Recorder):
    faults = Faults()
    charged: list[str] = []
    writer = writer_of(recorder, faults.add)
    recorder.error = RuntimeError("broken")
    writer.owe("a", 1.0, QUOTA, lambda: charged.append("a"))
    assert writer.flush(PATIENCE_S)
    assert (charged, faults) == (["a"], ["other"])
    recorder.error = None
    writer.put(KEY, VALUE)
    assert writer.flush(PATIENCE_S)
    assert recorder.writes == [("put", KEY)]


def test_a_charge_that_fails_or_is_dropped_is_counted_in_memory(recorder: Recorder):
    charged: list[str] = []
    writer = writer_of(recorder)
    writer.owe("a", 1.0, QUOTA, lambda: charged.append("a"))
    assert writer.flush(PATIENCE_S)
    assert charged == []
    recorder.works = False
    writer.owe("b", 1.0, QUOTA, lambda: charged.append("b"))
    assert writer.flush(PATIENCE_S)
    assert charged == ["b"]
    recorder.free.clear()
    for _ in range(MAX_BATCH + MAX_WRITES + 2):
        writer.owe("c", 1.0, QUOTA, lambda: charged.append("c"))
    assert charged.count("c") >= 2


def test_a_lease_is_renewed_until_it_is_released(recorder: Recorder):
    writer, lease = writer_of(recorder), Lease(KEY, b"token")
    writer.hold(lease)
    await_(lambda: recorder.writes.count(("renew", KEY)) >= 3)
    writer.put(KEY, VALUE, lease)
    assert writer.flush(PATIENCE_S)
    before = recorder.writes.count(("renew", KEY))
    time.sleep(3 * RENEWAL_S)
    assert recorder.writes.count(("renew", KEY)) == before


def test_a_forked_process_has_its_own_thread(recorder: Recorder):
    writer = writer_of(recorder)
    writer.put(KEY, VALUE)
    assert writer.flush(PATIENCE_S)
    child = os.fork()
    if not child:
        writer.put(b"child", VALUE)
        os._exit(0 if writer.flush(5.0) else 1)
    assert os.waitpid(child, 0)[1] == 0


# With a server --------------------------------------------------------------------------------


def test_a_long_computation_keeps_its_lease_and_a_dead_process_loses_it(redis_url: str):
    cache, other = (Cache(Memory(1 << 20), Remote(redis_url, 60)) for _ in range(2))
    lease = cache.acquire_lease(KEY)
    assert isinstance(lease, Lease)
    for _ in range(8):
        time.sleep(LEASE_MS / 4_000)
        assert other.acquire_lease(KEY) is None
    # A process that dies renews nothing.
    cache._writer._held.clear()  # type: ignore[union-attr]
    await_(lambda: other.acquire_lease(KEY))
    assert LEASE_MS <= 500


def test_a_request_does_not_wait_for_writes(redis_server: RedisServer):
    with faulty_proxy(redis_server.port) as proxy:
        remote = Remote(f"redis://127.0.0.1:{proxy.port}", 60)
        cache = Cache(Memory(1 << 20), remote, QUOTA)
        proxy.mode, proxy.delay_s = "slow", 0.08
        waited: list[float] = []
        use = RequestTime.use
        try:
            RequestTime.use = lambda self, seconds: waited.append(seconds)  # type: ignore[method-assign]
            cache.put(KEY, VALUE)
            cache.owe("a", 5.0)
            assert waited == []
        finally:
            RequestTime.use = use  # type: ignore[method-assign]
        assert cache.recent(KEY)


def test_a_request_has_a_base_and_a_share_of_its_own_time(clock: Clock):
    own = RequestTime(clock)
    own.use(5.0)
    assert own.left_s > 1e9, "no request has begun"
    own.begin()
    assert own.left_s == BASE_S
    own.use(BASE_S + 0.5)
    assert own.left_s == 0.0
    clock.now = 10.0
    assert own.left_s == pytest.approx(10.0 * SHARE - 0.5)
    own.begin()
    assert own.left_s == BASE_S


def test_a_request_without_time_left_asks_no_more(redis_server: RedisServer):
    faults = Faults()
    with faulty_proxy(redis_server.port) as proxy:
        remote = Remote(f"redis://127.0.0.1:{proxy.port}", 60, on_fault=faults.add)
        proxy.mode, proxy.delay_s = "slow", 0.06
        remote.begin_request()
        results = [remote.get(b"%d" % number) for number in range(9)]
        assert results == [None] * 9
        assert faults.count(LATE) >= 3
        assert not remote.breaker.open
        proxy.mode = "pass"
        faults.clear()
        remote.begin_request()
        remote.get(KEY)
        assert LATE not in faults
