"""``GET /v1/limits``, query parameters, and the specification as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.limits import MAX_BODY_BYTES
from service.app import create_app
from service.config import Config
from tests.api.calls import result_of
from tests.api.spec import assert_documented, operations, specification
from tests.loops import for_each

STATUS = ("/healthz", "/readyz")
CONSTANT = [path for path, method, _ in operations() if method == "get" and path not in STATUS]


# Limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "stated"), [(0, None), (90, {"units": 90, "window_seconds": 30})]
)
def test_the_stated_limits_are_the_configured_ones(units: int, stated: Any) -> None:
    config = Config(log_level="CRITICAL", quota_units=units, quota_window_s=30)
    response = create_app(config).test_client().get("/v1/limits")

    assert_documented("/v1/limits", "get", response)
    limits = result_of(response)
    assert limits.get("rate_limit") == stated
    assert (limits["body_bytes"], limits["batch"]["body_bytes"]) == (131_072, 524_288)
    assert limits["batch"]["requests"] == 64


# Constant responses ---------------------------------------------------------------------------


@for_each("path", CONSTANT)
def test_a_client_with_the_current_version_gets_304(client: FlaskClient, path: str) -> None:
    first = client.get(path, buffered=True)
    etag = {"If-None-Match": first.headers["ETag"]}
    again = client.get(path, headers=etag, buffered=True)
    other = client.get(path, headers={"If-None-Match": '"other"'}, buffered=True)

    is_kept = path.startswith(("/openapi", "/v1/games"))
    assert first.headers["Cache-Control"] == ("max-age=3600" if is_kept else "no-cache")
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (other.status_code, other.data) == (200, first.data)


@for_each("path", STATUS)
def test_the_status_of_a_worker_is_not_stored(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"


def test_both_forms_of_the_specification_are_equal(client: FlaskClient) -> None:
    response = client.get("/openapi.json")

    assert json.dumps(result_of(response)) == json.dumps(specification())


@pytest.mark.parametrize("code", ["draining", "starting"])
def test_a_worker_that_is_not_ready_says_why(code: str) -> None:
    app = create_app(Config(log_level="CRITICAL"))
    client = app.test_client()
    assert client.get("/readyz").get_json() == {"status": "ready"}
    app.config["UNREADY"] = lambda: code
    response = client.get("/readyz")
    assert (response.status_code, response.get_json()["code"]) == (503, code)
    assert int(response.headers["Retry-After"]) > 0
    assert client.get("/healthz").status_code == 200


def test_the_longest_history_of_five_named_players_fits() -> None:
    """It had 72,563 bytes, and bodies 64 KiB."""
    hand = ["1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard"]
    seats = [
        {"seat": seat, "player": seat, "name": "N" * 20, "score": 10, "hand": hand}
        for seat in ("player-1", "player-2", "player-3", "player-4", "player-5")
    ]
    state = {"seats": seats, "fruit": [1, 1, 1, 1, 1, 1]}
    move = {"card": "watcher", "then": {"card": "healer", "recover": ["1", "2"]}}
    entry = {"state": state, "moves": {seat["seat"]: move for seat in seats}}
    body = {"state": state, "player": "player-1", "opponents": {"history": [entry] * 60}}

    assert 64 * 1024 < len(json.dumps(body)) < MAX_BODY_BYTES
