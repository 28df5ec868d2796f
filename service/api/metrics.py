"""Prometheus metrics; :mod:`service.serving.monitoring` serves those of all workers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client import generate_latest as exposed

from service.api.auth import KEY_PREFIX
from service.operations import catalogue
from service.operations.observer import AnySolution, Observer

LATENCIES_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods with a label of their own; clients can invent any number of others."""
EPSILONS: Final = (1e-6, 1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.5)


class Metrics(Observer):
    """Counts events in Prometheus metrics."""

    def __init__(self) -> None:
        """Declare all metrics: one list, without logic."""
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "http_requests",
            "Responses by route, method and status.",
            ["route", "method", "status"],
            registry=registry,
        )
        self._latencies = Histogram(
            "http_request_duration_seconds",
            "Seconds from receipt to response.",
            ["route"],
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._lookups = Counter(
            "cache_lookups",
            "Cache lookups by cache and layer: memory, redis, flight (computed by another "
            "request at that moment) or computed.",
            ["cache", "layer"],
            registry=registry,
        )
        self._solves = Counter(
            "solves",
            "Searches by method, effort and completeness.",
            ["method", "effort", "complete"],
            registry=registry,
        )
        self._solving = Histogram(
            "solve_duration_seconds",
            "Seconds of a search, without its time in the queue.",
            ["effort"],
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._epsilons = Histogram(
            "solve_epsilon",
            "Epsilon of the solutions, in the unit of the objective.",
            ["effort"],
            buckets=EPSILONS,
            registry=registry,
        )
        self._busy = Gauge(
            "solve_slots_busy",
            "Busy solve slots.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._waiting = Gauge(
            "solve_queue_length",
            "Requests in solve queues.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._waits = Histogram(
            "solve_queue_wait_seconds",
            "Seconds in the solve queue.",
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._timeouts = Counter(
            "deadlines_passed",
            "Requests without a result in time, by reason: queue, search or cpu.",
            ["reason"],
            registry=registry,
        )
        self._costs = Counter(
            "client_cost_units",
            "Units of cost by owner of the API key; empty for clients without a key.",
            ["owner"],
            registry=registry,
        )
        self._batched = Counter(
            "batch_responses",
            "Responses inside batches by status.",
            ["status"],
            registry=registry,
        )
        build = Gauge(
            "build_info",
            "Versions of the service; the value is 1.",
            ["api", "engine"],
            multiprocess_mode="max",
            registry=registry,
        )
        versions = catalogue.versions()
        build.labels(versions["api"], versions["engine"]).set(1)
        self._shed = Counter(
            "shed_requests", "Requests refused with 503.", ["why"], registry=registry
        )
        self._faults = Counter(
            "redis_faults",
            "Failed Redis commands by cause.",
            ["fault"],
            registry=registry,
        )
        self._redis = Histogram(
            "redis_request_duration_seconds",
            "Seconds of a round trip to Redis.",
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._open = Gauge(
            "redis_breakers_open",
            "Workers with an open circuit breaker for Redis.",
            multiprocess_mode="livesum",
            registry=registry,
        )

        # Each hit and each refusal counts these; finding the labels anew would take 3 us each time.
        self._request_count = cache(self._requests.labels)
        self._latency = cache(self._latencies.labels)
        self._lookup = cache(self._lookups.labels)
        self._cost = cache(self._costs.labels)
        self._refusal = cache(self._shed.labels)

    def exposition(self) -> bytes:
        """Return the metrics of this process in the text format of Prometheus."""
        return exposed(self._registry)

    def began(self, endpoint: str | None, request_id: str, traceparent: str) -> None:
        """A thread began to serve a request, for traces; :meth:`answered` follows.

        Args:
            endpoint: of Flask; None for an unknown path.
            request_id: of the request.
            traceparent: value of the header with this name (W3C Trace Context).
        """

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a response."""
        self._request_count(route, method if method in METHODS else "other", status).inc()
        self._latency(route).observe(seconds)

    def answered_early(
        self, route: str, status: int, seconds: float, request_id: str, traceparent: str
    ) -> None:
        """Count a response that the application did not see.

        Args:
            request_id, traceparent: see :meth:`began`.
        """
        self.answered(route, "POST", status, seconds)

    @contextmanager
    def solving(self) -> Iterator[None]:
        self._busy.inc()
        try:
            yield
        finally:
            self._busy.dec()

    @contextmanager
    def queued(self) -> Iterator[None]:
        self._waiting.inc()
        start = time.monotonic()
        try:
            yield
        finally:
            self._waiting.dec()
            self._waits.observe(time.monotonic() - start)

    def timed_out(self, reason: str) -> None:
        self._timeouts.labels(reason).inc()

    def charged(self, client: str, units: float) -> None:
        # Addresses are too many for labels.
        owner = client.removeprefix(KEY_PREFIX) if client.startswith(KEY_PREFIX) else ""
        self._cost(owner).inc(units)

    def batched(self, status: int) -> None:
        self._batched.labels(status).inc()

    def solved(self, solution: AnySolution, effort: str, seconds: float) -> None:
        self._solves.labels(solution.method, effort, str(solution.complete).lower()).inc()
        self._solving.labels(effort).observe(seconds)
        if solution.epsilon is not None:
            self._epsilons.labels(effort).observe(solution.epsilon)

    def looked_up(self, cache: str, layer: str) -> None:
        self._lookup(cache, layer).inc()

    def shed(self, reason: str) -> None:
        self._refusal(reason).inc()

    def redis_failed(self, fault: str) -> None:
        self._faults.labels(fault).inc()

    def redis_replied(self, seconds: float) -> None:
        self._redis.observe(seconds)

    def breaker_changed(self, *, is_open: bool) -> None:
        self._open.set(int(is_open))
