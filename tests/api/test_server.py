"""The service under gunicorn as it is deployed: chunks, pipelines, and clients that misbehave."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from tests.api.calls import EXAMPLES, JSON, PROBLEM_JSON, VERBS, faults_of, problem_of, route

LIMIT = 64 * 1024
PATIENCE_S = 30
NEW = json.dumps(EXAMPLES["new"]).encode()


@dataclass(frozen=True)
class Reply:
    """A response as it came over the wire; reads like one of the test client."""

    status_code: int
    headers: dict[str, str]
    data: bytes

    def get_data(self, *, as_text: bool) -> str:
        assert as_text
        return self.data.decode()


def connect(address: str) -> socket.socket:
    host, _, port = address.partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def asked(
    body: bytes = NEW,
    *,
    method: str = "POST",
    path: str = route("new"),
    media: str = JSON,
    length: object = ...,
    headers: str = "",
    last: bool = True,
) -> bytes:
    """A request as bytes; ``length`` None leaves the header out."""
    length = len(body) if length is ... else length
    head = f"{method} {path} HTTP/1.1\r\nHost: test\r\n{headers}"
    head += f"Content-Type: {media}\r\n" if media else ""
    head += "" if length is None else f"Content-Length: {length}\r\n"
    head += "Connection: close\r\n" if last else ""
    return f"{head}\r\n".encode("latin-1") + body


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    text = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + end
    return asked(text, length=None, headers="Transfer-Encoding: chunked\r\n")


def told(
    address: str, *parts: bytes, finished: bool = False, bodiless: bool = False
) -> list[Reply]:
    """Everything that is answered on one connection until it is closed.

    With ``finished`` the client says that nothing more will come.
    """
    with connect(address) as connection:
        for part in parts:
            connection.sendall(part)
        if finished:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while more := connection.recv(65_536):
            received += more
    return replies(received, bodiless=bodiless)


def replies(received: bytes, *, bodiless: bool = False) -> list[Reply]:
    found = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:])
        size = 0 if bodiless else int(headers.get("Content-Length", 0))
        body, received = received[:size], received[size:]
        assert len(body) == size
        found.append(Reply(int(lines[0].split()[1]), headers, body))
    return found


def answered(reply: Reply) -> Any:
    assert reply.status_code == 200, reply.data
    assert reply.headers["Content-Type"] == JSON
    return json.loads(reply.data)


# Bodies in chunks -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_a_body_in_chunks_is_read_like_any_other(live_service: str, size: int) -> None:
    chunks = [NEW[start : start + size] for start in range(0, len(NEW), size)]

    (whole,) = told(live_service, asked())
    (in_chunks,) = told(live_service, chunked(*chunks))

    assert answered(in_chunks) == answered(whole)
    assert in_chunks.data == whole.data


@pytest.mark.parametrize("size", [512, 8192, LIMIT])
def test_a_body_in_chunks_may_have_64_kib(live_service: str, size: int) -> None:
    text = NEW.ljust(LIMIT)

    (reply,) = told(live_service, chunked(*(text[at : at + size] for at in range(0, LIMIT, size))))

    assert answered(reply) == answered(told(live_service, asked())[0])


@pytest.mark.parametrize("beyond", [b" ", b"x" * LIMIT], ids=["a space", "as much"])
@pytest.mark.parametrize("size", [512, 4 * LIMIT])
def test_a_byte_more_in_chunks_is_a_413(live_service: str, beyond: bytes, size: int) -> None:
    text = NEW.ljust(LIMIT) + beyond
    chunks = [text[at : at + size] for at in range(0, len(text), size)]

    (reply,) = told(live_service, chunked(*chunks))

    problem_of(reply, 413, "body-too-large")


@pytest.mark.parametrize(
    "text",
    [
        b"zz\r\nabc\r\n0\r\n\r\n",
        b"-5\r\nabcde\r\n0\r\n\r\n",
        b"3\r\nabcd\r\n0\r\n\r\n",
        b"5 \r\n{\r\n0\r\n\r\n",
        b"\r\n\r\n",
        b"ffffffffffffffffffffffff\r\n{}\r\n",
        b"0x2\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_malformed_chunks_are_the_clients_fault(live_service: str, text: bytes) -> None:
    request = asked(text, length=None, headers="Transfer-Encoding: chunked\r\n")

    (reply,) = told(live_service, request, finished=True)

    assert 400 <= reply.status_code < 500, reply
    if reply.headers["Content-Type"] == PROBLEM_JSON:
        problem_of(reply, 400)


@pytest.mark.parametrize("end", [b"", b"5\r\nab", b"0"])
def test_chunks_that_end_early_are_never_answered(live_service: str, end: bytes) -> None:
    found = told(live_service, chunked(NEW[:9], NEW[9:], end=end), finished=True)

    assert all(reply.status_code == 400 for reply in found)
    assert [problem_of(reply, 400)["status"] for reply in found] == [400] * len(found)


# Lengths --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1])
def test_the_limit_holds_for_a_body_of_known_length(live_service: str, size: int) -> None:
    (reply,) = told(live_service, asked(NEW.ljust(size)))

    if size == LIMIT:
        assert answered(reply)
    else:
        problem_of(reply, 413, "body-too-large")


@pytest.mark.parametrize("length", [LIMIT + 1, 10**9, 10**18, 10**30])
def test_a_length_beyond_the_limit_is_refused_before_the_body_comes(
    live_service: str, length: int
) -> None:
    (reply,) = told(live_service, asked(b"", length=length), finished=True)

    problem_of(reply, 413, "body-too-large")


@pytest.mark.parametrize("length", ["abc", "-5", "+5", "5, 6", "0x10", "1e1", ""])
def test_a_length_that_is_none_is_the_clients_fault(live_service: str, length: str) -> None:
    (reply,) = told(live_service, asked(length=length), finished=True)

    assert 400 <= reply.status_code < 500
    assert b"Traceback" not in reply.data


def test_a_length_beside_chunks_is_the_clients_fault(live_service: str) -> None:
    request = asked(b"0\r\n\r\n", headers="Transfer-Encoding: chunked\r\n")

    (reply,) = told(live_service, request, finished=True)

    assert reply.status_code == 400


@pytest.mark.parametrize("body", [NEW, NEW[:-5], b""], ids=["all", "cut", "none"])
def test_a_body_shorter_than_it_said_is_never_answered(live_service: str, body: bytes) -> None:
    (reply,) = told(live_service, asked(body, length=len(NEW) + 100), finished=True)

    problem_of(reply, 400)


def test_no_body_at_all_is_no_json(live_service: str) -> None:
    for request in (asked(b""), asked(b"", length=None)):
        (reply,) = told(live_service, request)
        problem_of(reply, 400, "not-json")


def test_a_client_may_wait_to_be_told_to_continue(live_service: str) -> None:
    with connect(live_service) as connection:
        connection.sendall(asked(b"", length=len(NEW), headers="Expect: 100-continue\r\n"))
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(NEW)
        received = b""
        while more := connection.recv(65_536):
            received += more
    (reply,) = replies(received)

    assert answered(reply)


# Methods and heads ----------------------------------------------------------------------------


def test_head_has_the_length_of_the_body_and_no_body(live_service: str) -> None:
    (read,) = told(live_service, asked(b"", method="GET", path="/v1/games", media=""))
    (head,) = told(live_service, asked(b"", method="HEAD", path="/v1/games"), bodiless=True)

    assert (read.status_code, head.status_code) == (200, 200)
    assert head.headers["Content-Length"] == str(len(read.data)) != "0"


def test_head_of_a_verb_is_a_405_without_a_body(live_service: str) -> None:
    (reply,) = told(live_service, asked(b"", method="HEAD"), bodiless=True)

    assert reply.status_code == 405
    assert "POST" in reply.headers["Allow"]


def test_options_tell_the_methods(live_service: str) -> None:
    for path, method in ((route("new"), "POST"), ("/v1/games", "GET")):
        (reply,) = told(live_service, asked(b"", method="OPTIONS", path=path))
        assert reply.status_code in (200, 204)
        assert method in reply.headers["Allow"]
        assert reply.data == b""


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PUT", "DELETE", "QUERY"])
def test_other_methods_are_refused(live_service: str, method: str) -> None:
    (reply,) = told(live_service, asked(method=method))

    problem_of(reply, 405, "method-not-allowed")


@pytest.mark.parametrize(
    "text",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nBad Header: 1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: 1\r\n" * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 9_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\x00c\r\n\r\n",
        b"\r\n\r\n\r\n",
    ],
)
def test_what_is_no_request_is_the_clients_fault(live_service: str, text: bytes) -> None:
    found = told(live_service, text, finished=True)

    assert all(400 <= reply.status_code < 500 for reply in found)
    assert all(b"Traceback" not in reply.data for reply in found)
    assert requests.get(f"http://{live_service}/healthz", timeout=PATIENCE_S).ok


def test_http_1_0_is_spoken(live_service: str) -> None:
    (reply,) = told(live_service, b"GET /healthz HTTP/1.0\r\n\r\n")

    assert answered(reply) == {"status": "ok"}


# Several requests on a connection -------------------------------------------------------------

REFUSALS = {
    "404": (asked(path="/nowhere", last=False), 404),
    "405": (asked(method="PUT", last=False), 405),
    "415": (asked(media="text/plain", last=False), 415),
    "400": (asked(b"{", last=False), 400),
    "422": (asked(b"{}", last=False), 422),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_leaves_the_connection_in_order(live_service: str, refusal: str) -> None:
    request, status = REFUSALS[refusal]

    found = told(live_service, request, request, asked())

    assert [reply.status_code for reply in found] == [status, status, 200]


def test_requests_in_one_packet_are_answered_in_order(live_service: str) -> None:
    names = [f"request-{index}" for index in range(12)]
    wanted = [REFUSALS[refusal] for refusal in REFUSALS] * 2
    packet = b"".join(
        request.replace(b"Host: test", b"Host: test\r\nX-Request-Id: " + name.encode())
        for (request, _), name in zip(wanted, names, strict=False)
    ) + asked(headers="X-Request-Id: last\r\n")

    found = told(live_service, packet)

    assert [reply.status_code for reply in found] == [status for _, status in wanted] + [200]
    assert [reply.headers["X-Request-Id"] for reply in found] == [*names[:10], "last"]


SMUGGLED = asked(b"", method="GET", path="/healthz", media="")
ALL = len(b"0\r\n\r\n" + SMUGGLED)


@pytest.mark.parametrize(
    "framing",
    [
        f"Content-Length: {ALL}\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        f"Content-Length: 5\r\nContent-Length: {ALL}",
        f"Content-Length: {ALL}\r\nContent-Length: 5",
        f"Content-Length: 5, {ALL}",
        f"Content-Length : 5\r\nContent-Length: {ALL}",
        f"Content-Length: {ALL}\r\nTransfer-Encoding : chunked",
        f"Content-Length: {ALL}\r\nTransfer-Encoding: xchunked",
        f"Content-Length: {ALL}\r\nTransfer-Encoding: chunked, identity",
        f"Content-Length: {ALL}\r\nTransfer-Encoding: identity, chunked",
        f"Content-Length: {ALL}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        f"Content-Length: {ALL}\r\nTransfer-Encoding:\r\n chunked",
        f"Content-Length: {ALL}\r\nTransfer-Encoding: \x0bchunked",
        f"Content-Length: {ALL}\r\nX: y\nTransfer-Encoding: chunked",
        f"Content-Length: {ALL}\r\nX: y\rTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ],
)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_what_can_be_read_in_two_ways_is_refused(
    live_service: str, framing: str, version: str
) -> None:
    """Request smuggling (RFC 9112, 11.2): a proxy in front may have read it in the other way."""
    head = f"POST {route('new')} HTTP/{version}\r\nHost: test\r\nContent-Type: {JSON}\r\n"
    request = f"{head}{framing}\r\n\r\n".encode("latin-1") + b"0\r\n\r\n" + SMUGGLED

    found = told(live_service, request, finished=True)

    # A coding that nobody knows is a 501 (RFC 9112, 6.1).
    assert {reply.status_code for reply in found} <= {400, 501}, found
    assert len(found) <= 1


def test_a_body_that_is_too_large_is_never_taken_for_the_next_request(live_service: str) -> None:
    body = b" " * LIMIT + SMUGGLED

    found = told(live_service, asked(body, last=False) + asked())

    problem_of(found[0], 413, "body-too-large")
    assert all(b'"ok"' not in reply.data for reply in found)
    assert len(found) == 1 or answered(found[1])


def test_a_body_that_nobody_reads_is_never_taken_for_the_next_request(live_service: str) -> None:
    for path, method in (("/nowhere", "POST"), (route("new"), "DELETE"), ("/v1/games", "GET")):
        request = asked(SMUGGLED, path=path, method=method, last=False)
        found = told(live_service, request + asked())
        assert len(found) == 2
        assert found[0].status_code in (404, 405, 200)
        assert b'"ok"' not in found[0].data
        assert answered(found[1])


# Clients that come and go ---------------------------------------------------------------------


def test_a_client_that_types_slowly_is_answered(live_service: str) -> None:
    request = asked()

    (reply,) = told(live_service, *(request[at : at + 1] for at in range(len(request))))

    assert answered(reply)


def test_clients_that_wait_or_vanish_keep_nobody_else_waiting(live_service: str) -> None:
    with ExitStack() as stack:
        for index in range(4):
            waiting = stack.enter_context(connect(live_service))
            waiting.sendall(asked()[: 40 + 30 * index])
        for _ in range(20):
            vanishing = connect(live_service)
            vanishing.sendall(asked(NEW[:10], length=len(NEW)))
            # Reset instead of a goodbye.
            vanishing.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            vanishing.close()
        for _ in range(5):
            (reply,) = told(live_service, asked())
            assert answered(reply)


def test_a_client_that_leaves_before_its_answer_does_no_harm(live_service: str) -> None:
    text = json.dumps(EXAMPLES["suggest"]).encode()
    for _ in range(5):
        with connect(live_service) as leaving:
            leaving.sendall(asked(text, path=route("suggest")))

    (reply,) = told(live_service, asked())
    assert answered(reply)


def test_many_clients_at_once_get_the_same_bytes(live_service: str) -> None:
    def ask(index: int) -> tuple[str, bytes]:
        verb = VERBS[index % len(VERBS)]
        address = f"http://{live_service}{route(verb)}"
        response = requests.post(address, json=EXAMPLES[verb], timeout=PATIENCE_S)
        assert response.status_code == 200
        return verb, response.content

    with ThreadPoolExecutor(12) as pool:
        seen = set(pool.map(ask, range(60)))

    assert {verb for verb, _ in seen} == set(VERBS)
    assert len(seen) == len(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_problems_are_the_same_under_gunicorn(live_service: str, verb: str) -> None:
    (reply,) = told(
        live_service, asked(b'{"x": 1}', path=route(verb), headers="X-Request-Id: me\r\n")
    )

    document = problem_of(reply, 422, "invalid-body", {"x": 1})
    assert document["request_id"] == "me"
    assert ("/x", "unknown-field") in faults_of(document)
