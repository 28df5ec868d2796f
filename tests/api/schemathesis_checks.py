"""Requests that Schemathesis generates from openapi.yaml, and its checks of the responses.

The check ``positive_data_acceptance`` is disabled: a body that matches the schema can still break
a rule of the game, which a schema cannot express.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import Phase, given, reject, settings
from hypothesis.strategies import DrawFn, SearchStrategy, composite
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.core.errors import InvalidSchema
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.hypothesis.builder import FeedbackSources, Override
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.specs.openapi.definitions import OPENAPI_31

from service.operations.catalogue import problem_codes, violation_codes
from tests import randomized
from tests.api.calls import PROBLEM_JSON, pointer
from tests.api.spec import specification

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
STATUSES = {200, 400, 405, 413, 415, 422}
BOUNDARY_CASES = {"dev": 30, "ci": 60}
"""Bodies per operation: every n-th one. Other profiles send all, up to several thousand."""


def document_errors() -> list[tuple[str, str]]:
    """Return where the committed specification breaks the schema of OpenAPI 3.1, and how."""
    errors = Draft202012Validator(OPENAPI_31).iter_errors(specification())
    return [(pointer(tuple(error.absolute_path)), error.message) for error in errors]


def bound_to(app: Flask) -> Any:
    """Return the committed specification, bound to the service as a WSGI application."""
    schema = schemathesis.openapi.from_dict(specification())
    schema.app = app
    return schema


@composite
def random_cases(draw: DrawFn, cases: SearchStrategy[Any]) -> Any:
    """Draw a case; try again if Schemathesis mutates the schema into one without any value."""
    try:
        return draw(cases)
    except InvalidSchema:
        reject()


def check_random_requests(app: Flask, path: str, method: str) -> None:
    """Send random requests, valid and invalid ones, and check the responses."""
    contract = bound_to(app)
    modes = MODES if method == "post" else MODES[:1]  # A GET has no invalid input.
    for mode in modes:

        @settings(randomized.examples(5, 40), phases=[Phase.generate])
        @given(case=random_cases(contract[path][method].as_strategy(generation_mode=mode)))
        def check_random_case(case: Any) -> None:
            check_case(contract, case)

        check_random_case()


def check_boundary_cases(app: Flask, path: str, method: str) -> set[int]:
    """Send requests at and beyond the bounds of the schema, and return the statuses."""
    contract = bound_to(app)
    cases = list(boundary_cases(contract, path, method))
    # Few cases have no body or another method; of the many bodies, every n-th one is sent.
    bodies = [case for case in cases if case.method.lower() == method and case.media_type]
    step = -(-len(bodies) // BOUNDARY_CASES.get(randomized.profile(), len(cases))) or 1
    others = [case for case in cases if case.method.lower() != method or not case.media_type]
    return {check_case(contract, case) for case in (*others, *bodies[::step])}


def boundary_cases(contract: Any, path: str, method: str) -> Iterator[Any]:
    """Yield the cases of Schemathesis' coverage phase: values at and beyond each schema bound."""
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


def check_case(contract: Any, case: Any) -> int:
    """Send a request, check the response against the specification and return its status."""
    if isinstance(case.body, dict):
        # Limit the search: more effort or depth does not test the contract further. The body may be
        # an example of the cached specification, so change a copy.
        body = dict(case.body)
        searches = case.path.endswith(("/suggest", "/review"))
        if searches and body.get("effort", "standard") in ("standard", "deep"):
            body["effort"] = "quick"
        if body.get("depth") in (2, 3):
            body["depth"] = 1
        case.body = body
    # Without a server in between, nothing decompresses the response.
    response = case.call(app=contract.app, headers={"Accept-Encoding": "identity"})
    # A body that is too large is refused for its size before its content is read.
    too_large = [negative_data_rejection] if response.status_code == 413 else []
    case.validate_response(response, excluded_checks=[positive_data_acceptance, *too_large])
    if response.status_code >= 400:
        assert response.headers["content-type"] == [PROBLEM_JSON]
        problem = response.json()
        assert problem["code"] in problem_codes()
        assert {error["code"] for error in problem.get("errors", ())} <= set(violation_codes())
    assert response.status_code in STATUSES
    return int(response.status_code)
