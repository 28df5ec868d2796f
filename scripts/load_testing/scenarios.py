"""What is measured under load; each returns figures and prints them as it goes."""

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

from load_testing.bodies import health, hints, noops, questions, suggest_requests
from load_testing.client import (
    LoadRequest,
    Tallies,
    Tally,
    at_constant_rate,
    saturate,
    send_on_schedule,
)
from load_testing.rolling import rolling
from load_testing.server import serving
from service.games.registry import GAMES
from service.operations.dispatch import execute

Figures = dict[str, Any]
CONNECTIONS: Final = 16
"""For throughput: enough to keep a worker busy, few enough not to queue."""
HITS_TARGETS: Final = {"memory": 0.9, "redis": 0.65}
MULTIPLES: Final = (0.5, 1.0, 2.0, 4.0, 10.0)
GOODPUT_TARGET: Final = 0.9
HEALTH_TARGET_S: Final = 0.05


@dataclass(frozen=True)
class Setting:
    """What a run is like.

    Attributes:
        redis_url: of a server that may be flushed; without one, what needs it is left out.
        repetitions: of each comparison.
        seconds: of each measurement.
    """

    redis_url: str
    repetitions: int
    seconds: float


@dataclass(frozen=True)
class Load:
    """Questions of one kind.

    Attributes:
        seats, tier: of each.
        least: so many a second are offered first.
        longer: how many times as long as others it is measured.
    """

    seats: int
    tier: str
    least: float
    longer: float

    @property
    def name(self) -> str:
        return f"{self.seats} seats, {self.tier}"


LOADS: Final = (Load(4, "standard", 40.0, 2.0), Load(5, "deep", 1.5, 6.0))
Scenario = Callable[[Setting], Figures]


def hits(setting: Setting) -> Figures:
    """Cached answers beside a route that does nothing, in turn, on one worker."""
    found: Figures = {}
    layers: dict[str, dict[str, str]] = {"memory": {}}
    if setting.redis_url:
        layers["redis"] = {"REDIS_URL": setting.redis_url, "CACHE_MIB": "0"}
    for layer, environment in layers.items():
        with serving({"WEB_CONCURRENCY": "1", **environment}) as server:
            bodies = hints(4, 1, 50, tier="quick")
            known, nothing = (
                suggest_requests(server.address, bodies, layer),
                noops(server.address, bodies),
            )
            # Once, so that all of them are known.
            send_on_schedule(server.address, [(0.0, shot) for shot in known], connections=2)
            ratios, rates = [], []
            for _ in tqdm(range(setting.repetitions), desc=f"hits, {layer}", leave=False):
                _, control = saturate(server.address, nothing, setting.seconds, CONNECTIONS)
                tally, rate = saturate(server.address, known, setting.seconds, CONNECTIONS)
                _only_hits(tally, layer)
                ratios.append(rate / control)
                rates.append(rate)
        target = HITS_TARGETS[layer]
        ratio = float(np.median(ratios))
        found[layer] = {
            "answers_per_s": float(np.median(rates)),
            "ratio_to_no_op": ratio,
            "ratios": ratios,
            "target": target,
            "verdict": _verdict(ratio >= target),
        }
        print(
            f"hits from {layer}: {np.median(rates):.0f} a second of one worker,"
            f" {ratio:.2f} of the no-op's ({min(ratios):.2f} to {max(ratios):.2f};"
            f" target ≥ {target}: {found[layer]['verdict']})"
        )
    return found


def _only_hits(tally: Tally, layer: str) -> None:
    """Raises where something else than a cache answered."""
    wanted = f"answers; hit; detail={layer}"
    missed = {cache: count for cache, count in tally.caches.items() if cache != wanted}
    if sum(missed.values()) > 0.01 * tally.answered or tally.lost:
        raise RuntimeError(f"not only hits: {missed}, {tally.lost} lost")


