"""Early answers are those of the application."""

from __future__ import annotations

import json
from contextlib import ExitStack
from hashlib import sha256
from typing import Any

import pytest

from service.app import create_app
from service.cache.rate_limit import Quota
from service.config import Config
from service.operations.batch import PATH
from service.serving.early_answers import EarlyAnswers
from tests.api.calls import EXAMPLES, JSON, route, units_left
from tests.loops import for_each

NEW = json.dumps(EXAMPLES["new"]).encode()
SUGGEST = json.dumps(EXAMPLES["suggest"]).encode()
CHANGING = {"Server-Timing", "RateLimit", "Cache-Status"}
KEY = "a-long-random-key"
UNITS = 100_000
"""A client pays for CPU time, and the first hint of a process loads kernels for about a second."""


class Service:
    """The service, and what its application answered itself.

    Args:
        units: quota of each client; its window is so long that no unit is restored during a test.
        config: other attributes of the configuration.
    """

    def __init__(self, units: int = UNITS, **config: Any) -> None:
        quota = {"quota_units": units, "quota_window_s": 1_000_000}
        self.app = create_app(Config(log_level="CRITICAL", **quota, **config))
        self.late = 0
        """Requests that the application answered."""
        middleware: Any = self.app.wsgi_app
        while not isinstance(middleware, EarlyAnswers):
            middleware = middleware.app
        application = middleware._app

        def counted(environ: Any, start_response: Any) -> Any:
            self.late += 1
            return application(environ, start_response)

        middleware._app = counted

    def post(
        self, body: bytes = NEW, path: str = route("new"), early: bool = True, **changed: Any
    ) -> Any:
        """Post a body, and check whether the application answers."""
        before = self.late
        options = {"content_type": JSON, "headers": {"X-Request-Id": "mine"}} | changed
        response = self.app.test_client().post(path, data=body, **options)
        assert (self.late == before) == early
        return response


@pytest.mark.parametrize("language", ["en", "de", "zh-TW, de;q=0.5"])
@pytest.mark.parametrize(("name", "body"), [("suggest", SUGGEST), ("new", NEW)], ids=str)
def test_a_cached_response_is_that_of_the_application_and_costs_one_unit(
    name: str, body: bytes, language: str
) -> None:
    service = Service()
    headers = {"X-Request-Id": "mine", "Accept-Language": language}
    unusual = {"content_type": "application/json; charset=UTF8"}
    service.post(body, route(name), early=False, headers=headers)
    late = service.post(body, route(name), early=False, headers=headers, **unusual)
    early = service.post(body, route(name), headers=headers)
    assert (early.status_code, early.data) == (late.status_code, late.data)
    assert set(early.headers.keys()) == set(late.headers.keys())
    differing = set(late.headers.items()) - set(early.headers.items())
    assert {header for header, _ in differing} <= CHANGING - {"Cache-Status"}
    assert units_left(early) == units_left(late) - 1
    assert early.headers["X-Request-Id"] == "mine"


UNUSUAL: dict[str, dict[str, Any]] = {
    "other media type": {"content_type": "text/plain"},
    "encoded": {"headers": {"Content-Encoding": "gzip"}},
    "chunked": {"headers": {"Transfer-Encoding": "chunked"}},
    "query": {"query_string": "a=b"},
    "no length": {"environ_overrides": {"CONTENT_LENGTH": ""}},
    "odd length": {"environ_overrides": {"CONTENT_LENGTH": "-1"}},
    "long length": {"environ_overrides": {"CONTENT_LENGTH": "9" * 21}},
    "large": {"environ_overrides": {"CONTENT_LENGTH": "131073"}},
    "shorter": {"environ_overrides": {"CONTENT_LENGTH": str(len(NEW) + 1)}},
    "other origin": {"headers": {"Origin": "https://page.example"}},
}


@for_each("name", UNUSUAL)
def test_the_application_answers_unusual_requests(name: str) -> None:
    service = Service(cors_origins="https://page.example")
    service.post(early=False)
    service.post()
    service.post(early=False, **UNUSUAL[name])


