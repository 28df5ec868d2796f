"""OpenTelemetry traces: spans of requests, caches, the solve queue and solves.

The only module that imports OpenTelemetry; it is imported only if traces are switched on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import Token
from threading import local
from typing import Final

from opentelemetry.context import Context, attach, detach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import Span, SpanKind, StatusCode, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.api.metrics import Metrics
from service.operations import catalogue
from service.operations.observer import AnySolution

SERVICE: Final = "winter-games"
"""Name in the traces unless ``OTEL_SERVICE_NAME`` gives another."""
TRACES_PATH: Final = "/v1/traces"
"""Of OTLP over HTTP, below the address of the collector."""
UNTRACED: Final = frozenset({"ops.healthz", "ops.readyz"})
"""Flask endpoints that would only be noise."""
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class _Active(local):
    """The span of the request that the current thread serves."""

    span: Span | None = None
    token: Token[Context] | None = None


class TracedMetrics(Metrics):
    """Counts events, and records them as spans.

    Args:
        exporter: receives the finished spans, in batches on a thread of its own.

    Attributes:
        provider: of the spans.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        super().__init__()
        versions = {"service.version": catalogue.versions()["api"]}
        resource = Resource({"service.name": SERVICE} | versions)
        self.provider = TracerProvider(resource=resource.merge(OTELResourceDetector().detect()))
        self.provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self.provider.get_tracer(SERVICE)
        self._active = _Active()

    def began(self, endpoint: str | None, request_id: str, traceparent: str) -> None:
        # A stream that was never closed has left its span.
        self._end()
        if endpoint in UNTRACED:
            return
        parent = _parent(traceparent)
        span = self._tracer.start_span(
            "request", parent, SpanKind.SERVER, {"request_id": request_id}
        )
        self._active.span, self._active.token = span, attach(set_span_in_context(span, parent))

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        super().answered(route, method, status, seconds)
        if self._active.span is not None:
            _describe(self._active.span, route, method, status)
            self._end()

    def answered_early(
        self, route: str, status: int, seconds: float, request_id: str, traceparent: str
    ) -> None:
        super().answered_early(route, status, seconds, request_id, traceparent)
        span = self._tracer.start_span(
            "POST",
            _parent(traceparent),
            SpanKind.SERVER,
            {"request_id": request_id},
            start_time=_before(seconds),
        )
        _describe(span, route, "POST", status)
        span.end()

    def obtaining(self, cache: str) -> AbstractContextManager[None]:
        return self._span(f"cache {cache}")

    @contextmanager
    def queued(self) -> Iterator[None]:
        with self._span("queue"), super().queued():
            yield

    @contextmanager
    def solving(self) -> Iterator[None]:
        with self._span("solve"), super().solving():
            yield

    def solved(self, solution: AnySolution, effort: str, seconds: float) -> None:
        super().solved(solution, effort, seconds)
        get_current_span().set_attributes(
            {"effort": effort, "method": solution.method, "complete": solution.complete}
        )

    def looked_up(self, cache: str, layer: str) -> None:
        super().looked_up(cache, layer)
        get_current_span().set_attribute(f"cache.{cache}", layer)

    def shed(self, reason: str) -> None:
        super().shed(reason)
        get_current_span().set_attribute("shed", reason)

    def timed_out(self, reason: str) -> None:
        super().timed_out(reason)
        get_current_span().set_attribute("deadline", reason)

    def redis_replied(self, seconds: float) -> None:
        super().redis_replied(seconds)
        # Writes in the background belong to no request.
        if get_current_span().is_recording():
            start = _before(seconds)
            self._tracer.start_span("redis", kind=SpanKind.CLIENT, start_time=start).end()

    def _end(self) -> None:
        span, token = self._active.span, self._active.token
        self._active.span = self._active.token = None
        if token is not None:
            detach(token)
        if span is not None:
            span.end()

    @contextmanager
    def _span(self, name: str) -> Iterator[None]:
        """Context of a span; its exceptions are part of the service's work, not faults."""
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ):
            yield


def exporter(endpoint: str) -> SpanExporter:
    """Return an exporter to a collector, given its address; other ``OTEL_`` variables count too."""
    return OTLPSpanExporter(endpoint.rstrip("/") + TRACES_PATH)


def _describe(span: Span, route: str, method: str, status: int) -> None:
    span.update_name(f"{method} {route}")
    span.set_attributes(
        {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    )
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def _parent(traceparent: str) -> Context:
    """Return the context of a request's header ``traceparent`` (W3C Trace Context)."""
    return _PROPAGATOR.extract({"traceparent": traceparent})


def _before(seconds: float) -> int:
    """Return the time some seconds ago, in nanoseconds since the epoch."""
    return time.time_ns() - int(1e9 * seconds)
