"""The log: JSON, a line a request, and nothing in it that is nobody's business."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
import requests

from tests.api.calls import BASE, EXAMPLES
from tests.serving import Service, serving

pytestmark = pytest.mark.slow

KEY = "a-secret-key-of-an-app"
SECRETS = ("cache-secret", KEY, "marie-in-a-body", "token-in-a-query")
PATIENCE_S = 10


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    keys = f"app:{sha256(KEY.encode()).hexdigest()}"
    output = tmp_path_factory.mktemp("log") / "output"
    with serving(output, API_KEYS=keys, CACHE_KEY="cache-secret") as started:
        yield started


def post(service: Service, verb: str, body: Any, request_id: str, key: str = KEY) -> Any:
    return requests.post(
        f"{service.url}{BASE}/{verb}?token-in-a-query=1",
        data=json.dumps(body),
        headers={
            "Content-Type": "application/json",
            "Authorization": f"Bearer {key}",
            "X-Request-Id": request_id,
        },
        timeout=PATIENCE_S,
    )


def told(service: Service, request_id: str) -> list[dict[str, Any]]:
    """The lines about a request, once there are some."""
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        found = [line for line in service.lines() if line.get("request_id") == request_id]
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"nothing is told of {request_id}")


def test_each_request_is_one_line_that_says_what_came_of_it(service: Service) -> None:
    body = {"seats": [{"seat": name} for name in ("marie-in-a-body", "b", "c")]}
    post(service, "new", body, "log-1")
    post(service, "new", body, "log-2")
    [first], [again] = told(service, "log-1"), told(service, "log-2")
    assert {name: first[name] for name in ("event", "level", "client", "method", "path")} == {
        "event": "request",
        "level": "info",
        "client": "key app",
        "method": "POST",
        "path": f"{BASE}/new",
    }
    assert (first["status"], first["code"], first["cache"]) == (
        200,
        None,
        "answers; fwd=miss; stored",
    )
    assert again["cache"] == "answers; hit; detail=memory"
    assert 0.0 <= again["ms"] < 10_000.0
    assert first["bytes"] > 100
    assert first["time"].endswith("Z")


def test_a_problem_is_one_line_with_its_code(service: Service) -> None:
    post(service, "new", {"seats": "marie-in-a-body"}, "log-3")
    post(service, "new", {}, "log-4", key="token-in-a-query")
    [wrong], [refused] = told(service, "log-3"), told(service, "log-4")
    assert (wrong["status"], wrong["code"]) == (422, "invalid-body")
    assert (refused["status"], refused["code"]) == (401, "key-unknown")
    assert refused["client"] == "127.0.0.1"


def test_control_characters_cannot_forge_a_line(service: Service) -> None:
    host, _, port = service.address.partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as connection:
        connection.sendall(
            b'GET /a%0A{"event":"forged"}%0d%1b[31m%00 HTTP/1.1\r\nHost: x\r\n'
            b"X-Request-Id: log-5\r\nConnection: close\r\n\r\n"
        )
        while connection.recv(4096):
            pass
    [line] = told(service, "log-5")
    assert line["path"] == '/a\n{"event":"forged"}\r\x1b[31m\x00'
    assert not [found for found in service.lines() if found["event"] == "forged"]
    assert b"\x1b" not in service.output.read_bytes()


def test_a_long_path_is_told_in_part(service: Service) -> None:
    requests.get(
        f"{service.url}/{'x' * 1_500}", headers={"X-Request-Id": "log-6"}, timeout=PATIENCE_S
    )
    [line] = told(service, "log-6")
    assert len(line["path"]) == 300


def test_the_server_itself_logs_json_too(service: Service) -> None:
    host, _, port = service.address.partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as connection:
        connection.sendall(b"nonsense\r\n\r\n")
        while connection.recv(4096):
            pass
    assert any("Listening" in line["event"] for line in service.lines())


def test_no_body_key_or_query_is_in_the_log(service: Service) -> None:
    post(service, "suggest", EXAMPLES["suggest"], "log-7")
    told(service, "log-7")
    text = service.output.read_text()
    for secret in SECRETS:
        assert secret not in text
