"""What HTTP decides before a body is read: paths, methods, sizes, media types, request ids."""

from __future__ import annotations

import gzip
import io
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import (
    EXAMPLES,
    JSON,
    VERBS,
    answer_of,
    faults_of,
    post,
    problem_of,
    put,
    route,
)
from tests.api.snow_time_bodies import STATE, UNIFORM
from tests.loops import for_each

LIMIT = 64 * 1024
READINGS = (
    "/v1/games",
    "/v1/games/snow-time",
    "/v1/version",
    "/healthz",
    "/readyz",
    "/openapi.yaml",
    "/docs/",
)
TOO_LARGE = b"{" * (LIMIT + 1)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO", "HEAD", "OPTIONS")


def padded(verb: str, size: int) -> bytes:
    text = json.dumps(EXAMPLES[verb]).encode()
    return text + b" " * (size - len(text))


# Paths and methods ----------------------------------------------------------------------------

NOWHERE = (
    "/nowhere",
    "/v1",
    "/v1/",
    "/v1/games/",
    "/v1/games/chess",
    "/v1/games/snow-time/",
    "/v1/games/snow-time/new/",
    "/v1/games/snow-time/NEW",
    "/v1/games/snow-time/legal_moves",
    "/v1/games/chess/new",
    "/v2/games",
    "/healthz/",
    "/openapi.json",
    "/docs/nowhere.js",
    "/docs/../service/app.py",
    "/docs/..%2f..%2fapp.py",
    "/docs/%2e%2e/%2e%2e/etc/passwd",
    "/docs/a%00b",
    "/static/x",
    "/%ff%fe",
    "/%00",
    "/\u96ea",
    "/a" * 900,
)


@for_each("path", NOWHERE)
def test_an_unknown_path_is_a_404_problem(client: FlaskClient, path: str) -> None:
    problem_of(client.get(path), 404, "not-found")


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_path_is_a_404_whatever_the_method(client: FlaskClient, method: str) -> None:
    response = client.open("/v1/games/snow-time/nowhere", method=method)

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("method", [method for method in METHODS if method not in ("POST",)])
@for_each("verb", VERBS)
def test_a_verb_is_posted_and_nothing_else(client: FlaskClient, verb: str, method: str) -> None:
    response = client.open(route(verb), method=method, json=EXAMPLES[verb])

    assert {name.strip() for name in response.headers["Allow"].split(",")} == {"OPTIONS", "POST"}
    if method == "OPTIONS":
        assert response.status_code in (200, 204)
        assert response.data == b""
    elif method == "HEAD":
        assert (response.status_code, response.data) == (405, b"")
    else:
        problem_of(response, 405, "method-not-allowed")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO"])
@for_each("path", READINGS)
def test_a_reading_is_only_read(client: FlaskClient, path: str, method: str) -> None:
    response = client.open(path, method=method, json={})

    problem_of(response, 405, "method-not-allowed")
    allowed = {name.strip() for name in response.headers["Allow"].split(",")}
    assert allowed == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize("path", READINGS)
def test_head_tells_the_same_as_get_without_the_body(client: FlaskClient, path: str) -> None:
    read, head = client.get(path), client.head(path)

    assert (read.status_code, head.status_code, head.data) == (200, 200, b"")
    for name in ("Content-Type", "Content-Length"):
        assert read.headers[name] == head.headers[name]


def test_a_query_and_a_body_of_a_reading_change_nothing(client: FlaskClient) -> None:
    plain = client.get("/v1/games")

    told = client.get("/v1/games?verbose=%ff&a[]=1", data=TOO_LARGE, content_type="text/plain")

    assert (told.status_code, told.data) == (200, plain.data)


# Media types ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "media",
    [
        "application/json",
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        'application/json; charset="utf-8"',
        "Application/JSON",
        "application/json ; charset=utf-8",
    ],
)
@for_each("verb", VERBS)
def test_json_in_utf_8_is_read(client: FlaskClient, verb: str, media: str) -> None:
    assert answer_of(post(client, verb, EXAMPLES[verb], media=media))


