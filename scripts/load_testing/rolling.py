"""A rolling restart of two instances behind nginx, under load."""

from __future__ import annotations

import time
from threading import Thread
from typing import Any

from load_testing.bodies import hints, suggest_requests
from load_testing.client import at_constant_rate, send_on_schedule
from load_testing.proxy import executable, proxy
from load_testing.server import Server, free_port, start, stop

REQUESTS = 10_000
RATE = 250.0
"""Requests per second."""
ONE = {"WEB_CONCURRENCY": "1", "PROXY_HOPS": "1"}


def rolling_restart(redis_url: str) -> dict[str, Any]:
    """Count the requests, of 10,000, that fail while each instance restarts twice.

    A new instance has an empty cache; it reads the solutions of the other one from Redis.
    """
    nginx = executable()
    if nginx is None:
        print("rolling restart: skipped, nginx is not installed")
        return {"verdict": "left out"}
    ports = [free_port(), free_port()]
    environment = ONE | ({"REDIS_URL": redis_url} if redis_url else {})
    instances = [start(environment, port=port) for port in ports]
    try:
        addresses = [f"127.0.0.1:{port}" for port in ports]
        # All requests of this test come from one address.
        with proxy(nginx, addresses, connections=1_000) as address:
            requests = suggest_requests(address, hints(3, 7, 200, effort="quick"), "any")
            # Fill the caches slowly: at the full rate the service would shed uncached requests.
            send_on_schedule(
                address, list(at_constant_rate(requests, RATE / 10, 10 * len(requests) / RATE))
            )
            schedule = list(at_constant_rate(requests, RATE, REQUESTS / RATE))
            restarted = Thread(target=_restart, args=(instances, ports, environment))
            restarted.start()
            tallies, took = send_on_schedule(address, schedule)
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
        f" {tally.problems or ''}, {tally.lost} lost: {verdict}"
    )
    return {
        "good": good,
        "statuses": statuses,
        "problems": tally.problems,
        "lost": tally.lost,
        "verdict": verdict,
    }


def _restart(instances: list[Server], ports: list[int], environment: dict[str, str]) -> None:
    for _ in range(2):
        for index, port in enumerate(ports):
            time.sleep(1.0)
            stop(instances[index])
            instances[index] = start(environment, port=port)
