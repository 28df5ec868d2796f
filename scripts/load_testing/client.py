"""An open-loop HTTP client: requests are sent when they are due, whether or not earlier ones were
answered, and a latency counts from then (Tene 2015, *How NOT to Measure Latency*).

A request waits for a free connection if all of its kind are busy; that wait is a part of its
latency.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

CONNECTIONS: Final = 256
"""Open at the same time for each kind of requests, at most."""


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """A request as bytes, and what it is.

    Attributes:
        kind: what figures are told apart by.
        text: the whole request.
        right: the body that is due, if that is known.
    """

    kind: str
    text: bytes
    right: bytes | None = None


@dataclass(slots=True)
class Tally:
    """What became of the requests of one kind.

    Attributes:
        latencies: by status, seconds from when each was due.
        lost: without an answer.
        wrong: with another body than was due.
        bodies: how many different ones there were, counted by hash.
        caches: how often each ``Cache-Status`` was told.
        problems: how often each was told, as status and detail.
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
        """Answered with 200, in that time."""
        return sum(latency <= within_s for latency in self.latencies.get(200, ()))


Tallies = dict[str, Tally]


def request(host: str, method: str, path: str, body: bytes = b"", headers: str = "") -> bytes:
    """A request as bytes."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}"
    if method == "POST":
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}\r\n".encode() + body


class _Connection(asyncio.Protocol):
    """One request at a time."""

    def __init__(self, client: _Client) -> None:
        self._client = client
        self._transport: asyncio.Transport | None = None
        self._text = bytearray()
        self._shot: LoadRequest | None = None
        self._due = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def send(self, shot: LoadRequest, due: float) -> None:
        assert self._transport is not None
        self._shot, self._due = shot, due
        self._transport.write(shot.text)

    def data_received(self, part: bytes) -> None:
        self._text += part
        end = self._text.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._text[:end])
        length = int(_header(head, b"content-length") or 0)
        if len(self._text) < end + 4 + length:
            return
        body = bytes(self._text[end + 4 : end + 4 + length])
        self._text.clear()
        shot, self._shot = self._shot, None
        assert shot is not None, "an answer to no question"
        closing = (_header(head, b"connection") or b"").lower() == b"close"
        self._client.answered(self, shot, self._due, head, body, closing=closing)
        if closing:
            self.close()

    def close(self) -> None:
        assert self._transport is not None
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._client.ended(self, self._shot)
        self._shot = None


def _header(head: bytes, name: bytes) -> bytes | None:
    at = head.lower().find(b"\r\n" + name + b":")
    if at < 0:
        return None
    start = at + len(name) + 3
    end = head.find(b"\r\n", start)
    return head[start : end if end >= 0 else len(head)].strip()


class _Client:
    def __init__(self, address: str, connections: int) -> None:
        host, _, port = address.partition(":")
        self._address, self._most = (host, int(port)), connections
        self._free: deque[_Connection] = deque()
        self._open = 0
        self._connections: set[_Connection] = set()
        self._waiting: deque[tuple[LoadRequest, float]] = deque()
        self._opening: set[asyncio.Task[None]] = set()
        self.tally = Tally()
        self.outstanding = 0

    def send(self, shot: LoadRequest, due: float) -> None:
        self.outstanding += 1
        self._waiting.append((shot, due))
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self._free:
            shot, due = self._waiting.popleft()
            self._free.popleft().send(shot, due)
        if self._waiting and self._open < self._most:
            self._open += 1
            task = asyncio.get_running_loop().create_task(self._connect())
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(lambda: _Connection(self), *self._address)
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
        """Ends all connections; what was not answered is lost."""
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
        shot: LoadRequest,
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
        if shot.right is not None and status == 200 and body != shot.right:
            tally.wrong += 1
        if status >= 400:
            problem = f"{status}: {json.loads(body).get('detail')}"
            tally.problems[problem] = tally.problems.get(problem, 0) + 1
        self.outstanding -= 1
        if not closing:
            self._free.append(connection)
        self._serve()

    def ended(self, connection: _Connection, shot: LoadRequest | None) -> None:
        self._open -= 1
        self._connections.discard(connection)
        if connection in self._free:
            self._free.remove(connection)
        if shot is not None:
            self._lose()
        self._serve()

    def _lose(self) -> None:
        self.tally.lost += 1
        self.outstanding -= 1


def at_constant_rate(
    suggest_requests: Sequence[LoadRequest], rate: float, seconds: float
) -> Iterator[tuple[float, LoadRequest]]:
    """Shots in turn, so many a second: when each is due, in seconds from the start."""
    for number in range(int(rate * seconds)):
        yield number / rate, suggest_requests[number % len(suggest_requests)]


def send_on_schedule(
    address: str,
    schedule: Sequence[tuple[float, LoadRequest]],
    *,
    patience_s: float = 60.0,
    connections: int = CONNECTIONS,
) -> tuple[Tallies, float]:
    """Sends every shot when it is due.

    Args:
        address: host:port.
        schedule: seconds from the start, ascending, and what is sent then.
        patience_s: how long the last answers are waited for; those that are missing then are lost.

    Returns:
        what became of them, by kind; and the seconds until the last answer.
    """
    return asyncio.run(_fire(address, schedule, patience_s, connections))


async def _fire(
    address: str, schedule: Sequence[tuple[float, LoadRequest]], patience_s: float, connections: int
) -> tuple[Tallies, float]:
    # Each kind comes from clients of its own: a health check does not stand in line for a hint.
    clients: dict[str, _Client] = {}
    for _, shot in schedule:
        clients.setdefault(shot.kind, _Client(address, connections))
    begun = time.perf_counter()
    for number, (due, shot) in enumerate(schedule):
        ahead = begun + due - time.perf_counter()
        if ahead > 0.0005:
            await asyncio.sleep(ahead)
        elif number % 16 == 0:
            # Answers come in meanwhile.
            await asyncio.sleep(0)
        clients[shot.kind].send(shot, begun + due)
    give_up = time.perf_counter() + patience_s
    while any(client.outstanding for client in clients.values()) and time.perf_counter() < give_up:
        await asyncio.sleep(0.005)
    took = time.perf_counter() - begun
    for client in clients.values():
        await client.close()
    return {kind: client.tally for kind, client in clients.items()}, took


def saturate(
    address: str, suggest_requests: Sequence[LoadRequest], seconds: float, connections: int
) -> tuple[Tally, float]:
    """Sends the next shot as soon as a connection is free: how much can be answered at all.

    Returns:
        what became of them; and answers a second.
    """
    return asyncio.run(_saturate(address, suggest_requests, seconds, connections))


async def _saturate(
    address: str, suggest_requests: Sequence[LoadRequest], seconds: float, connections: int
) -> tuple[Tally, float]:
    client = _Client(address, connections)
    begun = time.perf_counter()
    sent = 0
    while (now := time.perf_counter()) < begun + seconds:
        while client.outstanding < 2 * connections:
            client.send(suggest_requests[sent % len(suggest_requests)], now)
            sent += 1
        await asyncio.sleep(0.0005)
    rate = client.tally.answered / (time.perf_counter() - begun)
    while client.outstanding:
        await asyncio.sleep(0.005)
    await client.close()
    return client.tally, rate
