"""CORS: only listed origins may read responses, including errors."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import EXAMPLES, client_of, post, problem_of, result_of, route
from tests.loops import for_each

LISTED, ALSO_LISTED, UNLISTED = (
    "https://app.example",
    "http://localhost:3000",
    "https://evil.example",
)
ALLOW_ORIGIN = "Access-Control-Allow-Origin"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(cors_origins=f"{LISTED} {ALSO_LISTED}")


def preflight(client: FlaskClient, origin: str) -> Any:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    return client.options(route("new"), headers=headers)


@for_each("origin", [LISTED, ALSO_LISTED])
def test_a_listed_origin_may_read_responses_and_their_headers(
    client: FlaskClient, origin: str
) -> None:
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": origin})
    result_of(response)
    assert response.headers[ALLOW_ORIGIN] == origin
    assert "Origin" in response.headers["Vary"]
    exposed = response.headers["Access-Control-Expose-Headers"]
    assert {"ETag", "X-Request-Id", "RateLimit", "Cache-Status"} <= set(exposed.split(", "))
    assert "Access-Control-Allow-Credentials" not in response.headers


@for_each(
    "path, body, status",
    [
        (route("new"), b"{", 400),
        (route("new"), b"{}", 422),
        (route("new"), b" " * 140_000, 413),
        ("/v1/nowhere", b"{}", 404),
        ("/v1/games", b"{}", 405),
    ],
)
def test_a_listed_origin_may_read_problems(
    client: FlaskClient, path: str, body: bytes, status: int
) -> None:
    response = post(client, path, body, headers={"Origin": LISTED})
    problem_of(response, status)
    assert response.headers[ALLOW_ORIGIN] == LISTED


def test_a_listed_origin_may_read_a_401() -> None:
    client = client_of(cors_origins=LISTED, api_keys=f"app:{'0' * 64}")
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": LISTED})
    problem_of(response, 401)
    assert response.headers[ALLOW_ORIGIN] == LISTED


@for_each(
    "origin", [UNLISTED, "null", f"{LISTED}.evil.example", "http://app.example", LISTED + ":8443"]
)
def test_an_unlisted_origin_may_not_read_responses(client: FlaskClient, origin: str) -> None:
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": origin})
    assert ALLOW_ORIGIN not in response.headers
    assert ALLOW_ORIGIN not in preflight(client, origin).headers


def test_a_preflight_request_of_a_listed_origin_needs_no_key() -> None:
    client = client_of(cors_origins=LISTED, api_keys=f"app:{'0' * 64}")
    response = preflight(client, LISTED)
    assert response.status_code in (200, 204)
    assert response.headers[ALLOW_ORIGIN] == LISTED
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    allowed = response.headers["Access-Control-Allow-Headers"].lower()
    assert {"authorization", "content-type"} <= set(allowed.replace(" ", "").split(","))
    assert int(response.headers["Access-Control-Max-Age"]) > 0


def test_without_a_list_no_origin_may_read_responses() -> None:
    client = client_of()
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": LISTED})
    assert not [name for name, _ in response.headers if name.startswith("Access-Control")]
