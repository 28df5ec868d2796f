"""Contract tests: Schemathesis generates requests from openapi.yaml and checks the responses."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.api.spec import operations, specification

OPERATIONS = [
    (path, method) for path, method, _ in operations() if not path.startswith("/openapi.")
]
EXPENSIVE = ("/v1/games/snowcrest/", "/v1/games/snow-time/suggest", "/v1/games/slopecrashers/re")
"""Operations with many or slow cases; the default suite skips them."""

most_operations = pytest.mark.parametrize(
    ("path", "method"),
    [
        pytest.param(*each, marks=pytest.mark.contract if each[0].startswith(EXPENSIVE) else [])
        for each in OPERATIONS
    ],
)


@pytest.fixture(scope="module")
def checks() -> Any:
    """Import Schemathesis for the first test: it takes a tenth of the time of a collection."""
    return importlib.import_module("tests.api.schemathesis_checks")


@pytest.fixture(autouse=True)
def _without_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock: with deadlines, a 503 would depend on the speed of the machine."""
    stopped_clock = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr("service.solver.budget.time", stopped_clock)


def test_the_document_is_openapi_3_1(checks: Any) -> None:
    assert checks.document_errors() == []
    assert specification()["openapi"].startswith("3.1.")


@most_operations
def test_responses_to_random_requests_match_the_specification(
    checks: Any, app: Flask, path: str, method: str
) -> None:
    checks.check_random_requests(app, path, method)


@most_operations
def test_responses_to_boundary_cases_match_the_specification(
    checks: Any, app: Flask, path: str, method: str
) -> None:
    statuses = checks.check_boundary_cases(app, path, method)
    assert {200, 405} <= statuses
    if method == "post":
        assert {415, 422} <= statuses
