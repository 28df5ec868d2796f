"""Faults of processes: a killed worker, and a server that ends during a solve."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests.api.calls import BASE, EXAMPLES
from tests.patience import PATIENCE_S
from tests.serving import LONG, Service, review_of_five_players, serving

pytestmark = pytest.mark.slow

RECOVERY_S = 10.0
DEFINITION = GAMES["snow-time"]
SUGGEST = next(endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "suggest")
SHORT = {name: EXAMPLES["suggest"][name] for name in ("state", "player")}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path / "output") as started:
        yield started


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as started:
        yield started


def ask(service: Service, body: object) -> requests.Response:
    return requests.post(f"{service.url}{BASE}/suggest", json=body, timeout=PATIENCE_S)


def start_solve(service: Service, pool: ThreadPoolExecutor) -> Future[requests.Response]:
    """Send a long request and return its future when a worker is solving it."""
    response = pool.submit(ask, service, LONG)
    deadline = time.monotonic() + PATIENCE_S
    while service.sample("solve_slots_busy") < 1:
        assert time.monotonic() < deadline
        assert not response.done()
    return response


def check(service: Service, path: str) -> int:
    return requests.get(f"http://{service.metrics}/{path}", timeout=PATIENCE_S).status_code


def test_a_killed_worker_is_replaced_and_requests_can_be_repeated(
    service: Service, pool: ThreadPoolExecutor
) -> None:
    before = ask(service, SHORT).content
    [worker] = service.workers()
    lost_response = start_solve(service, pool)
    os.kill(worker, signal.SIGKILL)
    killed = time.monotonic()
    with pytest.raises(requests.ConnectionError):
        lost_response.result(timeout=PATIENCE_S)
    while True:
        try:
            response = ask(service, SHORT)
            break
        except requests.ConnectionError:
            assert time.monotonic() - killed < RECOVERY_S
    assert time.monotonic() - killed < RECOVERY_S
    assert (response.status_code, response.content) == (200, before)
    assert worker not in service.workers()


def test_a_running_solve_is_answered_before_the_server_ends(
    service: Service, pool: ThreadPoolExecutor
) -> None:
    running = start_solve(service, pool)
    service.process.send_signal(signal.SIGTERM)
    response = running.result(timeout=PATIENCE_S)
    assert response.status_code == 200
    assert response.json() == execute(DEFINITION, SUGGEST, LONG).document
    assert service.process.wait(timeout=RECOVERY_S + 5) == 0
    assert {line["level"] for line in service.lines()} <= {"info", "warning"}


def test_health_and_metrics_answer_while_the_server_ends(
    service: Service, pool: ThreadPoolExecutor
) -> None:
    body = review_of_five_players()
    running = pool.submit(requests.post, f"{service.url}{BASE}/review", json=body, timeout=90)
    start_solve(service, pool)
    service.process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE_S
    while check(service, "readyz") == 200:
        assert time.monotonic() < deadline
    assert (check(service, "readyz"), check(service, "metrics")) == (503, 200)
    assert not running.done()
    assert service.sample("ready") == 0
    assert running.result(timeout=PATIENCE_S).status_code == 200
