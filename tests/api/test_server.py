"""The service under gunicorn, as deployed: chunked bodies, lengths, methods and pipelining."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import requests

from tests.api.calls import ENDPOINTS, EXAMPLES, problem_of, result_of, route
from tests.loops import for_each
from tests.patience import PATIENCE_S
from tests.server.raw import (
    NEW,
    chunked,
    connect,
    exchange,
    parse_replies,
    request_bytes,
)

LIMIT = 128 * 1024


# Chunked bodies -------------------------------------------------------------------------------


def in_chunks(text: bytes, size: int) -> bytes:
    return chunked(*(text[at : at + size] for at in range(0, len(text), size)))


@for_each("size", [1, 7, 64, 10_000])
def test_a_chunked_body_is_read_like_any_other(live_service: str, size: int) -> None:
    (whole,) = exchange(live_service, request_bytes())
    (reply,) = exchange(live_service, in_chunks(NEW, size))

    assert result_of(reply) == result_of(whole)
    assert reply.data == whole.data


@for_each("size", [512, 8192, LIMIT, 4 * LIMIT])
def test_a_chunked_body_is_limited_to_128_kib(live_service: str, size: int) -> None:
    (fits,) = exchange(live_service, in_chunks(NEW.ljust(LIMIT), size))

    assert result_of(fits) == result_of(exchange(live_service, request_bytes())[0])
    for beyond in (b" ", b"x" * LIMIT):
        (reply,) = exchange(live_service, in_chunks(NEW.ljust(LIMIT) + beyond, size))
        problem_of(reply, 413, "body-too-large")


@for_each("end", [b"", b"5\r\nab", b"0"])
def test_an_incomplete_chunked_body_is_a_400(live_service: str, end: bytes) -> None:
    replies = exchange(live_service, chunked(NEW[:9], NEW[9:], end=end), finished=True)

    for reply in replies:
        problem_of(reply, 400)


# Lengths --------------------------------------------------------------------------------------


def test_a_body_with_content_length_is_limited_to_128_kib(live_service: str) -> None:
    (fits,) = exchange(live_service, request_bytes(NEW.ljust(LIMIT)))
    (too_large,) = exchange(live_service, request_bytes(NEW.ljust(LIMIT + 1)))

    assert result_of(fits)
    problem_of(too_large, 413, "body-too-large")


@for_each("length", [LIMIT + 1, 10**9, 10**18, 10**30])
def test_a_content_length_above_the_limit_is_refused_before_the_body_arrives(
    live_service: str, length: int
) -> None:
    (reply,) = exchange(live_service, request_bytes(b"", length=length), finished=True)

    problem_of(reply, 413, "body-too-large")


@for_each("body", [NEW, NEW[:-5], b""])
def test_a_body_shorter_than_its_content_length_is_a_400(live_service: str, body: bytes) -> None:
    (reply,) = exchange(live_service, request_bytes(body, length=len(NEW) + 100), finished=True)

    problem_of(reply, 400)


def test_an_absent_body_is_not_json(live_service: str) -> None:
    for request in (request_bytes(b""), request_bytes(b"", length=None)):
        (reply,) = exchange(live_service, request)
        problem_of(reply, 400, "not-json")


def test_expect_100_continue_is_supported(live_service: str) -> None:
    with connect(live_service) as connection:
        connection.sendall(request_bytes(b"", length=len(NEW), headers="Expect: 100-continue\r\n"))
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(NEW)
        received = b""
        while more := connection.recv(65_536):
            received += more
    (reply,) = parse_replies(received)

    assert result_of(reply)


# Methods --------------------------------------------------------------------------------------


def test_head_has_the_headers_and_no_body(live_service: str) -> None:
    (full,) = exchange(live_service, request_bytes(b"", method="GET", path="/v1/games", media=""))
    for path, status in (("/v1/games", 200), (route("new"), 405)):
        request = request_bytes(b"", method="HEAD", path=path)
        (head,) = exchange(live_service, request, bodiless=True)
        assert head.status_code == status
        assert ("POST" in head.headers.get("Allow", "")) == (status == 405)
        if status == 200:
            assert head.headers["Content-Length"] == str(len(full.data)) != "0"


@for_each("method", ["TRACE", "CONNECT", "PUT", "DELETE", "QUERY"])
def test_other_methods_are_refused(live_service: str, method: str) -> None:
    (reply,) = exchange(live_service, request_bytes(method=method))

    problem_of(reply, 405, "method-not-allowed")


def test_a_client_cannot_set_script_name_with_a_header(live_service: str) -> None:
    for name in ("Script_Name", "SCRIPT_NAME", "Script-Name"):
        response = requests.get(
            f"http://{live_service}/healthz", headers={name: "/x"}, timeout=PATIENCE_S
        )
        assert response.status_code == 200


def test_http_1_0_is_supported(live_service: str) -> None:
    (reply,) = exchange(live_service, b"GET /healthz HTTP/1.0\r\n\r\n")

    assert result_of(reply) == {"status": "ok"}


# Several requests on a connection -------------------------------------------------------------

REFUSALS = [
    (request_bytes(path="/nowhere", last=False), 404),
    (request_bytes(method="PUT", last=False), 405),
    (request_bytes(media="text/plain", last=False), 415),
    (request_bytes(b"{", last=False), 400),
    (request_bytes(b"{}", last=False), 422),
]


@for_each("request_, status", REFUSALS)
def test_a_connection_stays_usable_after_a_refusal(
    live_service: str, request_: bytes, status: int
) -> None:
    replies = exchange(live_service, request_, request_, request_bytes())

    assert [reply.status_code for reply in replies] == [status, status, 200]
    assert replies[0].headers["Connection"].lower() == "keep-alive"


def test_requests_in_one_packet_are_answered_in_order(live_service: str) -> None:
    cases = REFUSALS * 2
    names = [f"request-{index}" for index in range(len(cases))]
    packet = b"".join(
        request.replace(b"Host: test", b"Host: test\r\nX-Request-Id: " + name.encode())
        for (request, _), name in zip(cases, names, strict=True)
    ) + request_bytes(headers="X-Request-Id: last\r\n")

    replies = exchange(live_service, packet)

    assert [reply.status_code for reply in replies] == [status for _, status in cases] + [200]
    assert [reply.headers["X-Request-Id"] for reply in replies] == [*names, "last"]


SMUGGLED = request_bytes(b"", method="GET", path="/healthz", media="")


def test_a_body_that_is_too_large_is_never_read_as_the_next_request(live_service: str) -> None:
    body = b" " * LIMIT + SMUGGLED

    replies = exchange(live_service, request_bytes(body, last=False) + request_bytes())

    problem_of(replies[0], 413, "body-too-large")
    assert all(b'"ok"' not in reply.data for reply in replies)
    assert len(replies) == 1 or result_of(replies[1])


def test_an_unread_body_is_never_read_as_the_next_request(live_service: str) -> None:
    for path, method in (("/nowhere", "POST"), (route("new"), "DELETE"), ("/v1/games", "GET")):
        request = request_bytes(SMUGGLED, path=path, method=method, last=False)
        replies = exchange(live_service, request + request_bytes())
        assert len(replies) == 2
        assert replies[0].status_code in (404, 405, 200)
        assert b'"ok"' not in replies[0].data
        assert result_of(replies[1])


# Slow and vanishing clients -------------------------------------------------------------------


def test_a_client_that_sends_byte_by_byte_is_served(live_service: str) -> None:
    request = request_bytes()

    (reply,) = exchange(live_service, *(request[at : at + 1] for at in range(len(request))))

    assert result_of(reply)


def test_slow_or_vanishing_clients_do_not_block_others(live_service: str) -> None:
    with ExitStack() as stack:
        for index in range(4):
            waiting = stack.enter_context(connect(live_service))
            waiting.sendall(request_bytes()[: 40 + 30 * index])
        for _ in range(20):
            vanishing = connect(live_service)
            vanishing.sendall(request_bytes(NEW[:10], length=len(NEW)))
            # Close with a reset (RST) instead of FIN.
            vanishing.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            vanishing.close()
        for _ in range(5):
            (reply,) = exchange(live_service, request_bytes())
            assert result_of(reply)


def test_the_service_survives_a_client_that_disconnects_early(live_service: str) -> None:
    text = json.dumps(EXAMPLES["suggest"]).encode()
    for _ in range(5):
        with connect(live_service) as leaving:
            leaving.sendall(request_bytes(text, path=route("suggest")))

    (reply,) = exchange(live_service, request_bytes())
    assert result_of(reply)


def test_concurrent_clients_get_the_same_bytes(live_service: str) -> None:
    def response_bytes(index: int) -> tuple[str, bytes]:
        endpoint = ENDPOINTS[index % len(ENDPOINTS)]
        address = f"http://{live_service}{route(endpoint)}"
        response = requests.post(address, json=EXAMPLES[endpoint], timeout=PATIENCE_S)
        # Twelve clients can be too many for a busy machine.
        until = time.monotonic() + PATIENCE_S
        while response.status_code == 503 and time.monotonic() < until:
            time.sleep(int(response.headers["Retry-After"]))
            response = requests.post(address, json=EXAMPLES[endpoint], timeout=PATIENCE_S)
        assert response.status_code == 200
        return endpoint, response.content

    with ThreadPoolExecutor(12) as pool:
        responses = set(pool.map(response_bytes, range(60)))

    assert {endpoint for endpoint, _ in responses} == set(ENDPOINTS)
    assert len(responses) == len(ENDPOINTS)
