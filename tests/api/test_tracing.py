"""Traces: off by default; if they are on, the spans of a request form one trace."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, get_current_span

from service.api import tracing
from service.app import create_app
from service.config import Config
from service.core.violations import Overloaded
from tests.api.calls import BASE, EXAMPLES, HINT, post, result_of
from tests.serving import serving

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"
PARENT_ID = "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE_ID}-{PARENT_ID}-01"
"""The example of the W3C Trace Context."""
QUICK = HINT | {"effort": "quick"}


class Traced:
    """A service with traces, and the spans it has finished."""

    def __init__(self, app: Flask, exporter: InMemorySpanExporter) -> None:
        self.app, self._exporter = app, exporter
        self.client = app.test_client()

    def spans(self) -> list[ReadableSpan]:
        """Return the spans since the last call, in the order of their ends."""
        self.app.extensions["metrics"].provider.force_flush()
        spans = list(self._exporter.get_finished_spans())
        self._exporter.clear()
        return spans


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Traced]:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, "exporter", lambda _: exporter)
    app = create_app(Config(otel_exporter_otlp_endpoint="http://collector:4318"))
    yield Traced(app, exporter)
    app.extensions["metrics"].provider.shutdown()


def by_name(spans: list[ReadableSpan]) -> dict[str, ReadableSpan]:
    named = {span.name: span for span in spans}
    assert len(named) == len(spans)
    return named


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def parent_of(span: ReadableSpan, spans: list[ReadableSpan]) -> str | None:
    names = {other.context.span_id: other.name for other in spans}
    return names.get(span.parent.span_id) if span.parent else None


def test_without_the_variable_the_service_runs_without_the_packages() -> None:
    program = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "opentelemetry":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
from service.app import create_app
create_app()
print("service.api.tracing" in sys.modules)
"""
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    ).stdout
    assert output.strip() == "False"


def test_a_missing_package_is_named_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("service.api.tracing")
    monkeypatch.setitem(sys.modules, "service.api.tracing", None)
    with pytest.raises(ValueError, match=r"deploy/tracing\.txt"):
        create_app(Config(otel_exporter_otlp_endpoint="http://collector:4318"))


def test_the_spans_of_a_new_hint_form_one_trace(traced: Traced) -> None:
    headers = {"traceparent": TRACEPARENT, "X-Request-Id": "abc"}
    result_of(post(traced.client, "suggest", QUICK, headers=headers))
    spans = traced.spans()
    named = by_name(spans)
    request = f"POST {BASE}/suggest"
    assert {span.name: parent_of(span, spans) for span in spans} == {
        request: None,
        "cache answers": request,
        "cache solves": request,
        "solve": "cache solves",
    }
    assert {f"{span.context.trace_id:032x}" for span in spans} == {TRACE_ID}
    parent = named[request].parent
    assert parent is not None
    assert f"{parent.span_id:016x}" == PARENT_ID
    assert attributes(named[request]) == {
        "request_id": "abc",
        "cache.answers": "computed",
        "http.request.method": "POST",
        "http.route": f"{BASE}/suggest",
        "http.response.status_code": 200,
    }
    assert attributes(named["cache solves"]) == {"cache.solves": "computed"}
    solve = attributes(named["solve"])
    assert (solve["effort"], solve["complete"]) == ("quick", True)


def test_waiting_in_the_queue_is_a_span(traced: Traced) -> None:
    queue = traced.app.extensions["solve_queue"]
    queue._patience_s = 0.01
    with queue.slot(None):
        assert post(traced.client, "suggest", QUICK).status_code == 503
    spans = traced.spans()
    named = by_name([span for span in spans if span.name != "solve"])
    assert parent_of(named["queue"], spans) == "cache solves"
    request = named[f"POST {BASE}/suggest"]
    assert attributes(request)["shed"] == "queue-slow"
    assert request.status.status_code == StatusCode.ERROR


def test_early_answers_are_traced_without_a_solve(traced: Traced) -> None:
    post(traced.client, "suggest", QUICK)
    traced.spans()
    post(traced.client, "suggest", QUICK, headers={"traceparent": TRACEPARENT})
    [hit] = traced.spans()
    assert f"{hit.context.trace_id:032x}" == TRACE_ID
    assert hit.name == f"POST {BASE}/suggest"
    assert hit.start_time is not None
    assert hit.end_time is not None
    assert 0.0 < (hit.end_time - hit.start_time) / 1e9 < 60.0
    assert attributes(hit)["http.response.status_code"] == 200


def test_a_round_trip_to_redis_is_a_span_of_its_request_only(traced: Traced) -> None:
    metrics = traced.app.extensions["metrics"]
    with metrics.obtaining("answers"):
        metrics.redis_replied(0.25)
    metrics.redis_replied(0.25)  # A write in the background.
    spans = traced.spans()
    [redis] = [span for span in spans if span.name == "redis"]
    assert parent_of(redis, spans) == "cache answers"


def test_a_streamed_review_has_one_trace_and_leaves_no_span(traced: Traced) -> None:
    headers = {"Accept": "application/x-ndjson"}
    body = EXAMPLES["review"] | {"effort": "quick"}
    with post(traced.client, "review", body, headers=headers) as response:
        assert b'"result"' in response.get_data()
    spans = traced.spans()
    [request] = [span for span in spans if span.name == f"POST {BASE}/review"]
    assert "solve" in {span.name for span in spans}
    assert {span.context.trace_id for span in spans} == {request.context.trace_id}
    assert not get_current_span().get_span_context().is_valid


def test_health_checks_are_not_traced_and_errors_are(traced: Traced) -> None:
    traced.client.get("/healthz")
    traced.client.get("/nothing")
    [span] = traced.spans()
    assert span.name == "GET none"
    assert attributes(span)["http.response.status_code"] == 404


def test_a_stream_that_is_never_closed_does_not_adopt_the_next_request(traced: Traced) -> None:
    metrics = traced.app.extensions["metrics"]
    metrics.began("games", "first", "")
    metrics.began("games", "second", "")
    metrics.answered("/v1/games", "GET", 200, 0.1)
    first, second = traced.spans()
    assert first.context.trace_id != second.context.trace_id
    assert attributes(second)["request_id"] == "second"


def test_a_refusal_is_no_error_of_its_span_and_adds_no_stack_trace(traced: Traced) -> None:
    metrics = traced.app.extensions["metrics"]
    with pytest.raises(Overloaded), metrics.queued():
        raise Overloaded("queue-full")
    [span] = traced.spans()
    assert not span.events
    assert span.status.status_code == StatusCode.UNSET


@pytest.mark.slow
def test_the_workers_send_their_spans_to_the_collector(tmp_path: Path) -> None:
    received: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as collector:
        threading.Thread(target=collector.serve_forever).start()
        endpoint = f"http://127.0.0.1:{collector.server_port}/"
        with serving(tmp_path / "output", OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as service:
            for _ in range(2):  # The second one is answered early.
                response = requests.post(f"{service.url}{BASE}/suggest", json=QUICK, timeout=60)
                assert response.status_code == 200
        collector.shutdown()
    requests_ = map(ExportTraceServiceRequest.FromString, received)
    resources = [resource for each in requests_ for resource in each.resource_spans]
    scopes = [scope for resource in resources for scope in resource.scope_spans]
    names = Counter(span.name for scope in scopes for span in scope.spans)
    assert names[f"POST {BASE}/suggest"] == 2
    assert names["solve"] == 1
    values = {each.key: each.value.string_value for each in resources[0].resource.attributes}
    assert values["service.name"] == "winter-games"
