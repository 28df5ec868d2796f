"""HTTP over a socket: requests as bytes, and all responses of a connection."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass

from tests.api.calls import EXAMPLES, JSON, route
from tests.patience import PATIENCE_S

NEW = json.dumps(EXAMPLES["new"]).encode()


@dataclass(frozen=True)
class Reply:
    """A response read from a socket, with the interface of a test client's response."""

    status_code: int
    headers: dict[str, str]
    data: bytes

    def get_data(self, *, as_text: bool) -> str:
        assert as_text
        return self.data.decode()


def connect(address: str) -> socket.socket:
    host, _, port = address.partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE_S)


def request_bytes(
    body: bytes = NEW,
    *,
    method: str = "POST",
    path: str = route("new"),
    media: str = JSON,
    length: object = ...,
    headers: str = "",
    last: bool = True,
) -> bytes:
    """Return a request as bytes; ``length=None`` omits Content-Length."""
    length = len(body) if length is ... else length
    head = f"{method} {path} HTTP/1.1\r\nHost: test\r\n{headers}"
    head += f"Content-Type: {media}\r\n" if media else ""
    head += "" if length is None else f"Content-Length: {length}\r\n"
    head += "Connection: close\r\n" if last else ""
    return f"{head}\r\n".encode("latin-1") + body


def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    text = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + end
    return request_bytes(text, length=None, headers="Transfer-Encoding: chunked\r\n")


def exchange(
    address: str, *parts: bytes, finished: bool = False, bodiless: bool = False
) -> list[Reply]:
    """Send the parts on one connection and return all replies until the server closes it.

    With ``finished`` the client shuts down its side of the connection after sending.
    """
    with connect(address) as connection:
        for part in parts:
            connection.sendall(part)
        if finished:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while more := connection.recv(65_536):
            received += more
    return parse_replies(received, bodiless=bodiless)


def parse_replies(received: bytes, *, bodiless: bool = False) -> list[Reply]:
    replies = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:])
        size = 0 if bodiless else int(headers.get("Content-Length", 0))
        body, received = received[:size], received[size:]
        assert len(body) == size
        replies.append(Reply(int(lines[0].split()[1]), headers, body))
    return replies
