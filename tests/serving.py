"""The service under gunicorn, as it is deployed, with whatever environment a test asks for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from loading.server import free_port

ROOT = Path(__file__).resolve().parent.parent
READY_WITHIN_S = 120  # The first start on a slow machine compiles the kernels.


@dataclass
class Service:
    """A server of the tests' own.

    Attributes:
        address: host:port.
        metrics: likewise, where its metrics are.
        process: the master.
        output: what it wrote, to both of its outputs.
    """

    address: str
    metrics: str
    process: subprocess.Popen[bytes]
    output: Path

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def lines(self) -> list[dict[str, Any]]:
        """The log; every line is JSON."""
        return [json.loads(line) for line in self.output.read_bytes().splitlines()]

    def workers(self) -> list[int]:
        """The processes that serve."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]


@contextmanager
def serving(output: Path, **environment: str) -> Iterator[Service]:
    """A service that is ready, with one worker unless the environment says otherwise."""
    port, metrics_port = free_port(), free_port()
    told = {"HOST": "127.0.0.1", "PORT": str(port), "METRICS_PORT": str(metrics_port)}
    command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"]
    with output.open("wb") as out:
        process = subprocess.Popen(
            [*command, "service.app:create_app()"],
            cwd=ROOT,
            env=os.environ | told | {"WEB_CONCURRENCY": "1"} | environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    service = Service(f"127.0.0.1:{port}", f"127.0.0.1:{metrics_port}", process, output)
    try:
        _await_ready(service)
        yield service
    finally:
        process.terminate()
        process.wait(timeout=30)


def _await_ready(service: Service) -> None:
    give_up = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < give_up:
        assert service.process.poll() is None, service.output.read_text()
        try:
            if requests.get(f"{service.url}/readyz", timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise AssertionError("the service was not ready in time")
