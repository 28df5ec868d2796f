"""The worker of gunicorn: threads get whole requests, so slow and idle clients occupy none.

gunicorn's threaded worker starts a thread for each connection, which waits for the rest of a
request without a time limit, and it closes connections on its main loop, which waits up to two
seconds for each client. Here the main loop reads requests and closes connections without waiting.

The second address, with metrics and health checks, has threads of its own, so that it answers
while all others wait. A worker that ends closes its listeners at once, so that new connections are
refused instead of waiting for its end.
"""

from __future__ import annotations

import errno
import socket
import time
import uuid
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from selectors import EVENT_READ
from typing import Any, Final

import orjson
from gunicorn.http.errors import ParseException
from gunicorn.util import http_date
from gunicorn.workers.gthread import TConn, ThreadWorker

from service.api.immediate import ImmediateResponses
from service.api.limits import body_limit
from service.api.metrics import Metrics
from service.api.problems import INTERNAL_ERROR, MEDIA_TYPE, TITLES, problem_document
from service.serving.request_reader import RequestReader

REQUEST_S: Final = 10.0
"""A request must arrive within this time, in seconds."""
LINGER_S: Final = 2.0
"""How long a client may take to close its side of a connection (RFC 9112, 9.6), in seconds."""
OPERATIONS_THREADS: Final = 4
"""Threads for metrics and health checks."""
MAX_WAITING: Final = 256
"""Requests that may wait for a thread; further ones are refused."""
PAUSE_S: Final = 0.005
"""Seconds that the main loop pauses after a refusal.  Each turn takes the core from the thread that
solves, so one turn should answer several requests of a flood."""
COUNT_EVERY_S: Final = 0.2
"""Seconds between two updates of the gauges, which would cost a tenth of a refusal each time."""
NOTIFY_EVERY_S: Final = 0.5
"""Seconds between two reports to the server that the worker is alive."""
MAX_RECEIVED: Final = 64 * 1024
"""Bytes read at once."""

