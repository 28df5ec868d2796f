"""The service under gunicorn, as it is deployed, and the memory of its processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
READY_WITHIN_S: Final = 240.0
APP: Final = "service.app:create_app()"
PORTS: Final = range(20_000, 32_000)
_ports: Final = islice(cycle(PORTS), os.getpid() * 101 % len(PORTS), None)


@dataclass(frozen=True)
class Server:
    """A running server.

    Attributes:
        address: host:port of the API.
        metrics: host:port of the metrics.
        process: the gunicorn master.
    """

    address: str
    metrics: str
    process: subprocess.Popen[bytes]

    def workers(self) -> list[int]:
        """Return the process ids of the workers, which are forks of the master."""
        own = _command(self.process.pid)
        return [child for child in self._children() if _command(child) == own]

    def compiles(self) -> bool:
        """Return whether a process still compiles kernels."""
        return any(b"service.serving.kernels" in _command(child) for child in self._children())

    def _children(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children]

    def resident_mib(self) -> float:
        """Return the proportional set size (PSS) of all workers together, in MiB."""
        total = 0.0
        for pid in self.workers():
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) / 1024
        return total

    def cpu_s(self) -> float:
        """Return the CPU time that the workers have used, in seconds."""
        ticks = 0
        for pid in self.workers():
            # The fields after the name in parentheses (proc(5)); the name may contain spaces.
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def sample(self, name: str) -> float:
        """Return the sum of a metric over its labels."""
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=30) as response:
            lines = response.read().decode().splitlines()
        samples = [line for line in lines if line.startswith((f"{name} ", f"{name}{{"))]
        return sum(float(line.rpartition(" ")[2]) for line in samples)


def _command(pid: object) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def free_port() -> int:
    """Return a free port.

    It is below the ephemeral range, so that no outgoing connection can take it. Each process starts
    its search at another port, so that test workers do not choose the same one.
    """
    for port in islice(_ports, len(PORTS)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("all ports are in use")


def await_port(port: int, seconds: float = 10.0) -> None:
    """Wait until a process listens on a port."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"no process listens on port {port}")


@contextmanager
def listening(command: Sequence[str], port: int) -> Iterator[None]:
    """Run a program that listens on a port, without its output."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(port)
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def serving(
    environment: Mapping[str, str],
    *,
    arguments: tuple[str, ...] = (),
    port: int = 0,
    output: Path | None = None,
    cores: Collection[int] = (),
    app: str = APP,
) -> Iterator[Server]:
    """Run a server; see :func:`start`."""
    server = start(environment, arguments=arguments, port=port, output=output, cores=cores, app=app)
    try:
        yield server
    finally:
        stop(server)


def start(
    environment: Mapping[str, str],
    *,
    arguments: tuple[str, ...] = (),
    port: int = 0,
    output: Path | None = None,
    cores: Collection[int] = (),
    app: str = APP,
    ready: str = "/readyz",
) -> Server:
    """Start a server and wait until it is ready.

    Args:
        environment: variables added to those of this process.
        arguments: additional arguments of gunicorn.
        port: 0 chooses a free one.
        output: file for stdout and stderr, discarded by default.
        cores: that it may use, by default all.
        app: the application, by default the service.
        ready: the health check to wait for.

    Raises:
        RuntimeError: if it exits, or is not ready within ``READY_WITHIN_S``.
    """
    port, metrics = port or free_port(), free_port()
    own = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "METRICS_PORT": str(metrics),
        "SOLVE_CLIENT": "100",  # One address stands for many clients.
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "scripts")]),
    }
    with (output or Path(os.devnull)).open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", *arguments, app],
            cwd=ROOT,
            env={**os.environ, **own, **environment},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    if cores:
        os.sched_setaffinity(process.pid, cores)  # Workers inherit it.
    server = Server(f"127.0.0.1:{port}", f"127.0.0.1:{metrics}", process)
    give_up = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < give_up and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{server.metrics}{ready}", timeout=5):
                return server
        except OSError:
            time.sleep(0.1)
    process.kill()
    written = output.read_text(errors="replace") if output else ""
    raise RuntimeError(f"the server was not ready in time\n{written}")


def stop(server: Server) -> None:
    """Stop a server gracefully, with SIGTERM."""
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(timeout=60)
