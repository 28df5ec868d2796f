"""Odd requests are answered as by the same server with a bare Flask application.

The service has no code that reads request heads or the framing of bodies; nor may any of it matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from load_testing import server

from tests.api.calls import JSON, route
from tests.loops import for_each
from tests.server.raw import NEW, exchange, request_bytes

HEAD = f"POST {route('new')} HTTP/1.1\r\nHost: x\r\nContent-Type: {JSON}\r\n"
NEW_PATH = route("new").encode()
BODY = f"Content-Length: {len(NEW)}\r\n\r\n".encode() + NEW
SMUGGLED = request_bytes(b"", method="GET", path="/healthz", media="")
ALL = len(b"0\r\n\r\n" + SMUGGLED)


def with_fields(*fields: str) -> bytes:
    """Return a request with header fields before those of its body."""
    return HEAD.encode() + "".join(f"{field}\r\n" for field in fields).encode("latin-1") + BODY


def with_length(length: str) -> bytes:
    return HEAD.encode() + f"Content-Length: {length}\r\n\r\n".encode("latin-1") + NEW


def with_chunks(text: bytes) -> bytes:
    return HEAD.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + text


def with_first_line(line: bytes) -> bytes:
    return line + f"\r\nHost: x\r\nContent-Type: {JSON}\r\n".encode() + BODY


def framed(framing: str, version: str) -> bytes:
    """Return a request with an ambiguous framing, and another one in its body."""
    head = HEAD.replace("HTTP/1.1", f"HTTP/{version}")
    return f"{head}{framing}\r\n\r\n".encode("latin-1") + b"0\r\n\r\n" + SMUGGLED


FRAMINGS = [
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
]
AMBIGUOUS = [framed(framing, version) for framing in FRAMINGS for version in ("1.1", "1.0")]

SIZE = b"%x" % len(NEW)
END = b"\r\n0\r\n\r\n"
WHOLE = b"\r\n" + NEW + END
ODD = [
    # Lengths
    *map(with_length, ["abc", "-5", "+5", "5, 6", "0x10", "1e1", "", "9" * 21, "9" * 400, "²"]),
    *map(with_length, [f" {len(NEW)}", f"{len(NEW)} ", f"00{len(NEW)}", f"{len(NEW)}\t", "131073"]),
    with_fields(f"Content-Length: {len(NEW)}"),
    with_fields("Content_Length: 5"),
    HEAD.encode() + b"\r\n" + NEW,
    # Chunks
    *(with_chunks(SIZE + more + WHOLE) for more in (b"", b" ;ext", b";ext", b";a=b", b" ", b"\t")),
    *(with_chunks(before + SIZE + WHOLE) for before in (b"0", b"0x", b"-", b"+", b" ", b"\r\n")),
    with_chunks(SIZE + b"\n" + NEW + b"\n0\n\n"),
    with_chunks(SIZE.upper() + b"\r\n" + NEW + b"\r\n0\r\nTrailer: x\r\n\r\n"),
    with_chunks(SIZE + b"\r\n" + NEW + b"x" + END),
    with_chunks(b"f" * 24 + WHOLE),
    with_chunks(b"zz" + WHOLE),
    with_chunks(b"\r\n\r\n"),
    with_chunks(SIZE + b"\r\n" + NEW[:-3]),
    # Header fields
    *(with_fields(f"X: a{odd}b") for odd in ("\0", "\x01", "\r", "\n", "\x7f", "\xff", "\t", "é")),
    *(with_fields(f"X{odd}: a") for odd in (" ", "\t", "\0", "@", "é", "(", "_")),
    *map(
        with_fields, ["X: a\r\n b", "X: a\r\n\tb", ": a", "X", "X:", " X: a", "Host: y", "Host: x"]
    ),
    *map(with_fields, [f"Content-Type: {JSON}", "Expect: 100-continue", "Expect: 200-ok"]),
    with_fields("Connection: close"),
    with_fields("Connection: keep-alive, upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"),
    with_fields("Connection: upgrade", "Upgrade: websocket"),
    with_fields("TE: trailers", "Trailer: X"),
    with_fields("X: " + "a" * 9_000),
    with_fields(*(f"X-{number}: a" for number in range(60))),
    with_fields(*(f"X-{number}: a" for number in range(200))),
    with_fields(*(f"X-{number}: a" for number in range(20)), "X: \x01"),
    with_fields("X-Forwarded-For: 1.1.1.1", "X-Forwarded-Proto: https", "Forwarded: for=1.1.1.1"),
    with_fields("Script_Name: /x", "SCRIPT-NAME: /x"),
    HEAD.encode().replace(b"Host: x\r\n", b"") + BODY,
    HEAD.encode().replace(b"\r\n", b"\n") + BODY.replace(b"\r\n\r\n", b"\n\n"),
    # First lines
    *(
        with_first_line(b"POST %s %s" % (NEW_PATH, version))
        for version in (b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/1.10", b"http/1.1", b"HTTP/1")
    ),
    *(
        with_first_line(b"POST %s%s HTTP/1.1" % (before, NEW_PATH + after))
        for before, after in ((b"http://x", b""), (b"http://y:99", b"?"), (b"//", b""))
    ),
    *(
        with_first_line(b"POST " + target + b" HTTP/1.1")
        for target in (
            *(b"x:80", b"*", b"", b"/\xc3\xa9", b"/" + b"a" * 5_000),
            *(NEW_PATH + b"#a", NEW_PATH + b"%00", NEW_PATH.replace(b"/new", b"/%6eew")),
            NEW_PATH.replace(b"/new", b"/../snow-time/new"),
        )
    ),
    *(
        with_first_line(method + b" %s HTTP/1.1" % NEW_PATH)
        for method in (b"post", b"G@T", b"BREW", b"P", b"A" * 30, b" POST", b"POST ")
    ),
    b"\r\n" + with_fields(),
    b"\r\n\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET /healthz\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" * 2,
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    with_fields() * 3,
    with_fields("Connection: close") * 2,
    with_fields() + SMUGGLED[:20],
]


@pytest.fixture(scope="module")
def bare() -> Iterator[str]:
    """The address of the bare application under the same server."""
    environment = {"WEB_CONCURRENCY": "1"}
    with server.serving(environment, app="load_testing.bare:create_app()") as started:
        yield started.address


def statuses(address: str, sent: bytes) -> list[int]:
    return [reply.status_code for reply in exchange(address, sent, finished=True)]


@for_each("sent", ODD + AMBIGUOUS)
def test_odd_requests_are_answered_as_by_a_bare_application(
    live_service: str, bare: str, sent: bytes
) -> None:
    assert statuses(live_service, sent) == statuses(bare, sent)


@for_each("sent", AMBIGUOUS)
def test_ambiguous_framing_is_refused(live_service: str, sent: bytes) -> None:
    """Prevent request smuggling (RFC 9112, section 11.2): a proxy may see other boundaries."""
    replies = statuses(live_service, sent)
    # An unknown transfer coding is a 501 (RFC 9112, section 6.1).
    assert set(replies) <= {400, 501}
    assert len(replies) <= 1