@pytest.mark.parametrize(
    "media",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/json;charset=latin-1",
        "application/json; charset=utf-16",
        "application/json; charset=iso-8859-1",
        "application/vnd.winter-games+json",
        "application/problem+json",
        "application/json-patch+json",
        "application/jsonl",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/xml",
        "application/*",
        "*/*",
        "json",
        "application/json, text/plain",
        "\x00",
        "application/" + "j" * 5000,
    ],
    ids=lambda media: ascii(media)[:40],
)
@for_each("verb", VERBS)
def test_any_other_media_type_is_a_415(client: FlaskClient, verb: str, media: str | None) -> None:
    problem_of(post(client, verb, EXAMPLES[verb], media=media), 415, "unsupported-media-type")


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "deflate", "br", "zstd", "gzip, identity", "x"])
@for_each("verb", VERBS)
def test_a_compressed_body_is_a_415(client: FlaskClient, verb: str, coding: str) -> None:
    text = gzip.compress(json.dumps(EXAMPLES[verb]).encode())

    response = post(client, verb, text, headers={"Content-Encoding": coding})

    problem_of(response, 415, "unsupported-media-type")


def test_a_body_only_said_to_be_compressed_is_a_415_too(client: FlaskClient) -> None:
    response = post(client, "new", EXAMPLES["new"], headers={"Content-Encoding": "gzip"})

    problem_of(response, 415, "unsupported-media-type")


@pytest.mark.parametrize("accept", ["application/json", "*/*", "text/html", "image/png", "", "x"])
def test_answers_are_json_whatever_is_accepted(client: FlaskClient, accept: str) -> None:
    headers = {"Accept": accept, "Accept-Encoding": "gzip, br", "Accept-Charset": "latin-1"}

    good = post(client, "new", EXAMPLES["new"], headers=headers)
    bad = post(client, "new", {}, headers=headers)

    assert good.data == post(client, "new", EXAMPLES["new"]).data
    assert faults_of(problem_of(bad, 422, "invalid-body")) == {("/seats", "missing")}


# Sizes ----------------------------------------------------------------------------------------


@for_each("verb", VERBS)
def test_a_body_may_have_64_kib_and_not_a_byte_more(client: FlaskClient, verb: str) -> None:
    fits = post(client, verb, padded(verb, LIMIT))
    too_large = post(client, verb, padded(verb, LIMIT + 1))

    assert answer_of(fits) == answer_of(post(client, verb, EXAMPLES[verb]))
    problem_of(too_large, 413, "body-too-large")


def streamed(client: FlaskClient, verb: str, text: bytes) -> Any:
    """Posts as a server hands over a chunked body: of no known length, with an end."""
    return client.post(
        route(verb),
        input_stream=io.BytesIO(text),
        content_type=JSON,
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )


@for_each("verb", VERBS)
def test_a_body_of_unknown_length_has_the_same_limit(client: FlaskClient, verb: str) -> None:
    fits = streamed(client, verb, padded(verb, LIMIT))
    too_large = streamed(client, verb, padded(verb, LIMIT + 1))

    assert answer_of(fits) == answer_of(post(client, verb, EXAMPLES[verb]))
    problem_of(too_large, 413, "body-too-large")


@pytest.mark.parametrize("size", [LIMIT + 1, LIMIT + 2, 2 * LIMIT, 10 * LIMIT])
def test_a_stream_is_never_cut_to_what_fits(client: FlaskClient, size: int) -> None:
    response = streamed(client, "new", padded("new", LIMIT) + b"x" * (size - LIMIT))

    problem_of(response, 413, "body-too-large")


# What comes first -----------------------------------------------------------------------------


def test_404_comes_before_everything(client: FlaskClient) -> None:
    response = client.delete("/v1/games/snow-time/x", data=TOO_LARGE, content_type="text/plain")

    problem_of(response, 404, "not-found")


def test_405_comes_before_413_and_415_and_400(client: FlaskClient) -> None:
    response = client.put(route("new"), data=TOO_LARGE, content_type="text/plain")

    problem_of(response, 405, "method-not-allowed")


