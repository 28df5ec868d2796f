"""Schemathesis over the whole API: what the specification says against what the service does.

Every check of Schemathesis runs but one: what the schema accepts may still be refused, since no
schema knows the rules of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import schemathesis
from api_calls import EXAMPLE_BY_PATH, PROBLEM_JSON, SEED, problem_of, route
from hypothesis import HealthCheck, seed, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from service.app import create_app
from service.config import Config

MOST_EXAMPLES = 120
"""Of each operation, beside those of the coverage phase."""

APPLICATION = create_app(Config(log_level="CRITICAL"))
API = schemathesis.openapi.from_wsgi("/openapi.yaml", APPLICATION)
ANSWERED: Counter[tuple[str, int]] = Counter()


@pytest.fixture(scope="module", autouse=True)
def _no_deadline_passes() -> Iterator[None]:
    """Else the speed of the machine would decide about a 503."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("limits", "turns"):
            never = SimpleNamespace(monotonic=lambda: 0.0)
            patch.setattr(f"service.solver.{module}.time", never)
        yield


@API.parametrize()
@seed(SEED)
@settings(
    max_examples=MOST_EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_service_does_as_its_specification_says(case: schemathesis.Case) -> None:
    if isinstance(case.body, dict) and case.body.get("depth") in (2, 3):
        case.body["depth"] = 1  # Looking further ahead takes time and shows nothing more here.

    response = case.call()
    # What is too large to be read is refused for that alone, whatever else is wrong with it.
    too_large = [negative_data_rejection] if response.status_code == 413 else []
    case.validate_response(response, excluded_checks=[positive_data_acceptance, *too_large])

    ANSWERED[case.path, response.status_code] += 1
    if response.status_code >= 400:
        assert response.headers["content-type"] == [PROBLEM_JSON]
        assert set(response.json()) >= {"type", "title", "status", "detail", "code", "request_id"}
    assert response.status_code in (200, 400, 405, 413, 415, 422)


@pytest.mark.parametrize("path", EXAMPLE_BY_PATH)
def test_schemathesis_met_answers_and_refusals_of_every_verb(path: str) -> None:
    if not ANSWERED:
        pytest.skip("the test above did not run")

    assert {200, 405, 415, 422} <= {status for asked, status in ANSWERED if asked == path}


def test_what_schemathesis_calls_is_the_same_application() -> None:
    response = APPLICATION.test_client().post(route("new"), json={})

    problem_of(response, 422, "invalid-body")
