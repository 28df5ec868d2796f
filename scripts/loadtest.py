"""Measure the service under load on this machine with Locust; not a test.

    python3 scripts/dev.py run scripts/loadtest.py
    python3 scripts/dev.py run scripts/loadtest.py --only overload --json FILE

Requests arrive on schedule, and latencies count from the scheduled time. Clients and service share
this machine. ``load_testing/scenarios/`` has the scenarios; ``locust -f`` runs each of them alone,
also against another machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

from load_testing.faulty_proxy import faulty_proxy
from load_testing.proxy import executable, proxy
from load_testing.redis_server import redis_server
from load_testing.server import ROOT, Server, free_port, serving, start, stop

FILES: Final = ROOT / "scripts" / "load_testing" / "scenarios"
USERS: Final = {"ordinary": 3, "hostile": 22}
"""Users of each scenario."""
WORKERS: Final = str(len(os.sched_getaffinity(0)))
MULTIPLES: Final = (1.0, 2.0, 4.0, 10.0)
LOADS: Final = {"standard": (4, 60.0, 1.0), "deep": (5, 8.0, 2.0)}
"""By effort: seats, a rate above the capacity, and a factor of the duration."""
KEYS: Final = ("key-one", "key-two", "key-three", "key-four")
HOSTILE_KEY: Final = "key-hostile"
QUOTA: Final = {"QUOTA_UNITS": "20000", "SOLVE_CLIENT": "3"}
"""As deployed."""
DELAYS_MS: Final = (0, 60)


@dataclass(frozen=True)
class Row:
    """What happened to one kind of requests with one status.

    Attributes:
        count: of responses.
        times: number of responses by latency in milliseconds.
    """

    count: int
    times: Mapping[float, int]

    def quantile_ms(self, share: float) -> float:
        """Return the latency that a share of the requests do not exceed."""
        left = share * self.count
        for latency, count in sorted(self.times.items()):
            left -= count
            if left <= 0:
                return latency
        return float("nan")


NONE: Final = Row(0, {})
Rows = dict[str, Row]


def locust(address: str, seconds: float, scenario: str, **options: object) -> Rows:
    """Run Locust and return the rows of its statistics, such as ``new 200``."""
    with running(address, seconds, scenario, **options) as result:
        pass
    return result


@contextmanager
def running(address: str, seconds: float, scenario: str, **options: object) -> Iterator[Rows]:
    """Run Locust during the block, and wait for its end; the rows are complete then."""
    result: Rows = {}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "result"
        users = str(USERS[scenario])
        command = [sys.executable, "-m", "locust", "-f", str(FILES / f"{scenario}.py")]
        command += ["--headless", "--only-summary", "-u", users, "-r", users]
        command += ["-H", f"http://{address}", "-t", f"{seconds:g}s", "--json-file", str(file)]
        command += ["--loglevel", "ERROR", "--exit-code-on-error", "0"]
        for name, value in options.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        path = os.pathsep.join([str(ROOT), str(ROOT / "scripts")])
        environment = os.environ | {"PYTHONPATH": path}
        with subprocess.Popen(
            command, env=environment, cwd=folder, stdout=subprocess.DEVNULL
        ) as process:
            yield result
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
        for row in json.loads(file.with_suffix(".json").read_text(encoding="utf-8")):
            times = {float(latency): count for latency, count in row["response_times"].items()}
            result[row["name"]] = Row(row["num_requests"], times)


def overload(seconds: float) -> list[dict[str, Any]]:
    """Offer multiples of the capacity, with cached hints and health checks."""
    results = []
    for effort, (seats, rate, factor) in LOADS.items():
        length = seconds * factor
        with serving({"WEB_CONCURRENCY": WORKERS}) as server:
            common = {"effort": effort, "seats": seats}
            found = locust(server.address, length, "ordinary", new=rate, seed=1, **common)
            capacity = found.get("new 200", NONE).count / length
            print(f"{effort}: capacity {capacity:.1f} new hints per second", flush=True)
            rows = []
            for number, multiple in enumerate(MULTIPLES):
                offered = multiple * capacity
                rates = {"new": offered, "hits": 20, "checks": 10}
                seen = locust(
                    server.address, length, "ordinary", seed=number + 2, **rates, **common
                )
                rows.append(_overload_row(effort, multiple, seen, length, server))
        peak = max(row["goodput"] for row in rows)
        for row in rows:
            row["of_peak"] = row["goodput"] / peak
            print(
                "  {multiple:g} × capacity: goodput {goodput:.1f}/s ({of_peak:.0%} of peak), hits"
                " {hits:.0%} in {hit_ms:.0f} ms, health {health_ms:.0f} ms, refusals"
                " {refusal_ms:.0f} ms (p99), {mib:.0f} MiB".format(**row),
                flush=True,
            )
        results += rows
    return results


def _overload_row(
    effort: str, multiple: float, rows: Rows, seconds: float, server: Server
) -> dict[str, Any]:
    hits = {name: row.count for name, row in rows.items() if name.startswith("hit ")}
    return {
        "effort": effort,
        "multiple": multiple,
        "goodput": rows.get("new 200", NONE).count / seconds,
        "hits": hits.get("hit 200", 0) / max(1, sum(hits.values())),
        "hit_ms": rows.get("hit 200", NONE).quantile_ms(0.99),
        "health_ms": rows.get("health 200", NONE).quantile_ms(0.99),
        "refusal_ms": rows.get("new 503", NONE).quantile_ms(0.99),
        "mib": server.resident_mib(),
    }


def fairness(seconds: float) -> list[dict[str, Any]]:
    """Compare what clients get without and with a hostile one, direct and through the proxy."""
    keys = {f"client{number}": key for number, key in enumerate(KEYS)} | {"hostile": HOSTILE_KEY}
    hashes = [f"{owner}:{sha256(key.encode()).hexdigest()}" for owner, key in keys.items()]
    environment = QUOTA | {"WEB_CONCURRENCY": WORKERS, "API_KEYS": " ".join(hashes)}
    results = []
    for way in ("direct", "proxy"):
        nginx = executable()
        if way == "proxy" and nginx is None:
            print("fairness, proxy: skipped, no nginx")
            continue
        with ExitStack() as stack:
            server = stack.enter_context(serving(environment))
            address = server.address
            if way == "proxy" and nginx is not None:
                address = stack.enter_context(proxy(nginx, [address], connections=1_000))
            rates = {"new": 8, "hits": 20, "checks": 10, "keys": ",".join(KEYS)}
            alone = locust(address, seconds, "ordinary", seed=1, **rates)
            before = server.sample("http_requests_total")
            with running(address, seconds + 5.0, "hostile", hostile_key=HOSTILE_KEY):
                while server.sample("http_requests_total") < before + 10.0:
                    time.sleep(0.2)
                both = locust(address, seconds, "ordinary", seed=2, **rates)
        row: dict[str, Any] = {"way": way}
        for kind in ("new", "hit", "health"):
            name = f"{kind} 200"
            row[kind] = both.get(name, NONE).count / max(1, alone.get(name, NONE).count)
            row[f"{kind}_ms"] = both.get(name, NONE).quantile_ms(0.99)
        results.append(row)
        print(
            "fairness, {way}: with a hostile client, others get {new:.0%} of the new hints,"
            " {hit:.0%} of the hits ({hit_ms:.0f} ms p99) and {health:.0%} of the health checks"
            " ({health_ms:.0f} ms p99) that they get without it".format(**row),
            flush=True,
        )
    return results


def slow_redis(seconds: float) -> list[dict[str, Any]]:
    """Send new hints to one worker while each reply of Redis is delayed."""
    results: list[dict[str, Any]] = []
    with redis_server("") as redis_url:
        port = urlsplit(redis_url).port if redis_url else None
        if port is None:
            print("slow Redis: skipped, no server")
            return results
        for delay_ms in DELAYS_MS:
            with faulty_proxy(port) as between:
                if delay_ms:
                    between.mode, between.delay_s = "slow", delay_ms / 1_000
                url = f"redis://127.0.0.1:{between.port}/0"
                with serving({"REDIS_URL": url, "WEB_CONCURRENCY": "1"}) as server:
                    rows = locust(server.address, seconds, "ordinary", new=5, seed=delay_ms)
            answered = rows.get("new 200", NONE)
            results.append({"delay_ms": delay_ms, "p50_ms": answered.quantile_ms(0.5)})
            print(f"replies of Redis delayed by {delay_ms} ms: new hints take"
                  f" {answered.quantile_ms(0.5):.0f} ms (p50)", flush=True)  # fmt: skip
    return results


def rolling(seconds: float) -> list[dict[str, Any]]:
    """Restart two instances in turn behind nginx, while cached hints are asked for."""
    nginx = executable()
    if nginx is None:
        print("rolling restart: skipped, nginx is not installed")
        return []
    ports = [free_port(), free_port()]
    environment = {"WEB_CONCURRENCY": "1", "PROXY_HOPS": "1"}
    instances = [start(environment, port=port) for port in ports]

    def restart() -> None:
        for index, port in enumerate(ports):
            time.sleep(1.0)
            stop(instances[index])
            instances[index] = start(environment, port=port)

    try:
        addresses = [f"127.0.0.1:{port}" for port in ports]
        with proxy(nginx, addresses, connections=1_000) as address:
            restarts = Thread(target=restart)
            restarts.start()
            rows = locust(address, 3.0 * seconds, "ordinary", hits=100)
            restarts.join()
    finally:
        for instance in instances:
            stop(instance)
    counts = {name: row.count for name, row in rows.items()}
    print(f"rolling restart: {counts}", flush=True)
    return [counts]


SCENARIOS: Final = {
    "overload": overload,
    "fairness": fairness,
    "slow-redis": slow_redis,
    "rolling": rolling,
}


def main(arguments: Sequence[str]) -> int:
    """Run the scenarios and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=list(SCENARIOS), help="may be repeated")
    parser.add_argument("--seconds", type=float, default=10.0, help="per measurement")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    results = {
        name: scenario(options.seconds)
        for name, scenario in SCENARIOS.items()
        if not options.only or name in options.only
    }
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