@pytest.mark.parametrize("media", [None, "text/plain", "application/json;charset=latin-1", JSON])
def test_413_comes_before_415_and_400(client: FlaskClient, media: str | None) -> None:
    headers = {"Content-Encoding": "gzip"}
    response = client.post(route("new"), data=TOO_LARGE, content_type=media, headers=headers)

    problem_of(response, 413, "body-too-large")


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"{}", b'{"a": 1, "a": 1}'])
def test_415_comes_before_400_and_422(client: FlaskClient, text: bytes) -> None:
    for media, coding in (
        (None, ""),
        ("text/plain", ""),
        (JSON, "gzip"),
        (JSON + ";charset=x", ""),
    ):
        headers = {"Content-Encoding": coding} if coding else {}
        response = client.post(route("new"), data=text, content_type=media, headers=headers)
        problem_of(response, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "text",
    [
        b'{"a": 1, "a": 2',
        b'{"a": 1, "a": 2} x',
        b'{"seats": "\\ud800", "b": NaN}',
        b'{"seats": 5.5, "x": [1,]}',
        b'{"seats": "\\ud800"}\xff',
    ],
)
def test_400_comes_before_422(client: FlaskClient, text: bytes) -> None:
    problem_of(post(client, "new", text), 400, "not-json")


# Request ids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", ["a", "demo-1", "A.b_c-D.0", "9" * 64])
def test_a_sound_request_id_comes_back_everywhere(client: FlaskClient, sent: str) -> None:
    headers = {"X-Request-Id": sent}

    answers = [
        client.get("/healthz", headers=headers),
        client.get("/nowhere", headers=headers),
        client.get(route("new"), headers=headers),
        post(client, "new", EXAMPLES["new"], headers=headers),
        post(client, "new", b"{", headers=headers),
        post(client, "new", {}, headers=headers),
    ]

    assert [response.headers.getlist("X-Request-Id") for response in answers] == [[sent]] * 6
    told = [json.loads(response.data).get("request_id") for response in answers]
    assert told == [None, sent, sent, None, sent, sent]


@pytest.mark.parametrize(
    "sent", [None, "", " ", "a b", "a\tb", "9" * 65, "a/b", "<b>", "\xe9", "a,b"]
)
def test_any_other_request_id_is_replaced(client: FlaskClient, sent: str | None) -> None:
    headers = {} if sent is None else {"X-Request-Id": sent}

    told = [client.get("/healthz", headers=headers).headers["X-Request-Id"] for _ in range(2)]

    assert all(re.fullmatch("[A-Za-z0-9._-]{1,64}", made) for made in told)
    assert len({*told, sent}) == 3


def test_the_request_id_is_no_part_of_an_answer(client: FlaskClient) -> None:
    told = {
        post(client, "resolve", EXAMPLES["resolve"], headers={"X-Request-Id": f"id-{index}"}).data
        for index in range(3)
    }

    assert len(told) == 1


# When the service itself fails ----------------------------------------------------------------


def test_a_fault_of_the_service_is_a_500_without_internals(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the secret of /srv/key.pem")

    monkeypatch.setattr("service.api.responses.parse", fail)

    # Nobody has asked this before.
    response = post(client, "new", {"seats": [{"seat": name} for name in ("x9", "y9", "z9")]})

    problem_of(response, 500, "internal-error")
    assert b"secret" not in response.data
    assert b"RuntimeError" not in response.data


def test_a_deadline_that_passed_too_soon_is_a_503(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = SimpleNamespace(monotonic=lambda: 1e18)
    monkeypatch.setattr("service.solver.budget.time", late)
    body = {"state": STATE, "player": "green", "opponents": UNIFORM, "tier": "quick"}

    response = post(client, "suggest", put(body, ("deadline_ms",), 30_000))
    problem_of(response, 503, "deadline-passed")
    assert answer_of(post(client, "suggest", body))["search"]["complete"] is True
    # What was solved before is told however late it is.
    assert answer_of(post(client, "suggest", put(body, ("deadline_ms",), 30_000)))
