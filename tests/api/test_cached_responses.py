"""Cached responses: byte-identical to fresh ones, with Cache-Status headers; and quotas."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from threading import Event
from typing import Any

import pytest
import redis
from flask.testing import FlaskClient

from service.api import problems
from service.app import create_app
from service.cache.signing import seal
from service.config import Config
from service.core.violations import OutOfTime, Overloaded
from service.solver import canonical
from tests.api.calls import (
    ENDPOINTS,
    EXAMPLES,
    HINT,
    client_of,
    post,
    problem_of,
    rate_limit_of,
    result_of,
    units_left,
)
from tests.loops import for_each
from tests.patience import PATIENCE_S

MISS = "answers; fwd=miss; stored"


@pytest.fixture
def client() -> FlaskClient:
    """A client of a service with empty caches."""
    return client_of()


def cache_status(response: Any) -> str:
    assert response.status_code == 200, response.get_data(as_text=True)
    header: str = response.headers["Cache-Status"]
    return header


# Hits and misses --------------------------------------------------------------------------------


@for_each("endpoint", ENDPOINTS)
def test_a_repeated_body_gets_the_same_bytes_from_memory(
    client: FlaskClient, endpoint: str
) -> None:
    first, again = (post(client, endpoint, EXAMPLES[endpoint]) for _ in range(2))
    assert cache_status(first).endswith(MISS)
    assert cache_status(again) == "answers; hit; detail=memory"
    assert first.data == again.data


def test_the_solution_cache_is_listed_before_the_response_cache(client: FlaskClient) -> None:
    players = [seat["seat"] for seat in HINT["state"]["seats"]]
    statuses = [
        cache_status(post(client, "suggest", HINT | {"player": name})) for name in players[:2]
    ]
    assert statuses == [f"solves; fwd=miss; stored, {MISS}", f"solves; hit; detail=memory, {MISS}"]


def test_bodies_that_differ_in_white_space_share_one_solution(client: FlaskClient) -> None:
    first = post(client, "suggest", HINT)
    again = post(client, "suggest", json.dumps(HINT).encode() + b" ")
    assert cache_status(again) == f"solves; hit; detail=memory, {MISS}"
    assert again.data == first.data


def test_the_same_body_at_another_endpoint_is_a_cache_miss(client: FlaskClient) -> None:
    body = {"state": EXAMPLES["legal-moves"]["state"]}
    post(client, "legal-moves", body)
    problem_of(post(client, "resolve", body), 422, body=body)


def test_problems_are_not_cached_and_have_no_cache_status(client: FlaskClient) -> None:
    for _ in range(2):
        response = post(client, "new", {"seats": []})
        problem_of(response, 422)
        assert "Cache-Status" not in response.headers


def test_an_incomplete_hint_is_not_cached(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = canonical.solve

    def stopped(game: Any, question: Any, stop_at: float | None = None) -> Any:
        return replace(solve(game, question, stop_at), complete=False)

    monkeypatch.setattr(canonical, "solve", stopped)
    statuses = [cache_status(post(client, "suggest", HINT)) for _ in range(2)]
    assert statuses == ["solves; fwd=miss, answers; fwd=miss"] * 2


def test_an_incomplete_review_is_not_cached_and_continues_where_it_stopped(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve, solved_keys = canonical.solve, []

    def stopped(game: Any, question: Any, stop_at: float | None = None) -> Any:
        solved_keys.append(canonical.cache_key(game, question))
        if len(solved_keys) % 10 == 0:
            raise OutOfTime
        return solve(game, question, stop_at)

    monkeypatch.setattr(canonical, "solve", stopped)
    parts: list[Any] = []
    while not parts or not parts[-1]["search"]["complete"]:
        response = post(client, "review", EXAMPLES["review"])
        parts.append(result_of(response))
        stored = "; stored" if parts[-1]["search"]["complete"] else ""
        assert cache_status(response) == f"solves; fwd=miss{stored}, answers; fwd=miss{stored}"
    repeated = len(solved_keys) - len(set(solved_keys))
    assert repeated == len(parts) - 1, "only the interrupted solutions are repeated"
    monkeypatch.undo()
    assert parts[-1] == result_of(post(client_of(), "review", EXAMPLES["review"]))
    for name, part in product(("decisions", "rounds"), parts):
        assert part[name] == parts[-1][name][: len(part[name])]


@pytest.mark.parametrize("planted", [b"<script>", b"", b"[1]", b"[" * 9_999, b'{"a": NaN}'])
def test_a_signed_value_that_is_no_document_is_a_miss(redis_url: str, planted: bytes) -> None:
    client = client_of(redis_url=redis_url, cache_key="k", cache_mib=0)
    first = post(client, "suggest", HINT)
    admin = redis.Redis.from_url(redis_url, socket_timeout=PATIENCE_S)
    while not (names := admin.keys("winter-games:v:*")):  # Written after the answer.
        time.sleep(0.001)
    for name in names:
        key = bytes.fromhex(name.decode().rpartition(":")[2])
        admin.set(name, seal(key, planted, b"k"))
    again = post(client, "suggest", HINT)
    assert (again.status_code, again.data) == (200, first.data)
    assert "hit" not in again.headers["Cache-Status"]


def test_every_response_states_its_duration(client: FlaskClient) -> None:
    for response in (post(client, "new", EXAMPLES["new"]), post(client, "new", {})):
        name, _, duration = response.headers["Server-Timing"].partition(";dur=")
        assert name == "total"
        assert 0.0 < float(duration) < 60_000.0


# Overload ---------------------------------------------------------------------------------------


def test_cache_hits_health_and_problems_are_served_while_the_solver_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = create_app(Config(log_level="CRITICAL", solve_queue=0))
    post(app.test_client(), "suggest", HINT)
    release, busy = Event(), Event()
    solve = canonical.solve

    def slow(game: Any, question: Any, stop_at: float | None = None) -> Any:
        busy.set()
        release.wait(PATIENCE_S)
        return solve(game, question, stop_at)

    monkeypatch.setattr(canonical, "solve", slow)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(post, app.test_client(), "suggest", HINT | {"effort": "quick"})
        assert busy.wait(PATIENCE_S)
        client = app.test_client()
        try:
            assert cache_status(post(client, "suggest", HINT)) == "answers; hit; detail=memory"
            assert client.get("/healthz").status_code == 200
            problem_of(post(client, "resolve", {}), 422)
            result_of(post(client, "resolve", EXAMPLES["resolve"]))
            refused = post(client, "suggest", HINT | {"depth": 2})
            problem_of(refused, 503, "overloaded")
            # Refused before the body is parsed.
            problem_of(post(client, "suggest", {}), 503, "overloaded")
        finally:
            release.set()
        assert other.result(timeout=PATIENCE_S).status_code == 200


def test_clients_refused_together_get_different_retry_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(solve_queue=0)

    def full(*_: Any) -> None:
        raise Overloaded("queue-full")

    monkeypatch.setattr(canonical, "solve", full)
    retry_times = {post(client, "suggest", HINT).headers["Retry-After"] for _ in range(60)}
    assert len(retry_times) > 1


# Quotas -----------------------------------------------------------------------------------------

LIMITED = {"quota_units": 50, "quota_window_s": 1_000}


@pytest.mark.usefixtures("uncharged_time")
def test_every_request_costs_one_unit_even_a_cache_hit_or_an_invalid_one() -> None:
    client = client_of(**LIMITED)
    for remaining in (49, 48):
        response = post(client, "new", EXAMPLES["new"])
        assert response.headers["RateLimit-Policy"] == '"compute";q=50;w=1000'
        assert units_left(response) == remaining
    wrong = post(client, "new", {})
    problem_of(wrong, 422)
    assert units_left(wrong) == 47


def test_a_response_states_the_cost_of_its_solution_and_a_cached_one_costs_nothing() -> None:
    client = client_of(quota_units=1_000_000, quota_window_s=1_000_000)
    # Five full hands: much more work than a request includes.
    new = post(client, "new", {"seats": [{"seat": seat} for seat in "abcde"]})
    hint = {"state": result_of(new)["state"], "player": "a"}
    stated = units_left(post(client, "suggest", hint))
    # Paying back takes a second a unit, so that time changes little.
    assert stated < units_left(new) - 10
    after = units_left(post(client, "new", EXAMPLES["new"]))
    assert abs(stated - 1 - after) <= 10
    again = units_left(post(client, "suggest", hint))
    assert after - 1 <= again <= after + 10


def test_a_review_costs_the_work_of_its_solutions() -> None:
    client = client_of(quota_units=1_000_000, quota_window_s=100_000)
    post(client, "review", EXAMPLES["review"])
    first = units_left(post(client, "new", EXAMPLES["new"]))
    assert first < 999_990
    post(client, "review", EXAMPLES["review"] | {"deadline_ms": 30_000})
    again = units_left(post(client, "new", EXAMPLES["new"]))
    assert 1_000_000 - first > 2 * (first - again)


@pytest.mark.usefixtures("uncharged_time")
def test_a_client_over_its_quota_gets_a_429_with_retry_after_for_a_legal_body() -> None:
    client = client_of(**LIMITED)
    for _ in range(50):
        result_of(post(client, "new", EXAMPLES["new"]))
    for endpoint in ENDPOINTS:
        response = post(client, endpoint, EXAMPLES[endpoint])
        problem_of(response, 429, "quota-exceeded")
        retry_s = int(response.headers["Retry-After"])
        assert 1 <= retry_s <= LIMITED["quota_window_s"]
        assert rate_limit_of(response) == {"r": 0, "t": retry_s}
    # An invalid body is reported first.
    problem_of(post(client, "suggest", {}), 422)
    problem_of(post(client, "suggest", b"{"), 400, "not-json")


@pytest.mark.usefixtures("uncharged_time")
def test_the_quota_is_per_ipv4_address_and_per_ipv6_network() -> None:
    client = client_of(**LIMITED)

    def remaining(address: str) -> int:
        response = post(client, "new", EXAMPLES["new"], environ_base={"REMOTE_ADDR": address})
        return units_left(response)

    assert [remaining("192.0.2.1"), remaining("192.0.2.1"), remaining("192.0.2.2")] == [49, 48, 49]
    assert [remaining("2001:db8::1"), remaining("2001:db8::ffff:0:0:2")] == [49, 48]
    assert remaining("2001:db8:0:1::1") == 49
    assert remaining("::ffff:192.0.2.1") == 47
    # Some proxies add the port of the connection.
    assert [remaining("192.0.2.1:1234"), remaining("192.0.2.1:1235")] == [46, 45]
    assert [remaining("[2001:db8::1]:1234"), remaining("[2001:db8::2]")] == [47, 46]


def test_without_a_quota_there_are_no_rate_limit_headers(client: FlaskClient) -> None:
    headers = post(client, "new", EXAMPLES["new"]).headers
    assert not {"RateLimit", "RateLimit-Policy"} & set(headers.keys())


def test_health_costs_nothing() -> None:
    client = client_of(quota_units=1, quota_window_s=1_000)
    for _ in range(5):
        assert client.get("/healthz").status_code == 200
        assert client.get("/v1/version").status_code == 200


@for_each(
    "reason, detail",
    [
        ("queue-full", "The service is overloaded; try again after Retry-After."),
        (
            "compiling",
            "After its first start, the service still compiles what this request needs (ready: "
            "hints of Snow Time within a minute, everything within five minutes); try again after "
            "Retry-After.",
        ),
    ],
)
def test_a_refusal_states_its_true_cause(reason: str, detail: str):
    document, headers = problems.problem_of(Overloaded(reason), "id")
    assert (document["status"], document["code"]) == (503, "overloaded")
    assert document["detail"] == detail
    assert int(headers["Retry-After"]) > 0
