"""Contract tests: requests made from openapi.yaml, and what it says of their responses.

Schemathesis makes the requests and judges the responses. One of its checks is left out: a body
that the schema accepts may still be refused, because no schema knows the rules of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.hypothesis.builder import FeedbackSources, Override
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from tests import randomized
from tests.api.calls import PROBLEM_JSON
from tests.api.spec import operations, specification

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
PROBLEM_MEMBERS = {"type", "title", "status", "detail", "code", "request_id"}
STATUSES = {200, 400, 405, 413, 415, 422}
BOUNDARY_CASES = 30
"""Of each operation in the default suite: the first, and then every n-th of all."""

OPERATIONS = [(path, method) for path, method, _ in operations() if path != "/openapi.yaml"]
EXPENSIVE = ("/v1/games/snowcrest/", "/v1/games/snow-time/suggest", "/v1/games/slopecrashers/re")
"""Their cases are many or take long: the default suite leaves them out."""

every_operation = pytest.mark.parametrize(("path", "method"), OPERATIONS)
most_operations = pytest.mark.parametrize(
    ("path", "method"),
    [
        pytest.param(*each, marks=pytest.mark.contract if each[0].startswith(EXPENSIVE) else [])
        for each in OPERATIONS
    ],
)


def bound_to(app: Flask) -> Any:
    """The committed specification, bound to the service as a WSGI application."""
    schema = schemathesis.openapi.from_dict(specification())
    schema.app = app
    return schema


@pytest.fixture(scope="module")
def contract(app: Flask) -> Any:
    return bound_to(app)


@pytest.fixture(autouse=True)
def _no_deadline_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline would make the speed of the machine decide about a 503."""
    for module in ("budget", "search.turn_expectimax"):
        stopped = SimpleNamespace(monotonic=lambda: 0.0)
        monkeypatch.setattr(f"service.solver.{module}.time", stopped)


@most_operations
def test_random_requests_are_answered_as_documented(contract: Any, path: str, method: str):
    modes = MODES if method == "post" else MODES[:1]  # Nothing can be wrong with a GET.
    for mode in modes:

        @settings(randomized.examples(5, 40), phases=[Phase.generate])
        @given(case=contract[path][method].as_strategy(generation_mode=mode))
        def judge_random(case: Any) -> None:
            judge(contract, case)

        judge_random()


@most_operations
def test_some_boundary_cases_are_answered_as_documented(contract: Any, path: str, method: str):
    cases = list(boundary_cases(contract, path, method))
    step = -(-len(cases) // BOUNDARY_CASES)
    statuses = {judge(contract, case) for case in islice(cases, 0, None, step)}
    assert statuses <= STATUSES


@pytest.mark.contract
@every_operation
def test_all_boundary_cases_are_answered_as_documented(app: Flask, path: str, method: str):
    contract = bound_to(app)  # A schema generates the cases of wrong methods only once.
    statuses = {judge(contract, case) for case in boundary_cases(contract, path, method)}
    assert {200, 405} <= statuses
    if method == "post":
        assert {415, 422} <= statuses


def boundary_cases(contract: Any, path: str, method: str) -> Iterator[Any]:
    """The cases of Schemathesis' coverage phase: values at and beyond each bound of the schema."""
    operation = contract[path][method]
    return iter(
        CoverageGenerator(
            operation=operation,
            generation_modes=list(MODES),
            generation_config=contract.config.generation_for(operation=operation, phase="coverage"),
            auth_storage=None,
            override=Override(query={}, headers={}, cookies={}, path_parameters={}),
            feedback=FeedbackSources(),
        )
    )


def judge(contract: Any, case: Any) -> int:
    """Send a request, check the response against the specification and return its status."""
    if isinstance(case.body, dict):
        # Work is bounded: more effort or depth shows nothing more about the contract.
        if case.path.endswith(("/suggest", "/review")) and case.body.get("tier") != "quick":
            case.body.setdefault("tier", "quick")
            case.body.update({"tier": "quick"} if case.body["tier"] in ("standard", "deep") else {})
        if case.body.get("depth") in (2, 3):
            case.body["depth"] = 1
    response = case.call(app=contract.app)
    # A body that is too large is refused for its size, whatever else is wrong with it.
    too_large = [negative_data_rejection] if response.status_code == 413 else []
    case.validate_response(response, excluded_checks=[positive_data_acceptance, *too_large])
    if response.status_code >= 400:
        assert response.headers["content-type"] == [PROBLEM_JSON]
        assert set(response.json()) >= PROBLEM_MEMBERS
    assert response.status_code in STATUSES
    return int(response.status_code)
