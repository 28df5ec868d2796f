"""What other clients get while one client sends the most expensive requests that it knows."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from heapq import merge
from typing import Any, Final

import numpy as np

from load_testing.bodies import NAMES, health, hints, suggest_requests
from load_testing.client import LoadRequest, Tallies, at_constant_rate, saturate, send_on_schedule
from load_testing.proxy import executable, proxy
from load_testing.server import serving

HOSTILE: Final = "127.0.0.66"
"""The address of the hostile client; one client is one address."""
OTHERS: Final = tuple(f"127.0.0.{number}" for number in range(11, 15))
CONNECTIONS: Final = 20
NEW_PER_S: Final = 8.0
HITS_PER_S: Final = 20.0
HEALTH_PER_S: Final = 10.0
TARGET: Final = 0.8
QUOTA: Final = {"QUOTA_UNITS": "20000", "QUOTA_WINDOW_S": "60", "SOLVE_CLIENT": "3"}
"""As deployed."""


def fairness(seconds: float) -> dict[str, Any]:
    """Measure the others without and with the hostile client, direct and through the proxy."""
    seconds *= 4.0
    workers = str(len(os.sched_getaffinity(0)))
    results: dict[str, Any] = {}
    for way in ("direct", "proxy"):
        nginx = executable()
        if way == "proxy" and nginx is None:
            print("fairness, proxy: skipped, no nginx")
            continue
        hops = {"PROXY_HOPS": "1"} if way == "proxy" else {}
        with ExitStack() as stack:
            server = stack.enter_context(serving({"WEB_CONCURRENCY": workers, **QUOTA, **hops}))
            address = server.address
            if way == "proxy" and nginx is not None:
                address = stack.enter_context(proxy(nginx, [server.address]))
            alone = _others(address, seconds, 1)
            with _hostile(address, seconds + 4.0):
                time.sleep(2.0)
                beside = _others(address, seconds, 2)
        results[way] = {"alone": alone, "beside": beside, "new": beside["new"] / alone["new"]}
        met = results[way]["new"] >= TARGET and beside["hits"] == beside["health"] == 1.0
        for name, row in (("without", alone), ("with", beside)):
            print(
                f"fairness, {way}, {name} a hostile client: {row['new']:.0%} of new hints"
                f" ({1e3 * row['new_p50_s']:.0f} / {1e3 * row['new_p99_s']:.0f} ms p50 / p99),"
                f" {row['hits']:.0%} of hits ({1e3 * row['hits_p99_s']:.0f} ms p99),"
                f" {row['health']:.0%} of health checks ({1e3 * row['health_p99_s']:.0f} ms p99)"
            )
        print(f"  new hints: {results[way]['new']:.0%}; {'met' if met else 'missed'}")
    return results


def _others(address: str, seconds: float, seed: int) -> dict[str, float]:
    """Return the shares of answered requests of the other clients, and their latencies."""
    known = suggest_requests(address, hints(3, 50, 5, effort="quick"), "hits")
    send_on_schedule(address, [(0.1 * number, request) for number, request in enumerate(known * 6)])
    total = int(NEW_PER_S * seconds)
    new = [
        LoadRequest(f"new {number % len(OTHERS)}", request.message)
        for number, request in enumerate(
            suggest_requests(address, hints(4, 1_000 * seed, total), "new")
        )
    ]
    kinds = (
        at_constant_rate(new, NEW_PER_S, seconds),
        at_constant_rate(known, HITS_PER_S, seconds),
        at_constant_rate([health(address)], HEALTH_PER_S, seconds),
    )
    sources = {f"new {number}": source for number, source in enumerate(OTHERS)}
    schedule = list(merge(*kinds, key=lambda timed: timed[0]))
    tallies, _ = send_on_schedule(address, schedule, sources=sources)
    return {
        **_row(tallies, "new", tuple(sources)),
        **_row(tallies, "hits", ("hits",)),
        **_row(tallies, "health", ("health",)),
    }


def _row(tallies: Tallies, name: str, kinds: tuple[str, ...]) -> dict[str, float]:
    own = [tallies[kind] for kind in kinds]
    sent = sum(tally.answered + tally.lost for tally in own)
    good = [latency for tally in own for latency in tally.latencies.get(200, ())]
    median, slowest = np.quantile(good or [float("inf")], (0.5, 0.99), method="inverted_cdf")
    return {
        name: len(good) / sent,
        f"{name}_p50_s": float(median),
        f"{name}_p99_s": float(slowest),
    }


@contextmanager
def _hostile(address: str, seconds: float) -> Iterator[None]:
    """Send expensive requests from another process."""
    process = multiprocessing.get_context("spawn").Process(target=attack, args=(address, seconds))
    process.start()
    try:
        yield
    finally:
        process.join(timeout=seconds + 60.0)
        process.kill()


def attack(address: str, seconds: float) -> None:
    """Send the next expensive request as soon as a connection is free."""
    hand = ["1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard"]
    bodies = []
    for number in range(2_000):
        scores = [(number // 7**place) % 7 for place in range(5)]
        state = {
            "seats": [
                {"seat": name, "score": score, "hand": hand}
                for name, score in zip(NAMES, scores, strict=True)
            ],
            "fruit": [1, 1, 0, 2, 0, 1],
        }
        body = {
            "state": state,
            "player": NAMES[number % 5],
            "objective": "lead",
            "opponents": {"model": "level-1"},
            "include": ["dice"],
        }
        bodies.append(json.dumps(body).encode())
    saturate(address, suggest_requests(address, bodies, "hostile"), seconds, CONNECTIONS, HOSTILE)
