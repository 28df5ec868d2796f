"""A TCP proxy that simulates faults of networks and servers."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

CHUNK = 65_536


class FaultyProxy:
    """Forwards connections to a local port, with or without a fault.

    Attributes:
        mode: treatment of replies: ``pass``, ``hang`` (never arrive), ``slow`` (late: they are
            delayed by ``delay_s``), ``drip``
            (byte by byte), ``cut`` (the connection closes in the middle), ``garble`` (bytes are
            changed), ``reset`` (the connection is reset).
        connections: number of accepted connections.
        port: of the proxy.
    """

    def __init__(self, upstream: int) -> None:
        self.mode = "pass"
        self.delay_s = 0.2
        self.connections = 0
        self._upstream = upstream
        self._ended = Event()
        self._open: set[socket.socket] = set()
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def refuse(self) -> None:
        """Stop listening, and close every connection."""
        self._listener.close()
        self.drop()

    def listen(self) -> None:
        """Accept connections again."""
        self._listener = self._listen(self.port)
        Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def drop(self) -> None:
        """Close every connection."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop for good: close the listening socket and every connection."""
        self._ended.set()
        self.refuse()

    @staticmethod
    def _listen(port: int) -> socket.socket:
        return socket.create_server(("127.0.0.1", port))

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                server = socket.create_connection(("127.0.0.1", self._upstream), timeout=5)
            except OSError:
                client.close()
                continue
            self._open |= {client, server}
            Thread(target=self._requests, args=(client, server), daemon=True).start()
            Thread(target=self._replies, args=(server, client), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while part := client.recv(CHUNK):
                server.sendall(part)
        self._end(client, server)

    def _replies(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            server.settimeout(None)
            while part := server.recv(CHUNK):
                if not self._forward(part, client):
                    break
        self._end(client, server)

    def _forward(self, part: bytes, client: socket.socket) -> bool:
        """Forward a part of a reply; return whether the connection stays open."""
        mode = self.mode
        if mode == "hang":
            while self.mode == "hang" and not self._ended.wait(0.01):
                pass
            # The reply is dropped, even if the mode has changed since.
            return False
        if mode == "slow":
            time.sleep(self.delay_s)
        if mode == "drip":
            for index in range(len(part)):
                client.sendall(part[index : index + 1])
                if self._ended.wait(0.02):
                    return False
            return True
        if mode == "cut":
            client.sendall(part[: len(part) // 2])
            return False
        if mode == "reset":
            linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        if mode == "garble":
            part = bytes(byte ^ 0x15 if index % 7 == 3 else byte for index, byte in enumerate(part))
        client.sendall(part)
        return True

    def _end(self, *sockets: socket.socket) -> None:
        for connection in sockets:
            self._open.discard(connection)
            with suppress(OSError):
                connection.close()


@contextmanager
def faulty_proxy(upstream: int) -> Iterator[FaultyProxy]:
    """Run a proxy to a local port for the time of a ``with`` block."""
    proxy = FaultyProxy(upstream)
    try:
        yield proxy
    finally:
        proxy.close()
