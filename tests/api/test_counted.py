"""What the metrics count, in one process."""

from __future__ import annotations

import hashlib
from threading import Thread
from typing import Any

import pytest
from flask import Flask

from service.api.metrics import Metrics
from service.app import create_app
from service.config import Config
from service.core.violations import OutOfTime
from service.operations.solve_queue import SolveQueue
from service.solver import canonical
from tests.api.calls import EXAMPLES, HINT, post, problem_of


@pytest.fixture
def app() -> Flask:
    """A service with own metrics."""
    return create_app(Config(log_level="CRITICAL"))


def sample(app: Flask, name: str, **labels: str) -> float:
    value = app.extensions["metrics"]._registry.get_sample_value(name, labels)
    return 0.0 if value is None else value


def test_statuses_inside_batches_are_counted(app: Flask) -> None:
    path = "/v1/games/snow-time/new"
    requests: list[dict[str, Any]] = [
        {"id": "a", "path": path, "body": EXAMPLES["new"]},
        {"id": "b", "path": path, "body": {}},
        {"id": "c", "path": "/nowhere", "body": {}},
        {"id": "d", "path": path, "body": EXAMPLES["new"]},
    ]
    app.test_client().post("/v1/batch", json={"requests": requests})
    counts = {
        status: sample(app, "batch_responses_total", status=status)
        for status in ("200", "404", "422", "500")
    }
    assert counts == {"200": 2.0, "404": 1.0, "422": 1.0, "500": 0.0}


@pytest.mark.parametrize(
    ("error", "reason"),
    [(OutOfTime(), "search"), (OutOfTime("queue"), "queue"), (OutOfTime("cpu"), "cpu")],
    ids=str,
)
def test_passed_deadlines_are_counted_by_reason(
    app: Flask, error: OutOfTime, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: Any) -> None:
        raise error

    monkeypatch.setattr(canonical, "solve", late)
    problem_of(post(app.test_client(), "suggest", HINT), 503, "deadline-passed")
    assert sample(app, "deadlines_passed_total", reason=reason) == 1.0


def test_costs_are_counted_by_the_owner_of_the_key() -> None:
    key = "a-key-of-nobody"
    keys = f"anna:{hashlib.sha256(key.encode()).hexdigest()}"
    app = create_app(Config(log_level="CRITICAL", api_keys=keys))
    headers = {"Authorization": f"Bearer {key}"}
    post(app.test_client(), "new", EXAMPLES["new"], headers=headers)
    assert sample(app, "client_cost_units_total", owner="anna") >= 1.0
    assert sample(app, "client_cost_units_total", owner="") == 0.0


def test_clients_without_a_key_share_one_label(app: Flask) -> None:
    for address in ("192.0.2.1", "192.0.2.2"):
        post(app.test_client(), "new", EXAMPLES["new"], environ_base={"REMOTE_ADDR": address})
    assert sample(app, "client_cost_units_total", owner="") >= 2.0


def test_the_wait_in_the_solve_queue_is_measured() -> None:
    metrics = Metrics()
    queue = SolveQueue(observer=metrics)

    def wait() -> None:
        with queue.slot(None):
            pass

    with queue.slot(None):
        waiting = Thread(target=wait)
        waiting.start()
        while not queue._waiting:
            pass
    waiting.join()
    assert metrics._registry.get_sample_value("solve_queue_wait_seconds_count") == 1.0


def test_the_build_is_stated(app: Flask) -> None:
    versions = app.test_client().get("/v1/version").get_json()
    assert sample(app, "build_info", api=versions["api"], engine=versions["engine"]) == 1.0
