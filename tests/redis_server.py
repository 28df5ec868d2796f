"""Servers of Redis for tests, over TCP, and a record of faults."""

from __future__ import annotations

import signal
import socketserver
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

import redis
from load_testing.server import free_port

from service.cache.redis_faults import NAMES
from tests.patience import PATIENCE_S


class Faults(list[str]):
    """Reported faults.

    Attributes:
        details: of each.
    """

    def __init__(self) -> None:
        super().__init__()
        self.details: list[str] = []

    def add(self, fault: str, detail: str) -> None:
        assert fault in NAMES
        self.append(fault)
        self.details.append(detail)


class RedisServer:
    """A server that tests can start, stop, freeze and misconfigure."""

    def __init__(self, executable: str, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._command = [executable, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._command += ["--appendonly", "no", "--dir", str(folder), *options]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def admin(self) -> redis.Redis:
        """A separate client with a long timeout."""
        return redis.Redis(port=self.port, socket_timeout=PATIENCE_S)

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            assert self._process.poll() is None, "the Redis server exited"
            # A reply proves more than a connection: the server listens at all its addresses.
            with suppress(redis.ConnectionError, redis.TimeoutError), closing(self.admin) as admin:
                admin.ping()
                return
            time.sleep(0.02)
        raise AssertionError("the Redis server was not ready in time")

    def stop(self) -> None:
        if self._process is not None:
            self.thaw()
            self._process.kill()
            self._process.wait(timeout=PATIENCE_S)
            self._process = None

    def freeze(self) -> None:
        """Suspend the process: it accepts connections but never replies."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def scripted_server(reply: Callable[[bytes], bytes]) -> Iterator[int]:
    """Answer all that arrives with the bytes that a function returns; yield the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                while request := self.request.recv(65_536):
                    self.request.sendall(reply(request))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()
