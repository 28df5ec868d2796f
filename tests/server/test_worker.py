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
from gunicorn.workers.gthread import ThreadWorker

from service.api.immediate import ImmediateResponse
from service.serving.request_reader import RequestReader
from service.serving.worker import MAX_WAITING, NOTIFY_EVERY_S, Worker

THREADS = 2
REQUEST = b"POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody"


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
        self.sock.setblocking(False)
        self.client, self.server = ("127.0.0.1", 1), "main"

    def set_timeout(self) -> None:
        """Do nothing."""


class Poller:
    """Remembers what a worker waits for, and how often it changed that."""

    def __init__(self) -> None:
        self.waiting: dict[socket.socket, Any] = {}
        self.changes = 0

    def register(self, client: socket.socket, _: int, callback: Any) -> None:
        self.waiting[client] = callback
        self.changes += 1

    def unregister(self, client: socket.socket) -> None:
        del self.waiting[client]
        self.changes += 1


@pytest.fixture
def worker() -> Iterator[Any]:
    made: Any = Worker.__new__(Worker)
    made.alive, made._main_address, made._busy_threads = True, "main", 0
    made._has_refused = False
    made.cfg = SimpleNamespace(threads=THREADS)
    made.log = SimpleNamespace(exception=lambda _: None)
    made.keepalived_conns, made.pending_conns, made._readers = deque(), deque(), {}
    made.poller = Poller()
    made.finished, made.enqueued = [], []
    made.enqueue_req = made.enqueued.append
    made.method_queue = SimpleNamespace(defer=lambda _, conn, fs: made.finished.append(fs.result()))
    with ThreadPoolExecutor(1) as made.tpool:
        yield made


@pytest.fixture
def connection() -> Iterator[Connection]:
    made = Connection()
    made.parser = SimpleNamespace(unreader=SimpleNamespace(unread=lambda _: None))  # type: ignore[attr-defined]
    with made.sock, made.other:
        yield made


def request() -> RequestReader:
    """Return a whole request."""
    reader = RequestReader(lambda _: 100)
    assert reader.add(REQUEST)
    return reader


def readable(worker: Any, connection: Connection) -> None:
    """Let the poller of a worker report that the client has sent something."""
    worker.poller.waiting[connection.sock](connection.sock)


def test_a_response_that_the_client_reads_slowly_occupies_a_thread(worker: Any) -> None:
    with ExitStack() as opened:
        quick, slow = Connection(), Connection()
        for end in (quick.sock, quick.other, slow.sock, slow.other):
            opened.enter_context(end)
        worker.immediate = Application(b"small")
        worker._serve(quick, request())
        response = quick.other.recv(4096)
        assert response.startswith(b"HTTP/1.1 200 OK\r\n")
        assert response.endswith(b"Content-Length: 5\r\n\r\nsmall")
        assert (list(worker.keepalived_conns), worker._busy_threads) == ([quick], 0)
        worker.immediate = Application(b"x" * 1_000_000)
        worker._serve(slow, request())
        assert (list(worker.keepalived_conns), worker._busy_threads) == ([quick], 1)
        received = 0
        while received < 1_000_000:
            received += len(slow.other.recv(100_000))
    worker.tpool.shutdown()
    assert worker.finished == [True]


def test_requests_are_refused_only_if_too_many_wait_for_a_thread(
    worker: Any, connection: Connection
) -> None:
    for body in (None, b"fail"):
        worker.immediate = Application(body)
        worker._busy_threads = THREADS - 1
        assert worker._answer_at_once(connection, request()) is None
        worker._busy_threads = THREADS
        assert worker._answer_at_once(connection, request()) is None
        assert worker.immediate.crowded == [False, True]
    worker.immediate = Application(None)
    worker._busy_threads = THREADS + MAX_WAITING
    assert worker._answer_at_once(connection, request()) == b""
    assert connection.other.recv(4096).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    for changed in ({"alive": False}, {"_main_address": "other"}, {"immediate": None}):
        before = {name: getattr(worker, name) for name in changed}
        vars(worker).update(changed)
        assert worker._answer_at_once(connection, request()) is None
        vars(worker).update(before)


def test_answers_at_once_do_not_change_what_the_poller_waits_for(
    worker: Any, connection: Connection
) -> None:
    worker.immediate = Application(b"small")
    worker._serve(connection, request())
    for _ in range(3):
        connection.other.recv(4096)
        connection.other.sendall(REQUEST)
        readable(worker, connection)
    assert connection.other.recv(4096).endswith(b"small")
    assert worker.poller.changes == 1
    assert list(worker.keepalived_conns) == [connection]


def test_the_rest_of_a_request_is_awaited(worker: Any, connection: Connection) -> None:
    worker.immediate = Application(b"small")
    worker._serve(connection, request())
    connection.other.recv(4096)
    for part in (REQUEST[:9], REQUEST[9:]):
        connection.other.sendall(part)
        readable(worker, connection)
    assert connection.other.recv(4096).endswith(b"small")
    assert (list(worker.keepalived_conns), worker._readers) == ([connection], {})


def test_another_request_may_need_a_thread(worker: Any, connection: Connection) -> None:
    worker.immediate = Application(b"small")
    worker._serve(connection, request())
    worker.immediate = Application(None)
    connection.other.sendall(REQUEST)
    readable(worker, connection)
    assert worker.enqueued == [connection]
    assert (list(worker.keepalived_conns), worker.poller.waiting) == ([], {})


def test_a_client_that_waits_for_a_sign_sends_its_body(worker: Any, connection: Connection) -> None:
    """On a connection that has had a request, and on a new one."""
    head = REQUEST[:-6] + b"Expect: 100-continue\r\n\r\n"
    worker.immediate = Application(b"small")
    worker._await_request(connection)
    for _ in range(2):
        connection.other.sendall(head)
        readable(worker, connection)
        assert connection.other.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.other.sendall(REQUEST[-4:])
        readable(worker, connection)
        assert connection.other.recv(4096).endswith(b"small")


def test_turns_of_the_main_loop_that_follow_each_other_report_once(worker: Any) -> None:
    """A report costs more than the rest of a turn with a refusal."""
    reports = []
    worker.tmp = SimpleNamespace(notify=lambda: reports.append(1))
    worker._notify_at = 0.0
    for _ in range(3):
        worker.notify()
    assert len(reports) == 1
    worker._notify_at -= NOTIFY_EVERY_S
    worker.notify()
    assert len(reports) == 2


def test_after_a_refusal_the_main_loop_lets_more_requests_come(
    worker: Any, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of ten refusals took the core from the thread that solves: a tenth fewer hints."""
    turns: list[str] = []
    monkeypatch.setattr("time.sleep", lambda _: turns.append("pause"))
    monkeypatch.setattr(
        ThreadWorker, "wait_for_and_dispatch_events", lambda *_: turns.append("turn")
    )
    worker.immediate = Application(b"small")
    worker._answer_at_once(connection, request())
    worker.wait_for_and_dispatch_events(1.0)
    assert turns == ["turn"]
    worker.immediate, worker._busy_threads = Application(None), THREADS + MAX_WAITING
    worker._answer_at_once(connection, request())
    worker.wait_for_and_dispatch_events(1.0)
    worker.wait_for_and_dispatch_events(1.0)
    assert turns == ["turn", "pause", "turn", "turn"]
