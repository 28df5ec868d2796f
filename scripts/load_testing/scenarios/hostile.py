"""Clients that take as much as they get.

    locust -f scripts/load_testing/scenarios/hostile.py --headless -u 22 -r 22 -t 20s \
        -H http://localhost:8000

Run them beside ``ordinary.py``, as another process.
"""

from __future__ import annotations

import json
import socket
from itertools import count, cycle, islice
from typing import Any, Final
from urllib.parse import urlsplit

import gevent
from expensive.bodies import bodies
from load_testing.arrivals import record
from load_testing.bodies import NAMES, SUGGEST
from locust import FastHttpUser, User, events, task

HAND: Final = ["1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard"]
BODIES: Final = list(islice(bodies(seed=7), 40))
"""Made before the run, because that takes time."""
gevent.get_hub().loop.update_now()  # Otherwise this time would count as part of the run.
ADDRESS: Final = "203.0.113.1"
"""Of the hostile client; a proxy may trust it."""
IDLE: Final = 40
"""Connections of each kind that send nothing more."""
UNFINISHED: Final = (
    b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"POST /v1/games/snow-time/new HTTP/1.1\r\nHost: x\r\n",
    b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
)
"""A whole request whose connection stays open, half a head, and half a body."""


@events.init_command_line_parser.add_listener  # type: ignore[untyped-decorator]
def add_options(parser: Any) -> None:
    """Add the options of this scenario."""
    parser.add_argument("--hostile-key", default="", help="API key of the hostile client")


class _Greedy(FastHttpUser):
    """Sends the next request as soon as it has the last response."""

    abstract = True
    network_timeout = connection_timeout = 60.0

    def send(self, method: str, path: str, body: bytes) -> None:
        """Send a request and count the response."""
        headers = {"Content-Type": "application/json", "X-Forwarded-For": ADDRESS}
        if key := self.environment.parsed_options.hostile_key:
            headers["Authorization"] = f"Bearer {key}"
        with self.client.request(
            method, path, data=body.decode(), headers=headers, catch_response=True
        ) as response:
            record(response, "hostile")


class FullHands(_Greedy):
    """Hints for five full hands, with the chances of all outcomes: seconds of CPU time each."""

    fixed_count = 16
    numbers = count()

    @task
    def hint(self) -> None:
        """Ask for the next hint."""
        number = next(self.numbers)
        scores = [(number // 7**place) % 7 for place in range(5)]
        seats = [
            {"seat": name, "score": score, "hand": HAND}
            for name, score in zip(NAMES, scores, strict=True)
        ]
        body = {
            "state": {"seats": seats, "fruit": [1, 1, 0, 2, 0, 1]},
            "player": NAMES[number % 5],
            "objective": "lead",
            "opponents": {"model": "level-1"},
            "include": ["dice"],
        }
        self.send("POST", SUGGEST, json.dumps(body).encode())


class ExpensiveBodies(_Greedy):
    """Random legal requests that tend to be expensive, reviews with own catalogues among them."""

    fixed_count = 4
    expensive = cycle(BODIES)

    @task
    def ask(self) -> None:
        """Send the next request."""
        body = next(self.expensive)
        path = f"/v1/games/{body.game}/{body.operation}"
        self.send("POST", path, json.dumps(body.document).encode())


class UnknownMethods(_Greedy):
    """A new method in each request; each one used to be a label of the metrics."""

    fixed_count = 1
    numbers = count()

    @task
    def invent(self) -> None:
        """Send a request with a new method."""
        self.send(f"METHOD{next(self.numbers)}", "/healthz", b"")
        gevent.sleep(0.05)


class IdleConnections(User):
    """Connections that stay open and send nothing more."""

    fixed_count = 1

    @task
    def connect(self) -> None:
        """Open the connections, and replace them after a while."""
        address = urlsplit(self.environment.host)
        opened = []
        for sent in UNFINISHED * IDLE:
            connection = socket.create_connection((address.hostname, address.port), timeout=10)
            connection.sendall(sent)
            opened.append(connection)
        gevent.sleep(5.0)
        for connection in opened:
            connection.close()
