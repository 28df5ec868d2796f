"""Metrics: served on a separate port, aggregated over all workers."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import requests

from tests.api.calls import BASE, HINT
from tests.patience import PATIENCE_S
from tests.serving import LONG, Service, serving

pytestmark = pytest.mark.slow

METRICS_FOLDER = "counted"
"""Prefix of the folder in which the workers store their metrics."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    output = tmp_path_factory.mktemp("metrics") / "output"
    folder = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path_factory.mktemp(METRICS_FOLDER))}
    with serving(output, WEB_CONCURRENCY="2", **folder) as started:
        yield started


def metrics(service: Service) -> dict[str, float]:
    """Return every sample by its name and labels."""
    response = requests.get(f"http://{service.metrics}/metrics", timeout=PATIENCE_S)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    samples = re.findall(r"^(\w+(?:\{.*\})?) (\S+)$", response.text, re.MULTILINE)
    return {name: float(value) for name, value in samples}


def test_the_metrics_port_serves_only_metrics_and_health(service: Service) -> None:
    assert requests.get(f"{service.url}/metrics", timeout=PATIENCE_S).status_code == 404
    for path in ("/v1/games", "/docs/", "/openapi.yaml", "/v1/version"):
        response = requests.get(f"http://{service.metrics}{path}", timeout=PATIENCE_S)
        assert response.status_code == 404, path
    for address in (service.address, service.metrics):
        assert requests.get(f"http://{address}/healthz", timeout=PATIENCE_S).status_code == 200


def test_a_host_header_does_not_expose_the_metrics(service: Service) -> None:
    headers = {"Host": service.metrics}
    response = requests.get(f"{service.url}/metrics", headers=headers, timeout=PATIENCE_S)
    assert response.status_code == 404


def test_the_version_and_readiness_are_metrics(service: Service) -> None:
    samples = metrics(service)
    assert any(name.startswith("build_info{") and value == 1.0 for name, value in samples.items())
    assert samples["ready"] == 1.0


def test_requests_solutions_and_cache_lookups_of_all_workers_are_counted(service: Service) -> None:
    route = f"{BASE}/suggest"
    bodies = [HINT | {"nonce": f"m{number}"} for number in range(12)] * 2

    def status_of(body: object) -> int:
        response = requests.post(f"{service.url}{route}", json=body, timeout=PATIENCE_S)
        return response.status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(status_of, bodies)) == {200}
    requests.post(f"{service.url}{route}", json={}, timeout=PATIENCE_S)
    samples = metrics(service)
    count = f'http_requests_total{{method="POST",route="{route}",status="%s"}}'
    assert (samples[count % 200], samples[count % 422]) == (24, 1)
    assert samples[f'http_request_duration_seconds_count{{route="{route}"}}'] == 25
    layers = {
        layer: samples.get(f'cache_lookups_total{{cache="answers",layer="{layer}"}}', 0)
        for layer in ("memory", "computed")
    }
    assert sum(layers.values()) == 25
    solves = samples['solves_total{complete="true",effort="standard",method="equilibrium"}']
    assert 1 <= solves <= 2
    assert samples['solve_epsilon_count{effort="standard"}'] == solves
    assert samples['solve_duration_seconds_count{effort="standard"}'] == solves
    assert samples["solve_slots_busy"] == samples["solve_queue_length"] == 0


def test_an_empty_metrics_file_does_not_hide_other_metrics(
    service: Service, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A worker creates its file shortly before it writes to it."""
    [folder] = tmp_path_factory.getbasetemp().glob(f"{METRICS_FOLDER}[0-9]*")
    empty = folder / "gauge_livesum_0.db"
    empty.touch()
    try:
        assert "solve_slots_busy" in metrics(service)
    finally:
        empty.unlink()


def test_a_killed_worker_is_not_counted_as_busy(service: Service) -> None:
    def ask() -> None:
        with suppress(requests.ConnectionError):
            requests.post(f"{service.url}{BASE}/suggest", json=LONG, timeout=PATIENCE_S)

    before = service.workers()
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(ask)
        timeout_at = time.monotonic() + PATIENCE_S
        while metrics(service)["solve_slots_busy"] < 1:
            assert time.monotonic() < timeout_at
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        pending.result(timeout=PATIENCE_S)
    timeout_at = time.monotonic() + PATIENCE_S
    while True:
        # A killed worker is listed until its parent reaps it.
        replaced = not set(before) & set(service.workers())
        with suppress(requests.ConnectionError):
            if replaced and metrics(service)["solve_slots_busy"] == 0:
                break
        assert time.monotonic() < timeout_at
        time.sleep(0.05)


def test_invented_methods_share_one_label(service: Service) -> None:
    for number in range(5):
        response = requests.request(f"INVENTED{number}", service.url, timeout=PATIENCE_S)
        assert response.status_code == 405
    assert not [name for name in metrics(service) if "INVENTED" in name]
    assert any('method="other"' in name for name in metrics(service))
