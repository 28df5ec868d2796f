"""Responses that the main loop of the worker sends itself."""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from service.api.immediate import ImmediateResponse
from service.serving.worker import MAX_WAITING, Worker

THREADS = 2


class Application:
    """Answers everything with one response, or fails."""

    def __init__(self, body: bytes | None) -> None:
        self.body = body
        self.crowded: list[bool] = []

    def answer(self, *_: Any, crowded: bool) -> ImmediateResponse | None:
        self.crowded.append(crowded)
        if self.body == b"fail":
            raise ValueError
        return None if self.body is None else ImmediateResponse(200, {}, self.body)

    def refuse(self, _: float) -> ImmediateResponse:
        return ImmediateResponse(503, {}, b"full")


class Connection:
    """A connection of a worker, and the client at its other end."""

    def __init__(self) -> None:
        self.sock, self.other = socket.socketpair()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        self.client, self.server = ("127.0.0.1", 1), "main"

    def set_timeout(self) -> None:
        """Do nothing."""


@pytest.fixture
def worker() -> Iterator[Any]:
    made: Any = Worker.__new__(Worker)
    made.alive, made._main_address, made._busy_threads = True, "main", 0
    made.cfg = SimpleNamespace(threads=THREADS)
    made.log = SimpleNamespace(exception=lambda _: None)
    made.keepalived_conns = deque()
    made.poller = SimpleNamespace(register=lambda *_: None)
    made.finished = []
    made.method_queue = SimpleNamespace(defer=lambda _, conn, fs: made.finished.append(fs.result()))
    with ThreadPoolExecutor(1) as made.tpool:
        yield made


def test_a_response_that_the_client_reads_slowly_occupies_a_thread(worker: Any) -> None:
    with ExitStack() as opened:
        quick, slow = Connection(), Connection()
        for end in (quick.sock, quick.other, slow.sock, slow.other):
            opened.enter_context(end)
        worker.immediate = Application(b"small")
        assert worker._answer_at_once(quick, b"")
        response = quick.other.recv(4096)
        assert response.startswith(b"HTTP/1.1 200 OK\r\n")
        assert response.endswith(b"Content-Length: 5\r\n\r\nsmall")
        assert (list(worker.keepalived_conns), worker._busy_threads) == ([quick], 0)
        worker.immediate = Application(b"x" * 1_000_000)
        assert worker._answer_at_once(slow, b"")
        assert (list(worker.keepalived_conns), worker._busy_threads) == ([quick], 1)
        received = 0
        while received < 1_000_000:
            received += len(slow.other.recv(100_000))
    worker.tpool.shutdown()
    assert worker.finished == [True]


def test_requests_are_refused_only_if_too_many_wait_for_a_thread(worker: Any) -> None:
    connection = Connection()
    with connection.sock, connection.other:
        for body in (None, b"fail"):
            worker.immediate = Application(body)
            worker._busy_threads = THREADS - 1
            assert not worker._answer_at_once(connection, b"")
            worker._busy_threads = THREADS
            assert not worker._answer_at_once(connection, b"")
            assert worker.immediate.crowded == [False, True]
        worker.immediate = Application(None)
        worker._busy_threads = THREADS + MAX_WAITING
        assert worker._answer_at_once(connection, b"")
        assert connection.other.recv(4096).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        for changed in ({"alive": False}, {"_main_address": "other"}, {"immediate": None}):
            before = {name: getattr(worker, name) for name in changed}
            vars(worker).update(changed)
            assert not worker._answer_at_once(connection, b"")
            vars(worker).update(before)
