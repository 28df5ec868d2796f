"""nginx in front of the service, with the configuration that is deployed."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from load_testing.bodies import health
from load_testing.client import fire
from load_testing.proxy import executable
from load_testing.proxy import proxy as before

from tests.api.calls import BASE, EXAMPLES
from tests.serving import Service, serving

pytestmark = pytest.mark.slow

PATIENCE_S = 20


@dataclass(frozen=True)
class Proxy:
    """nginx before one instance."""

    url: str
    port: int
    service: Service


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    nginx = executable()
    if nginx is None:
        pytest.skip("there is no nginx")
    folder = tmp_path_factory.mktemp("proxy")
    with (
        serving(
            folder / "output", PROXY_HOPS="1", QUOTA_UNITS="1000", QUOTA_WINDOW_S="1000"
        ) as service,
        before(nginx, [service.address]) as address,
    ):
        yield Proxy(f"http://{address}", int(address.rpartition(":")[2]), service)


def ask(proxy: Proxy, **headers: str) -> requests.Response:
    return requests.post(
        f"{proxy.url}{BASE}/new", json=EXAMPLES["new"], headers=headers, timeout=PATIENCE_S
    )


def problem(response: requests.Response, status: int, code: str) -> None:
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    told = response.json()
    assert (told["status"], told["code"]) == (status, code)
    assert told["request_id"] == response.headers["X-Request-Id"] != ""


def test_answers_come_through_with_their_headers(proxy: Proxy) -> None:
    response = ask(proxy, **{"X-Request-Id": "proxied-1"})
    assert response.status_code == 200
    assert response.json()["state"]["seats"]
    assert response.headers["X-Request-Id"] == "proxied-1"
    assert "Cache-Status" in response.headers


def test_the_page_comes_through_with_its_headers(proxy: Proxy) -> None:
    for path in ("/", "/playground/main.js"):
        response = requests.get(proxy.url + path, timeout=PATIENCE_S)
        assert response.status_code == 200
        assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
        etag = {"If-None-Match": response.headers["ETag"]}
        assert requests.get(proxy.url + path, headers=etag, timeout=PATIENCE_S).status_code == 304


def test_problems_of_the_service_come_through_as_they_are(proxy: Proxy) -> None:
    response = requests.post(f"{proxy.url}{BASE}/new", json={}, timeout=PATIENCE_S)
    problem(response, 422, "invalid-body")
    assert response.json()["errors"]
    body = b" " * 70_000
    headers = {"Content-Type": "application/json"}
    response = requests.post(
        f"{proxy.url}{BASE}/new", data=body, headers=headers, timeout=PATIENCE_S
    )
    problem(response, 413, "body-too-large")


def test_a_body_that_the_proxy_refuses_is_a_problem_too(proxy: Proxy) -> None:
    response = requests.post(f"{proxy.url}{BASE}/new", data=bytes(2 << 20), timeout=PATIENCE_S)
    problem(response, 413, "body-too-large")


def test_what_is_no_request_is_a_problem(proxy: Proxy) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_S) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        text = b""
        while part := connection.recv(4096):
            text += part
    assert text.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in text
    assert b'"code":"bad-request"' in text


def test_metrics_are_not_for_the_public(proxy: Proxy) -> None:
    assert requests.get(f"{proxy.url}/metrics", timeout=PATIENCE_S).status_code == 404


def test_nobody_can_say_that_it_is_somebody_else(proxy: Proxy) -> None:
    """Of what stands in X-Forwarded-For only what the last proxy says counts."""

    def left(forwarded: str) -> int:
        told = ask(proxy, **{"X-Forwarded-For": forwarded}).headers["RateLimit"]
        return int(told.split("r=")[1].split(";")[0])

    first = left("192.0.2.1")
    assert [left("192.0.2.2"), left("192.0.2.3, 10.0.0.1")] == [first - 1, first - 2]


def test_clients_that_drip_hold_no_thread_of_the_service(proxy: Proxy) -> None:
    dripping = []
    try:
        for _ in range(40):
            connection = socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_S)
            connection.sendall(
                f"POST {BASE}/new HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                "Content-Length: 5000\r\n\r\n{".encode()
            )
            dripping.append(connection)
        for _ in range(10):
            for connection in dripping:
                connection.sendall(b" ")
            begun = time.monotonic()
            assert ask(proxy).status_code == 200
            assert time.monotonic() - begun < 2.0
        [pid] = proxy.service.workers()
        established = Path(f"/proc/{pid}/fd")
        sockets = [fd for fd in established.iterdir() if _is_socket(fd)]
        assert len(sockets) < 20
    finally:
        for connection in dripping:
            connection.close()


def _is_socket(fd: Path) -> bool:
    try:
        return os.readlink(fd).startswith("socket:")
    except OSError:
        return False


def test_a_client_that_runs_wild_is_refused_at_the_door(proxy: Proxy) -> None:
    address = proxy.url.removeprefix("http://")
    told, _ = fire(address, [(0.0, health(address))] * 3_000, connections=20)
    tally = told["health"]
    refused = len(tally.latencies[429])
    assert (tally.lost, tally.good() + refused) == (0, 3_000)
    assert tally.good() >= 300
    [problem] = tally.problems
    assert problem.startswith("429: Too many")
    time.sleep(0.5)
    assert ask(proxy).status_code == 200


def test_when_no_instance_is_there_the_answer_is_a_polite_503(proxy: Proxy) -> None:
    """The last test here: it ends the service."""
    proxy.service.process.terminate()
    proxy.service.process.wait(timeout=PATIENCE_S)
    response = ask(proxy)
    problem(response, 503, "overloaded")
    assert response.headers["Retry-After"]
