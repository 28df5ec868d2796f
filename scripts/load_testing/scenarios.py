"""Load test scenarios; each one prints its results and returns them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any, Final

import numpy as np
import orjson
from tqdm import tqdm

from load_testing.bodies import health, hint_bodies, hints, noop_requests, suggest_requests
from load_testing.client import (
    LoadRequest,
    Tallies,
    Tally,
    at_constant_rate,
    saturate,
    send_on_schedule,
)
from load_testing.fairness import fairness
from load_testing.rolling import rolling_restart
from load_testing.server import serving
from load_testing.slow_redis import slow_redis
from service.games.registry import GAMES
from service.operations.dispatch import execute

Results = dict[str, Any]
CONNECTIONS: Final = 16
"""For throughput: enough to keep a worker busy, too few to form a queue."""
HITS_TARGETS: Final = {"memory": 0.9, "redis": 0.65}
MULTIPLES: Final = (0.5, 1.0, 2.0, 4.0, 10.0)
GOODPUT_TARGET: Final = 0.9
HEALTH_TARGET_S: Final = 0.05


@dataclass(frozen=True)
class Options:
    """Options of a run.

    Attributes:
        redis_url: of a server that may be flushed; empty skips the parts that need Redis.
        repetitions: per comparison.
        seconds: per measurement.
    """

    redis_url: str
    repetitions: int
    seconds: float


@dataclass(frozen=True)
class Load:
    """A kind of uncached requests.

    Attributes:
        seats, effort: of each request.
        first_rate: requests per second of the first attempt to find the capacity.
        duration_factor: multiplies the length of the measurement.
    """

    seats: int
    effort: str
    first_rate: float
    duration_factor: float

    @property
    def name(self) -> str:
        return f"{self.seats} seats, {self.effort}"


LOADS: Final = (Load(4, "standard", 40.0, 2.0), Load(5, "deep", 1.5, 6.0))
Scenario = Callable[[Options], Results]


def hits(options: Options) -> Results:
    """Compare cached hints with a route that does nothing, alternately, on one worker."""
    results: Results = {}
    layers: dict[str, dict[str, str]] = {"memory": {}}
    if options.redis_url:
        layers["redis"] = {"REDIS_URL": options.redis_url, "CACHE_MIB": "0"}
    for layer, environment in layers.items():
        with serving({"WEB_CONCURRENCY": "1", **environment}) as server:
            bodies = hints(4, 1, 50, effort="quick")
            known, nothing = (
                suggest_requests(server.address, bodies, layer),
                noop_requests(server.address, bodies),
            )
            # Fill the cache.
            send_on_schedule(server.address, [(0.0, request) for request in known], connections=2)
            ratios, rates = [], []
            for _ in tqdm(range(options.repetitions), desc=f"hits, {layer}", leave=False):
                _, control = saturate(server.address, nothing, options.seconds, CONNECTIONS)
                tally, rate = saturate(server.address, known, options.seconds, CONNECTIONS)
                _assert_only_hits(tally, layer)
                ratios.append(rate / control)
                rates.append(rate)
        target = HITS_TARGETS[layer]
        ratio = float(np.median(ratios))
        results[layer] = {
            "answers_per_s": float(np.median(rates)),
            "ratio_to_no_op": ratio,
            "ratios": ratios,
            "target": target,
            "verdict": _verdict(ratio >= target),
        }
        print(
            f"hits from {layer}: {np.median(rates):.0f} per second from one worker,"
            f" {ratio:.2f} of the no-op's ({min(ratios):.2f} to {max(ratios):.2f};"
            f" target ≥ {target}: {results[layer]['verdict']})"
        )
    return results


def _assert_only_hits(tally: Tally, layer: str) -> None:
    """Raise RuntimeError if responses did not come from the cache."""
    expected = f"answers; hit; detail={layer}"
    misses = {cache: count for cache, count in tally.caches.items() if cache != expected}
    if sum(misses.values()) > 0.01 * tally.answered or tally.lost:
        raise RuntimeError(f"not only hits: {misses}, {tally.lost} lost")


def overload(options: Options) -> Results:
    """Send more uncached requests than the service can solve, and health checks.

    One load has common requests, where a refusal costs a tenth of a solve; the other has long ones.
    """
    workers = len(os.sched_getaffinity(0))
    results: Results = {}
    for load in LOADS:
        with serving({"WEB_CONCURRENCY": str(workers)}) as server:
            results[load.name] = _overload(
                server.address, load, load.duration_factor * options.seconds
            )
    return results


def _overload(address: str, load: Load, seconds: float) -> Results:
    new_bodies = hint_bodies(load.seats, 2, effort=load.effort)

    def offer(rate: float, seconds: float) -> tuple[Tallies, float]:
        bodies = list(islice(new_bodies, int(rate * seconds)))
        uncached = at_constant_rate(suggest_requests(address, bodies, "cold"), rate, seconds)
        checks = at_constant_rate([health(address)], 20.0, seconds)
        return send_on_schedule(address, _merge(uncached, checks))

    capacity = rate = 0.0
    # Raise the rate until the goodput stops growing. A saturating client would not measure the
    # capacity, because one worker may get all of its connections.
    while rate < 1.5 * capacity or not rate:
        rate = 1.4 * rate or load.first_rate
        tallies, took = offer(rate, seconds / 2.0)
        capacity = max(capacity, tallies["cold"].good() / took)
    if not capacity:
        raise RuntimeError(f"no request was solved: {load.name}")
    print(f"capacity: {capacity:.1f} solves per second ({load.name})")
    rows = []
    for multiple in MULTIPLES:
        tallies, took = offer(multiple * capacity, seconds)
        rows.append(_overload_row(multiple, capacity, took, tallies))
    peak = max(row["goodput"] for row in rows)
    for row in rows:
        row["of_peak"] = row["goodput"] / peak
        row["verdict"] = _verdict(row["of_peak"] >= GOODPUT_TARGET) if row["multiple"] > 1 else None
        print(
            f"  {row['multiple']:4g} × capacity: goodput {row['goodput']:.1f}/s"
            f" ({row['of_peak']:.0%} of its peak), refused {row['refused']:.0%}"
            f" in {1e3 * row['refusal_p99_s']:.0f} ms (p99), answered in"
            f" {1e3 * row['answer_p50_s']:.0f} / {1e3 * row['answer_p99_s']:.0f} ms (p50 / p99),"
            f" health p99 {1e3 * row['health_p99_s']:.0f} ms, lost {row['lost']}"
        )
    return {"capacity_per_s": capacity, "rows": rows}


def busy(options: Options) -> Results:
    """Send health checks, cached requests and invalid bodies while every worker solves."""
    workers = len(os.sched_getaffinity(0))
    with serving({"WEB_CONCURRENCY": str(workers)}) as server:
        known = suggest_requests(server.address, hints(3, 8, 20, effort="quick"), "hits")
        invalid = suggest_requests(server.address, [b'{"state": {"seats": 5}}'], "invalid")
        # Repeat the requests, so that most likely every worker caches them.
        send_on_schedule(
            server.address,
            [(0.0, request) for request in known * 4 * workers],
            connections=2 * workers,
        )
        seconds = 2.0 * options.seconds
        slow = suggest_requests(
            server.address, hints(5, 9, 20 * int(seconds), effort="deep"), "deep"
        )
        kinds = slow, known, invalid, [health(server.address)]
        tallies, _ = send_on_schedule(
            server.address,
            _merge(*(at_constant_rate(requests, 20.0, seconds) for requests in kinds)),
        )
    rows = {
        kind: _quantile(
            [latency for latencies in tallies[kind].latencies.values() for latency in latencies],
            0.99,
        )
        for kind in ("health", "hits", "invalid")
    }
    solved = len(tallies["deep"].latencies.get(200, ()))
    verdict = _verdict(rows["health"] <= HEALTH_TARGET_S)
    print(
        f"all {workers} workers solving ({solved} deep solves):"
        + ",".join(f" {kind} {1e3 * worst:.0f} ms" for kind, worst in rows.items())
        + f" (p99; health ≤ {1e3 * HEALTH_TARGET_S:.0f} ms: {verdict})"
    )
    return {"p99_s": rows, "verdict": verdict}


def _merge(*schedules: Iterable[tuple[float, LoadRequest]]) -> list[tuple[float, LoadRequest]]:
    """Merge schedules by time."""
    return list(merge(*schedules, key=lambda timed_request: timed_request[0]))


def _overload_row(multiple: float, capacity: float, took: float, tallies: Tallies) -> Results:
    uncached, checks = tallies["cold"], tallies["health"]
    unexpected = set(uncached.latencies) - {200, 503}
    if unexpected:
        raise RuntimeError(f"unexpected statuses {unexpected}")
    refusals = uncached.latencies.get(503, [0.0])
    return {
        "multiple": multiple,
        "offered": multiple * capacity,
        "goodput": uncached.good() / took,
        "refused": len(uncached.latencies.get(503, ())) / max(1, uncached.answered),
        "refusal_p99_s": _quantile(refusals, 0.99),
        "answer_p50_s": _quantile(uncached.latencies.get(200, [0.0]), 0.5),
        "answer_p99_s": _quantile(uncached.latencies.get(200, [0.0]), 0.99),
        "health_p99_s": _quantile(checks.latencies[200], 0.99),
        "lost": uncached.lost + checks.lost,
    }


def single_flight(options: Options) -> Results:
    """Send a hundred identical uncached requests at once, and count the solves."""
    results: Results = {}
    kinds: dict[str, dict[str, str]] = {"without Redis": {}}
    if options.redis_url:
        kinds["with Redis"] = {"REDIS_URL": options.redis_url}
    for kind, environment in kinds.items():
        with serving({"WEB_CONCURRENCY": "2", **environment}) as server:
            counts = []
            for body in hints(5, 3 if environment else 4, options.repetitions):
                request = suggest_requests(server.address, [body], "same")[0]
                before = server.sample("solves_total")
                tallies, _ = send_on_schedule(server.address, [(0.0, request)] * 100)
                if len(tallies["same"].latencies[200]) != 100 or len(tallies["same"].bodies) != 1:
                    raise RuntimeError(f"different responses: {tallies['same'].latencies.keys()}")
                counts.append(int(server.sample("solves_total") - before))
        most = 1 if environment else 2
        results[kind] = {"solves": counts, "verdict": _verdict(max(counts) <= most)}
        print(f"a hundred identical requests {kind}: {counts} solves, {results[kind]['verdict']}")
    return results


def memory(options: Options) -> Results:
    """Send 200,000 different requests; the caches are full long before the end."""
    total, step = int(20_000 * options.repetitions * 2), 20_000
    rows = []
    with serving({"WEB_CONCURRENCY": "2", "CACHE_MIB": "16"}) as server:
        bodies = hints(3, 5, 400, effort="quick")
        sent = 0
        for _ in tqdm(range(total // step), desc="memory", leave=False):
            messages = [
                body[:-1] + b', "nonce": "%d"}' % (sent + number)
                for number, body in enumerate(bodies * (step // len(bodies)))
            ]
            schedule = [
                (0.0, request) for request in suggest_requests(server.address, messages, "any")
            ]
            tallies, _ = send_on_schedule(
                server.address, schedule, connections=CONNECTIONS, patience_s=600
            )
            sent += tallies["any"].answered
            rows.append({"requests": sent, "mib": server.resident_mib()})
    half = rows[len(rows) // 2 :]
    growth = half[-1]["mib"] - half[0]["mib"]
    print(
        f"memory: {rows[0]['mib']:.0f} MiB of two workers after {rows[0]['requests']} requests,"
        f" {rows[-1]['mib']:.0f} after {sent}; {growth:+.1f} over the second half"
    )
    return {"rows": rows, "growth_mib": growth, "verdict": _verdict(growth <= 5.0)}


def golden(options: Options) -> Results:
    """Compare a thousand responses of every deployment mode with those of this process."""
    definition = GAMES["snow-time"]
    [suggest] = [each for each in definition.endpoints if each.name == "suggest"]
    bodies = hints(3, 6, 1_000, effort="quick", depth=1)
    expected = [
        orjson.dumps(execute(definition, suggest, json.loads(body)).document)
        for body in tqdm(bodies, desc="golden", leave=False)
    ]
    modes: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
        "threads": ({"WEB_CONCURRENCY": "1"}, ()),
        "processes": ({"WEB_CONCURRENCY": "2"}, ("--threads", "1")),
        "threads and processes": ({"WEB_CONCURRENCY": "2"}, ()),
        "without preload": (
            {"WEB_CONCURRENCY": "2"},
            ("-c", "scripts/load_testing/without_preload.py"),
        ),
    }
    if options.redis_url:
        modes["with Redis"] = ({"WEB_CONCURRENCY": "2", "REDIS_URL": options.redis_url}, ())
    results: Results = {}
    for mode, (environment, arguments) in modes.items():
        with serving(environment, arguments=arguments) as server:
            requests = [
                LoadRequest("golden", request.message, body)
                for request, body in zip(
                    suggest_requests(server.address, bodies, ""), expected, strict=True
                )
            ]
            wrong = 0
            for _ in range(2):
                tallies, _ = send_on_schedule(
                    server.address, [(0.0, request) for request in requests], connections=8
                )
                tally = tallies["golden"]
                wrong += tally.wrong + tally.lost + tally.answered - tally.good()
        results[mode] = {"wrong": wrong, "verdict": _verdict(wrong == 0)}
        print(f"golden, {mode}: {wrong} of 1,000 wrong, sent twice, {results[mode]['verdict']}")
    return results


def _quantile(latencies: Sequence[float], share: float) -> float:
    return float(np.quantile(latencies, share, method="inverted_cdf"))


def _verdict(met: bool) -> str:
    return "met" if met else "missed"


SCENARIOS: Final[dict[str, Scenario]] = {
    "hits": hits,
    "busy": busy,
    "overload": overload,
    "once": single_flight,
    "golden": golden,
    "rolling": lambda options: rolling_restart(options.redis_url),
    "fairness": lambda options: fairness(options.seconds),
    "slow-redis": lambda options: slow_redis(options.redis_url),
    "memory": memory,
}
