"""nginx in front of the service, with the deployed configuration."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import requests
from load_testing.proxy import executable
from load_testing.proxy import proxy as run_proxy

from tests.api.calls import BASE, EXAMPLES, units_left
from tests.loops import for_each
from tests.patience import PATIENCE_S
from tests.serving import Service, review_of_five_players, serving

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Proxy:
    """nginx in front of one instance."""

    url: str
    port: int
    service: Service


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    nginx = executable()
    if nginx is None:
        pytest.skip("nginx is not installed")
    folder = tmp_path_factory.mktemp("proxy")
    with (
        serving(
            folder / "output", PROXY_HOPS="1", QUOTA_UNITS="1000", QUOTA_WINDOW_S="86400"
        ) as service,
        run_proxy(nginx, [service.address]) as address,
    ):
        yield Proxy(f"http://{address}", int(address.rpartition(":")[2]), service)


def ask(url: str, **headers: str) -> requests.Response:
    """Ask for a new game."""
    return requests.post(
        f"{url}{BASE}/new", json=EXAMPLES["new"], headers=headers, timeout=PATIENCE_S
    )


def send(port: int, sent: bytes) -> bytes:
    """Send bytes on a connection of their own, and return all that the proxy answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        client.sendall(sent)
        received = b""
        while more := client.recv(65_536):
            received += more
        return received


def assert_problem(response: requests.Response, status: int, code: str) -> None:
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    document = response.json()
    assert (document["status"], document["code"]) == (status, code)
    assert document["type"] == f"/docs/errors#{code}"
    assert document["request_id"] == response.headers["X-Request-Id"] != ""


def test_the_proxy_forwards_answers_with_their_headers(proxy: Proxy) -> None:
    response = ask(proxy.url, **{"X-Request-Id": "proxied-1"})
    assert response.status_code == 200
    assert response.json()["state"]["seats"]
    assert response.headers["X-Request-Id"] == "proxied-1"
    assert "Cache-Status" in response.headers


def test_the_proxy_forwards_the_playground_with_its_headers(proxy: Proxy) -> None:
    for path in ("/", "/playground/main.js"):
        response = requests.get(proxy.url + path, timeout=PATIENCE_S)
        assert response.status_code == 200
        assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
        etag = {"If-None-Match": response.headers["ETag"]}
        assert requests.get(proxy.url + path, headers=etag, timeout=PATIENCE_S).status_code == 304


def test_the_proxy_passes_each_line_of_a_stream_on_at_once(proxy: Proxy) -> None:
    """The first line arrives while the service still works: it is not logged yet."""
    request_id = "proxied-stream"
    with requests.post(
        f"{proxy.url}{BASE}/review",
        json=review_of_five_players(),
        headers={"Accept": "application/x-ndjson", "X-Request-Id": request_id},
        stream=True,
        timeout=PATIENCE_S,
    ) as response:
        assert response.headers["Content-Type"] == "application/x-ndjson"
        # A larger chunk would wait for further lines.
        assert json.loads(next(response.iter_lines(chunk_size=1)))["type"] == "progress"
        assert not [line for line in proxy.service.lines() if line.get("request_id") == request_id]


