"""A Redis server for tests, over TCP."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from pathlib import Path

import redis
from load_testing.server import free_port

START_WITHIN_S = 10


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
        return redis.Redis(port=self.port, socket_timeout=5)

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        give_up = time.monotonic() + START_WITHIN_S
        while time.monotonic() < give_up:
            assert self._process.poll() is None, "the Redis server exited"
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                    return
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the Redis server was not ready in time")

    def stop(self) -> None:
        if self._process is not None:
            self.thaw()
            self._process.kill()
            self._process.wait(timeout=10)
            self._process = None

    def freeze(self) -> None:
        """Suspend the process: it accepts connections but never replies."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
