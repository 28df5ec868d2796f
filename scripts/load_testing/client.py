"""An open-loop HTTP client.

It sends requests on schedule, whether or not earlier ones are answered. The latency of a request
counts from its scheduled time (Tene 2015, *How NOT to Measure Latency*). If all connections of its
kind are busy, the request waits, and the wait is part of its latency.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

CONNECTIONS: Final = 256
"""Maximum number of open connections for each kind of request."""


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """A request as bytes.

    Attributes:
        kind: the results are counted by kind.
        message: head and body.
        expected_body: of the response, if known.
    """

    kind: str
    message: bytes
    expected_body: bytes | None = None


@dataclass(slots=True)
class Tally:
    """The results of the requests of one kind.

    Attributes:
        latencies: by status, in seconds from the scheduled time.
        lost: number of requests without a response.
        wrong: number of responses with another body than expected.
        bodies: hashes of all different response bodies.
        caches: number of responses by ``Cache-Status``.
        problems: number of error responses by status and detail.
    """

    latencies: dict[int, list[float]] = field(default_factory=dict)
    lost: int = 0
    wrong: int = 0
    bodies: set[int] = field(default_factory=set)
    caches: dict[str, int] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        return sum(map(len, self.latencies.values()))

    def good(self, within_s: float = 60.0) -> int:
        """Return the number of responses with status 200 within a time."""
        return sum(latency <= within_s for latency in self.latencies.get(200, ()))


Tallies = dict[str, Tally]


def encode_request(
    host: str, method: str, path: str, body: bytes = b"", headers: str = ""
) -> bytes:
    """Return a request as bytes."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}"
    if method == "POST":
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + body


class _Connection(asyncio.Protocol):
    """A connection with one request at a time."""

    def __init__(self, client: _Client) -> None:
        self._client = client
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._request: LoadRequest | None = None
        self._due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def send(self, request: LoadRequest, due: float) -> None:
        assert self._transport is not None
        self._request, self._due = request, due
        self._transport.write(request.message)

    def data_received(self, part: bytes) -> None:
        self._received += part
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._received[:end])
        length = int(_header(head, b"content-length") or 0)
        if len(self._received) < end + 4 + length:
            return
        body = bytes(self._received[end + 4 : end + 4 + length])
        self._received.clear()
        request, self._request = self._request, None
        assert request is not None, "a response without a request"
        closing = (_header(head, b"connection") or b"").lower() == b"close"
        self._client.answered(self, request, self._due, head, body, closing=closing)
        if closing:
            self.close()

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._client.ended(self, self._request)
        self._request = None


def _header(head: bytes, name: bytes) -> bytes | None:
    at = head.lower().find(b"\r\n" + name + b":")
    if at < 0:
        return None
    start = at + len(name) + 3
    end = head.find(b"\r\n", start)
    return head[start : end if end >= 0 else len(head)].strip()


class _Client:
    def __init__(self, address: str, connections: int, source: str = "") -> None:
        host, _, port = address.partition(":")
        self._source = (source, 0) if source else None
        self._address, self._most = (host, int(port)), connections
        self._free: deque[_Connection] = deque()
        self._open = 0
        self._connections: set[_Connection] = set()
        self._waiting: deque[tuple[LoadRequest, float]] = deque()
        self._opening: set[asyncio.Task[None]] = set()
        self.tally = Tally()
        self.outstanding = 0

    def send(self, request: LoadRequest, due: float) -> None:
        self.outstanding += 1
        self._waiting.append((request, due))
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self._free:
            request, due = self._waiting.popleft()
            self._free.popleft().send(request, due)
        if self._waiting and self._open < self._most:
            self._open += 1
            task = asyncio.get_running_loop().create_task(self._connect())
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(
                lambda: _Connection(self), *self._address, local_addr=self._source
            )
        except OSError:
            self._open -= 1
            if self._waiting:
                self._waiting.popleft()
                self._lose()
        else:
            self._connections.add(connection)
            self._free.append(connection)
        self._serve()

    async def close(self) -> None:
        """Close all connections; requests without a response count as lost."""
        while self._waiting:
            self._waiting.popleft()
            self._lose()
        await asyncio.gather(*self._opening)
        for connection in list(self._connections):
            connection.close()
        while self._connections:
            await asyncio.sleep(0)

    def answered(
        self,
        connection: _Connection,
        request: LoadRequest,
        due: float,
        head: bytes,
        body: bytes,
        *,
        closing: bool,
    ) -> None:
        tally = self.tally
        status = int(head[9:12])
        tally.latencies.setdefault(status, []).append(time.perf_counter() - due)
        tally.bodies.add(hash(body))
        cache = (_header(head, b"cache-status") or b"").decode()
        tally.caches[cache] = tally.caches.get(cache, 0) + 1
        if request.expected_body is not None and status == 200 and body != request.expected_body:
            tally.wrong += 1
        if status >= 400:
            problem = f"{status}: {json.loads(body).get('detail')}"
            tally.problems[problem] = tally.problems.get(problem, 0) + 1
        self.outstanding -= 1
        if not closing:
            self._free.append(connection)
        self._serve()

    def ended(self, connection: _Connection, request: LoadRequest | None) -> None:
        self._open -= 1
        self._connections.discard(connection)
        if connection in self._free:
            self._free.remove(connection)
        if request is not None:
            self._lose()
        self._serve()

    def _lose(self) -> None:
        self.tally.lost += 1
        self.outstanding -= 1


