"""Redirects and paths do not depend on the Host header or on proxy headers."""

from __future__ import annotations

import pytest
import requests
from flask.testing import FlaskClient


def test_docs_redirects_to_a_relative_path(client: FlaskClient) -> None:
    response = client.get("/docs", headers={"Host": "elsewhere.example"})

    assert response.status_code == 302
    assert response.headers["Location"] == "/docs/"


def test_the_api_reference_redirects_to_a_relative_path(client: FlaskClient) -> None:
    response = client.get("/docs/api", headers={"Host": "elsewhere.example"})

    assert response.status_code == 302
    assert response.headers["Location"] == "/docs/api/"


@pytest.mark.parametrize("path", ["/docs/", "/docs/api/"])
def test_no_documentation_page_contains_the_host_header(client: FlaskClient, path: str) -> None:
    response = client.get(path, headers={"Host": "elsewhere.example"})

    assert response.status_code == 200
    assert b"elsewhere" not in response.data


@pytest.mark.parametrize("path", ["/v1//games", "/v1/games/", "/docs//"])
def test_paths_with_extra_slashes_are_not_normalized(client: FlaskClient, path: str) -> None:
    response = client.get("http://localhost" + path)

    assert response.status_code == 404
    assert response.get_json()["code"] == "not-found"


def test_a_client_cannot_set_script_name_with_a_header(live_service: str) -> None:
    response = requests.get(
        f"http://{live_service}/healthz", headers={"Script_Name": "/x"}, timeout=10
    )

    assert response.status_code == 200