@for_each(
    "sent",
    [
        *(b"GARBAGE", b"\x16\x03\x01", b"GET / HTTP/9.9", b"G@T / HTTP/1.1"),
        *(b"TRACE / HTTP/1.1\r\nHost: x", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b"),
    ],
)
def test_what_is_not_a_request_is_a_problem_document(proxy: Proxy, sent: bytes) -> None:
    """Malformed request lines used to get status 500 and HTML."""
    head, _, body = send(proxy.port, sent + b"\r\n\r\n").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/problem+json" in head
    assert json.loads(body)["code"] == "bad-request"


@pytest.mark.parametrize("trusted", ["127.0.0.0/8", "10.0.0.0/8", ""])
def test_only_a_trusted_proxy_states_the_client(tmp_path: Path, trusted: str) -> None:
    """Any pod with a private address could claim the address of another client."""
    nginx = executable()
    if nginx is None:
        pytest.skip("nginx is not installed")
    quota = {"QUOTA_UNITS": "1", "QUOTA_WINDOW_S": "1000"}
    upstream = "upstream.pod.conf"
    with (
        serving(tmp_path / "output", PROXY_HOPS="1", **quota) as own,
        run_proxy(nginx, [own.address], upstream_file=upstream, trusted=trusted) as address,
    ):

        def status(forwarded: str) -> int:
            return ask(f"http://{address}", **{"X-Forwarded-For": forwarded}).status_code

        statuses = [status(each) for each in ("192.0.2.1", "192.0.2.1", "192.0.2.2")]
        if trusted.startswith("127."):
            assert statuses == [200, 429, 200]
            assert status("192.0.2.9, 192.0.2.2") == 429
        else:
            assert statuses == [200, 429, 429]


def test_the_proxy_forwards_problem_documents_unchanged(proxy: Proxy) -> None:
    response = requests.post(f"{proxy.url}{BASE}/new", json={}, timeout=PATIENCE_S)
    assert_problem(response, 422, "invalid-body")
    assert response.json()["errors"]
    body = b" " * 140_000
    headers = {"Content-Type": "application/json"}
    response = requests.post(
        f"{proxy.url}{BASE}/new", data=body, headers=headers, timeout=PATIENCE_S
    )
    assert_problem(response, 413, "body-too-large")


def test_the_proxy_compresses_answers_above_one_kilobyte(proxy: Proxy) -> None:
    for path, is_compressed in (
        ("/openapi.yaml", True),
        ("/docs/guide", True),
        ("/healthz", False),
    ):
        response = requests.get(proxy.url + path, timeout=PATIENCE_S)
        assert response.status_code == 200
        assert (response.headers.get("Content-Encoding") == "gzip") is is_compressed, path
        assert (len(response.content) > 1024) is is_compressed
    plain = requests.get(
        f"{proxy.url}/openapi.yaml", headers={"Accept-Encoding": "identity"}, timeout=PATIENCE_S
    )
    assert "Content-Encoding" not in plain.headers
    hint = requests.post(f"{proxy.url}{BASE}/suggest", json=EXAMPLES["suggest"], timeout=PATIENCE_S)
    assert hint.headers["Content-Encoding"] == "gzip"
    assert {"Accept-Encoding", "Accept-Language"} <= set(hint.headers["Vary"].split(", "))
    assert hint.json()["player"] == EXAMPLES["suggest"]["player"]


def test_a_body_beyond_the_limit_of_the_proxy_gets_a_problem_document(proxy: Proxy) -> None:
    response = requests.post(f"{proxy.url}{BASE}/new", data=bytes(2 << 20), timeout=PATIENCE_S)
    assert_problem(response, 413, "body-too-large")


def test_the_proxy_hides_the_metrics(proxy: Proxy) -> None:
    response = requests.get(f"{proxy.url}/metrics", timeout=PATIENCE_S)
    assert_problem(response, 404, "not-found")


def test_a_client_cannot_forge_its_address(proxy: Proxy) -> None:
    """The proxy replaces X-Forwarded-For."""

    def remaining_units(forwarded: str) -> int:
        return units_left(ask(proxy.url, **{"X-Forwarded-For": forwarded}))

    clients = ("192.0.2.1", "192.0.2.2", "192.0.2.3, 10.0.0.1")
    first, *others = map(remaining_units, clients)
    assert others == [first - 1, first - 2]


HALF = {
    "nothing": b"",
    "head": f"POST {BASE}/new HTTP/1.1\r\nHost: x\r\n".encode(),
    "body": f"POST {BASE}/new HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{{".encode(),
    "chunk": b"POST /v1/batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    "odd chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5 ;ext",
    "long length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 111111111111111111111\r\n\r\n",
}
HALF_OPEN = 300
"""More than a worker has threads."""


@pytest.mark.parametrize("sent", HALF.values(), ids=HALF)
def test_half_open_connections_occupy_no_thread_of_the_service(proxy: Proxy, sent: bytes) -> None:
    nginx = executable()
    assert nginx is not None
    # Each head counts as a request: the limit of the rate is another test.
    limits = {"connections": HALF_OPEN + 10, "rate": 10 * HALF_OPEN}
    many = run_proxy(nginx, [proxy.service.address], **limits)
    with many as address, ExitStack() as opened:
        host, _, port = address.partition(":")
        for _ in range(HALF_OPEN):
            client = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
            opened.enter_context(client).sendall(sent)
        for _ in range(10):
            start = time.monotonic()
            assert ask(f"http://{address}").status_code == 200
            assert time.monotonic() - start < 2.0
        [pid] = proxy.service.workers()
        sockets = [fd for fd in Path(f"/proc/{pid}/fd").iterdir() if _is_socket(fd)]
        assert len(sockets) < 20


def _is_socket(fd: Path) -> bool:
    try:
        return os.readlink(fd).startswith("socket:")
    except OSError:
        return False


def test_the_proxy_limits_the_request_rate_of_a_client(proxy: Proxy) -> None:
    """The limit is a tenth of the deployed one, so that a slow machine exceeds it too."""
    nginx = executable()
    assert nginx is not None
    with run_proxy(nginx, [proxy.service.address], rate=30) as address:
        url = f"http://{address}/healthz"
        with ThreadPoolExecutor(20) as threads:
            check = partial(requests.get, timeout=PATIENCE_S)
            responses = list(threads.map(check, [url] * 300))
        assert sum(response.status_code == 200 for response in responses) >= 30
        refused = [response for response in responses if response.status_code != 200]
        assert refused
        for response in refused:
            assert response.status_code == 429
            assert response.json()["detail"].startswith("Too many")
        time.sleep(0.5)
        assert requests.get(f"http://{address}/healthz", timeout=PATIENCE_S).status_code == 200


def test_without_an_instance_the_proxy_returns_503_with_retry_after(proxy: Proxy) -> None:
    """This test must be the last one, because it ends the service."""
    proxy.service.process.terminate()
    proxy.service.process.wait(timeout=PATIENCE_S)
    response = ask(proxy.url)
    assert_problem(response, 503, "overloaded")
    assert response.headers["Retry-After"]
