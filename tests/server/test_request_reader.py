"""The end of a request is found however its bytes are divided."""

from __future__ import annotations

import pytest

from service.api.limits import MAX_BATCH_BYTES, MAX_BODY_BYTES, body_limit
from service.serving.request_reader import MAX_HEAD_BYTES, RequestReader

GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /v1/x HTTP/1.1\r\nContent-Length: 5\r\nHost: x\r\n\r\nabcde"
HEAD = b"POST /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKED = HEAD + b"3\r\nabc\r\nA;x=1\r\n0123456789\r\n0\r\n\r\n"
TRAILED = HEAD + b"3\r\nabc\r\n0\r\nA: b\r\nC: d\r\n\r\n"
WHOLE = {"get": GET, "post": POST, "chunked": CHUNKED, "trailers": TRAILED}


def reader() -> RequestReader:
    return RequestReader(body_limit)


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("step", [1, 2, 7, 1000])
def test_a_request_is_complete_with_its_last_byte(request_: bytes, step: int) -> None:
    pieces = [request_[start : start + step] for start in range(0, len(request_), step)]
    ours = reader()
    assert [ours.add(piece) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert ours.data == request_


@pytest.mark.parametrize("request_", WHOLE.values(), ids=WHOLE)
def test_bytes_of_the_next_request_are_kept(request_: bytes) -> None:
    ours = reader()
    assert ours.add(request_ + GET[:10])
    assert ours.data == request_ + GET[:10]


@pytest.mark.parametrize(
    "body",
    [b"x\r\n", b"\r\n", b"5 \r\n", b"-1\r\n", b"3\r\nabc\r\n0x2\r\n"],
    ids=["no number", "empty", "space", "negative", "prefix"],
)
def test_a_malformed_chunk_is_left_to_the_parser(body: bytes) -> None:
    assert reader().add(HEAD + body)


@pytest.mark.parametrize(
    ("path", "limit"), [(b"/v1/x", MAX_BODY_BYTES), (b"/v1/batch", MAX_BATCH_BYTES)]
)
def test_a_body_that_is_too_large_is_not_awaited(path: bytes, limit: int) -> None:
    for size, complete in ((limit, False), (limit + 1, True)):
        head = b"POST %s HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (path, size)
        assert reader().add(head) is complete


def test_endless_heads_and_chunks_end() -> None:
    ours = reader()
    assert not ours.add(b"GET / HTTP/1.1\r\nA: " + b"a" * (MAX_HEAD_BYTES - 100))
    assert ours.add(b"a" * 200)
    ours = reader()
    assert not ours.add(HEAD)
    chunks = b"1\r\na\r\n" * (MAX_BODY_BYTES // 4)
    assert any(ours.add(chunks) for _ in range(20))


def test_a_client_that_waits_is_told_to_continue_once() -> None:
    ours = reader()
    head = POST.removesuffix(b"abcde").replace(b"Host: x", b"Expect: 100-continue")
    assert not ours.add(head)
    assert ours.expects_continue
    ours.continued()
    assert not ours.expects_continue
    assert ours.add(b"abcde")
    assert b"expect:" not in ours.data.lower()
    assert len(ours.data) == len(head) + 5
