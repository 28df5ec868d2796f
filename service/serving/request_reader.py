"""Whether a whole HTTP/1.1 request has arrived (RFC 9112), from its bytes so far."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

MAX_HEAD_BYTES: Final = 128 * 1024
"""A longer head counts as complete: the parser refuses it."""
CHUNK_OVERHEAD: Final = 8
"""A chunked body with more bytes than this times its limit counts as complete."""

_END: Final = b"\r\n\r\n"
_LINE_END: Final = b"\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_HEXADECIMAL: Final = re.compile(rb"([0-9A-Fa-f]{1,16})(?:;|$)")
_EXPECT: Final = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class RequestReader:
    """Collects the bytes of one request.

    It only finds the end of the request. Requests that it does not understand count as complete,
    so that the parser of the server refuses them. So do requests whose body is too large, so that
    they are refused before it arrives.

    Args:
        body_limit: returns the largest accepted size of the body for the first line of a request.

    Attributes:
        is_too_large: whether the request counts as complete because its body is too large.
        expects_continue: whether the client waits for the server before it sends the body
            (RFC 9110, 10.1.1).
    """

    def __init__(self, body_limit: Callable[[bytes], int]) -> None:
        self._body_limit = body_limit
        self._most = MAX_HEAD_BYTES
        self._data = bytearray()
        self._searched = 0
        self._next_chunk: int | None = None
        self._size: int | None = None
        self.expects_continue = self.is_too_large = False

    @property
    def data(self) -> bytes:
        """All bytes so far; bytes after the end of the request belong to the next one."""
        return bytes(self._data)

    def continued(self) -> None:
        """Remove the header ``Expect``: the client was told to continue."""
        self.expects_continue = False
        header = _EXPECT.search(self._data)
        assert header
        end = self._data.find(_LINE_END, header.end())
        self._data[header.start() : end] = b"\r\nX-Expected:".ljust(end - header.start())

    def add(self, data: bytes) -> bool:
        """Add bytes and return whether the request is complete."""
        self._data += data
        known = self._size is not None or self._next_chunk is not None
        if (known or self._read_head()) and self._next_chunk is not None:
            self._read_chunks()
        if self._size is None:
            self.is_too_large = len(self._data) > self._most
            return self.is_too_large
        return len(self._data) >= self._size

    def _read_head(self) -> bool:
        """Find the end of the head, and learn from it where the request ends."""
        end = self._data.find(_END, max(0, self._searched - len(_END) + 1))
        self._searched = len(self._data)
        if end < 0:
            return False
        head, start = bytes(self._data[: end + len(_LINE_END)]), end + len(_END)
        length = _LENGTH.search(head)
        self.expects_continue = bool(_EXPECT.search(head))
        limit = self._body_limit(head[: head.find(_LINE_END)])
        if _CHUNKED.search(head):
            self._next_chunk = self._searched = start
            self._most = start + limit * CHUNK_OVERHEAD
        else:
            size = int(length[1]) if length else 0
            self.is_too_large = size > limit
            self._size = start + (0 if self.is_too_large else size)
        return True

    def _read_chunks(self) -> None:
        """Follow the chunks (RFC 9112, 7.1) towards the end of the request."""
        assert self._next_chunk is not None
        while self._next_chunk < len(self._data):
            start = self._next_chunk
            end = self._data.find(_LINE_END, max(start, self._searched - 1))
            self._searched = len(self._data)
            if end < 0:
                return
            size = _chunk_size(bytes(self._data[start:end]))
            if size is None:
                self._size = end
                return
            if size == 0:
                self._read_trailers(end)
                return
            self._next_chunk = end + len(_LINE_END) + size + len(_LINE_END)
            self._searched = self._next_chunk

    def _read_trailers(self, last_line_end: int) -> None:
        end = self._data.find(_END, last_line_end)
        if end < 0:
            # The last chunk is read again with the next bytes.
            self._searched = last_line_end
        else:
            self._size = end + len(_END)


def _chunk_size(line: bytes) -> int | None:
    """Return the size that a chunk's first line states; None if it states none."""
    digits = _HEXADECIMAL.match(line)
    return int(digits[1], 16) if digits else None
