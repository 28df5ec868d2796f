"""Scripts of other origins: those on the list may read answers, errors too, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from tests.api.calls import EXAMPLES, answer_of, post, problem_of, route

LISTED, ALSO, STRANGE = "https://app.example", "http://localhost:3000", "https://evil.example"
ALLOWED = "Access-Control-Allow-Origin"


def client_of(**config: Any) -> FlaskClient:
    return create_app(Config(log_level="CRITICAL", **config)).test_client()


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(cors_origins=f"{LISTED} {ALSO}")


def preflight(client: FlaskClient, origin: str, path: str = route("new")) -> Any:
    return client.options(
        path,
        headers={
            "Origin": origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type",
        },
    )


@pytest.mark.parametrize("origin", [LISTED, ALSO])
def test_a_listed_origin_may_read_answers_and_their_headers(
    client: FlaskClient, origin: str
) -> None:
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": origin})
    answer_of(response)
    assert response.headers[ALLOWED] == origin
    assert "Origin" in response.headers["Vary"]
    shown = response.headers["Access-Control-Expose-Headers"]
    assert {"X-Request-Id", "RateLimit", "Cache-Status"} <= set(shown.split(", "))
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (route("new"), b"{", 400),
        (route("new"), b"{}", 422),
        (route("new"), b" " * 70_000, 413),
        ("/v1/nowhere", b"{}", 404),
        ("/v1/games", b"{}", 405),
    ],
)
def test_a_listed_origin_may_read_problems(
    client: FlaskClient, path: str, body: bytes, status: int
) -> None:
    response = client.post(
        path, data=body, content_type="application/json", headers={"Origin": LISTED}
    )
    problem_of(response, status)
    assert response.headers[ALLOWED] == LISTED


def test_a_refused_key_can_be_read_too() -> None:
    client = client_of(cors_origins=LISTED, api_keys=f"app:{'0' * 64}")
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": LISTED})
    problem_of(response, 401)
    assert response.headers[ALLOWED] == LISTED


@pytest.mark.parametrize(
    "origin", [STRANGE, "null", f"{LISTED}.evil.example", "http://app.example", LISTED + ":8443"]
)
def test_no_other_origin_may(client: FlaskClient, origin: str) -> None:
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": origin})
    assert ALLOWED not in response.headers
    assert ALLOWED not in preflight(client, origin).headers


def test_a_preflight_of_a_listed_origin_is_answered_without_a_key() -> None:
    client = client_of(cors_origins=LISTED, api_keys=f"app:{'0' * 64}")
    response = preflight(client, LISTED)
    assert response.status_code in (200, 204)
    assert response.headers[ALLOWED] == LISTED
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    told = response.headers["Access-Control-Allow-Headers"].lower()
    assert {"authorization", "content-type"} <= set(told.replace(" ", "").split(","))
    assert int(response.headers["Access-Control-Max-Age"]) > 0


def test_without_a_list_nobody_may() -> None:
    client = client_of()
    response = post(client, "new", EXAMPLES["new"], headers={"Origin": LISTED})
    assert not [name for name, _ in response.headers if name.startswith("Access-Control")]
