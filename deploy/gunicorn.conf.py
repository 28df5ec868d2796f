"""How gunicorn serves: on a developer's machine and in the container alike."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def _usable_cores() -> int:
    # macOS cannot say which cores a process may use.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_host = os.environ.get("HOST") or "127.0.0.1"
_port = os.environ.get("PORT") or "8000"
_metrics_port = os.environ.get("METRICS_PORT")
if _metrics_port == "0":  # None, as it is by default.
    _metrics_port = None


def _address(port: str) -> str:
    return f"[{_host}]:{port}" if ":" in _host else f"{_host}:{port}"


bind = [_address(port) for port in (_port, _metrics_port) if port]

# Solving keeps a core busy.  More than four workers want memory that a machine nobody tuned
# may not have: WEB_CONCURRENCY is for those who know.
workers = int(os.environ.get("WEB_CONCURRENCY") or min(_usable_cores(), 4))
# One thread solves; as many may wait for it as SOLVE_QUEUE and SOLVE_ROOM allow (8 and 112), and
# the rest answer what is known already, health checks and refusals.  One that waits costs little.
worker_class = "gthread"
threads = 128
# Imported and compiled once; the workers share the memory.
preload_app = True

# Longer than an idle connection of the usual proxies, so that they close first.
keepalive = 75
# Within the ten seconds that most container platforms at least grant.
graceful_timeout = 10

# The heartbeat file; on a disk, a slow write would look like a dead worker.
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"

# Everything of size comes in the body.  The size of a field stays roomy: on localhost a
# browser sends the cookies of every other project.
limit_request_line = 2048
limit_request_fields = 64
limit_request_field_size = 8190

# No header of a client may set what a proxy would: the script name, or the scheme.
forwarder_headers = ""
secure_scheme_headers = {}

# The service logs its requests itself; what the server has to say goes the same way.
accesslog = None
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

# Workers count together, in files that only live as long as the server.  Before the service is
# imported, because its metrics look for the folder then.
if _metrics_port and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-")
    _server_pid = os.getpid()
    atexit.register(
        lambda: (
            os.getpid() == _server_pid
            and shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
        )
    )


def child_exit(server, worker):
    """A worker that is gone no longer solves, waits or leaves Redis alone."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)


def post_worker_init(worker):
    """A worker that is about to end says so to who asks whether it is ready."""
    worker.wsgi.config["DRAINING"] = lambda: not worker.alive


# Its socket in the home folder would clash between two servers; nothing here uses it.
control_socket_disable = True
