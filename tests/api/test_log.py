"""The log: one JSON line per request, without secrets or personal data."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
import requests

from tests.api.calls import BASE, EXAMPLES
from tests.patience import PATIENCE_S
from tests.server.raw import connect
from tests.serving import Service, review_of_five_players, serving

pytestmark = pytest.mark.slow

KEY = "a-secret-key-of-an-app"
SECRETS = ("cache-secret", KEY, "marie-in-a-body", "token-in-a-query")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    keys = f"app:{sha256(KEY.encode()).hexdigest()}"
    output = tmp_path_factory.mktemp("log") / "output"
    with serving(output, API_KEYS=keys, CACHE_KEY="cache-secret") as started:
        yield started


def headers_of(request_id: str, key: str = KEY) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "X-Request-Id": request_id}


def post(
    service: Service, endpoint: str, body: Any, request_id: str, key: str = KEY, query: str = ""
) -> Any:
    return requests.post(
        f"{service.url}{BASE}/{endpoint}{query}",
        data=json.dumps(body),
        headers=headers_of(request_id, key) | {"Content-Type": "application/json"},
        timeout=PATIENCE_S,
    )


def log_lines(service: Service, request_id: str) -> list[dict[str, Any]]:
    """Wait for the log lines of a request and return them."""
    timeout_at = time.monotonic() + PATIENCE_S
    while True:
        lines = [line for line in service.lines() if line.get("request_id") == request_id]
        if lines:
            return lines
        assert time.monotonic() < timeout_at, f"no log line for request {request_id}"
        time.sleep(0.02)


def test_each_request_is_logged_as_one_line_with_its_outcome(service: Service) -> None:
    body = {"seats": [{"seat": name} for name in ("marie-in-a-body", "b", "c")]}
    post(service, "new", body, "log-1")
    post(service, "new", body, "log-2")
    [first] = log_lines(service, "log-1")
    [again] = log_lines(service, "log-2")
    expected = {
        **{"event": "request", "level": "info", "client": "key app"},
        **{"method": "POST", "path": f"{BASE}/new"},
        **{"status": 200, "code": None, "cache": "answers; fwd=miss; stored"},
    }
    assert first | expected == first
    assert again["cache"] == "answers; hit; detail=memory"
    assert 0.0 <= again["ms"] < 10_000.0
    assert first["bytes"] > 100
    assert first["time"].endswith("Z")


def test_a_problem_is_logged_as_one_line_with_its_code(service: Service) -> None:
    query = "?token-in-a-query=1"
    post(service, "new", {"seats": "marie-in-a-body"}, "log-3", query=query)
    post(service, "new", {}, "log-4", key="token-in-a-query")
    [wrong] = log_lines(service, "log-3")
    [refused] = log_lines(service, "log-4")
    assert (wrong["status"], wrong["code"]) == (422, "invalid-body")
    assert (refused["status"], refused["code"]) == (401, "key-unknown")
    assert refused["client"] == "127.0.0.1"


def send(service: Service, head: bytes) -> None:
    """Send bytes on a connection of their own, and wait until the server closes it."""
    with connect(service.address) as connection:
        connection.sendall(head + b"\r\n\r\n")
        while connection.recv(4096):
            pass


def test_control_characters_cannot_forge_a_line(service: Service) -> None:
    send(
        service,
        b'GET /a%0A{"event":"forged"}%0d%1b[31m%00 HTTP/1.1\r\nHost: x\r\n'
        b"X-Request-Id: log-5\r\nConnection: close",
    )
    [line] = log_lines(service, "log-5")
    assert line["path"] == '/a\n{"event":"forged"}\r\x1b[31m\x00'
    assert not [logged for logged in service.lines() if logged["event"] == "forged"]
    assert b"\x1b" not in service.output.read_bytes()


def test_a_long_path_is_truncated(service: Service) -> None:
    requests.get(
        f"{service.url}/{'x' * 1_500}", headers={"X-Request-Id": "log-6"}, timeout=PATIENCE_S
    )
    [line] = log_lines(service, "log-6")
    assert len(line["path"]) == 300


def test_the_web_server_also_logs_json(service: Service) -> None:
    send(service, b"nonsense")
    assert any("Listening" in line["event"] for line in service.lines())


def test_no_body_key_or_query_is_in_the_log(service: Service) -> None:
    post(service, "suggest", EXAMPLES["suggest"], "log-7")
    log_lines(service, "log-7")
    text = service.output.read_text()
    for secret in SECRETS:
        assert secret not in text


def streamed(service: Service, body: Any, request_id: str) -> requests.Response:
    return requests.post(
        f"{service.url}{BASE}/review",
        json=body,
        headers=headers_of(request_id) | {"Accept": "application/x-ndjson"},
        stream=True,
        timeout=PATIENCE_S,
    )


def test_a_stream_is_logged_when_it_ends(service: Service) -> None:
    content = streamed(service, EXAMPLES["review"] | {"effort": "quick"}, "stream-1").content
    assert json.loads(content.splitlines()[-1])["type"] == "result"
    [line] = log_lines(service, "stream-1")
    assert (line["status"], line["code"], line["bytes"]) == (200, None, len(content))
    assert line["cache"] == "answers; fwd=miss"


def test_a_client_that_leaves_a_review_ends_its_work(service: Service) -> None:
    response = streamed(service, review_of_five_players(), "stream-2")
    assert json.loads(next(response.iter_lines()))["type"] == "progress"
    response.close()
    [line] = log_lines(service, "stream-2")
    assert (line["status"], line["code"]) == (200, "client-gone")
    assert line["bytes"] < 10_000
