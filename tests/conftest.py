"""What all tests share: the service under gunicorn, as it is deployed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).resolve().parent.parent
READY_WITHIN_S = 120  # The first start on a slow machine compiles the kernels.


@pytest.fixture(scope="session")
def live_service() -> Iterator[str]:
    """The address (host:port) of the service under gunicorn with the deployed configuration."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"]
    environment = os.environ | {"HOST": "127.0.0.1", "PORT": str(port), "WEB_CONCURRENCY": "1"}
    server = subprocess.Popen(
        [*command, "service.app:create_app()"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"127.0.0.1:{port}"
    try:
        _await_ready(server, address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def _await_ready(server: subprocess.Popen[bytes], address: str) -> None:
    give_up = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < give_up:
        assert server.poll() is None, "the service ended before it was ready"
        try:
            if requests.get(f"http://{address}/readyz", timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise AssertionError("the service was not ready in time")