def overload(setting: Setting) -> Figures:
    """Questions that nobody asked before, more of them than can be solved, and health checks: of
    the common kind, where to refuse one costs a tenth of a solve, and of the kind that lasts.
    """
    workers = len(os.sched_getaffinity(0))
    found: Figures = {}
    for load in LOADS:
        with serving({"WEB_CONCURRENCY": str(workers)}) as server:
            found[load.name] = _overload(server.address, load, load.longer * setting.seconds)
    return found


def _overload(address: str, load: Load, seconds: float) -> Figures:
    fresh = questions(load.seats, 2, tier=load.tier)

    def offered(rate: float, seconds: float) -> tuple[Tallies, float]:
        bodies = list(islice(fresh, int(rate * seconds)))
        cold = at_constant_rate(suggest_requests(address, bodies, "cold"), rate, seconds)
        checks = at_constant_rate([health(address)], 20.0, seconds)
        return send_on_schedule(address, _together(cold, checks))

    capacity = rate = 0.0
    # Until more offered is not more solved; connections that are always busy would not tell, as
    # one worker may get all of them.
    while rate < 1.5 * capacity or not rate:
        rate = 1.4 * rate or load.least
        told, took = offered(rate, seconds / 2.0)
        capacity = max(capacity, told["cold"].good() / took)
    if not capacity:
        raise RuntimeError(f"nothing was solved: {load.name}")
    print(f"capacity: {capacity:.1f} solves a second ({load.name})")
    rows = []
    for multiple in MULTIPLES:
        told, took = offered(multiple * capacity, seconds)
        rows.append(_overloaded(multiple, capacity, took, told))
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


def busy(setting: Setting) -> Figures:
    """Health checks, hits and faulty bodies while every slot solves something long."""
    workers = len(os.sched_getaffinity(0))
    with serving({"WEB_CONCURRENCY": str(workers)}) as server:
        known = suggest_requests(server.address, hints(3, 8, 20, tier="quick"), "hits")
        faulty = suggest_requests(server.address, [b'{"state": {"seats": 5}}'], "faults")
        # Once for each worker, more or less, so that all of them are known.
        send_on_schedule(
            server.address, [(0.0, shot) for shot in known * 4 * workers], connections=2 * workers
        )
        seconds = 2.0 * setting.seconds
        slow = suggest_requests(server.address, hints(5, 9, 20 * int(seconds), tier="deep"), "deep")
        kinds = slow, known, faulty, [health(server.address)]
        told, _ = send_on_schedule(
            server.address, _together(*(at_constant_rate(some, 20.0, seconds) for some in kinds))
        )
    rows = {
        kind: _quantile([each for some in told[kind].latencies.values() for each in some], 0.99)
        for kind in ("health", "hits", "faults")
    }
    solved = len(told["deep"].latencies.get(200, ()))
    verdict = _verdict(rows["health"] <= HEALTH_TARGET_S)
    print(
        f"all of {workers} slots solving ({solved} deep solves):"
        + ",".join(f" {kind} {1e3 * worst:.0f} ms" for kind, worst in rows.items())
        + f" (p99; health ≤ {1e3 * HEALTH_TARGET_S:.0f} ms: {verdict})"
    )
    return {"p99_s": rows, "verdict": verdict}


def _together(*schedules: Iterable[tuple[float, LoadRequest]]) -> list[tuple[float, LoadRequest]]:
    """One schedule of several."""
    return list(merge(*schedules, key=lambda each: each[0]))


def _overloaded(multiple: float, capacity: float, took: float, told: Tallies) -> Figures:
    cold, checks = told["cold"], told["health"]
    strange = set(cold.latencies) - {200, 503}
    if strange:
        raise RuntimeError(f"statuses {strange}")
    refusals = cold.latencies.get(503, [0.0])
    return {
        "multiple": multiple,
        "offered": multiple * capacity,
        "goodput": cold.good() / took,
        "refused": len(cold.latencies.get(503, ())) / max(1, cold.answered),
        "refusal_p99_s": _quantile(refusals, 0.99),
        "answer_p50_s": _quantile(cold.latencies.get(200, [0.0]), 0.5),
        "answer_p99_s": _quantile(cold.latencies.get(200, [0.0]), 0.99),
        "health_p99_s": _quantile(checks.latencies[200], 0.99),
        "lost": cold.lost + checks.lost,
    }


