"""Whether the client of the current request still waits for its response."""

from __future__ import annotations

import socket
from collections.abc import Callable

from flask import request


def client_gone() -> Callable[[], bool]:
    """Return a function that says whether the client is known to have closed the connection.

    Gunicorn passes the socket of the connection; under other servers the answer is always no.
    """
    connection = request.environ.get("gunicorn.socket")
    if not isinstance(connection, socket.socket):
        return lambda: False

    def gone() -> bool:
        try:
            # The end of the stream is an empty read; nothing to read is BlockingIOError.
            return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError, ValueError):  # ValueError: TLS cannot peek.
            return False
        except OSError:
            return True

    return gone
