"""How gunicorn serves: on a developer's machine and in the container alike."""

import os
from pathlib import Path


def _usable_cores() -> int:
    # macOS cannot say which cores a process may use.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_host = os.environ.get("HOST") or "127.0.0.1"
_port = os.environ.get("PORT") or "8000"
bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"

# Solving keeps a core busy.  More than four workers want memory that a machine nobody tuned
# may not have: WEB_CONCURRENCY is for those who know.
workers = int(os.environ.get("WEB_CONCURRENCY") or min(_usable_cores(), 4))
# One thread solves; as many may wait for it as SOLVE_QUEUE and SOLVE_ROOM allow (8 and 48), and the
# rest answer what is known already, health checks and refusals.  A thread that waits costs little.
worker_class = "gthread"
threads = 64
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

# A line a request, to standard output.
accesslog = "-"
# Its socket in the home folder would clash between two servers; nothing here uses it.
control_socket_disable = True
