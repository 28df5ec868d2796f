"""A service whose Redis fails in every way: never a wrong answer, never an error but the polite
503, and soon it is used again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
import requests

from service.games.registry import GAMES
from service.operations.dispatch import answer
from tests.api.calls import BASE, EXAMPLES, SEED
from tests.faulty_proxy import FaultyProxy, faulty_proxy
from tests.redis_server import RedisServer
from tests.serving import Service, serving

pytestmark = pytest.mark.slow

PATIENCE_S = 20
RECOVERY_S = 10.0
ENTRY = GAMES["snow-time"]
VERBS = {verb.name: verb for verb in ENTRY.verbs}
STATE = EXAMPLES["suggest"]["state"]
PLAYERS = [seat["seat"] for seat in STATE["seats"]]


def golden() -> list[tuple[str, bytes, Any]]:
    """Verbs, bodies, and what is right, found without a cache."""
    few = [dict(seat, hand=["1", "4", "healer", "watcher"]) for seat in STATE["seats"]]
    state = STATE | {"seats": few}
    asked: list[tuple[str, Any]] = [
        ("suggest", {"state": state, "player": player, "objective": objective, "tier": "quick"})
        for player in PLAYERS
        for objective in ("win", "points", "lead")
    ]
    asked += [(verb, EXAMPLES[verb]) for verb in ("new", "legal-moves", "resolve", "grow")]
    return [
        (verb, json.dumps(body).encode(), answer(ENTRY, VERBS[verb], body, (), 0.0).document)
        for verb, body in asked
    ]


GOLDEN = golden()


class Redis:
    """The server, behind a proxy that spoils it."""

    def __init__(self, server: RedisServer, proxy: FaultyProxy) -> None:
        self.server, self.proxy = server, proxy


@pytest.fixture(scope="module")
def spoilt(redis_server: RedisServer) -> Iterator[Redis]:
    with faulty_proxy(redis_server.port) as proxy:
        yield Redis(redis_server, proxy)


@pytest.fixture(scope="module")
def service(spoilt: Redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two workers without a memory of their own, so that all goes by Redis."""
    output = tmp_path_factory.mktemp("faults") / "output"
    url = f"redis://127.0.0.1:{spoilt.proxy.port}/0"
    with serving(
        output,
        WEB_CONCURRENCY="2",
        REDIS_URL=url,
        CACHE_MIB="0",
        CACHE_KEY="secret",
        QUOTA_UNITS="100000000",
    ) as started:
        yield started


@pytest.fixture(autouse=True)
def _well_again(spoilt: Redis, service: Service) -> Iterator[None]:
    """Before and after each test Redis is there, empty, and used."""
    spoilt.server.admin.flushall()
    await_hits(service)
    yield
    spoilt.proxy.mode = "pass"
    await_hits(service)


def ask(service: Service, verb: str, body: bytes) -> requests.Response:
    return requests.post(
        f"{service.url}{BASE}/{verb}",
        data=body,
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE_S,
    )


def check(service: Service, number: int) -> str:
    """Asks one of the golden questions; where the answer was found, or ``shed``."""
    verb, body, right = GOLDEN[number % len(GOLDEN)]
    response = ask(service, verb, body)
    if response.status_code == 503:
        assert response.json()["code"] == "overloaded"
        return "shed"
    assert response.status_code == 200, response.text
    assert response.json() == right
    found: str = response.headers["Cache-Status"]
    return found.rpartition(", ")[2]


def hammer(service: Service, seconds: float = 1.5) -> list[str]:
    """Asks for a while from several threads, each once at least; where the answers were found."""
    give_up = time.monotonic() + seconds
    random = Random(SEED)
    seeds = [random.random() for _ in range(6)]

    def work(seed: float) -> list[str]:
        mine, found = Random(seed), list[str]()
        while not found or time.monotonic() < give_up:
            found.append(check(service, mine.randrange(len(GOLDEN))))
        return found

    with ThreadPoolExecutor(len(seeds)) as pool:
        return [where for each in pool.map(work, seeds) for where in each]


HIT = "answers; hit; detail=redis"


def await_hits(service: Service) -> float:
    """The seconds until answers are found in Redis again, in both workers."""
    begun = time.monotonic()
    hits = 0
    while hits < 8:
        hits = hits + 1 if check(service, 0) == HIT else 0
        assert time.monotonic() - begun < RECOVERY_S, "Redis is not used again"
        time.sleep(0.01)
    return time.monotonic() - begun