def once(setting: Setting) -> Figures:
    """A hundred identical questions that nobody asked before, at the same moment."""
    found: Figures = {}
    kinds: dict[str, dict[str, str]] = {"without Redis": {}}
    if setting.redis_url:
        kinds["with Redis"] = {"REDIS_URL": setting.redis_url}
    for kind, environment in kinds.items():
        with serving({"WEB_CONCURRENCY": "2", **environment}) as server:
            counts = []
            for body in hints(5, 3 if environment else 4, setting.repetitions):
                shot = suggest_requests(server.address, [body], "same")[0]
                before = server.sample("solves_total")
                tallies, _ = send_on_schedule(server.address, [(0.0, shot)] * 100)
                if len(tallies["same"].latencies[200]) != 100 or len(tallies["same"].bodies) != 1:
                    raise RuntimeError(f"not one answer: {tallies['same'].latencies.keys()}")
                counts.append(int(server.sample("solves_total") - before))
        most = 1 if environment else 2
        found[kind] = {"solves": counts, "verdict": _verdict(max(counts) <= most)}
        print(f"a hundred identical questions {kind}: {counts} solves, {found[kind]['verdict']}")
    return found


def memory(setting: Setting) -> Figures:
    """200,000 requests, each body new, so that the caches are full long before the end."""
    total, step = int(20_000 * setting.repetitions * 2), 20_000
    rows = []
    with serving({"WEB_CONCURRENCY": "2", "CACHE_MIB": "16"}) as server:
        bodies = hints(3, 5, 400, tier="quick")
        sent = 0
        for _ in tqdm(range(total // step), desc="memory", leave=False):
            some = [
                body[:-1] + b', "nonce": "%d"}' % (sent + number)
                for number, body in enumerate(bodies * (step // len(bodies)))
            ]
            schedule = [(0.0, shot) for shot in suggest_requests(server.address, some, "any")]
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


def golden(setting: Setting) -> Figures:
    """A thousand answers in every way to deploy it, beside those of a process of our own."""
    entry = GAMES["snow-time"]
    [verb] = [verb for verb in entry.endpoints if verb.name == "suggest"]
    bodies = hints(3, 6, 1_000, tier="quick", depth=1)
    right = [
        orjson.dumps(execute(entry, verb, json.loads(body)).document)
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
    if setting.redis_url:
        modes["with Redis"] = ({"WEB_CONCURRENCY": "2", "REDIS_URL": setting.redis_url}, ())
    found: Figures = {}
    for mode, (environment, arguments) in modes.items():
        with serving(environment, arguments=arguments) as server:
            asked = [
                LoadRequest("golden", shot.text, due)
                for shot, due in zip(
                    suggest_requests(server.address, bodies, ""), right, strict=True
                )
            ]
            wrong = 0
            for _ in range(2):
                tallies, _ = send_on_schedule(
                    server.address, [(0.0, shot) for shot in asked], connections=8
                )
                tally = tallies["golden"]
                wrong += tally.wrong + tally.lost + tally.answered - tally.good()
        found[mode] = {"wrong": wrong, "verdict": _verdict(wrong == 0)}
        print(f"golden, {mode}: {wrong} of 1,000 wrong, asked twice, {found[mode]['verdict']}")
    return found


def _quantile(latencies: Sequence[float], share: float) -> float:
    return float(np.quantile(latencies, share, method="inverted_cdf"))


def _verdict(met: bool) -> str:
    return "met" if met else "missed"


SCENARIOS: Final[dict[str, Scenario]] = {
    "hits": hits,
    "busy": busy,
    "overload": overload,
    "once": once,
    "golden": golden,
    "rolling": lambda setting: rolling(setting.redis_url),
    "memory": memory,
}
