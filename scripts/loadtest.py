"""Measure the service under load on this machine with Locust; not a test.

    python3 scripts/dev.py run scripts/loadtest.py            # about 40 minutes
    python3 scripts/dev.py run scripts/loadtest.py --only overload --json FILE

Requests arrive on schedule, and latencies count from the scheduled time. The service has one half
of the cores, with a worker for each, and Locust the other half. ``load_testing/scenarios/`` has the
scenarios; ``locust -f`` runs each of them alone, also against another machine.
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
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import count, product
from math import isnan, nan
from pathlib import Path
from secrets import token_hex
from statistics import fmean, median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

from load_testing.bodies import SUGGEST, hint_bodies
from load_testing.faulty_proxy import faulty_proxy
from load_testing.proxy import executable, proxy
from load_testing.redis_server import redis_server
from load_testing.server import ROOT, Server, free_port, serving, start, stop

FILES: Final = ROOT / "scripts" / "load_testing" / "scenarios"
USERS: Final = {"ordinary": 3, "hostile": 22}
"""Users of each scenario."""
_CORES: Final = sorted(os.sched_getaffinity(0))
SERVICE_CORES: Final = _CORES[: (len(_CORES) + 1) // 2]
CLIENT_CORES: Final = _CORES[len(SERVICE_CORES) :] or _CORES
WORKERS: Final = {"WEB_CONCURRENCY": str(len(SERVICE_CORES))}
MULTIPLES: Final = (1.0, 2.0, 4.0, 10.0)
ROUNDS: Final = 3
MEANS: Final = ("goodput", "hint_share")
"""What is averaged over the rounds; of everything else, the worst round counts."""
LEAST: Final = ("hits", "sent")
"""Of what the smallest value is the worst."""
LOADS: Final = {"standard": (5, 10.0, 1.0), "deep": (5, 2.0, 2.0)}
"""By effort: seats, a rate for each worker below its capacity, and a factor of the duration."""
REFUSED: Final = 0.1
"""A larger share of refused requests means that the offered rate is above the capacity."""
KEYS: Final = ("key-one", "key-two", "key-three", "key-four")
HOSTILE_KEY: Final = "key-hostile"
QUOTA: Final = {"QUOTA_UNITS": "20000", "SOLVE_CLIENT": "3"}
"""As deployed."""
TRUSTING: Final = partial(proxy, trusted="127.0.0.0/8")
"""A proxy whose clients may state their addresses, so that each has the limits of a client."""
UNLIMITED: Final = partial(proxy, connections=10_000, rate=100_000)
"""A proxy whose one client may send everything: the service alone refuses."""
HIT_ROUNDS: Final = 5
HIT_REQUESTS: Final = 3_000
KNOWN_HINT: Final = next(hint_bodies(3, 50, effort="quick"))
BARE_APP: Final = "load_testing.bare:create_app()"
WARM_STARTS: Final = 5
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
        for latency, number in sorted(self.times.items()):
            left -= number
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
            os.sched_setaffinity(process.pid, CLIENT_CORES)
            yield result
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
        for row in json.loads(file.with_suffix(".json").read_text(encoding="utf-8")):
            times = {float(latency): count for latency, count in row["response_times"].items()}
            result[row["name"]] = Row(row["num_requests"], times)


def overload(seconds: float, redis_url: str = "") -> list[dict[str, Any]]:
    """Offer multiples of the capacity through nginx, with cached hints and health checks.

    All multiples are measured in turn, ``ROUNDS`` times, because the speed of a machine changes.
    """
    results = []
    for effort, (seats, rate, factor) in LOADS.items():
        length = seconds * factor
        environment = WORKERS | {"REDIS_URL": redis_url}
        common = {"effort": effort, "seats": seats}
        with served(environment) as (_, address):
            capacity = _capacity(address, rate * len(SERVICE_CORES), length, **common)
        print(f"{effort}: capacity {capacity:.1f} new hints per second", flush=True)
        rounds: list[dict[float, dict[str, float]]] = [{} for _ in range(ROUNDS)]
        for own, multiple in product(rounds, MULTIPLES):
            own[multiple] = _offered(environment, length, multiple * capacity, **common)
        for row in over_rounds(rounds):
            print(
                "  {multiple:g} × capacity: goodput {goodput:.1f}/s, {hint_share:.0%} of the CPU"
                " time for hints ({of_peak:.0%} of the peak, at least {least_of_peak:.0%} in a"
                " round), hits"
                " {hits:.0%} in {hit_ms:.0f} ms, health {health_ms:.0f} ms, refusals"
                " {refusal_ms:.0f} ms (p99), {lost:.0f} lost, {sent:.0%} sent within"
                " {late_ms:.0f} ms (p99), {mib:.0f} MiB".format(**row),
                flush=True,
            )
            results.append({"effort": effort} | row)
    return results


def over_rounds(rounds: Sequence[Mapping[float, Mapping[str, float]]]) -> list[dict[str, Any]]:
    """Return a row for each multiple: mean rates, and the worst of everything else.

    The peak is the largest share of the CPU time that any multiple leaves for hints: of the means,
    and of each round. Goodput itself changes with the speed of a shared machine.
    """
    means = {
        multiple: {name: fmean(own[multiple][name] for own in rounds) for name in MEANS}
        for multiple in rounds[0]
    }
    peak = max(row["hint_share"] for row in means.values())
    peaks = [max(row["hint_share"] for row in own.values()) for own in rounds]
    rows = []
    for multiple, mean in means.items():
        each = [own[multiple] for own in rounds]
        shares = [own["hint_share"] / own_peak for own, own_peak in zip(each, peaks, strict=True)]
        worst = {
            name: (min if name in LEAST else max)(
                (own[name] for own in each if not isnan(own[name])), default=nan
            )
            for name in each[0]
        }
        shares_of_peak = {"of_peak": mean["hint_share"] / peak, "least_of_peak": min(shares)}
        rows.append({"multiple": multiple} | worst | mean | shares_of_peak)
    return rows


def overload_with_redis(seconds: float) -> list[dict[str, Any]]:
    """Do the same with a shared cache."""
    with redis_server("") as redis_url:
        if not redis_url:
            print("overload with Redis: skipped, no server")
            return []
        return overload(seconds, redis_url)


def _offered(
    environment: Mapping[str, str], seconds: float, rate: float, **options: object
) -> dict[str, float]:
    """Return what a new server does with new hints, cached hints and health checks.

    The positions are the same each time, and none of them is cached.

    Args:
        environment: of the server.
        seconds: of the measurement.
        rate: of new hints, per second.
        options: of the scenario ``ordinary``.
    """
    rates = {"new": rate, "hits": 20, "checks": 10}
    with served({**environment, "CACHE_KEY": token_hex()}) as (server, address):
        before_ms = _hints_ms(server)
        seen = locust(address, seconds, "ordinary", seed=1, **rates, **options)
        row = _overload_row(seen, seconds, rate)
        share = (_hints_ms(server) - before_ms) / 1000.0 / seconds / len(SERVICE_CORES)
        return row | {"mib": server.resident_mib(), "hint_share": share}


def _hints_ms(server: Server) -> float:
    """Return the CPU milliseconds of a server that computed hints, from what clients were charged.

    Divided by the time, they show what refusals and cached hints take from them, however fast the
    machine is at that moment.
    """
    return server.sample("client_cost_units_total") - server.sample("http_requests_total")


@contextmanager
def served(environment: Mapping[str, str]) -> Iterator[tuple[Server, str]]:
    """Run a server behind nginx; yield it and the address of the proxy."""
    with (
        serving(environment, cores=SERVICE_CORES) as server,
        UNLIMITED(_nginx(), [server.address]) as address,
    ):
        yield server, address


def _nginx() -> str:
    nginx = executable()
    if nginx is None:
        raise RuntimeError("nginx is not installed")
    return nginx


def _capacity(address: str, rate: float, seconds: float, **options: object) -> float:
    """Return how many new hints are served in a second, from doubled rates until some are not."""
    for number in count(100):
        seen = locust(address, seconds, "ordinary", new=rate, seed=number, **options)
        if seen.get("new 503", NONE).count > REFUSED * rate * seconds:
            return seen.get("new 200", NONE).count / seconds
        rate *= 2.0
    raise AssertionError


def _overload_row(rows: Rows, seconds: float, offered: float) -> dict[str, Any]:
    hits, new = (
        sum(row.count for name, row in rows.items() if name.startswith(kind))
        for kind in ("hit ", "new ")
    )
    return {
        "goodput": rows.get("new 200", NONE).count / seconds,
        "hits": rows.get("hit 200", NONE).count / max(1, hits),
        "hit_ms": rows.get("hit 200", NONE).quantile_ms(0.99),
        "health_ms": rows.get("health 200", NONE).quantile_ms(0.99),
        "refusal_ms": rows.get("new 503", NONE).quantile_ms(0.99),
        "lost": sum(row.count for name, row in rows.items() if name.endswith(" 0")),
        "sent": new / (offered * seconds),
        "late_ms": rows.get("late", NONE).quantile_ms(0.99),
    }


def fairness(seconds: float) -> list[dict[str, Any]]:
    """Compare what clients get without and with a hostile one."""
    keys = {f"client{number}": key for number, key in enumerate(KEYS)} | {"hostile": HOSTILE_KEY}
    hashes = [f"{owner}:{sha256(key.encode()).hexdigest()}" for owner, key in keys.items()]
    environment = QUOTA | WORKERS | {"API_KEYS": " ".join(hashes)}
    nginx = _nginx()
    with ExitStack() as stack:
        server = stack.enter_context(serving(environment, cores=SERVICE_CORES))
        address = stack.enter_context(TRUSTING(nginx, [server.address]))
        rates = {"new": 40 * len(SERVICE_CORES), "hits": 20, "checks": 10, "keys": ",".join(KEYS)}
        alone = locust(address, seconds, "ordinary", seed=1, **rates)
        before = server.sample("http_requests_total")
        with running(address, seconds + 5.0, "hostile", hostile_key=HOSTILE_KEY):
            while server.sample("http_requests_total") < before + 10.0:
                time.sleep(0.2)
            both = locust(address, seconds, "ordinary", seed=2, **rates)
    row: dict[str, Any] = {}
    for kind in ("new", "hit", "health"):
        name = f"{kind} 200"
        row[kind] = both.get(name, NONE).count / max(1, alone.get(name, NONE).count)
        row[f"{kind}_ms"] = both.get(name, NONE).quantile_ms(0.99)
    print(
        "fairness: with a hostile client, others get {new:.0%} of the new hints, {hit:.0%} of the"
        " hits ({hit_ms:.0f} ms p99) and {health:.0%} of the health checks ({health_ms:.0f} ms p99)"
        " that they get without it".format(**row),
        flush=True,
    )
    return [row]


def slow_redis(seconds: float) -> list[dict[str, Any]]:
    """Send new hints while each reply of Redis is delayed."""
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
                environment = WORKERS | {"REDIS_URL": url}
                with serving(environment, cores=SERVICE_CORES) as server:
                    rows = locust(server.address, seconds, "ordinary", new=5, seed=delay_ms)
            answered = rows.get("new 200", NONE)
            results.append({"delay_ms": delay_ms, "p50_ms": answered.quantile_ms(0.5)})
            print(f"replies of Redis delayed by {delay_ms} ms: new hints take"
                  f" {answered.quantile_ms(0.5):.0f} ms (p50)", flush=True)  # fmt: skip
    return results


def rolling(seconds: float) -> list[dict[str, Any]]:
    """Restart two instances in turn behind nginx, while cached hints are asked for."""
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
        with proxy(_nginx(), addresses, connections=1_000) as address:
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


def hits(seconds: float) -> list[dict[str, Any]]:
    """Compare the CPU time of cached hints with that of a bare Flask route, both for the worker."""
    environment = {"WEB_CONCURRENCY": "1"}
    body = KNOWN_HINT
    with serving(environment, cores=SERVICE_CORES) as server:
        size = len(_posted(HTTPConnection(server.address), body))
        bare_environment = environment | {"BARE_BYTES": str(size)}
        with serving(bare_environment, cores=SERVICE_CORES, app=BARE_APP) as bare:
            # Neither has compiled everything yet that its first requests need.
            _cpu_us(server, body), _cpu_us(bare, body)
            rounds = [(_cpu_us(server, body), _cpu_us(bare, body)) for _ in range(HIT_ROUNDS)]
    ratios = [own / other for own, other in rounds]
    hit_us, bare_us = (median(column) for column in zip(*rounds, strict=True))
    print(
        f"cached hint of {size} bytes: {hit_us:.0f} us of CPU time, bare Flask route"
        f" {bare_us:.0f} us; ratio {median(ratios):.2f}, at most {max(ratios):.2f} in"
        f" {HIT_ROUNDS} rounds",
        flush=True,
    )
    return [{"hit_us": hit_us, "bare_us": bare_us, "ratios": ratios}]


def _cpu_us(server: Server, body: bytes) -> float:
    """Return the CPU microseconds of a worker for each of many equal requests."""
    connection = HTTPConnection(server.address)
    before_s = server.cpu_s()
    for _ in range(HIT_REQUESTS):
        _posted(connection, body)
    connection.close()
    return 1e6 * (server.cpu_s() - before_s) / HIT_REQUESTS


def _posted(connection: HTTPConnection, body: bytes) -> bytes:
    connection.request("POST", SUGGEST, body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    received = response.read()
    if response.status != HTTPStatus.OK:
        raise RuntimeError(f"{response.status}: {received[:200]!r}")
    return received


def starts(seconds: float) -> list[dict[str, Any]]:
    """Measure a start from nothing, and starts with compiled kernels and bytecode."""
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder:
        environment = {
            "NUMBA_CACHE_DIR": f"{folder}/kernels",
            "PYTHONPYCACHEPREFIX": f"{folder}/bytecode",
            "PYTHONDONTWRITEBYTECODE": "",
            "WEB_CONCURRENCY": "2",
        }
        for number in range(1 + WARM_STARTS):
            since = time.monotonic()
            server = start(environment, ready="/healthz")
            row = {"cold": not number, "served_s": time.monotonic() - since}
            _await_status(server, "/readyz")
            row["ready_s"] = time.monotonic() - since
            while server.compiles():
                time.sleep(0.1)
            row["complete_s"] = time.monotonic() - since
            stop(server)
            rows.append(row)
            print(
                "{kind} start: serves after {served_s:.1f} s, ready after {ready_s:.1f} s,"
                " everything after {complete_s:.1f} s".format(
                    kind="cold" if row["cold"] else "warm", **row
                ),
                flush=True,
            )
    return rows


def _await_status(server: Server, path: str) -> None:
    """Wait until a path answers with 200."""
    while True:
        connection = HTTPConnection(server.address, timeout=30)
        connection.request("GET", path)
        if connection.getresponse().status == HTTPStatus.OK:
            return
        time.sleep(0.1)


SCENARIOS: Final = {
    "start": starts,
    "hits": hits,
    "overload": overload,
    "overload-redis": overload_with_redis,
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
