"""Gunicorn settings for development and for the container."""

import atexit
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from service.serving import kernels

_host = os.environ.get("HOST") or "127.0.0.1"
_port = os.environ.get("PORT") or "8000"
_metrics_host = os.environ.get("METRICS_HOST") or _host
_metrics_port = os.environ.get("METRICS_PORT")
if _metrics_port == "0":  # 0 disables metrics, like an unset variable.
    _metrics_port = None
bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"

# A solve keeps one core busy. The default is at most four workers, because more workers need more
# memory than an untuned machine may have. WEB_CONCURRENCY overrides it.
workers = int(os.environ.get("WEB_CONCURRENCY") or min(kernels.usable_cores(), 4))
# One thread solves. SOLVE_QUEUE (8) and SOLVE_ROOM (112) threads can wait for solves. The other
# threads serve cached answers, health checks and refusals. A waiting thread is cheap. A client that
# sends its request slowly occupies one, so the proxy in front sends only whole requests.
worker_class = "gthread"
threads = 128
# Import and compile once; the workers share the memory.
preload_app = True
# Modules stay forever: collecting garbage during their import takes a tenth of its time.
gc.disable()

# Longer than the idle timeout of common proxies, so that the proxy closes a connection first.
keepalive = 75
# Longer than the longest deadline_ms of a request. The container platform must wait longer before
# it kills a container (stop_grace_period, terminationGracePeriodSeconds).
graceful_timeout = 35

# Heartbeat files. On a disk, a slow write would make a worker look dead.
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"

# The proxy has its own limits; these let the application answer nearly all that it passes on.
limit_request_line = 8190
limit_request_fields = 1000

# Clients must not set the script name or the scheme with headers that only a proxy may send.
forwarder_headers = ""
secure_scheme_headers = {}

# The service logs its requests. Messages of gunicorn use the same JSON format.
accesslog = None
logger_class = "service.serving.logger.Logger"
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "service.api.log.formatter"}},
    "handlers": {
        "out": {
            "class": "logging.StreamHandler",
            "formatter": "json",
            "stream": "ext://sys.stdout",
        }
    },
    "root": {"level": "WARNING", "handlers": ["out"]},
    "loggers": {
        "gunicorn.error": {"level": "INFO", "handlers": ["out"], "propagate": False},
        "gunicorn.access": {"level": "WARNING", "handlers": ["out"], "propagate": False},
    },
}

# Workers share their metrics in files that the server deletes at its end. Set the folder before the
# import of the service, because its metrics read the variable then.
if _metrics_port and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-")
    _server_pid = os.getpid()
    atexit.register(
        lambda: (
            os.getpid() == _server_pid
            and shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
        )
    )


def on_starting(server):
    """Start the monitoring, and compile missing kernels; the service is imported already."""
    server.monitoring = None
    if _metrics_port:
        command = [sys.executable, "-m", "service.serving.monitoring"]
        command += [str(os.getpid()), bind, _metrics_host, _metrics_port]
        # In a separate session, so that Ctrl-C ends the workers first.
        server.monitoring = subprocess.Popen(command, start_new_session=True)
    server.compilers = kernels.prepare()


def on_exit(server):
    """Stop what still compiles, and the monitoring."""
    for process in (server.compilers, server.monitoring):
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)


def when_ready(server):
    """Collect garbage from here on, except in what the modules created."""
    gc.freeze()
    gc.enable()


def child_exit(server, worker):
    """Remove the gauges of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)


def post_worker_init(worker):
    """Let ``/readyz`` report when the worker is to end, and until it can give hints."""

    def unready():
        if not worker.alive:
            return "draining"
        return None if kernels.is_ready() else "starting"

    worker.wsgi.config["UNREADY"] = unready


# The control socket in the home folder would collide between two servers, and is not used.
control_socket_disable = True
