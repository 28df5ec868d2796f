"""What operators count, over all workers, for Prometheus."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from glob import glob
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
)
from prometheus_client import generate_latest as exposed
from prometheus_client.multiprocess import MultiProcessCollector

from service.operations.observer import Observer
from service.solver.hints.conditional_values import Crossed
from service.solver.search.turn_expectimax import TurnSolve
from service.solver.solution import Solution

MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
SHARED_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names where the workers of a server count together."""
LATENCIES_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
GAPS: Final = (1e-6, 1e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.5)


class _Counted(MultiProcessCollector):
    """What workers have counted, but for one that is just about to begin: its files are empty, and
    the collector of the library stumbles over them.
    """

    def collect(self) -> Iterable[Metric]:
        files = [name for name in glob(f"{self._path}/*.db") if _begun(name)]
        found: Iterable[Metric] = self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return found


def _begun(name: str) -> bool:
    try:
        return os.path.getsize(name) > 0
    except FileNotFoundError:  # Of a worker that is gone.
        return False


class Metrics(Observer):
    """Counts what it hears."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "http_requests", "Requests answered.", ["route", "method", "status"], registry=registry
        )
        self._latencies = Histogram(
            "http_request_duration_seconds",
            "From receipt to the answer.",
            ["route"],
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._lookups = Counter(
            "cache_lookups",
            "What was looked for, and the layer that had it: memory, redis, flight (another "
            "request made it at that moment) or computed.",
            ["cache", "layer"],
            registry=registry,
        )
        self._solves = Counter(
            "solves", "Solves made.", ["method", "tier", "complete"], registry=registry
        )
        self._solving = Histogram(
            "solve_duration_seconds",
            "In the slot, without the line before it.",
            ["tier"],
            buckets=LATENCIES_S,
            registry=registry,
        )
        self._gaps = Histogram(
            "solve_gap",
            "What a player could gain at most by leaving the strategies, in the objective's unit.",
            ["tier"],
            buckets=GAPS,
            registry=registry,
        )
        self._busy = Gauge(
            "solve_slots_busy",
            "Slots that solve.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._waiting = Gauge(
            "solve_queue_length",
            "Requests in line for a slot.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self._shed = Counter(
            "shed_requests", "Requests refused with 503.", ["why"], registry=registry
        )
        self._faults = Counter(
            "redis_faults", "What Redis did not do.", ["fault"], registry=registry
        )
        self._open = Gauge(
            "redis_breakers_open",
            "Workers that leave Redis alone for a while.",
            multiprocess_mode="livesum",
            registry=registry,
        )

    def exposition(self) -> bytes:
        """The figures of all workers that count together, or of this process."""
        registry = self._registry
        if SHARED_FOLDER in os.environ:
            registry = CollectorRegistry()
            _Counted(registry)  # type: ignore[no-untyped-call]
        return exposed(registry)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was."""
        self._requests.labels(route, method, status).inc()
        self._latencies.labels(route).observe(seconds)

    def solving(self, change: int) -> None:
        self._busy.inc(change)

    @contextmanager
    def queued(self) -> Iterator[None]:
        self._waiting.inc()
        try:
            yield
        finally:
            self._waiting.dec()

    def solved(self, found: Solution | TurnSolve | Crossed, tier: str, seconds: float) -> None:
        self._solves.labels(found.method, tier, str(found.complete).lower()).inc()
        self._solving.labels(tier).observe(seconds)
        if found.gap is not None:
            self._gaps.labels(tier).observe(found.gap)

    def looked_up(self, cache: str, layer: str) -> None:
        self._lookups.labels(cache, layer).inc()

    def shed(self, why: str) -> None:
        self._shed.labels(why).inc()

    def redis_failed(self, fault: str) -> None:
        self._faults.labels(fault).inc()

    def breaker_changed(self, *, is_open: bool) -> None:
        self._open.set(int(is_open))