# On the way -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["hang", "slow", "drip", "cut", "garble", "reset"])
def test_replies_that_never_come_or_come_badly(service: Service, spoilt: Redis, mode: str) -> None:
    hammer(service, 0.5)
    spoilt.proxy.mode = mode
    hammer(service)
    spoilt.proxy.mode = "pass"
    await_hits(service)


def test_connections_that_are_refused(service: Service, spoilt: Redis) -> None:
    spoilt.proxy.refuse()
    try:
        assert set(hammer(service)) != {HIT}
    finally:
        spoilt.proxy.listen()
    await_hits(service)


def test_connections_that_end_again_and_again(service: Service, spoilt: Redis) -> None:
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(hammer, service, 1.5)
        while not asking.done():
            spoilt.proxy.drop()
            time.sleep(0.03)
        asking.result()


# In the server ----------------------------------------------------------------------------------


def test_a_server_that_is_restarted(service: Service, spoilt: Redis) -> None:
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(hammer, service, 2.0)
        time.sleep(0.5)
        spoilt.server.stop()
        time.sleep(0.5)
        spoilt.server.start()
        asking.result()
    await_hits(service)


def test_a_server_that_is_flushed(service: Service, spoilt: Redis) -> None:
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(hammer, service, 1.5)
        while not asking.done():
            spoilt.server.admin.flushall()
            time.sleep(0.02)
        asking.result()


def test_a_server_that_is_full(service: Service, spoilt: Redis) -> None:
    spoilt.server.admin.config_set("maxmemory", 1)
    try:
        hammer(service)
    finally:
        spoilt.server.admin.config_set("maxmemory", 0)


def test_a_server_that_is_read_only(service: Service, spoilt: Redis) -> None:
    spoilt.server.admin.replicaof("127.0.0.1", spoilt.server.port + 1)
    try:
        hammer(service)
    finally:
        spoilt.server.admin.replicaof("NO", "ONE")


def test_a_server_with_another_password(service: Service, spoilt: Redis) -> None:
    admin = spoilt.server.admin
    admin.config_set("requirepass", "other")
    try:
        spoilt.proxy.drop()
        assert set(hammer(service)) != {HIT}
    finally:
        admin.execute_command("AUTH", "other")
        admin.config_set("requirepass", "")


# In what is kept --------------------------------------------------------------------------------


def entries(spoilt: Redis) -> Any:
    return spoilt.server.admin.keys("winter-games:v:*")


def test_entries_that_are_swapped_cut_short_forged_or_of_another_type(
    service: Service, spoilt: Redis
) -> None:
    admin: Any = spoilt.server.admin
    random = Random(SEED)
    hammer(service, 0.5)
    for _ in range(4):
        keys = entries(spoilt)
        values = admin.mget(keys)
        random.shuffle(values)
        for key, value in zip(keys, values, strict=True):
            spoil = random.choice(("swap", "cut", "forge", "type"))
            if value is None:
                continue
            if spoil == "swap":
                admin.set(key, value)
            elif spoil == "cut":
                admin.set(key, value[: random.randrange(len(value))])
            elif spoil == "forge":
                admin.set(key, bytes(32) + b'{"state":{}}')
            else:
                admin.delete(key)
                admin.hset(key, "a", "b")
        hammer(service, 0.3)


def test_a_hundred_cold_questions_at_once_cost_one_solve(service: Service) -> None:
    """One more for each time that Redis was too slow to be asked, on a machine that is busy."""
    body = json.dumps({"state": STATE, "player": PLAYERS[0], "nonce": "once"}).encode()

    def counted(name: str) -> float:
        text = requests.get(f"http://{service.metrics}/metrics", timeout=PATIENCE_S).text
        lines = [line for line in text.splitlines() if line.startswith(f"{name}_total{{")]
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    solves, faults = counted("solves"), counted("redis_faults")
    with ThreadPoolExecutor(100) as pool:
        found = list(pool.map(lambda _: ask(service, "suggest", body), range(100)))
    assert {response.status_code for response in found} == {200}
    assert len({response.content for response in found}) == 1
    assert 1 <= counted("solves") - solves <= 1 + counted("redis_faults") - faults
