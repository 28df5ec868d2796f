"""Streamed reviews: progress lines, then the result or a problem."""

from __future__ import annotations

import json
import socket
import time
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.api.connection import client_gone
from service.api.metrics import Metrics
from service.core.violations import ClientGone, OutOfTime, Overloaded
from service.games.registry import GAMES
from service.operations.solution_cache import Solutions
from tests.api.calls import JSON, client_of, post, problem_of, result_of, units_left
from tests.api.spec import response_of, validator_of
from tests.loops import for_each
from tests.rich_requests import RICH

LINES = "application/x-ndjson"
STREAM = {"Accept": LINES}
each_game = pytest.mark.parametrize("game", list(GAMES))


@pytest.fixture
def client() -> FlaskClient:
    return client_of()


def review_of(game: str) -> tuple[str, dict[str, Any]]:
    return f"/v1/games/{game}/review", json.loads(json.dumps(RICH[game]["review"]))


PATH, BODY = review_of("slopecrashers")


def lines_of(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == LINES
    *lines, end = response.data.split(b"\n")
    assert end == b""
    return [json.loads(line) for line in lines]


def stopped_after(solves: int, error: Exception, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Make each computation after a number of them fail; return the list of those done."""
    compute, done = Solutions._compute, []

    def stopping(*arguments: Any) -> Any:
        if len(done) >= solves:
            raise error
        done.append(arguments)
        return compute(*arguments)

    monkeypatch.setattr(Solutions, "_compute", stopping)
    return done


@each_game
def test_the_last_line_has_the_document_of_the_plain_response(
    client: FlaskClient, game: str
) -> None:
    path, body = review_of(game)
    streamed = post(client, path, body, headers=STREAM)
    *progress, last = lines_of(streamed)
    plain = post(client_of(), path, body)
    assert last == {"type": "result", "result": result_of(plain)}
    validator = validator_of(response_of(path, "post", 200)["content"][LINES]["schema"])
    for line in (*progress, last):
        validator.validate(line)
    assert plain.data in streamed.data
    assert {line["type"] for line in progress} == {"progress"}
    done = [line["progress"]["done"] for line in progress]
    assert done == sorted(done)
    assert done[0] == 0
    assert progress[-1]["progress"] == last["result"]["progress"]


def test_a_streamed_response_is_stored_like_a_plain_one(client: FlaskClient) -> None:
    first = post(client, PATH, BODY, headers=STREAM)
    [*_, last] = lines_of(first)
    assert first.headers["Cache-Status"] == "answers; fwd=miss"
    plain = post(client, PATH, BODY)
    assert plain.headers["Cache-Status"] == "answers; hit; detail=memory"
    again = post(client, PATH, BODY, headers=STREAM)
    assert again.headers["Cache-Status"] == "answers; hit; detail=memory"
    assert lines_of(again) == [last]


def test_a_stream_is_neither_cached_nor_buffered(client: FlaskClient) -> None:
    response = post(client, PATH, BODY, headers=STREAM)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Accept" in response.vary
    assert "Content-Length" not in response.headers


@for_each(
    "accept, media_type",
    [
        (None, JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (f"{JSON}, {LINES}", JSON),
        (f"{LINES}, {JSON};q=0.5", LINES),
        ("text/event-stream", JSON),
    ],
)
def test_only_a_client_that_prefers_lines_gets_them(
    client: FlaskClient, accept: str | None, media_type: str
) -> None:
    response = post(client, PATH, BODY, headers={"Accept": accept} if accept else {})
    assert response.headers["Content-Type"] == media_type
    assert "Accept" in response.vary


def test_other_routes_and_batches_do_not_stream(client: FlaskClient) -> None:
    for path, body in [
        ("new", {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c"}]}),
        ("/v1/batch", {"requests": [{"id": "a", "path": PATH, "body": BODY}]}),
    ]:
        result_of(post(client, path, body, headers=STREAM))


# Failures -------------------------------------------------------------------------------------


def test_a_problem_before_the_first_line_has_its_own_status(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem_of(post(client, PATH, b"{", headers=STREAM), 400, "not-json")
    problem_of(post(client, PATH, {}, headers=STREAM), 422, "invalid-body")
    surplus = BODY | {"turns": [[*BODY["turns"][0], {"type": "end"}]]}
    problem_of(post(client, PATH, surplus, headers=STREAM), 422, "invalid-body")
    limited = client_of(quota_units=1)
    lines_of(post(limited, PATH, BODY, headers=STREAM))
    problem_of(post(limited, PATH, BODY, headers=STREAM), 429, "quota-exceeded")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError("secret"), "internal-error"),
        (OutOfTime(), "deadline-too-short"),
        (Overloaded("queue-full"), "overloaded"),
    ],
)
def test_a_failure_after_the_first_line_is_a_problem_line(
    client: FlaskClient, error: Exception, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_after(0, error, monkeypatch)
    first, last = lines_of(post(client, PATH, BODY, headers=STREAM | {"X-Request-Id": "s-1"}))
    assert first["type"] == "progress"
    assert last["type"] == "problem"
    assert (last["problem"]["code"], last["problem"]["request_id"]) == (code, "s-1")
    assert "secret" not in json.dumps(last)


def test_a_stream_that_runs_out_of_time_ends_with_the_finished_part(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_after(2, OutOfTime(), monkeypatch)
    [*_, last] = lines_of(post(client, PATH, BODY, headers=STREAM))
    assert last["result"]["search"]["complete"] is False
    assert last["result"]["progress"]["done"] < last["result"]["progress"]["total"]
    monkeypatch.undo()
    again = post(client, PATH, BODY)
    assert "hit" not in again.headers["Cache-Status"].partition("answers")[2]
    assert result_of(again)["search"]["complete"] is True


# Clients that leave ---------------------------------------------------------------------------


def test_a_client_that_leaves_stops_the_work_and_is_charged_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(quota_units=10**6, quota_window_s=10**6)
    done = stopped_after(1000, OutOfTime(), monkeypatch)
    solve = Solutions.solve_turn

    def expensive(*arguments: Any) -> Any:
        burn_cpu()
        return solve(*arguments)

    monkeypatch.setattr(Solutions, "solve_turn", expensive)
    answered = []
    monkeypatch.setattr(Metrics, "answered", lambda _, *entry: answered.append(entry))
    before = units_left(post(client, "new", {}))
    response = post(client, PATH, BODY, headers=STREAM, buffered=False)
    lines = iter(response.response)
    next(lines)
    next(lines)
    solved = len(done)
    assert len(answered) == 1, "the stream is not over"
    response.close()
    assert len(done) == solved
    assert [entry[:3] for entry in answered[1:]] == [(PATH, "POST", 200)]
    assert units_left(post(client, "new", {})) < before - 20


def burn_cpu(milliseconds: float = 30.0) -> None:
    """Use CPU time on this thread."""
    end = time.thread_time() + milliseconds / 1000.0
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("error", [OutOfTime(), Overloaded("queue-full"), RuntimeError()], ids=repr)
def test_a_request_that_fails_is_charged_for_its_cpu_time(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        burn_cpu(50.0)
        raise error

    client = client_of(quota_units=10**6, quota_window_s=10**6)
    monkeypatch.setattr(Solutions, "_compute", fail)
    before = units_left(post(client, "new", {}))
    assert post(client, PATH, BODY).status_code != 200
    assert units_left(post(client, "new", {})) < before - 40


def test_a_plain_review_stops_if_the_client_has_left(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = stopped_after(1000, OutOfTime(), monkeypatch)
    monkeypatch.setattr("service.api.games.client_gone", lambda: lambda: len(done) >= 2)
    response = post(client, PATH, BODY)
    assert (response.status_code, response.data) == (499, b"")
    assert len(done) == 2


def test_a_stream_that_the_client_has_left_ends_without_a_problem(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_after(2, ClientGone(), monkeypatch)
    assert {line["type"] for line in lines_of(post(client, PATH, BODY, headers=STREAM))} == {
        "progress"
    }


def test_a_closed_connection_is_noticed(client: FlaskClient) -> None:
    ours, theirs = socket.socketpair()
    app: Flask = client.application
    with ours, app.test_request_context(environ_overrides={"gunicorn.socket": ours}):
        gone = client_gone()
        assert not gone()
        theirs.send(b"the next request")
        assert not gone()
        assert ours.recv(100) == b"the next request"
        theirs.close()
        assert gone()
    with app.test_request_context(environ_overrides={"gunicorn.socket": SimpleNamespace()}):
        assert not client_gone()()
