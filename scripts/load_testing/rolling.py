"""A rolling restart of two instances behind nginx, while requests go on."""

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
"""Requests a second."""
ONE = {"WEB_CONCURRENCY": "1", "PROXY_HOPS": "1"}


def rolling(redis_url: str) -> dict[str, Any]:
    """How many of 10,000 requests were lost while each instance was restarted, twice.

    An instance that starts knows nothing; what the other one solved it finds in Redis.
    """
    nginx = executable()
    if nginx is None:
        print("rolling restart: there is no nginx here")
        return {"verdict": "left out"}
    ports = [free_port(), free_port()]
    environment = ONE | ({"REDIS_URL": redis_url} if redis_url else {})
    instances = [start(environment, port=port) for port in ports]
    try:
        addresses = [f"127.0.0.1:{port}" for port in ports]
        # All clients of this test have one address.
        with proxy(nginx, addresses, connections=1_000) as address:
            asked = suggest_requests(address, hints(3, 7, 200, tier="quick"), "any")
            # What is new to everybody is refused at this rate; that is another scenario.
            send_on_schedule(
                address, list(at_constant_rate(asked, RATE / 10, 10 * len(asked) / RATE))
            )
            schedule = list(at_constant_rate(asked, RATE, REQUESTS / RATE))
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
        for place, port in enumerate(ports):
            time.sleep(1.0)
            stop(instances[place])
            instances[place] = start(environment, port=port)
