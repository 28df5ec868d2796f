"""Metrics and health checks on a separate port, served by a separate process.

    python -m service.serving.monitoring PARENT ADDRESS METRICS_HOST METRICS_PORT

serves ``/metrics``, ``/healthz`` and ``/readyz`` as long as the process PARENT is its parent.
ADDRESS is that of the workers, ``host:port``. The health checks are those of a worker, or 503 if
none responds in time, for example while the workers end and accept no connections.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from glob import glob
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from socket import AF_INET, AF_INET6
from socketserver import TCPServer, ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric
from prometheus_client import generate_latest as exposed
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HEALTH: Final = ("/healthz", "/readyz")
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
        address: of the workers, ``host:port``.
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
        connection = HTTPConnection(self._address, timeout=TIMEOUT_S)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, HTTPException):
            return 503, UNAVAILABLE
        finally:
            connection.close()

    def _metrics(self) -> bytes:
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

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # The other ones ask for the name of the host.
        self.server_name, self.server_port = "", self.server_address[1]
        self.setup_environ()


class _Handler(WSGIRequestHandler):
    timeout = 10  # Seconds to wait for a client.

    def log_message(self, *_: object) -> None:
        """Do nothing: probes and scrapes come every few seconds."""


def main(parent: str, address: str, host: str, port: str) -> None:
    """Serve until the parent process has ended."""
    _Server.address_family = AF_INET6 if ":" in host else AF_INET
    server = make_server(host, int(port), Monitor(address), _Server, _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == int(parent):
        time.sleep(PARENT_POLL_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