_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class Worker(ThreadWorker):  # type: ignore[misc]
    """Serves requests with threads, and everything else on its main loop."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._readers: dict[TConn, RequestReader] = {}
        self._lingering: deque[TConn] = deque()
        self.metrics: Metrics | None = None
        """Of the application, once it is loaded."""
        self.immediate: ImmediateResponses | None = None
        """Of the application, once it is loaded."""
        self._busy_threads = 0
        self._has_refused = False
        """Whether a request was refused in this turn of the main loop."""
        self._count_at = 0.0
        """Time of the next update of the gauges."""
        self._notify_at = 0.0
        """Time of the next report to the server."""
        self._unfinished: set[TConn] = set()
        """Connections with a request that is answered without its body, which is too large."""

    def init_process(self) -> None:
        """Start the threads, and serve until the end."""
        self._operations_pool = ThreadPoolExecutor(OPERATIONS_THREADS)
        self._main_address = self.sockets[0].getsockname()
        super().init_process()

    def set_accept_enabled(self, enabled: bool) -> None:
        """Start or stop accepting connections; a worker that ends closes its listeners."""
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                # Those who have connected are served; more than these cannot be waiting.
                for _ in range(self.cfg.backlog):
                    if not self._accept_one(listener):
                        break
                listener.close()

    def notify(self) -> None:
        """Report to the server that the worker is alive: not in each turn of the main loop."""
        now = time.monotonic()
        if now >= self._notify_at:
            self._notify_at = now + NOTIFY_EVERY_S
            super().notify()

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Serve what has come in; after a refusal, let more of it come in first."""
        if self._has_refused:
            self._has_refused = False
            time.sleep(PAUSE_S)
        super().wait_for_and_dispatch_events(timeout)

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection with a whole request to a thread."""
        self._busy_threads += 1
        is_main = conn.server == self._main_address
        future = (self.tpool if is_main else self._operations_pool).submit(self.handle, conn)
        future.add_done_callback(partial(self.method_queue.defer, self.finish_request, conn))

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and wait for its first request."""
        self._accept_one(listener)

    def _accept_one(self, listener: socket.socket) -> bool:
        """Accept a connection and return whether there was one."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED):
                return False
            raise
        self.nr_conns += 1
        connection = TConn(self.cfg, client, address, listener.getsockname())
        connection.init()
        self._await_request(connection)
        return True

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """Read another request, or its first bytes."""
        received = _receive(client)
        if received is None:
            return
        self.keepalived_conns.remove(conn)
        reader = RequestReader(body_limit)
        complete = reader.add(received)
        unsent = self._answer_at_once(conn, reader) if complete else None
        if unsent == b"":
            # The poller waits for the next request already, which saves time in a flood.
            self._keep(conn)
            return
        self.poller.unregister(client)
        if complete:
            self._use_thread(conn, reader, unsent)
        elif received:
            self._await_rest(conn, reader)
        else:
            self._drop(conn)

    def on_pending_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """Read more bytes of a request, and serve it if it is complete."""
        received = _receive(client)
        if received is None:
            return
        reader = self._readers[conn]
        if not reader.add(received) and received:
            _let_continue(reader, client)
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        del self._readers[conn]
        if reader.data:
            self._serve(conn, reader)
        else:
            self._drop(conn)

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Wait for the next request of the connection, or close it."""
        self._busy_threads -= 1
        keep = not fs.cancelled() and fs.exception() is None and fs.result()
        if not keep:
            self._linger(conn)
        elif read_ahead := conn.parser.unreader.take_buffered():
            # The client has sent more than one request at once.
            self._await_request(conn, read_ahead)
        else:
            super().finish_request(conn, fs)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answer what is not a request, or a request that failed outside of the application."""
        request_id = uuid.uuid4().hex
        if isinstance(exc, ParseException):
            self.log.warning("malformed request %s: %s", request_id, exc)
            detail = f"This is not an HTTP request that the service accepts: {exc}"
            document = problem_document(400, "bad-request", detail, request_id)
        else:
            self.log.error("request %s failed", request_id, exc_info=exc)
            detail = "The service failed to answer this request."
            document = problem_document(500, INTERNAL_ERROR, detail, request_id)
        headers = {
            "Content-Type": MEDIA_TYPE,
            "X-Content-Type-Options": "nosniff",
            "X-Request-Id": request_id,
        }
        message = _message(document["status"], headers, orjson.dumps(document), "close")
        with suppress(OSError):
            client.sendall(message)

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Serve a request; one whose body was not received is the last of its connection."""
        if conn in self._unfinished:
            self._unfinished.discard(conn)
            req.force_close()
        keep: bool = super().handle_request(req, conn)
        return keep

    def murder_pending(self) -> None:
        """Close connections whose time is over; the main loop calls this at least once a second."""
        super().murder_pending()
        now = time.monotonic()
        if self.metrics is not None and now >= self._count_at:
            self._count_at = now + COUNT_EVERY_S
            self.metrics.serving(self.nr_conns, self._busy_threads)
        if len(self._readers) > len(self.pending_conns):
            waiting = set(self.pending_conns)
            self._readers = {each: own for each, own in self._readers.items() if each in waiting}
        while self._lingering and self._lingering[0].timeout <= now:
            self._end_lingering(self._lingering[0])

    def _await_request(self, conn: TConn, read_ahead: bytes = b"") -> None:
        conn.sock.setblocking(False)
        reader = RequestReader(body_limit)
        if reader.add(read_ahead):
            self._serve(conn, reader)
        else:
            self._await_rest(conn, reader)

    def _await_rest(self, conn: TConn, reader: RequestReader) -> None:
        _let_continue(reader, conn.sock)
        self._readers[conn] = reader
        conn.timeout = time.monotonic() + REQUEST_S
        self.pending_conns.append(conn)
        waiting = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, EVENT_READ, waiting)

    def _serve(self, conn: TConn, reader: RequestReader) -> None:
        """Answer a request whose connection the poller does not know."""
        unsent = self._answer_at_once(conn, reader)
        if unsent == b"":
            self._keep(conn)
            waiting = partial(self.on_client_socket_readable, conn)
            self.poller.register(conn.sock, EVENT_READ, waiting)
        else:
            self._use_thread(conn, reader, unsent)

    def _keep(self, conn: TConn) -> None:
        conn.set_timeout()
        self.keepalived_conns.append(conn)

    def _answer_at_once(self, conn: TConn, reader: RequestReader) -> bytes | None:
        """Send a response that needs no thread.

        Returns:
            the bytes that the client has not taken yet; None if the request needs a thread.
        """
        if self.immediate is None or not self.alive or conn.server != self._main_address:
            return None
        if reader.is_too_large:
            return None
        crowded = self._busy_threads >= self.cfg.threads
        received = time.monotonic()
        try:
            response = self.immediate.answer(reader.data, conn.client[0], received, crowded=crowded)
            if response is None and self._busy_threads >= self.cfg.threads + MAX_WAITING:
                response = self.immediate.refuse(received)
        except Exception:  # The main loop must go on; a thread fails for this request only.
            self.log.exception("no immediate response")
            return None
        if response is None:
            return None
        if response.status == HTTPStatus.SERVICE_UNAVAILABLE:
            self._has_refused = True
        message = _message(response.status, response.headers, response.body)
        try:
            return message[conn.sock.send(message) :]
        except OSError:
            return message

    def _use_thread(self, conn: TConn, reader: RequestReader, unsent: bytes | None) -> None:
        """Let a thread answer a request, or send the rest of its response."""
        if unsent is None:
            if reader.is_too_large:
                self._unfinished.add(conn)
            conn.parser.unreader.unread(reader.data)
            conn.data_ready = True
            self.enqueue_req(conn)
            return
        # The client reads too slowly for the main loop.
        self._busy_threads += 1
        future = self.tpool.submit(_send_rest, conn.sock, unsent)
        future.add_done_callback(partial(self.method_queue.defer, self.finish_request, conn))

    def _linger(self, conn: TConn) -> None:
        """Close the own side, and the connection when the client has closed its side."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + LINGER_S
        self._lingering.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self._discard, conn))

    def _discard(self, conn: TConn, client: socket.socket) -> None:
        """Discard what a client sends after the last response."""
        if _receive(client) == b"":
            self._end_lingering(conn)

    def _end_lingering(self, conn: TConn) -> None:
        self._lingering.remove(conn)
        self.poller.unregister(conn.sock)
        self._drop(conn)

    def _drop(self, conn: TConn) -> None:
        self._unfinished.discard(conn)
        self.nr_conns -= 1
        conn.close()


def _message(
    status: int, headers: Mapping[str, str], body: bytes, connection: str = "keep-alive"
) -> bytes:
    """Return the bytes of a response."""
    fields = {
        "Server": "gunicorn",
        "Date": _date(int(time.time())),
        "Connection": connection,
        **headers,
        "Content-Length": len(body),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} {TITLES[status]}\r\n{lines}\r\n".encode("latin-1") + body


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    """Return the value of ``Date`` for a time in seconds since the epoch."""
    date: str = http_date(second)
    return date


def _send_rest(client: socket.socket, data: bytes) -> bool:
    """Send bytes to a slow client, and return whether the connection can be used again."""
    client.setblocking(True)
    client.sendall(data)
    return True


def _receive(client: socket.socket) -> bytes | None:
    """Return bytes from a client: none if it has closed its side, None if there are none yet."""
    try:
        return client.recv(MAX_RECEIVED)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _let_continue(reader: RequestReader, client: socket.socket) -> None:
    """Ask a client to send its body, if it waits for that."""
    if reader.expects_continue:
        with suppress(OSError):
            if client.send(_CONTINUE) == len(_CONTINUE):
                reader.continued()
