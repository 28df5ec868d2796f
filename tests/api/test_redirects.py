"""Nobody is sent to where a Host header points."""

from __future__ import annotations

import pytest
import requests
from flask.testing import FlaskClient


def test_the_documentation_is_found_on_the_same_host(client: FlaskClient) -> None:
    response = client.get("/docs", headers={"Host": "elsewhere.example"})

    assert response.status_code == 302
    assert response.headers["Location"] == "/docs/"


def test_the_reference_is_found_on_the_same_host(client: FlaskClient) -> None:
    response = client.get("/docs/api", headers={"Host": "elsewhere.example"})

    assert response.status_code == 302
    assert response.headers["Location"] == "/docs/api/"


@pytest.mark.parametrize("path", ["/docs/", "/docs/api/"])
def test_no_page_repeats_the_host(client: FlaskClient, path: str) -> None:
    response = client.get(path, headers={"Host": "elsewhere.example"})

    assert response.status_code == 200
    assert b"elsewhere" not in response.data


@pytest.mark.parametrize("path", ["/v1//games", "/v1/games/", "/docs//"])
def test_a_path_is_taken_as_it_is_written(client: FlaskClient, path: str) -> None:
    response = client.get("http://localhost" + path)

    assert response.status_code == 404
    assert response.get_json()["code"] == "not-found"


def test_no_header_of_a_client_sets_what_a_proxy_would(live_service: str) -> None:
    response = requests.get(
        f"http://{live_service}/healthz", headers={"Script_Name": "/x"}, timeout=10
    )

    assert response.status_code == 200
