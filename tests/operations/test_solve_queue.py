"""The solve slot of a worker: one at a time, a short line, and no waiting beyond patience."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest

from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer
from service.operations.solve_queue import SolveQueue

PATIENCE_S = 20.0


@contextmanager
def held(slot: SolveQueue) -> Iterator[None]:
    """The slot taken by somebody else."""
    release, taken = Event(), Event()

    def hold() -> None:
        with slot.slot(None):
            taken.set()
            release.wait(PATIENCE_S)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        assert taken.wait(PATIENCE_S)
        try:
            yield
        finally:
            release.set()
            holding.result(timeout=PATIENCE_S)


def in_line(slot: SolveQueue, count: int) -> None:
    while len(slot._waiting) < count:
        time.sleep(0.001)


def take(slot: SolveQueue, told: list[int], number: int) -> None:
    with slot.slot(None):
        told.append(number)


def test_one_at_a_time():
    slot, inside, most = SolveQueue(max_waiting=50), 0, 0

    def work(_: int) -> None:
        nonlocal inside, most
        with slot.slot(None):
            inside += 1
            most = max(most, inside)
            time.sleep(0.002)
            inside -= 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(40)))
    assert (inside, most) == (0, 1)


def test_whoever_came_first_is_served_first():
    slot, told = SolveQueue(), list[int]()
    waiting: list[Future[None]] = []
    with ThreadPoolExecutor(5) as pool, held(slot):
        for number in range(5):
            waiting.append(pool.submit(take, slot, told, number))
            in_line(slot, number + 1)
    assert told == [0, 1, 2, 3, 4]


def test_when_the_line_is_full_the_next_is_refused_at_once():
    slot, told = SolveQueue(max_waiting=2), list[int]()
    with ThreadPoolExecutor(2) as pool, held(slot):
        for number in range(2):
            pool.submit(take, slot, told, number)
        in_line(slot, 2)
        with pytest.raises(Overloaded, match="queue-full"), slot.slot(None):
            pass
    assert sorted(told) == [0, 1]


def test_with_no_line_only_a_free_slot_is_given():
    slot = SolveQueue(max_waiting=0)
    with slot.slot(None):
        pass
    with held(slot), pytest.raises(Overloaded), slot.slot(None):
        pass


def test_nobody_waits_beyond_patience():
    slot = SolveQueue(patience_s=0.05)
    with held(slot):
        with pytest.raises(Overloaded, match="queue-slow"), slot.slot(None):
            pass
        assert not slot._waiting


def test_a_deadline_that_passes_in_line_is_told_as_such():
    slot = SolveQueue()
    with held(slot):
        with pytest.raises(OutOfTime), slot.slot(time.monotonic() + 0.05):
            pass
        with pytest.raises(OutOfTime), slot.slot(time.monotonic() - 1.0):
            pass
        assert not slot._waiting


def test_who_gave_up_is_passed_over():
    slot, told = SolveQueue(), list[int]()
    with ThreadPoolExecutor(1) as pool, held(slot):
        with pytest.raises(OutOfTime), slot.slot(time.monotonic() + 0.05):
            pass
        pool.submit(take, slot, told, 1)
        in_line(slot, 1)
    assert told == [1]


def test_the_slot_is_free_again_after_a_failure():
    slot = SolveQueue(max_waiting=0)
    with pytest.raises(RuntimeError), slot.slot(None):
        raise RuntimeError
    with slot.slot(None):
        pass


def test_it_is_told_who_solves_and_who_waits():
    class Counting(Observer):
        busy = waiting = most = 0

        def solving(self, change: int) -> None:
            self.busy += change

        @contextmanager
        def queued(self) -> Iterator[None]:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            yield
            self.waiting -= 1

    observer = Counting()
    slot, told = SolveQueue(observer=observer), list[int]()
    with ThreadPoolExecutor(2) as pool, held(slot):
        for number in range(2):
            pool.submit(take, slot, told, number)
        in_line(slot, 2)
        assert (observer.busy, observer.most) == (1, 2)
    assert (observer.busy, observer.waiting) == (0, 0)
