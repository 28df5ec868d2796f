"""The solve queue of a worker: one computation at a time, in order of arrival."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest

from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer
from service.operations.solve_queue import HALF_LIFE_S, MAX_CLIENTS, SolveQueue
from tests.patience import PATIENCE_S


@contextmanager
def occupied(queue: SolveQueue) -> Iterator[None]:
    """Occupy the slot of the queue in another thread."""
    release, taken = Event(), Event()

    def occupy() -> None:
        with queue.slot(None):
            taken.set()
            release.wait(PATIENCE_S)

    with ThreadPoolExecutor(1) as pool:
        occupant = pool.submit(occupy)
        assert taken.wait(PATIENCE_S)
        try:
            yield
        finally:
            release.set()
            occupant.result(timeout=PATIENCE_S)


def wait_in(queue: SolveQueue, served: list[str], client: str | None, name: str) -> None:
    with queue.slot(None, client):
        served.append(name)


def enqueue(
    pool: ThreadPoolExecutor, queue: SolveQueue, served: list[str], client: str | None, name: str
) -> Future[None]:
    """Let a request of a client wait, and return when it does; ``served`` gets its name."""
    before = len(queue._waiting)
    future = pool.submit(wait_in, queue, served, client, name)
    while len(queue._waiting) == before and not future.done():
        time.sleep(0.001)
    return future


def test_only_one_thread_is_in_the_slot():
    queue, inside, most = SolveQueue(max_waiting=50), 0, 0

    def work(_: int) -> None:
        nonlocal inside, most
        with queue.slot(None):
            inside += 1
            most = max(most, inside)
            time.sleep(0.002)
            inside -= 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(40)))
    assert (inside, most) == (0, 1)


def test_waiting_threads_are_served_in_order_of_arrival():
    queue, served = SolveQueue(), list[str]()
    with ThreadPoolExecutor(5) as pool, occupied(queue):
        for name in "abcde":
            enqueue(pool, queue, served, None, name)
    assert served == [*"abcde"]


def test_a_full_queue_refuses_at_once():
    queue, served = SolveQueue(max_waiting=2), list[str]()
    with ThreadPoolExecutor(2) as pool, occupied(queue):
        for name in "ab":
            enqueue(pool, queue, served, None, name)
        with pytest.raises(Overloaded, match="queue-full"), queue.slot(None):
            pass
    assert served == ["a", "b"]


def test_slow_solutions_leave_room_for_fewer():
    """With eight of them in the queue, the last was refused after three seconds."""
    now = 0.0
    queue = SolveQueue(patience_s=PATIENCE_S, clock=lambda: now)
    for _ in range(20):
        with queue.slot(None):
            now += PATIENCE_S / 5
    with ThreadPoolExecutor(3) as pool, occupied(queue):
        waiting = []
        for name in "ab":
            assert not queue.refuses(None)
            waiting.append(enqueue(pool, queue, [], None, name))
        with pytest.raises(Overloaded, match="queue-full"), queue.slot(None):
            pass
    for each in waiting:
        each.result(timeout=PATIENCE_S)


def test_without_waiting_places_only_a_free_slot_is_given():
    queue = SolveQueue(max_waiting=0)
    with queue.slot(None):
        pass
    with occupied(queue), pytest.raises(Overloaded), queue.slot(None):
        pass


def test_no_thread_waits_longer_than_the_patience():
    queue = SolveQueue(patience_s=0.05)
    with occupied(queue):
        with pytest.raises(Overloaded, match="queue-slow"), queue.slot(None):
            pass
        assert not queue._waiting


def test_a_deadline_that_passes_in_the_queue_is_out_of_time():
    queue = SolveQueue()
    with occupied(queue):
        with pytest.raises(OutOfTime), queue.slot(time.monotonic() + 0.05):
            pass
        with pytest.raises(OutOfTime), queue.slot(time.monotonic() - 1.0):
            pass
        assert not queue._waiting


def test_a_thread_that_gave_up_is_skipped():
    queue, served = SolveQueue(), list[str]()
    with ThreadPoolExecutor(1) as pool, occupied(queue):
        with pytest.raises(OutOfTime), queue.slot(time.monotonic() + 0.05):
            pass
        enqueue(pool, queue, served, None, "a")
    assert served == ["a"]


def test_the_slot_is_free_again_after_a_failure():
    queue = SolveQueue(max_waiting=0)
    with pytest.raises(RuntimeError), queue.slot(None):
        raise RuntimeError
    with queue.slot(None):
        pass


def test_the_observer_counts_running_and_waiting_threads():
    class CountingObserver(Observer):
        busy = waiting = most = 0

        @contextmanager
        def solving(self) -> Iterator[None]:
            self.busy += 1
            yield
            self.busy -= 1

        @contextmanager
        def queued(self) -> Iterator[None]:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            yield
            self.waiting -= 1

    observer = CountingObserver()
    queue = SolveQueue(observer=observer)
    with ThreadPoolExecutor(2) as pool, occupied(queue):
        for name in "ab":
            enqueue(pool, queue, [], None, name)
        assert (observer.busy, observer.most) == (1, 2)
    assert (observer.busy, observer.waiting) == (0, 0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def use(queue: SolveQueue, clock: Clock, client: str, seconds: float) -> None:
    with queue.slot(None, client):
        clock.now += seconds


def test_the_client_that_used_the_slot_least_is_next():
    clock, served = Clock(), list[str]()
    queue = SolveQueue(patience_s=10 * PATIENCE_S, clock=clock)
    for client, seconds in (("a", 5.0), ("b", 1.0), ("c", 2.0)):
        use(queue, clock, client, seconds)
    with ThreadPoolExecutor(8) as pool, occupied(queue):
        for client in ("a", "c", "a", "new", "b"):
            enqueue(pool, queue, served, client, client)
    assert served == ["new", "b", "c", "a", "a"]


def test_old_use_is_forgotten():
    clock, served = Clock(), list[str]()
    queue = SolveQueue(patience_s=10 * PATIENCE_S, clock=clock)
    use(queue, clock, "a", 5.0)
    clock.now += 20 * HALF_LIFE_S
    use(queue, clock, "b", 0.1)
    with ThreadPoolExecutor(2) as pool, occupied(queue):
        for client in ("b", "a"):
            enqueue(pool, queue, served, client, client)
    assert served == ["a", "b"]


def test_a_client_has_a_limited_number_of_requests_in_the_queue():
    queue, served = SolveQueue(max_per_client=2), list[str]()
    with ThreadPoolExecutor(4) as pool, occupied(queue):
        enqueue(pool, queue, served, "a", "a")
        assert not queue.refuses("a")
        enqueue(pool, queue, served, "a", "a")
        assert queue.refuses("a")
        with pytest.raises(Overloaded, match="client-full"), queue.slot(None, "a"):
            pass
        assert not queue.refuses("b")
        enqueue(pool, queue, served, "b", "b")
    assert sorted(served) == ["a", "a", "b"]
    assert not queue.refuses("a")


def test_the_request_in_the_slot_counts():
    queue = SolveQueue(max_per_client=1)
    with queue.slot(None, "a"):
        assert queue.refuses("a")
        assert not queue.refuses("b")


def test_in_a_full_queue_another_client_takes_a_place_of_the_client_with_most():
    queue, served = SolveQueue(max_waiting=3), list[str]()
    with ThreadPoolExecutor(5) as pool, occupied(queue):
        waiting = [enqueue(pool, queue, served, "a", "a") for _ in range(3)]
        assert not queue.refuses("b")
        own = pool.submit(wait_in, queue, served, "b", "b")
        with pytest.raises(Overloaded, match="queue-full"):
            waiting[2].result(timeout=PATIENCE_S)
        while len(queue._waiting) < 3:
            time.sleep(0.001)
        assert queue.refuses("a")
        assert not queue.refuses("c"), "the client a still has two places"
    own.result(timeout=PATIENCE_S)
    assert sorted(served) == ["a", "a", "b"]


def test_a_queue_with_one_place_for_each_client_is_full():
    queue, served = SolveQueue(max_waiting=2), list[str]()
    with ThreadPoolExecutor(2) as pool, occupied(queue):
        for client in ("a", "b"):
            enqueue(pool, queue, served, client, client)
        assert queue.refuses("c")
        with pytest.raises(Overloaded, match="queue-full"), queue.slot(None, "c"):
            pass


def test_the_usage_of_a_bounded_number_of_clients_is_remembered():
    queue = SolveQueue()
    for number in range(MAX_CLIENTS + 50):
        with queue.slot(None, str(number)):
            pass
    assert len(queue._used) == MAX_CLIENTS