@for_each("path", ["/v1/batch", "/v1/nowhere", route("review")])
def test_the_application_answers_on_other_paths(path: str) -> None:
    Service().post(path=path, early=False)


def test_a_body_is_read_again_by_the_application() -> None:
    service = Service()
    assert service.post(early=False).status_code == 200
    cut = {"CONTENT_LENGTH": str(len(NEW) + 1)}
    response = service.post(early=False, environ_overrides=cut)
    assert (response.status_code, response.get_json()["code"]) == (400, "bad-request")


def test_a_client_over_its_quota_is_refused_as_by_the_application() -> None:
    service = Service(units=2)
    service.post(early=False)
    service.post()
    early = service.post()
    late = service.post(b'{"seats": []}', early=False)
    assert (early.status_code, late.status_code) == (429, 422)
    assert early.get_json()["code"] == "quota-exceeded"
    assert {"RateLimit", "Retry-After"} <= set(early.headers.keys())


def test_a_client_without_a_key_is_refused_by_the_application() -> None:
    service = Service(api_keys=f"app:{sha256(KEY.encode()).hexdigest()}")
    with_key = {"Authorization": f"Bearer {KEY}"}
    service.post(early=False, headers=with_key)
    service.post(headers=with_key)
    for wrong in ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Basic {KEY}"}):
        assert service.post(early=False, headers=wrong).status_code == 401


def test_the_proxy_states_the_client() -> None:
    service = Service(proxy_hops=1)
    service.post(early=False)
    left = [
        units_left(service.post(headers={"X-Forwarded-For": forwarded}))
        for forwarded in ("7.7.7.7", "8.8.8.8", "6.6.6.6, 7.7.7.7")
    ]
    assert left == [UNITS - 1, UNITS - 1, UNITS - 2]


def test_a_request_that_the_solve_queue_refuses_is_refused_before_it_is_parsed() -> None:
    service = Service(solve_queue=0)
    unusual = {"content_type": "application/json; charset=UTF8"}
    with service.app.extensions["solve_queue"].slot(None):
        early = service.post(b"not even JSON", route("suggest"))
        late = service.post(b"not even JSON", route("suggest"), early=False, **unusual)
        service.post(early=False)  # It needs no search.
    assert (early.status_code, early.get_json()) == (503, late.get_json())
    assert set(early.headers.keys()) == set(late.headers.keys())
    assert units_left(early) == units_left(late) + 1
    service.post(b"not even JSON", route("suggest"), early=False)
    exposed = service.app.extensions["metrics"].exposition().decode()
    assert 'shed_requests_total{why="queue-full"} 2.0' in exposed


def test_other_requests_than_hints_are_not_refused() -> None:
    service = Service(solve_queue=0)
    wrong = {"id": "a", "path": route("suggest"), "body": {}}
    with service.app.extensions["solve_queue"].slot(None):
        assert service.post(early=False).status_code == 200
        batch = service.post(json.dumps({"requests": [wrong]}).encode(), PATH, early=False)
        assert [result["status"] for result in batch.get_json()["results"]] == [503]


def test_if_redis_is_down_cached_responses_are_early() -> None:
    service = Service(redis_url="redis://localhost:1", cache_key="x")
    service.post(early=False)
    response = service.post()
    assert response.status_code == 200
    assert units_left(response) < UNITS


def test_in_a_flood_redis_is_asked_for_few_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look-up took a millisecond from the solves: goodput fell to half at seven times."""
    monkeypatch.setattr("service.api.responses.REDIS_LOOKUPS", Quota(units=3, window_s=1000))
    service = Service(solve_queue=0, redis_url="redis://localhost:1", cache_key="x")
    with ExitStack() as busy:
        busy.enter_context(service.app.extensions["solve_queue"].slot(None))
        for number in range(10):
            body = b"%d" % number
            response = service.post(body, route("suggest"), early=number >= 3)
            assert response.status_code == 503
