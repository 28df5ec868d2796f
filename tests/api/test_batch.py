"""Batches (api.md): each request gets its usual response; identical requests are solved once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api import batch as batches
from service.api.games import MAX_BODY_BYTES
from service.core.violations import Overloaded
from service.operations.batch import MAX_REQUESTS, PATH
from service.solver import canonical
from tests.api.calls import (
    EXAMPLE_BY_PATH,
    EXAMPLES,
    HINT,
    client_of,
    post,
    problem_of,
    put,
    result_of,
    route,
    units_left,
    violation_texts,
    violations_of,
)
from tests.loops import for_each


@pytest.fixture
def client() -> FlaskClient:
    """A client of a service with empty caches."""
    return client_of()


def item(number: int, path: str, body: Any) -> dict[str, Any]:
    return {"id": f"request {number}", "path": route(path), "body": body}


def batch_results(response: Any) -> list[Any]:
    """Return the results of a successful batch response after checking their form."""
    body = result_of(response)
    assert set(body) == {"results"}
    for result in body["results"]:
        assert set(result) == {"id", "status", "body"}
        if result["status"] != 200:
            assert result["body"]["status"] == result["status"]
            assert result["body"]["request_id"] == response.headers["X-Request-Id"]
    results: list[Any] = body["results"]
    return results


def post_batch(client: FlaskClient, *bodies: tuple[str, Any]) -> list[Any]:
    """Post (path, body) pairs as a batch and return its results."""
    requests = [item(number, path, body) for number, (path, body) in enumerate(bodies)]
    results = batch_results(post(client, PATH, {"requests": requests}))
    assert [result["id"] for result in results] == [request["id"] for request in requests]
    return results


# Responses in a batch ---------------------------------------------------------------------------


def test_every_endpoint_gives_the_same_response_in_a_batch(client: FlaskClient) -> None:
    results = post_batch(client, *EXAMPLE_BY_PATH.items())
    for result, (path, body) in zip(results, EXAMPLE_BY_PATH.items(), strict=True):
        assert result["status"] == 200
        assert result["body"] == result_of(post(client, path, body))


def test_a_batch_contains_documents(client: FlaskClient) -> None:
    paths = ("/v1/version", "/v1/limits", "/v1/games", "/v1/games/snow-time", "/healthz", PATH)
    requests = [{"id": path, "method": "GET", "path": path} for path in paths[:-1]]
    *documents, unknown = batch_results(post(client, PATH, {"requests": requests}))
    for path, result in zip(paths, documents, strict=False):
        assert (result["status"], result["body"]) == (200, client.get(path).get_json())
    assert (unknown["status"], unknown["body"]["code"]) == (404, "not-found")


@for_each(
    "request_item, code",
    [
        ({"method": "GET", "path": "/v1/games", "body": {}}, "not-of-this-type"),
        ({"method": "POST", "path": route("new")}, "missing"),
        ({"path": route("new")}, "missing"),
        ({"path": route("new"), "body": None}, "null"),
    ],
)
def test_only_posts_have_a_body(client: FlaskClient, request_item: Any, code: str) -> None:
    body = {"requests": [{"id": "a"} | request_item]}
    problem = problem_of(post(client, PATH, body), 422, body=body)
    assert violations_of(problem) == {("/requests/0/body", code)}


def test_a_batch_contains_the_exact_bytes_of_each_response(client: FlaskClient) -> None:
    alone = post(client, "suggest", HINT).data
    body = {"requests": [item(0, "suggest", HINT)]}
    assert alone in post(client, PATH, body).data


def test_violations_of_one_request_do_not_affect_the_others(client: FlaskClient) -> None:
    wrong = put(EXAMPLES["suggest"], ("state", "seats", 0, "score"), -1)
    results = post_batch(client, ("suggest", wrong), ("new", EXAMPLES["new"]), ("/v1/nothing", {}))
    assert [result["status"] for result in results] == [422, 200, 404]
    alone = problem_of(post(client, "suggest", wrong), 422)
    assert results[0]["body"]["errors"] == alone["errors"]
    assert results[2]["body"]["code"] == "not-found"


@for_each("body", [3, "x", [], True])
def test_a_body_that_is_not_an_object_is_reported_as_without_a_batch(
    client: FlaskClient, body: Any
) -> None:
    [result] = post_batch(client, ("new", body))
    assert result["status"] == 422
    assert result["body"]["errors"] == problem_of(post(client, "new", body), 422)["errors"]


def test_a_duplicate_name_in_one_body_is_reported_for_that_request(client: FlaskClient) -> None:
    body = json.dumps(EXAMPLES["new"])
    twice = body.replace('{"seats"', '{"seats": 1, "seats"', 1)
    text = f"""{{"requests": [
        {{"id": "a", "path": "{route("new")}", "body": {body}}},
        {{"id": "b", "path": "{route("new")}", "body": {twice}}}]}}"""
    first, second = batch_results(post(client, PATH, text.encode()))
    assert first["status"] == 200
    assert second["status"] == 422
    assert violations_of(second["body"]) == {("/seats", "duplicate-name")}


def test_an_integer_beyond_64_bits_is_out_of_range(client: FlaskClient) -> None:
    for beyond in (-(10**30), 10**30):
        [result] = post_batch(client, ("new", EXAMPLES["new"] | {"seed": beyond}))
        alone = problem_of(post(client, "new", EXAMPLES["new"] | {"seed": beyond}), 422)
        assert result["body"]["errors"] == alone["errors"]


def test_an_internal_error_is_reported_for_its_request(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(canonical, "solve", fails)
    failed, succeeded = post_batch(client, ("suggest", HINT), ("new", EXAMPLES["new"]))
    assert (failed["status"], succeeded["status"]) == (500, 200)
    assert failed["body"]["code"] == "internal-error"
    assert "secret" not in json.dumps(failed)


# Violations of the batch itself -----------------------------------------------------------------

NEW = {"path": route("new"), "body": EXAMPLES["new"]}


@for_each(
    "body, violations",
    [
        ({}, {"/requests missing"}),
        ({"requests": []}, {"/requests wrong-length"}),
        ({"requests": {}}, {"/requests not-an-array"}),
        ({"requests": [NEW]}, {"/requests/0/id missing"}),
        *(
            ({"requests": [NEW | {"id": name}]}, {"/requests/0/id bad-id"})
            for name in ("", "x" * 65, "é", "a\n")
        ),
        ({"requests": [NEW | {"id": 1}]}, {"/requests/0/id not-a-string"}),
        ({"requests": [NEW | {"id": "a"}] * 2}, {"/requests/1/id duplicate-id"}),
        ({"requests": [NEW | {"id": "a", "path": PATH}]}, {"/requests/0/path nested-batch"}),
        ({"requests": [{"id": "a", "body": {}}]}, {"/requests/0/path missing"}),
        ({"requests": [NEW | {"id": "a", "path": "/" * 257}]}, {"/requests/0/path wrong-length"}),
        ({"requests": [NEW | {"id": "a", "more": 1}]}, {"/requests/0/more unknown-field"}),
        ({"requests": [3], "more": 1}, {"/requests/0 not-an-object", "/more unknown-field"}),
    ],
)
def test_a_batch_with_an_invalid_envelope_is_refused_as_a_whole(
    client: FlaskClient, body: Any, violations: set[str]
) -> None:
    assert violation_texts(problem_of(post(client, PATH, body), 422, body=body)) == violations


def test_a_duplicate_name_outside_of_the_bodies_is_reported_for_the_batch(
    client: FlaskClient,
) -> None:
    text = b'{"requests": [{"id": "a", "id": "b", "path": "/", "body": {"x": 1, "x": 2}}]}'
    problem = problem_of(post(client, PATH, text), 422)
    assert violations_of(problem) == {("/requests/0/id", "duplicate-name")}


def test_a_batch_is_limited_to_64_requests(client: FlaskClient) -> None:
    def body(count: int) -> Any:
        return {"requests": [item(number, "new", EXAMPLES["new"]) for number in range(count)]}

    assert len(batch_results(post(client, PATH, body(MAX_REQUESTS)))) == MAX_REQUESTS == 64
    refused = problem_of(post(client, PATH, body(MAX_REQUESTS + 1)), 422)
    assert violations_of(refused) == {("/requests", "wrong-length")}


def test_a_batch_is_limited_to_512_kib(client: FlaskClient) -> None:
    text = json.dumps({"requests": [item(0, "new", EXAMPLES["new"])]}).encode()
    limit = 512 * 1024
    assert len(batch_results(post(client, PATH, text.ljust(limit)))) == 1
    problem = problem_of(post(client, PATH, text.ljust(limit + 1)), 413, "body-too-large")
    assert "512 KiB" in problem["detail"]


def test_each_request_in_a_batch_is_limited_to_128_kib(client: FlaskClient) -> None:
    body = EXAMPLES["new"] | {"x": "y" * MAX_BODY_BYTES}
    large, succeeded = post_batch(client, ("new", body), ("new", EXAMPLES["new"]))
    assert (large["status"], succeeded["status"]) == (413, 200)
    assert "128 KiB" in large["body"]["detail"]


@for_each("text, status", [(b"{", 400), (b"[" * 40 + b"]" * 40, 422)])
def test_a_batch_must_be_strict_json(client: FlaskClient, text: bytes, status: int) -> None:
    problem_of(post(client, PATH, text), status)


# Shared solutions, quotas and deadlines ---------------------------------------------------------


def test_identical_requests_are_solved_once(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve_calls = []
    solve = canonical.solve

    def counting(*args: Any) -> Any:
        solve_calls.append(args)
        return solve(*args)

    monkeypatch.setattr(canonical, "solve", counting)
    with_deadline = HINT | {"deadline_ms": 30_000}
    results = post_batch(client, *[("suggest", with_deadline)] * 5)
    assert len(solve_calls) == 1
    assert all(result["body"] == results[0]["body"] for result in results)


@pytest.mark.usefixtures("uncharged_time")
def test_a_batch_costs_the_sum_of_its_requests() -> None:
    limited = client_of(quota_units=50, quota_window_s=100_000)
    requests = [item(number, "new", EXAMPLES["new"]) for number in range(20)]
    response = post(limited, PATH, {"requests": requests})
    assert units_left(response) == 30
    batch_results(response)
    again = [request | {"id": request["id"] + " again"} for request in requests]
    response = post(limited, PATH, {"requests": requests + again})
    statuses = [result["status"] for result in batch_results(response)]
    assert statuses == [200] * 30 + [429] * 10
    assert response.headers["Retry-After"]


def test_an_invalid_request_is_reported_before_an_exceeded_quota() -> None:
    limited = client_of(quota_units=1, quota_window_s=100_000)
    accepted, invalid = post_batch(limited, ("new", EXAMPLES["new"]), ("new", {}))
    assert (accepted["status"], invalid["status"]) == (200, 422)


def test_a_request_that_waits_too_long_in_a_batch_is_a_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches.blueprint, "__defaults__", (0.0,))
    client = client_of()
    [result] = post_batch(client, ("new", EXAMPLES["new"]))
    assert (result["status"], result["body"]["code"]) == (503, "overloaded")


def test_a_full_queue_affects_only_the_requests_that_need_a_solution(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise Overloaded("queue-full")

    monkeypatch.setattr(canonical, "solve", full)
    shed, succeeded = post_batch(client, ("suggest", HINT), ("resolve", EXAMPLES["resolve"]))
    assert (shed["status"], succeeded["status"]) == (503, 200)


def test_a_deadline_counts_from_the_start_of_its_request(client: FlaskClient) -> None:
    hints = [HINT | {"deadline_ms": 5_000, "effort": effort} for effort in ("quick", "standard")]
    for result in post_batch(client, *(("suggest", hint) for hint in hints)):
        assert result["body"]["search"]["complete"]