def at_constant_rate(
    requests: Sequence[LoadRequest], rate: float, seconds: float
) -> Iterator[tuple[float, LoadRequest]]:
    """Yield requests in turn at a constant rate, each with its time in seconds from the start."""
    for number in range(int(rate * seconds)):
        yield number / rate, requests[number % len(requests)]


def send_on_schedule(
    address: str,
    schedule: Sequence[tuple[float, LoadRequest]],
    *,
    patience_s: float = 60.0,
    connections: int = CONNECTIONS,
    sources: Mapping[str, str] | None = None,
) -> tuple[Tallies, float]:
    """Send every request at its time.

    Args:
        address: host:port.
        schedule: requests with their times in seconds from the start, ascending.
        patience_s: how long to wait for the last responses; later ones count as lost.
        connections: per kind of request.
        sources: own addresses to send from, by kind of request.

    Returns:
        the results by kind, and the seconds until the last response.
    """
    return asyncio.run(_fire(address, schedule, patience_s, connections, sources or {}))


async def _fire(
    address: str,
    schedule: Sequence[tuple[float, LoadRequest]],
    patience_s: float,
    connections: int,
    sources: Mapping[str, str],
) -> tuple[Tallies, float]:
    # Each kind has its own connections, so that a health check does not wait for a hint.
    clients: dict[str, _Client] = {}
    for _, request in schedule:
        if request.kind not in clients:
            source = sources.get(request.kind, "")
            clients[request.kind] = _Client(address, connections, source)
    start = time.perf_counter()
    for number, (due, request) in enumerate(schedule):
        ahead = start + due - time.perf_counter()
        if ahead > 0.0005:
            await asyncio.sleep(ahead)
        elif number % 16 == 0:
            # Let the event loop receive responses.
            await asyncio.sleep(0)
        clients[request.kind].send(request, start + due)
    give_up = time.perf_counter() + patience_s
    while any(client.outstanding for client in clients.values()) and time.perf_counter() < give_up:
        await asyncio.sleep(0.005)
    took = time.perf_counter() - start
    for client in clients.values():
        await client.close()
    return {kind: client.tally for kind, client in clients.items()}, took


def saturate(
    address: str,
    requests: Sequence[LoadRequest],
    seconds: float,
    connections: int,
    source: str = "",
) -> tuple[Tally, float]:
    """Send the next request as soon as a connection is free, to measure the throughput.

    Returns:
        the results, and responses per second.
    """
    return asyncio.run(_saturate(address, requests, seconds, connections, source))


async def _saturate(
    address: str,
    requests: Sequence[LoadRequest],
    seconds: float,
    connections: int,
    source: str,
) -> tuple[Tally, float]:
    client = _Client(address, connections, source)
    start = time.perf_counter()
    sent = 0
    while (now := time.perf_counter()) < start + seconds:
        while client.outstanding < 2 * connections:
            client.send(requests[sent % len(requests)], now)
            sent += 1
        await asyncio.sleep(0.0005)
    rate = client.tally.answered / (time.perf_counter() - start)
    while client.outstanding:
        await asyncio.sleep(0.005)
    await client.close()
    return client.tally, rate
