"""Batches (api.md): each request as if it had come alone, identical ones solved once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.api import batch as batches
from service.api.games import MAX_BODY_BYTES
from service.app import create_app
from service.config import Config
from service.core.violations import Overloaded
from service.operations.batch import MAX_REQUESTS, PATH
from service.solver import canonical
from tests.api.calls import (
    EXAMPLE_BY_PATH,
    EXAMPLES,
    JSON,
    answer_of,
    changed,
    faults_of,
    post,
    problem_of,
    route,
)

HINT = {name: EXAMPLES["suggest"][name] for name in ("state", "player")}


def app_of(**config: Any) -> Flask:
    return create_app(Config(log_level="CRITICAL", **config))


@pytest.fixture
def client() -> FlaskClient:
    """Of a service that was asked nothing before."""
    return app_of().test_client()


def item(number: int, path: str, body: Any) -> dict[str, Any]:
    return {"id": f"request {number}", "path": route(path), "body": body}


def results_of(response: Any) -> list[Any]:
    answer = answer_of(response)
    assert set(answer) == {"results"}
    for result in answer["results"]:
        assert set(result) == {"id", "status", "body"}
        if result["status"] != 200:
            assert result["body"]["status"] == result["status"]
            assert result["body"]["request_id"] == response.headers["X-Request-Id"]
    found: list[Any] = answer["results"]
    return found


def sent(client: FlaskClient, *asked: tuple[str, Any]) -> list[Any]:
    """The results of a batch."""
    requests = [item(number, path, body) for number, (path, body) in enumerate(asked)]
    results = results_of(post(client, PATH, {"requests": requests}))
    assert [result["id"] for result in results] == [one["id"] for one in requests]
    return results


# Each as if it had come alone -------------------------------------------------------------------


def test_every_route_is_answered_in_a_batch_as_alone(client: FlaskClient) -> None:
    results = sent(client, *EXAMPLE_BY_PATH.items())
    for result, (path, body) in zip(results, EXAMPLE_BY_PATH.items(), strict=True):
        assert result["status"] == 200
        assert result["body"] == answer_of(post(client, path, body))


def test_the_bytes_of_an_answer_are_those_of_the_route(client: FlaskClient) -> None:
    alone = post(client, "suggest", HINT).data
    body = {"requests": [item(0, "suggest", HINT)]}
    assert alone in post(client, PATH, body).data


def test_one_requests_faults_are_its_own(client: FlaskClient) -> None:
    wrong = changed(EXAMPLES["suggest"], (("state", "seats", 0, "score"), -1))
    results = sent(client, ("suggest", wrong), ("new", EXAMPLES["new"]), ("/v1/nothing", {}))
    assert [result["status"] for result in results] == [422, 200, 404]
    alone = problem_of(post(client, "suggest", wrong), 422)
    assert results[0]["body"]["errors"] == alone["errors"]
    assert results[2]["body"]["code"] == "not-found"


@pytest.mark.parametrize("body", [None, 3, "x", [], True])
def test_a_body_that_is_no_object_is_told_as_alone(client: FlaskClient, body: Any) -> None:
    [result] = sent(client, ("new", body))
    assert result["status"] == 422
    assert result["body"]["errors"] == problem_of(post(client, "new", body), 422)["errors"]


def test_a_name_given_twice_in_a_body_is_that_requests_fault(client: FlaskClient) -> None:
    body = json.dumps(EXAMPLES["new"])
    twice = body.replace('{"seats"', '{"seats": 1, "seats"', 1)
    text = f"""{{"requests": [
        {{"id": "a", "path": "{route("new")}", "body": {body}}},
        {{"id": "b", "path": "{route("new")}", "body": {twice}}}]}}"""
    first, second = results_of(post(client, PATH, text.encode()))
    assert first["status"] == 200
    assert second["status"] == 422
    assert faults_of(second["body"]) == {("/seats", "duplicate-name")}


def test_an_integer_beyond_64_bits_is_out_of_range(client: FlaskClient) -> None:
    for beyond in (-(10**30), 10**30):
        [result] = sent(client, ("new", EXAMPLES["new"] | {"seed": beyond}))
        alone = problem_of(post(client, "new", EXAMPLES["new"] | {"seed": beyond}), 422)
        assert result["body"]["errors"] == alone["errors"]


def test_a_fault_of_the_service_is_told_at_its_request(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(canonical, "find", fails)
    failed, well = sent(client, ("suggest", HINT), ("new", EXAMPLES["new"]))
    assert (failed["status"], well["status"]) == (500, 200)
    assert failed["body"]["code"] == "internal-error"
    assert "secret" not in json.dumps(failed)


# What is wrong with a batch ---------------------------------------------------------------------

NEW = {"path": route("new"), "body": EXAMPLES["new"]}


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({}, {("/requests", "missing")}),
        ({"requests": []}, {("/requests", "wrong-length")}),
        ({"requests": {}}, {("/requests", "not-an-array")}),
        ({"requests": [NEW]}, {("/requests/0/id", "missing")}),
        ({"requests": [NEW | {"id": ""}]}, {("/requests/0/id", "bad-id")}),
        ({"requests": [NEW | {"id": "x" * 65}]}, {("/requests/0/id", "bad-id")}),
        ({"requests": [NEW | {"id": "é"}]}, {("/requests/0/id", "bad-id")}),
        ({"requests": [NEW | {"id": "a\n"}]}, {("/requests/0/id", "bad-id")}),
        ({"requests": [NEW | {"id": 1}]}, {("/requests/0/id", "not-a-string")}),
        ({"requests": [NEW | {"id": "a"}] * 2}, {("/requests/1/id", "duplicate-id")}),
        (
            {"requests": [{"id": "a", "path": PATH, "body": {}}]},
            {("/requests/0/path", "nested-batch")},
        ),
        ({"requests": [{"id": "a", "path": route("new")}]}, {("/requests/0/body", "missing")}),
        ({"requests": [{"id": "a", "body": {}}]}, {("/requests/0/path", "missing")}),
        (
            {"requests": [NEW | {"id": "a", "path": "/" * 257}]},
            {("/requests/0/path", "wrong-length")},
        ),
        ({"requests": [NEW | {"id": "a", "more": 1}]}, {("/requests/0/more", "unknown-field")}),
        (
            {"requests": [3], "more": 1},
            {("/requests/0", "not-an-object"), ("/more", "unknown-field")},
        ),
    ],
)
def test_what_is_wrong_between_requests_is_wrong_with_the_batch(
    client: FlaskClient, body: Any, faults: set[tuple[str, str]]
) -> None:
    assert faults_of(problem_of(post(client, PATH, body), 422, body=body)) == faults


def test_a_name_given_twice_outside_of_the_bodies_is_the_batchs_fault(client: FlaskClient) -> None:
    text = (
        b'{"requests": [{"id": "a", "id": "b", "path": "/v1/nothing", "body": {"x": 1, "x": 2}}]}'
    )
    problem = problem_of(post(client, PATH, text), 422)
    assert faults_of(problem) == {("/requests/0/id", "duplicate-name")}


def test_there_are_64_requests_at_most(client: FlaskClient) -> None:
    def body(count: int) -> Any:
        return {"requests": [item(number, "new", EXAMPLES["new"]) for number in range(count)]}

    assert len(results_of(post(client, PATH, body(MAX_REQUESTS)))) == MAX_REQUESTS == 64
    refused = problem_of(post(client, PATH, body(MAX_REQUESTS + 1)), 422)
    assert faults_of(refused) == {("/requests", "wrong-length")}


def test_a_batch_has_512_kib_at_most(client: FlaskClient) -> None:
    text = json.dumps({"requests": [item(0, "new", EXAMPLES["new"])]}).encode()
    limit = 512 * 1024
    assert len(results_of(post(client, PATH, text.ljust(limit)))) == 1
    told = problem_of(post(client, PATH, text.ljust(limit + 1)), 413, "body-too-large")
    assert "512 KiB" in told["detail"]


def test_a_request_in_it_has_64_kib_at_most(client: FlaskClient) -> None:
    body = EXAMPLES["new"] | {"x": "y" * MAX_BODY_BYTES}
    large, well = sent(client, ("new", body), ("new", EXAMPLES["new"]))
    assert (large["status"], well["status"]) == (413, 200)
    assert "64 KiB" in large["body"]["detail"]


@pytest.mark.parametrize(("text", "status"), [(b"{", 400), (b"[" * 40 + b"]" * 40, 422)])
def test_a_batch_is_strict_json(client: FlaskClient, text: bytes, status: int) -> None:
    problem_of(post(client, PATH, text), status)


def test_a_batch_is_posted_as_json(client: FlaskClient) -> None:
    problem_of(client.get(PATH), 405)
    problem_of(client.post(PATH, data=b"{}", content_type="text/plain"), 415)


# Once, and at what cost -------------------------------------------------------------------------


def test_identical_requests_are_solved_once(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = []
    find = canonical.find

    def counting(*args: Any) -> Any:
        solved.append(args)
        return find(*args)

    monkeypatch.setattr(canonical, "find", counting)
    stopping = HINT | {"deadline_ms": 30_000}
    results = sent(client, *[("suggest", stopping)] * 5)
    assert len(solved) == 1
    assert all(result["body"] == results[0]["body"] for result in results)


def left_of(response: Any) -> int:
    _, left, _ = response.headers["RateLimit"].split(";")
    return int(left.removeprefix("r="))


def test_a_batch_costs_what_its_requests_cost() -> None:
    limited = app_of(quota_units=50, quota_window_s=100_000).test_client()
    requests = [item(number, "new", EXAMPLES["new"]) for number in range(20)]
    response = post(limited, PATH, {"requests": requests})
    assert left_of(response) == 30
    results_of(response)
    again = [one | {"id": one["id"] + " again"} for one in requests]
    response = post(limited, PATH, {"requests": requests + again})
    statuses = [result["status"] for result in results_of(response)]
    assert statuses == [200] * 30 + [429] * 10
    assert response.headers["Retry-After"]


def test_what_is_wrong_is_told_before_that_the_quota_is_spent() -> None:
    limited = app_of(quota_units=1, quota_window_s=100_000).test_client()
    answered, wrong = sent(limited, ("new", EXAMPLES["new"]), ("new", {}))
    assert (answered["status"], wrong["status"]) == (200, 422)


def test_a_batch_needs_a_key_as_its_requests_do() -> None:
    digest = "0" * 64
    keyed = app_of(api_keys=f"anna:{digest}").test_client()
    problem_of(post(keyed, PATH, {"requests": [item(0, "new", {})]}), 401, "key-missing")


def test_a_request_whose_turn_does_not_come_in_time_is_refused_politely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batches.blueprint, "__defaults__", (0.0,))
    client = app_of().test_client()
    [result] = sent(client, ("new", EXAMPLES["new"]))
    assert (result["status"], result["body"]["code"]) == (503, "overloaded")


def test_what_is_too_much_for_one_request_does_not_keep_the_others(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise Overloaded("queue-full")

    monkeypatch.setattr(canonical, "find", full)
    shed, well = sent(client, ("suggest", HINT), ("resolve", EXAMPLES["resolve"]))
    assert (shed["status"], well["status"]) == (503, 200)


def test_a_deadline_runs_from_when_the_requests_turn_comes(client: FlaskClient) -> None:
    hints = [HINT | {"deadline_ms": 5_000, "tier": tier} for tier in ("quick", "standard")]
    for result in sent(client, *(("suggest", hint) for hint in hints)):
        assert result["body"]["search"]["complete"]


def test_the_answer_is_json(client: FlaskClient) -> None:
    response = post(client, PATH, {"requests": [item(0, "new", {})]})
    assert response.headers["Content-Type"] == JSON
