"""Answers that are kept: the same bytes as fresh ones, and headers that tell where they were."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from service.core.violations import OutOfTime, Overloaded
from service.solver import canonical
from tests.api.calls import EXAMPLES, VERBS, answer_of, post, problem_of

PATIENCE_S = 20
HINT = {name: EXAMPLES["suggest"][name] for name in ("state", "player")}
MISSED = "answers; fwd=miss; stored"


def client_of(**config: Any) -> FlaskClient:
    return create_app(Config(log_level="CRITICAL", **config)).test_client()


@pytest.fixture
def client() -> FlaskClient:
    """Of a service that was asked nothing before."""
    return client_of()


def status_of(response: Any) -> str:
    assert response.status_code == 200, response.get_data(as_text=True)
    found: str = response.headers["Cache-Status"]
    return found


# Where an answer was ----------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_the_same_body_is_answered_with_the_same_bytes_from_memory(
    client: FlaskClient, verb: str
) -> None:
    first, again = (post(client, verb, EXAMPLES[verb]) for _ in range(2))
    assert status_of(first).endswith(MISSED)
    assert status_of(again) == "answers; hit; detail=memory"
    assert first.data == again.data


def test_the_solve_is_told_before_the_answer(client: FlaskClient) -> None:
    players = [seat["seat"] for seat in HINT["state"]["seats"]]
    told = [status_of(post(client, "suggest", HINT | {"player": name})) for name in players[:2]]
    assert told == [
        f"solves; fwd=miss; stored, {MISSED}",
        f"solves; hit; detail=memory, {MISSED}",
    ]


def test_bodies_that_differ_in_a_space_are_two_answers_of_one_solve(client: FlaskClient) -> None:
    first = post(client, "suggest", HINT)
    again = post(client, "suggest", json.dumps(HINT).encode() + b" ")
    assert status_of(again) == f"solves; hit; detail=memory, {MISSED}"
    assert again.data == first.data


def test_the_same_body_to_another_verb_is_another_question(client: FlaskClient) -> None:
    body = {"state": EXAMPLES["legal-moves"]["state"]}
    post(client, "legal-moves", body)
    problem_of(post(client, "resolve", body), 422, body=body)


def test_problems_are_not_kept_and_tell_of_no_cache(client: FlaskClient) -> None:
    for _ in range(2):
        response = post(client, "new", {"seats": []})
        problem_of(response, 422)
        assert "Cache-Status" not in response.headers


def test_an_answer_that_was_stopped_early_is_not_kept(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = canonical.find

    def stopped(game: Any, asked: Any, stop_at: float | None = None) -> Any:
        return replace(find(game, asked, stop_at), complete=False)

    monkeypatch.setattr(canonical, "find", stopped)
    told = [status_of(post(client, "suggest", HINT)) for _ in range(2)]
    assert told == ["solves; fwd=miss, answers; fwd=miss"] * 2


def test_a_review_that_was_stopped_early_is_not_kept_and_goes_on_from_where_it_was(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, made = canonical.find, []

    def stopped(game: Any, asked: Any, stop_at: float | None = None) -> Any:
        made.append(canonical.key(game, asked))
        if len(made) % 10 == 0:
            raise OutOfTime
        return find(game, asked, stop_at)

    monkeypatch.setattr(canonical, "find", stopped)
    told, parts = [], []
    while not parts or not parts[-1]["search"]["complete"]:
        response = post(client, "review", EXAMPLES["review"])
        told.append(status_of(response))
        parts.append(response.json)
    assert set(told[:-1]) == {"solves; fwd=miss, answers; fwd=miss"}
    assert told[-1] == f"solves; fwd=miss; stored, {MISSED}"
    assert len(made) == len(set(made)) + len(parts) - 1, "only what was stopped is made again"
    monkeypatch.undo()
    fresh = answer_of(post(client_of(), "review", EXAMPLES["review"]))
    assert parts[-1] == fresh
    for part in parts[:-1]:
        assert part["decisions"] == fresh["decisions"][: part["search"]["judged"]]
        assert part["rounds"] == []


def test_every_answer_says_how_long_it_took(client: FlaskClient) -> None:
    for response in (post(client, "new", EXAMPLES["new"]), post(client, "new", {})):
        name, _, duration = response.headers["Server-Timing"].partition(";dur=")
        assert name == "total"
        assert 0.0 < float(duration) < 60_000.0


# Too much at once -------------------------------------------------------------------------------


def test_hits_health_and_problems_are_served_while_the_slot_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = create_app(Config(log_level="CRITICAL", solve_queue=0))
    post(app.test_client(), "suggest", HINT)
    release, busy = Event(), Event()
    find = canonical.find

    def slow(game: Any, asked: Any, stop_at: float | None = None) -> Any:
        busy.set()
        release.wait(PATIENCE_S)
        return find(game, asked, stop_at)

    monkeypatch.setattr(canonical, "find", slow)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(post, app.test_client(), "suggest", HINT | {"tier": "quick"})
        assert busy.wait(PATIENCE_S)
        client = app.test_client()
        try:
            assert status_of(post(client, "suggest", HINT)) == "answers; hit; detail=memory"
            assert client.get("/healthz").status_code == 200
            problem_of(post(client, "suggest", {}), 422)
            answer_of(post(client, "resolve", EXAMPLES["resolve"]))
            refused = post(client, "suggest", HINT | {"depth": 2})
            problem_of(refused, 503, "overloaded")
        finally:
            release.set()
        assert other.result(timeout=PATIENCE_S).status_code == 200


def test_those_who_are_refused_together_are_not_sent_back_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(solve_queue=0)

    def full(*_: Any) -> None:
        raise Overloaded("queue-full")

    monkeypatch.setattr(canonical, "find", full)
    told = {post(client, "suggest", HINT).headers["Retry-After"] for _ in range(60)}
    assert len(told) > 1


# Quotas -----------------------------------------------------------------------------------------

LIMITED = {"quota_units": 50, "quota_window_s": 1_000}


def fields_of(response: Any) -> dict[str, int]:
    """The parameters of RateLimit."""
    name, *told = response.headers["RateLimit"].split(";")
    assert name == '"compute"'
    return {key: int(number) for key, number in (each.split("=") for each in told)}


def test_a_request_costs_a_unit_whether_it_is_a_hit_or_wrong() -> None:
    client = client_of(**LIMITED)
    for left in (49, 48):
        response = post(client, "new", EXAMPLES["new"])
        assert response.headers["RateLimit-Policy"] == '"compute";q=50;w=1000'
        assert fields_of(response)["r"] == left
    wrong = post(client, "new", {})
    problem_of(wrong, 422)
    assert fields_of(wrong)["r"] == 47


def test_a_solve_costs_what_it_takes_and_a_kept_one_nothing() -> None:
    client = client_of(quota_units=1_000_000, quota_window_s=1_000)
    deep = HINT | {"tier": "quick"}
    post(client, "suggest", deep)
    after = fields_of(post(client, "new", EXAMPLES["new"]))["r"]
    assert after < 999_998
    again = fields_of(post(client, "suggest", deep))["r"]
    assert after - 1 <= again <= after + 2_000


def test_a_review_costs_what_its_solves_take() -> None:
    client = client_of(quota_units=1_000_000, quota_window_s=100_000)
    post(client, "review", EXAMPLES["review"])
    first = fields_of(post(client, "new", EXAMPLES["new"]))["r"]
    assert first < 999_990
    post(client, "review", EXAMPLES["review"] | {"deadline_ms": 30_000})
    again = fields_of(post(client, "new", EXAMPLES["new"]))["r"]
    assert first - 2 <= again <= first + 200


def test_who_spent_all_is_told_when_to_come_back() -> None:
    client = client_of(**LIMITED)
    for _ in range(50):
        answer_of(post(client, "new", EXAMPLES["new"]))
    for verb in VERBS:
        response = post(client, verb, EXAMPLES[verb])
        problem_of(response, 429, "quota-exceeded")
        assert fields_of(response)["r"] == 0
        assert 1 <= int(response.headers["Retry-After"]) <= 20


def test_what_is_wrong_with_a_body_is_told_before_that_the_quota_is_spent() -> None:
    client = client_of(**LIMITED)
    for _ in range(50):
        post(client, "new", EXAMPLES["new"])
    problem_of(post(client, "suggest", {}), 422)
    problem_of(post(client, "suggest", b"{"), 400, "not-json")


def test_each_address_has_its_own_quota_and_a_network_of_ipv6_one() -> None:
    client = client_of(**LIMITED)

    def left(address: str) -> int:
        response = post(client, "new", EXAMPLES["new"], environ_base={"REMOTE_ADDR": address})
        return fields_of(response)["r"]

    assert [left("192.0.2.1"), left("192.0.2.1"), left("192.0.2.2")] == [49, 48, 49]
    assert [left("2001:db8::1"), left("2001:db8::ffff:0:0:2")] == [49, 48]
    assert left("2001:db8:0:1::1") == 49
    assert left("::ffff:192.0.2.1") == 47


def test_without_a_quota_nothing_is_told_of_it(client: FlaskClient) -> None:
    headers = post(client, "new", EXAMPLES["new"]).headers
    assert not {"RateLimit", "RateLimit-Policy"} & set(headers.keys())


def test_health_costs_nothing() -> None:
    client = client_of(quota_units=1, quota_window_s=1_000)
    for _ in range(5):
        assert client.get("/healthz").status_code == 200
        assert client.get("/v1/version").status_code == 200
