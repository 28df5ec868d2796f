"""A rolling restart of two instances behind nginx, while requests go on."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from loading.bodies import hints, shots
from loading.client import fire, steadily
from loading.server import ROOT, Server, await_port, free_port, start, stop

REQUESTS = 10_000
RATE = 250.0
"""Requests a second."""
ONE = {"WEB_CONCURRENCY": "1", "PROXY_HOPS": "1"}


def rolling(redis_url: str) -> dict[str, Any]:
    """How many of 10,000 requests were lost while each instance was restarted, twice.

    An instance that starts knows nothing; what the other one solved it finds in Redis.
    """
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        print("rolling restart: there is no nginx here")
        return {"verdict": "left out"}
    ports = [free_port(), free_port()]
    environment = ONE | ({"REDIS_URL": redis_url} if redis_url else {})
    instances = [start(environment, port=port) for port in ports]
    try:
        with _proxy(nginx, ports) as address:
            bodies = hints(3, 7, 200, tier="quick")
            schedule = list(steadily(shots(address, bodies, "any"), RATE, REQUESTS / RATE))
            restarted = Thread(target=_restart, args=(instances, ports, environment))
            restarted.start()
            tallies, took = fire(address, schedule)
            restarted.join()
    finally:
        for instance in instances:
            stop(instance)
    tally = tallies["any"]
    good = tally.good()
    statuses = {status: len(latencies) for status, latencies in tally.latencies.items()}
    verdict = "met" if good == REQUESTS else "missed"
    print(
        f"rolling restart: {good} of {REQUESTS} answered in {took:.0f} s, {statuses},"
        f" {tally.lost} lost: {verdict}"
    )
    return {"good": good, "statuses": statuses, "lost": tally.lost, "verdict": verdict}


def _restart(instances: list[Server], ports: list[int], environment: dict[str, str]) -> None:
    for _ in range(2):
        for place, port in enumerate(ports):
            time.sleep(1.0)
            stop(instances[place])
            instances[place] = start(environment, port=port)


@contextmanager
def _proxy(nginx: str, ports: list[int]) -> Iterator[str]:
    """Nginx as it is deployed, but for ports and folders; its address."""
    port = free_port()
    with TemporaryDirectory() as name:
        folder = Path(name)
        text = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text(encoding="utf-8")
        text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
        text = text.replace("        listen [::]:8080;\n", "").replace("/tmp/", f"{folder}/")
        # All clients of this test have one address.
        text = text.replace("limit_conn connections 100;", "limit_conn connections 1000;")
        (folder / "nginx.conf").write_text(text, encoding="utf-8")
        upstream = (ROOT / "deploy" / "nginx" / "upstream.conf").read_text(encoding="utf-8")
        [line] = [line for line in upstream.splitlines() if "app:8000" in line]
        servers = "\n".join(line.replace("app:8000", f"127.0.0.1:{each}") for each in ports)
        (folder / "upstream.conf").write_text(upstream.replace(line, servers), encoding="utf-8")
        command = [nginx, "-c", str(folder / "nginx.conf"), "-e", "stderr", "-g", "daemon off;"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            await_port(port)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=30)
