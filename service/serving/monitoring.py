"""Metrics and health checks on a port of their own, from a process of their own.

    python -m service.serving.monitoring HOST PORT METRICS_HOST METRICS_PORT

serves ``/metrics``, ``/healthz`` and ``/readyz`` on ``METRICS_PORT`` as long as its parent lives.
The health checks are those of a worker, or 503 if none responds in time: under overload, and while
the workers end and accept no connections.
"""

from __future__ import annotations

import os
import sys
import time
import urllib.request
from collections.abc import Iterable
from glob import glob
from http import HTTPStatus
from socket import AF_INET, AF_INET6
from socketserver import ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING, Final
from urllib.error import HTTPError
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric
from prometheus_client import generate_latest as exposed
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HEALTH: Final = ("/healthz", "/readyz")
ANY_ADDRESS: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
TIMEOUT_S: Final = 0.9
"""For a worker's response: less than the second that probes of Kubernetes wait by default."""
PARENT_POLL_S: Final = 0.5
UNAVAILABLE: Final = b'{"status": "unavailable"}'


class _WorkerCollector(MultiProcessCollector):
    """Collects from all workers, except the empty files of a starting one (the library fails)."""

    def collect(self) -> Iterable[Metric]:
        files = [name for name in glob(f"{self._path}/*.db") if _is_written(name)]
        metrics: Iterable[Metric] = self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return metrics


def _is_written(name: str) -> bool:
    try:
        return os.path.getsize(name) > 0
    except FileNotFoundError:  # The worker has ended.
        return False


class Monitor:
    """The WSGI application (PEP 3333) of the port.

    Args:
        address: of the workers, ``http://host:port``.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = environ["PATH_INFO"]
        status, media_type = 200, "application/json"
        if path in HEALTH:
            status, body = self._ask(path)
        elif path == "/metrics":
            media_type, body = CONTENT_TYPE_LATEST, self._metrics()
        else:
            status, media_type, body = 404, "text/plain", b"See /metrics, /healthz and /readyz.\n"
        headers = [("Content-Type", media_type), ("Content-Length", str(len(body)))]
        start_response(f"{status} {HTTPStatus(status).phrase}", headers)
        return [body]

    def _ask(self, path: str) -> tuple[int, bytes]:
        """Return the status and the body of a worker's response."""
        try:
            with urllib.request.urlopen(self._address + path, timeout=TIMEOUT_S) as response:
                return response.status, response.read()
        except HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 503, UNAVAILABLE

    def _metrics(self) -> bytes:
        """Return the metrics of all workers, and whether one is ready."""
        registry = CollectorRegistry()
        _WorkerCollector(registry)  # type: ignore[no-untyped-call]
        registry.register(self)
        return exposed(registry)

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics that no worker knows."""
        is_ready = self._ask("/readyz")[0] == HTTPStatus.OK
        yield GaugeMetricFamily("ready", "1 if /readyz answers with 200, otherwise 0.", is_ready)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = 10
    """Seconds that a client may take for its request."""

    def log_message(self, *_: object) -> None:
        """Do nothing: probes and scrapes come every few seconds."""


def main(host: str, port: str, metrics_host: str, metrics_port: str) -> None:
    """Serve until the parent process has ended."""
    parent = os.getppid()
    address = ANY_ADDRESS.get(host, host)
    name = f"[{address}]" if ":" in address else address
    monitor = Monitor(f"http://{name}:{port}")
    _Server.address_family = AF_INET6 if ":" in metrics_host else AF_INET
    server = make_server(metrics_host, int(metrics_port), monitor, _Server, _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
