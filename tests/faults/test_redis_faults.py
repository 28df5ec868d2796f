"""Service with a failing Redis: answers stay correct, the only error is 503, and Redis is used
again soon after the fault.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import requests
from load_testing.faulty_proxy import FaultyProxy, faulty_proxy

from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests.api.calls import BASE, EXAMPLES, SEED
from tests.patience import PATIENCE_S
from tests.redis_server import RedisServer
from tests.serving import Service, serving

pytestmark = pytest.mark.slow

RECOVERY_S = 10.0
MAX_BURSTS = 10
DEFINITION = GAMES["snow-time"]
ENDPOINTS = {endpoint.name: endpoint for endpoint in DEFINITION.endpoints}
STATE = EXAMPLES["suggest"]["state"]
PLAYERS = [seat["seat"] for seat in STATE["seats"]]


def golden() -> list[tuple[str, bytes, Any]]:
    """Return endpoints, request bodies and the correct documents, computed without a cache."""
    few = [dict(seat, hand=["1", "4", "healer", "watcher"]) for seat in STATE["seats"]]
    state = STATE | {"seats": few}
    cases: list[tuple[str, Any]] = [
        ("suggest", {"state": state, "player": player, "objective": objective, "effort": "quick"})
        for player in PLAYERS
        for objective in ("win", "points", "lead")
    ]
    cases += [
        (endpoint, EXAMPLES[endpoint]) for endpoint in ("new", "legal-moves", "resolve", "grow")
    ]
    documents = (
        execute(DEFINITION, ENDPOINTS[endpoint], body).document for endpoint, body in cases
    )
    return [
        (endpoint, json.dumps(body).encode(), document)
        for (endpoint, body), document in zip(cases, documents, strict=True)
    ]


GOLDEN = golden()


class Redis(NamedTuple):
    """A Redis server behind a proxy that can corrupt its replies."""

    server: RedisServer
    proxy: FaultyProxy


@pytest.fixture(scope="module")
def faulty_redis(redis_server: RedisServer) -> Iterator[Redis]:
    with faulty_proxy(redis_server.port) as proxy:
        yield Redis(redis_server, proxy)


def two_workers(output: Path, redis_url: str) -> AbstractContextManager[Service]:
    """Start two workers without a memory cache, so that every lookup uses Redis."""
    return serving(
        output,
        WEB_CONCURRENCY="2",
        REDIS_URL=redis_url,
        CACHE_MIB="0",
        CACHE_KEY="secret",
        QUOTA_UNITS="100000000",
    )


@pytest.fixture(scope="module")
def service(faulty_redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    output = tmp_path_factory.mktemp("faults") / "output"
    url = f"redis://127.0.0.1:{faulty_redis.proxy.port}/0"
    with two_workers(output, url) as started:
        yield started


@pytest.fixture(autouse=True)
def _reset(faulty_redis: Redis, service: Service) -> Iterator[None]:
    """Empty Redis before each test, and make sure that it is used before and after the test."""
    faulty_redis.server.admin.flushall()
    await_hits(service)
    yield
    faulty_redis.proxy.mode = "pass"
    await_hits(service)


def ask(service: Service, endpoint: str, body: bytes) -> requests.Response:
    return requests.post(
        f"{service.url}{BASE}/{endpoint}",
        data=body,
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE_S,
    )


def check(service: Service, number: int) -> str:
    """Send one of the golden requests; return the cache status of the answer, or ``shed``."""
    endpoint, body, correct = GOLDEN[number % len(GOLDEN)]
    response = ask(service, endpoint, body)
    if response.status_code == 503:
        assert response.json()["code"] == "overloaded"
        return "shed"
    assert response.status_code == 200, response.text
    assert response.json() == correct
    cache_status: str = response.headers["Cache-Status"]
    return cache_status.rpartition(", ")[2]


def hammer(service: Service, seconds: float = 1.5) -> list[str]:
    """Send requests from several threads, each at least one; return the cache statuses."""
    deadline = time.monotonic() + seconds
    random = Random(SEED)
    seeds = [random.random() for _ in range(6)]

    def work(seed: float) -> list[str]:
        random, results = Random(seed), list[str]()
        while not results or time.monotonic() < deadline:
            results.append(check(service, random.randrange(len(GOLDEN))))
        return results

    with ThreadPoolExecutor(len(seeds)) as pool:
        return [result for results in pool.map(work, seeds) for result in results]


HIT = "answers; hit; detail=redis"


def await_hits(service: Service) -> float:
    """Wait until both workers read answers from Redis again; return the seconds."""
    start = time.monotonic()
    hits = 0
    while hits < 8:
        hits = hits + 1 if check(service, 0) == HIT else 0
        assert time.monotonic() - start < RECOVERY_S, "Redis is not used again"
        time.sleep(0.01)
    return time.monotonic() - start


# Connections ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["hang", "slow", "drip", "cut", "garble", "reset"])
def test_the_service_survives_missing_and_corrupt_replies(
    service: Service, faulty_redis: Redis, mode: str
) -> None:
    hammer(service, 0.5)
    faulty_redis.proxy.mode = mode
    hammer(service)
    faulty_redis.proxy.mode = "pass"
    await_hits(service)


def test_the_service_survives_refused_connections(service: Service, faulty_redis: Redis) -> None:
    faulty_redis.proxy.refuse()
    try:
        assert set(hammer(service)) != {HIT}
    finally:
        faulty_redis.proxy.listen()
    await_hits(service)


def test_the_service_survives_dropped_connections(service: Service, faulty_redis: Redis) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(hammer, service, 1.5)
        while not running.done():
            faulty_redis.proxy.drop()
            time.sleep(0.03)
        running.result()


# Server -----------------------------------------------------------------------------------------


def test_the_service_survives_a_restart_of_redis(service: Service, faulty_redis: Redis) -> None:
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(hammer, service, 2.0)
        time.sleep(0.5)
        faulty_redis.server.stop()
        time.sleep(0.5)
        faulty_redis.server.start()
        running.result()
    await_hits(service)


# Stored values ----------------------------------------------------------------------------------


def stored_keys(faulty_redis: Redis) -> Any:
    return faulty_redis.server.admin.keys("winter-games:v:*")


def test_swapped_truncated_forged_and_mistyped_values_are_ignored(
    service: Service, faulty_redis: Redis
) -> None:
    admin: Any = faulty_redis.server.admin
    random = Random(SEED)
    hammer(service, 0.5)
    for _ in range(4):
        keys = stored_keys(faulty_redis)
        values = admin.mget(keys)
        random.shuffle(values)
        for key, value in zip(keys, values, strict=True):
            fault = random.choice(("swap", "cut", "forge", "type"))
            if value is None:
                continue
            if fault == "swap":
                admin.set(key, value)
            elif fault == "cut":
                admin.set(key, value[: random.randrange(len(value))])
            elif fault == "forge":
                admin.set(key, bytes(32) + b'{"state":{}}')
            else:
                admin.delete(key)
                admin.hset(key, "a", "b")
        hammer(service, 0.3)


def test_a_hundred_parallel_uncached_requests_need_one_solve(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """A burst of equal requests needs one solve, if Redis answers in time.

    The proxy would delay Redis: it shares this process with a hundred clients.
    """
    with two_workers(tmp_path / "output", redis_server.url) as service:
        burst_until_one_solve(service)


def burst_until_one_solve(service: Service) -> None:
    """Send bursts until one needs one solve; without a fault of Redis, the first one does.

    On a busy machine calls of Redis time out, and then each worker computes its own answer.
    """

    def counter(name: str) -> float:
        text = requests.get(f"http://{service.metrics}/metrics", timeout=PATIENCE_S).text
        lines = [line for line in text.splitlines() if line.startswith(f"{name}_total{{")]
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    first, *others = STATE["seats"]
    for score in range(MAX_BURSTS):
        state = STATE | {"seats": [first | {"score": score}, *others]}
        body = json.dumps({"state": state, "player": PLAYERS[0], "nonce": "once"}).encode()
        await_hits(service)
        before = counter("redis_faults"), counter("solves")
        with ThreadPoolExecutor(100) as pool:
            calls = [pool.submit(ask, service, "suggest", body) for _ in range(100)]
        responses = [call.result() for call in calls]
        assert {response.status_code for response in responses} == {200}
        assert len({response.content for response in responses}) == 1
        solves = counter("solves") - before[1]
        assert solves == 1 or (solves > 1 and counter("redis_faults") > before[0])
        if solves == 1:
            return
    pytest.fail(f"each of {MAX_BURSTS} bursts needed several solves")
