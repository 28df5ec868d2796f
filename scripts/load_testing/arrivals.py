"""Users of Locust that send requests at fixed times, however long the responses take (open loop).

Latencies count from the scheduled time, and each status is a row of its own in the statistics.
"""

from __future__ import annotations

import time
from itertools import count

import gevent
from locust import FastHttpUser, task

LATE = "late"
"""Name in the statistics of how long after its scheduled time a request was sent: much, if the
machine is too slow to send so many."""


class Arrivals(FastHttpUser):
    """Sends one kind of requests at a constant rate.

    Attributes:
        kind: name in the statistics, before the status.
        rate: requests per second; 0 for none.
    """

    abstract = True
    fixed_count = 1
    concurrency = 4_000
    network_timeout = connection_timeout = 60.0
    kind = ""
    rate = 0.0

    def next_request(self, number: int) -> tuple[str, str, bytes]:
        """Return method, path and body of a request."""
        raise NotImplementedError

    def headers(self, number: int) -> dict[str, str]:
        """Return the header fields of a request."""
        return {"Content-Type": "application/json"}

    @task
    def arrive(self) -> None:
        """Start requests until the end of the run."""
        start = time.perf_counter()
        for number in count():
            if not self.rate:
                gevent.sleep(3600.0)
            due = start + number / self.rate
            gevent.sleep(max(0.0, due - time.perf_counter()))
            gevent.spawn(self._send, number, due)

    def _send(self, number: int, due: float) -> None:
        method, path, body = self.next_request(number)
        late_ms = 1000.0 * (time.perf_counter() - due)
        self.environment.stats.log_request("", LATE, late_ms, 0)
        with self.client.request(
            method, path, data=body.decode(), headers=self.headers(number), catch_response=True
        ) as response:
            record(response, self.kind)
            response.request_meta["response_time"] += late_ms


def record(response: object, kind: str) -> None:
    """Count a response by its status; only lost ones are failures."""
    status = response.status_code  # type: ignore[attr-defined]
    response.request_meta["name"] = f"{kind} {status}"  # type: ignore[attr-defined]
    if status:
        response.success()  # type: ignore[attr-defined]
