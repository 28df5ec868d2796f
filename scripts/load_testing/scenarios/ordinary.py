"""New hints, cached hints and health checks, each at its own rate.

    locust -f scripts/load_testing/scenarios/ordinary.py --headless -u 3 -r 3 -t 20s \
        -H http://localhost:8000 --new 40 --hits 20 --checks 10 --effort standard

PYTHONPATH must contain ``scripts``.
"""

from __future__ import annotations

import urllib.request
from typing import Any

from load_testing.arrivals import Arrivals
from load_testing.bodies import SUGGEST, hint_bodies, hints
from locust import events

KNOWN = hints(3, 50, 5, effort="quick")
"""Bodies of cached hints."""
COPIES = 8
"""How often each of them is sent before, so that every worker most likely has it."""


@events.init_command_line_parser.add_listener  # type: ignore[untyped-decorator]
def add_options(parser: Any) -> None:
    """Add the options of this scenario."""
    parser.add_argument("--new", type=float, default=0.0, help="new hints per second")
    parser.add_argument("--hits", type=float, default=0.0, help="cached hints per second")
    parser.add_argument("--checks", type=float, default=0.0, help="health checks per second")
    parser.add_argument("--effort", default="standard", help="of new hints")
    parser.add_argument("--seats", type=int, default=4, help="of new hints")
    parser.add_argument("--seed", type=int, default=1, help="of the positions of new hints")
    parser.add_argument("--keys", default="", help="API keys of the clients, with commas")


@events.init.add_listener  # type: ignore[untyped-decorator]
def set_rates(environment: Any, **_: Any) -> None:
    """Pass the rates to the users, and send the bodies of cached hints."""
    options = environment.parsed_options
    NewHints.rate, KnownHints.rate, Checks.rate = options.new, options.hits, options.checks
    for body in KNOWN * COPIES if options.hits else ():
        url, headers = options.host + SUGGEST, _headers(options.keys, 0)
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60):
            pass


def _headers(keys: str, number: int) -> dict[str, str]:
    """Return the header fields of one of the clients; a proxy may trust the stated address."""
    own = keys.split(",")
    client = number % len(own)
    headers = {"Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{client + 1}"}
    if keys:
        headers["Authorization"] = f"Bearer {own[client]}"
    return headers


class _Client(Arrivals):
    abstract = True

    def headers(self, number: int) -> dict[str, str]:
        return _headers(self.environment.parsed_options.keys, number)


class NewHints(_Client):
    """Hints at positions that are all different."""

    kind = "new"

    def on_start(self) -> None:
        """Begin with the first position of the seed."""
        options = self.environment.parsed_options
        self._bodies = hint_bodies(options.seats, options.seed, effort=options.effort)

    def next_request(self, number: int) -> tuple[str, str, bytes]:
        return "POST", SUGGEST, next(self._bodies)


class KnownHints(_Client):
    """Cached hints."""

    kind = "hit"

    def next_request(self, number: int) -> tuple[str, str, bytes]:
        return "POST", SUGGEST, KNOWN[number % len(KNOWN)]


class Checks(_Client):
    """Health checks."""

    kind = "health"

    def next_request(self, number: int) -> tuple[str, str, bytes]:
        return "GET", "/healthz", b""
