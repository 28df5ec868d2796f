"""Metrics: on a port of their own, over all workers."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.api.calls import BASE, EXAMPLES
from tests.serving import LONG, Service, serving

pytestmark = pytest.mark.slow

PATIENCE_S = 60
COUNTED = "counted"
"""Begins the name of the folder where workers count."""
HINT = {name: EXAMPLES["suggest"][name] for name in ("state", "player")}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    output = tmp_path_factory.mktemp("metrics") / "output"
    folder = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path_factory.mktemp(COUNTED))}
    with serving(output, WEB_CONCURRENCY="2", **folder) as started:
        yield started


def metrics(service: Service) -> dict[str, float]:
    """Every sample, by its name and labels."""
    response = requests.get(f"http://{service.metrics}/metrics", timeout=PATIENCE_S)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    samples = re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", response.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


def test_they_are_shown_on_their_own_port_and_nothing_else_is(service: Service) -> None:
    assert requests.get(f"{service.url}/metrics", timeout=PATIENCE_S).status_code == 404
    for path in ("/v1/games", "/docs/", "/openapi.yaml", "/v1/version"):
        response = requests.get(f"http://{service.metrics}{path}", timeout=PATIENCE_S)
        assert response.status_code == 404, path
    for address in (service.address, service.metrics):
        assert requests.get(f"http://{address}/healthz", timeout=PATIENCE_S).status_code == 200


def test_a_host_header_opens_no_other_port(service: Service) -> None:
    headers = {"Host": service.metrics}
    response = requests.get(f"{service.url}/metrics", headers=headers, timeout=PATIENCE_S)
    assert response.status_code == 404


def test_requests_solves_and_look_ups_of_all_workers_are_counted(service: Service) -> None:
    route = f"{BASE}/suggest"
    asked = [HINT | {"nonce": f"m{number}"} for number in range(12)] * 2

    def ask(body: object) -> int:
        response = requests.post(f"{service.url}{route}", json=body, timeout=PATIENCE_S)
        return response.status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, asked)) == {200}
    requests.post(f"{service.url}{route}", json={}, timeout=PATIENCE_S)
    found = metrics(service)
    count = f'http_requests_total{{method="POST",route="{route}",status="%s"}}'
    assert (found[count % 200], found[count % 422]) == (24, 1)
    assert found[f'http_request_duration_seconds_count{{route="{route}"}}'] == 25
    layers = {
        layer: found.get(f'cache_lookups_total{{cache="answers",layer="{layer}"}}', 0)
        for layer in ("memory", "computed")
    }
    assert sum(layers.values()) == 25
    solves = found['solves_total{complete="true",method="equilibrium",tier="standard"}']
    assert 1 <= solves <= 2
    assert found['solve_gap_count{tier="standard"}'] == solves
    assert found['solve_duration_seconds_count{tier="standard"}'] == solves
    assert found["solve_slots_busy"] == found["solve_queue_length"] == 0


def test_a_worker_that_is_about_to_count_hides_nothing(
    service: Service, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its file is there for a moment before anything is in it."""
    [folder] = tmp_path_factory.getbasetemp().glob(f"{COUNTED}[0-9]*")
    empty = folder / "gauge_livesum_0.db"
    empty.touch()
    try:
        assert "solve_slots_busy" in metrics(service)
    finally:
        empty.unlink()


def test_a_worker_that_was_killed_leaves_no_busy_slot_behind(service: Service) -> None:
    def ask(_: int) -> object:
        try:
            return requests.post(
                f"{service.url}{BASE}/suggest",
                json=LONG,
                timeout=PATIENCE_S,
            ).status_code
        except requests.ConnectionError:
            return None

    before = service.workers()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask, 0)
        give_up = time.monotonic() + PATIENCE_S
        while metrics(service)["solve_slots_busy"] < 1:
            assert time.monotonic() < give_up
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        asked.result(timeout=PATIENCE_S)
    give_up = time.monotonic() + PATIENCE_S
    while True:
        # A worker that was killed is listed until its end is seen to.
        replaced = not set(before) & set(service.workers())
        try:
            if replaced and metrics(service)["solve_slots_busy"] == 0:
                break
        except requests.ConnectionError:
            pass
        assert time.monotonic() < give_up
        time.sleep(0.05)
