"""HTTP checks before the body is parsed: paths, methods, media types, sizes, request IDs."""

from __future__ import annotations

import gzip
import io
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.api.problems import WHERE_TO_LOOK
from service.operations import batch
from tests.api.calls import (
    ENDPOINTS,
    EXAMPLE_BY_PATH,
    EXAMPLES,
    JSON,
    post,
    problem_of,
    put,
    result_of,
    route,
    violations_of,
)
from tests.api.snow_time_bodies import STATE, UNIFORM
from tests.api.spec import operations
from tests.loops import for_each

LIMIT = 128 * 1024
READ_ONLY_PATHS = (
    *(path for path, method, _ in operations() if method == "get"),
    *("/", "/playground/main.js", "/docs/", "/docs/guide", "/docs/style.css", "/docs/api/"),
)
BODIES = EXAMPLE_BY_PATH | {batch.PATH: {"requests": []}}
"""A body for each path that accepts only POST."""
TOO_LARGE = b"{" * (LIMIT + 1)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO", "HEAD", "OPTIONS")


def padded(endpoint: str, size: int) -> bytes:
    text = json.dumps(EXAMPLES[endpoint]).encode()
    return text + b" " * (size - len(text))


# Paths and methods ----------------------------------------------------------------------------

UNKNOWN_PATHS = (
    *("/nowhere", "/v1", "/v1/", "/v1/games/chess", "/v1/games/chess/new", "/v2/games"),
    *("/openapi.toml", "/docs/nowhere.js", "/static/x", "/v1/nowhere?a=1"),
    *("/docs/../service/app.py", "/docs/..%2f..%2fapp.py", "/docs/%2e%2e/%2e%2e/etc/passwd"),
    *("/docs/a%00b", "/%ff%fe", "/%00", "/\u96ea", "/a" * 900, "/" + "a" * 5000),
)

MEANT = {
    "/v1/games/": "/v1/games",
    "/v1//games": "/v1/games",
    "/v1/games/snow-time/": "/v1/games/snow-time",
    "/v1/games/snow-time/NEW": "/v1/games/snow-time/new",
    "/v1/games/snow-time/new/": "/v1/games/snow-time/new",
    "/v1/games/snow-time/legal_moves": "/v1/games/snow-time/legal-moves",
    "/v1/games/snowtime/suggest": "/v1/games/snow-time/suggest",
    "/games/snow-time/suggest": "/v1/games/snow-time/suggest",
    "/v1/games/snow-time/suggest/": "/v1/games/snow-time/suggest",
    "/healthz/": "/healthz",
    "/docs//": "/docs",
}
"""The route that a path probably means: a slash, a hyphen or the version is wrong."""


@for_each("path", [*UNKNOWN_PATHS, *MEANT])
def test_an_unknown_path_is_a_404_problem(client: FlaskClient, path: str) -> None:
    # The client would take a path with two slashes for another host.
    detail = problem_of(client.get("http://localhost" + path), 404, "not-found")["detail"]

    assert detail.startswith("No route ")
    assert detail.endswith(f". Did you mean {MEANT[path]}?" if path in MEANT else WHERE_TO_LOOK)
    # Only the start of a long path is repeated.
    assert len(detail) < 900


@for_each("method", METHODS)
def test_an_unknown_path_is_a_404_for_every_method(client: FlaskClient, method: str) -> None:
    response = client.open("/v1/games/snow-time/nowhere", method=method)

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/problem+json"


@for_each("method", [method for method in METHODS if method != "POST"])
@for_each("path", BODIES)
def test_an_endpoint_accepts_only_post(client: FlaskClient, path: str, method: str) -> None:
    response = client.open(path, method=method, json=BODIES[path])

    assert set(response.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    if method == "OPTIONS":
        assert response.status_code in (200, 204)
        assert response.data == b""
    elif method == "HEAD":
        assert (response.status_code, response.data) == (405, b"")
    else:
        problem = problem_of(response, 405, "method-not-allowed")
        assert problem["detail"].startswith("This route supports ")
        assert f", not {method}. " in problem["detail"]


@for_each("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO"])
@for_each("path", READ_ONLY_PATHS)
def test_a_read_only_path_accepts_only_get_and_head(
    client: FlaskClient, path: str, method: str
) -> None:
    response = client.open(path, method=method, json={})

    problem_of(response, 405, "method-not-allowed")
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


