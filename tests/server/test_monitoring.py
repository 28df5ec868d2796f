"""Metrics and health checks on a separate port."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests
from load_testing.server import free_port

from service.serving.monitoring import Monitor
from tests.patience import PATIENCE_S

READY = b'HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"status":"ready"}'


@contextmanager
def worker(sent: bytes) -> Iterator[str]:
    """Yield the address of a server that answers each connection with some bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)
                    connection.sendall(sent)

        Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


def get(monitor: Monitor, path: str) -> tuple[str, bytes]:
    statuses: list[str] = []
    respond: Any = lambda status, _: statuses.append(status)  # noqa: E731
    body = b"".join(monitor({"PATH_INFO": path}, respond))
    return statuses[0], body


def test_health_is_that_of_a_worker() -> None:
    with worker(READY) as address:
        assert get(Monitor(address), "/readyz") == ("200 OK", b'{"status":"ready"}')
        assert get(Monitor(address), "/v1/games")[0] == "404 Not Found"


@pytest.mark.parametrize(
    "sent", [b"", READY[:40], READY[:-3], b"nonsense\r\n\r\n"], ids=["none", "head", "body", "odd"]
)
def test_a_worker_that_is_cut_off_is_not_ready(sent: bytes) -> None:
    with worker(sent) as address:
        assert get(Monitor(address), "/readyz")[0] == "503 Service Unavailable"


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with worker(READY) as address:
        assert get(Monitor(address), "/healthz")[0] == "200 OK"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_it_serves_as_long_as_its_parent_lives(host: str, tmp_path: Path) -> None:
    port = free_port()
    command = ["-m", "service.serving.monitoring"]
    arguments = ["127.0.0.1:1", host, str(port)]
    program = (
        "import os, subprocess, sys, time\n"
        "own = [*sys.argv[1:3], str(os.getpid()), *sys.argv[3:]]\n"
        "subprocess.Popen([sys.executable, *own])\n"
        "time.sleep(60)"
    )
    environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PATH": ""}
    parent = subprocess.Popen(
        [sys.executable, "-c", program, *command, *arguments], env=environment
    )
    try:
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        while parent.poll() is None:
            try:
                metrics = requests.get(f"{address}/metrics", timeout=PATIENCE_S).text
                break
            except requests.ConnectionError:
                time.sleep(0.05)
        assert "\nready 0.0\n" in metrics
    finally:
        parent.kill()
        parent.wait()
    while is_served(address):
        time.sleep(0.05)


def is_served(address: str) -> bool:
    try:
        requests.get(f"{address}/healthz", timeout=PATIENCE_S)
    except requests.ConnectionError:
        return False
    return True
