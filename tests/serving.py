"""The service under gunicorn, as it is deployed, with the environment of a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from load_testing import server

FULL = [*"1234567", "healer", "watcher", "blizzard"]
LONG = {
    "state": {
        "seats": [{"seat": seat, "score": 3, "hand": FULL} for seat in "abcde"],
        "fruit": [0, 1, 0, 0, 1, 2],
    },
    "player": "a",
    "effort": "deep",
}
"""A request for a hint that takes more than a second."""


def review_of_five_players() -> dict[str, Any]:
    """Return a review that takes several seconds."""
    moves = {name: {"card": card} for name, card in zip("abcde", "12345", strict=True)}
    return {"state": LONG["state"], "rounds": [{"dice": [1, 2], "moves": moves}]}


@dataclass(frozen=True)
class Service(server.Server):
    """A running service.

    Attributes:
        output: file with its stdout and stderr.
    """

    output: Path

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def lines(self) -> list[dict[str, Any]]:
        """Return the log; every line is JSON."""
        return [json.loads(line) for line in self.output.read_bytes().splitlines()]


@contextmanager
def serving(output: Path, **environment: str) -> Iterator[Service]:
    """Run a service until the end of the block; it has one worker by default."""
    variables = {"WEB_CONCURRENCY": "1"} | environment
    with server.serving(variables, output=output) as started:
        yield Service(started.address, started.metrics, started.process, output)