@for_each("path", READ_ONLY_PATHS)
def test_head_and_options_return_headers_without_a_body(client: FlaskClient, path: str) -> None:
    full, head, options = client.get(path), client.head(path), client.options(path)

    assert (full.status_code, head.status_code, head.data) == (200, 200, b"")
    for name in ("Content-Type", "Content-Length", "Cache-Control", "ETag"):
        assert full.headers.get(name) == head.headers.get(name)
    assert (options.status_code, options.data) == (200, b"")
    assert set(options.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_the_methods_of_every_path_are_tested() -> None:
    assert {path for path, _, _ in operations()} <= {*BODIES, *READ_ONLY_PATHS}


def test_get_ignores_the_body(client: FlaskClient) -> None:
    plain = client.get("/v1/games")

    response = client.get("/v1/games", data=TOO_LARGE, content_type="text/plain")

    assert (response.status_code, response.data) == (200, plain.data)


# What a 404 and a 405 point to ------------------------------------------------------------------

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
NEXT_STEPS = ("/v1/games", "/docs")


@for_each("accept", [None, "*/*", "application/json", "application/problem+json"])
def test_a_404_names_the_path_and_points_to_the_games_and_the_documentation(
    client: FlaskClient, accept: str | None
) -> None:
    headers = {} if accept is None else {"Accept": accept}

    problem = problem_of(client.get("/v1/gmaes", headers=headers), 404, "not-found")

    assert "'/v1/gmaes'" in problem["detail"]
    assert all(step in problem["detail"] for step in NEXT_STEPS)


@for_each(
    "path, status, code",
    [("/nowhere", 404, "not-found"), (route("new"), 405, "method-not-allowed")],
)
def test_a_browser_gets_a_page_with_links_that_work(
    client: FlaskClient, path: str, status: int, code: str
) -> None:
    response = client.get(path, headers={"Accept": BROWSER})
    page = response.get_data(as_text=True)
    links = re.findall(r'<a href="([^"]+)">', page)

    assert response.status_code == status
    assert response.content_type == "text/html; charset=utf-8"
    assert "Accept" in response.headers["Vary"]
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert ("Allow" in response.headers) == (status == 405)
    assert links == ["/", "/docs/", "/v1/games", f"/docs/errors#{code}"]
    for link in links:
        with client.get(link.partition("#")[0]) as target:
            assert target.status_code == 200, link


def test_the_page_of_a_404_escapes_the_path(client: FlaskClient) -> None:
    response = client.get("/<script>alert(1)</script>", headers={"Accept": BROWSER})

    assert response.status_code == 404
    assert b"<script" not in response.data
    assert b"&lt;script&gt;" in response.data


# Query parameters -------------------------------------------------------------------------------


@for_each("query, names", [("a=1&a=2", "`a`"), ("seed=", "`seed`"), ("v=%ff&a[]=1", "`v`, `a[]`")])
def test_every_route_of_the_api_refuses_query_parameters(
    client: FlaskClient, query: str, names: str
) -> None:
    routes = [
        (str(rule), method)
        for rule in client.application.url_map.iter_rules()
        for method in {"GET", "POST"} & set(rule.methods or ())
        if str(rule).startswith("/v1/") and "<" not in str(rule)
    ]
    assert len(routes) > 20

    for path, method in routes:
        for body in ({}, BODIES.get(path, {})):
            response = client.open(f"{path}?{query}", method=method, json=body)
            [error] = problem_of(response, 422, "invalid-body")["errors"]
            assert (error["path"], error["code"]) == ("", "unknown-parameter"), path
            assert f"No query parameter {names}: " in error["detail"]


def test_an_empty_query_is_no_query_parameter(client: FlaskClient) -> None:
    assert result_of(post(client, route("new") + "?", EXAMPLES["new"]))


def test_many_long_query_parameters_are_not_all_repeated(client: FlaskClient) -> None:
    query = "&".join(f"{'x' * 100}{number}=1" for number in range(100))

    problem = problem_of(client.get(f"/v1/games?{query}"), 422, "invalid-body")

    assert len(problem["errors"][0]["detail"]) < 400


@for_each("path", ["/healthz", "/docs/", "/openapi.yaml", "/"])
def test_routes_outside_the_api_ignore_the_query(client: FlaskClient, path: str) -> None:
    with client.get(path + "?utm_source=x") as response:
        assert response.status_code == 200


# Media types ----------------------------------------------------------------------------------


@for_each(
    "media",
    [
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        'application/json; charset="utf-8"',
        "Application/JSON",
        "application/json ; charset=utf-8",
    ],
)
@for_each("endpoint", ENDPOINTS)
def test_json_in_utf_8_is_accepted(client: FlaskClient, endpoint: str, media: str) -> None:
    assert result_of(post(client, endpoint, EXAMPLES[endpoint], media=media))


OTHER_MEDIA = (
    *(None, "", "json", "*/*", "application/*", "\x00", "application/" + "j" * 5000),
    *(
        "text/plain",
        "text/json",
        "application/jsonl",
        "application/xml",
        "application/octet-stream",
    ),
    *("application/json;charset=latin-1", "application/json; charset=utf-16"),
    *("application/json, text/plain", "application/json-patch+json", "application/problem+json"),
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
)


@for_each("media", OTHER_MEDIA)
@for_each("endpoint", [*ENDPOINTS, batch.PATH])
def test_any_other_media_type_is_a_415(
    client: FlaskClient, endpoint: str, media: str | None
) -> None:
    response = post(client, endpoint, EXAMPLES.get(endpoint, {}), media=media)

    problem_of(response, 415, "unsupported-media-type")


@for_each("coding", ["gzip", "GZIP", "deflate", "br", "zstd", "gzip, identity", "x"])
@for_each("endpoint", ENDPOINTS)
def test_a_compressed_body_is_a_415(client: FlaskClient, endpoint: str, coding: str) -> None:
    text = gzip.compress(json.dumps(EXAMPLES[endpoint]).encode())

    response = post(client, endpoint, text, headers={"Content-Encoding": coding})

    problem_of(response, 415, "unsupported-media-type")


@for_each("accept", ["application/json", "*/*", "text/html", "image/png", "", "x"])
def test_responses_are_json_for_every_accept_header(client: FlaskClient, accept: str) -> None:
    headers = {"Accept": accept, "Accept-Encoding": "gzip, br", "Accept-Charset": "latin-1"}

    good = post(client, "new", EXAMPLES["new"], headers=headers)
    bad = post(client, "new", {}, headers=headers)

    assert good.data == post(client, "new", EXAMPLES["new"]).data
    assert violations_of(problem_of(bad, 422, "invalid-body")) == {("/seats", "missing")}


# Sizes ----------------------------------------------------------------------------------------


def streamed(client: FlaskClient, endpoint: str, text: bytes) -> Any:
    """Post a body the way a server passes a chunked one: terminated, without a known length."""
    return client.post(
        route(endpoint),
        input_stream=io.BytesIO(text),
        content_type=JSON,
        environ_overrides={"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"},
    )


@for_each("send", [post, streamed])
@for_each("endpoint", ENDPOINTS)
def test_a_body_is_limited_to_128_kib(client: FlaskClient, endpoint: str, send: Any) -> None:
    fits = send(client, endpoint, padded(endpoint, LIMIT))

    assert result_of(fits) == result_of(post(client, endpoint, EXAMPLES[endpoint]))
    for size in (LIMIT + 1, LIMIT + 2, 10 * LIMIT):
        too_large = send(client, endpoint, padded(endpoint, size))
        problem_of(too_large, 413, "body-too-large")


# Order of checks ------------------------------------------------------------------------------


def test_404_and_405_come_before_all_other_errors(client: FlaskClient) -> None:
    for path, status in (("/v1/games/snow-time/x", 404), (route("new"), 405)):
        response = client.put(path, data=TOO_LARGE, content_type="text/plain")
        problem_of(response, status)


@for_each("media", [None, "text/plain", "application/json;charset=latin-1", JSON])
def test_413_comes_before_415_and_400(client: FlaskClient, media: str | None) -> None:
    headers = {"Content-Encoding": "gzip"}
    response = client.post(route("new"), data=TOO_LARGE, content_type=media, headers=headers)

    problem_of(response, 413, "body-too-large")


@for_each("text", [b"", b"{", b"\xff", b"{}", b'{"a": 1, "a": 1}'])
@for_each(
    "media, coding", [(None, ""), ("text/plain", ""), (JSON, "gzip"), (JSON + ";charset=x", "")]
)
def test_415_comes_before_400_and_422(
    client: FlaskClient, text: bytes, media: str | None, coding: str
) -> None:
    headers = {"Content-Encoding": coding} if coding else {}
    response = client.post(route("new"), data=text, content_type=media, headers=headers)
    problem_of(response, 415, "unsupported-media-type")


@for_each(
    "text",
    [
        *(b'{"a": 1, "a": 2', b'{"a": 1, "a": 2} x', b'{"seats": "\\ud800", "b": NaN}'),
        *(b'{"seats": 5.5, "x": [1,]}', b'{"seats": "\\ud800"}\xff'),
    ],
)
def test_400_comes_before_422(client: FlaskClient, text: bytes) -> None:
    problem_of(post(client, "new", text), 400, "not-json")


@for_each("path", ["/healthz", "/nowhere", "/v1/games", "/openapi.yaml", "/"])
def test_browsers_must_not_guess_the_media_type(client: FlaskClient, path: str) -> None:
    assert client.get(path).headers.getlist("X-Content-Type-Options") == ["nosniff"]


# Request IDs ----------------------------------------------------------------------------------


@for_each("sent", ["a", "demo-1", "A.b_c-D.0", "9" * 64])
def test_a_valid_request_id_is_returned_in_every_response(client: FlaskClient, sent: str) -> None:
    headers = {"X-Request-Id": sent}

    responses = [
        client.get("/healthz", headers=headers),
        client.get("/nowhere", headers=headers),
        client.get(route("new"), headers=headers),
        post(client, "new", EXAMPLES["new"], headers=headers),
        post(client, "new", b"{", headers=headers),
        post(client, "new", {}, headers=headers),
    ]

    assert [response.headers.getlist("X-Request-Id") for response in responses] == [[sent]] * 6
    in_bodies = [json.loads(response.data).get("request_id") for response in responses]
    assert in_bodies == [None, sent, sent, None, sent, sent]


@for_each("sent", [None, "", " ", "a b", "a\tb", "9" * 65, "a/b", "<b>", "\xe9", "a,b"])
def test_an_invalid_request_id_is_replaced_by_a_new_one(
    client: FlaskClient, sent: str | None
) -> None:
    headers = {} if sent is None else {"X-Request-Id": sent}

    new_ids = [client.get("/healthz", headers=headers).headers["X-Request-Id"] for _ in range(2)]

    assert all(re.fullmatch("[A-Za-z0-9._-]{1,64}", new_id) for new_id in new_ids)
    assert len({*new_ids, sent}) == 3


# Errors of the service itself ------------------------------------------------------------------


def test_an_internal_error_is_a_500_without_internal_details(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the secret of /srv/key.pem")

    monkeypatch.setattr("service.api.responses.parse", fail)

    # A body that is not in the response cache yet.
    response = post(client, "new", {"seats": [{"seat": name} for name in ("x9", "y9", "z9")]})

    problem_of(response, 500, "internal-error")
    assert b"secret" not in response.data
    assert b"RuntimeError" not in response.data


def test_a_deadline_that_passes_before_any_result_is_a_503(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_clock = SimpleNamespace(monotonic=lambda: 1e18)
    monkeypatch.setattr("service.solver.budget.time", late_clock)
    body = {"state": STATE, "player": "green", "opponents": UNIFORM, "effort": "quick"}

    response = post(client, "suggest", put(body, ("deadline_ms",), 30_000))
    problem_of(response, 503, "deadline-passed")
    monkeypatch.undo()
    assert result_of(post(client, "suggest", body))["search"]["complete"] is True
    monkeypatch.setattr("service.solver.budget.time", late_clock)
    # A cached solution is returned even after the deadline.
    assert result_of(post(client, "suggest", put(body, ("deadline_ms",), 30_000)))
