"""Clients that are slow or idle do not keep others from being served, without a proxy either."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import requests

from tests.serving import Service, review_of_five_players, serving

pytestmark = pytest.mark.slow

PATIENCE_S = 30
"""Longer than a served request takes; idle clients used to stop the service for longer."""
CLOSE = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF = {
    "head": b"POST /v1/games/snow-time/new HTTP/1.1\r\nHost: x\r\n",
    "body": b"POST /v1/games/snow-time/new HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    "chunks": b"POST /v1/batch HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    "nothing": b"",
    "expect": b"POST /v1/batch HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("idle") / "output") as started:
        yield started


def connect(service: Service) -> socket.socket:
    host, _, port = service.address.partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def test_clients_that_do_not_close_their_connections(service: Service) -> None:
    """The worker's main loop waited up to two seconds for each of them."""
    with ExitStack() as opened:
        for _ in range(40):
            client = opened.enter_context(connect(service))
            client.sendall(CLOSE)
        assert requests.get(f"{service.url}/healthz", timeout=PATIENCE_S).status_code == 200


@pytest.mark.parametrize("sent", HALF.values(), ids=HALF)
def test_clients_that_do_not_finish_their_requests(service: Service, sent: bytes) -> None:
    """Each of them occupied one of 128 threads."""
    with ExitStack() as opened:
        for _ in range(150):
            opened.enter_context(connect(service)).sendall(sent)
        assert requests.get(f"{service.url}/healthz", timeout=PATIENCE_S).status_code == 200


def test_health_checks_have_their_own_threads(service: Service) -> None:
    """All threads of the API wait here for a review, and the metrics and health are served."""
    body = json.dumps(review_of_five_players()).encode()
    head = (
        b"POST /v1/games/snow-time/review HTTP/1.1\r\nHost: x\r\n"
        b"Content-Type: application/json\r\nAccept: application/x-ndjson\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    with ExitStack() as opened:
        for _ in range(140):
            opened.enter_context(connect(service)).sendall(head + body)
        for path in ("healthz", "readyz", "metrics"):
            response = requests.get(f"http://{service.metrics}/{path}", timeout=PATIENCE_S)
            assert response.status_code == 200


def test_an_unfinished_request_ends_after_some_time(service: Service) -> None:
    with connect(service) as client:
        client.sendall(HALF["head"])
        assert client.recv(1) == b""


def test_a_request_is_answered_although_the_client_has_closed_its_side(service: Service) -> None:
    with connect(service) as client:
        client.sendall(CLOSE.replace(b"Connection: close\r\n", b""))
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100).startswith(b"HTTP/1.1 200 ")
