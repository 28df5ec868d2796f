"""Fuzz tests: random bytes, documents and mutated bodies never cause an internal error."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from tests.api.calls import (
    BASE,
    ENDPOINTS,
    EXAMPLES,
    JSON,
    PROBLEM_JSON,
    post,
    problem_of,
    put,
    result_of,
    walk,
    without,
)
from tests.api.snow_time_bodies import LEGAL
from tests.api.snow_time_oracle import as_read, legal
from tests.api.spec import assert_documented, request_validator
from tests.randomized import examples

CARDS = ["1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard"]
NAMES = ["red", "blue", "green", "anna", "bob", "a1", "a2", "b1", "marie", "_schema", "zoe"]
WORDS = [
    "seats", "seat", "player", "score", "hand", "fruit", "track", "length", "bonuses", "space",
    "kind", "advance", "state", "dice", "seed", "revealed", "moves", "card", "then", "recover",
    "objective", "opponents", "model", "weights", "effort", "depth", "deadline_ms", "chosen",
    "nonce", "uniform", "win", "fight", "quick", "", "a/b", "~", "__proto__", *CARDS, *NAMES,
]  # fmt: skip
PATHS = [
    *(f"{BASE}/{endpoint}" for endpoint in ENDPOINTS),
    *("/", "/v1/games", BASE, "/v1/version", "/healthz", "/readyz", "/openapi.yaml", "/docs/"),
]
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
MEDIA = [JSON, "", "text/plain", "application/json;charset=utf-8", "application/json;charset=x"]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 35),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(WORDS),
    st.text(max_size=40),
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(st.one_of(st.sampled_from(WORDS), st.text(max_size=5)), inner, max_size=6),
    ),
    max_leaves=25,
)
PLAUSIBLE = st.one_of(
    st.integers(0, 16),
    st.sampled_from(WORDS),
    st.lists(st.sampled_from(CARDS), max_size=8),
    st.lists(st.sampled_from(CARDS), min_size=1, max_size=10, unique=True),
    st.lists(st.integers(0, 6), max_size=6),
    st.fixed_dictionaries({"card": st.sampled_from(CARDS)}),
    st.fixed_dictionaries(
        {"card": st.sampled_from(CARDS), "recover": st.lists(st.sampled_from(CARDS), max_size=3)}
    ),
    st.fixed_dictionaries(
        {
            "card": st.just("watcher"),
            "then": st.fixed_dictionaries({"card": st.sampled_from(CARDS)}),
        }
    ),
    st.dictionaries(st.sampled_from(CARDS), st.floats(-1, 10), max_size=4),
)


@st.composite
def mutants(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw a legal body and replace, remove, add, duplicate or swap one to four values."""
    endpoint, body = LEGAL[draw(st.sampled_from(sorted(LEGAL)))]
    for _ in range(draw(st.integers(1, 4))):
        places = list(walk(body))
        path, value = places[draw(st.integers(0, len(places) - 1))]
        change = draw(st.sampled_from(["replace", "cut", "add", "double", "swap"]))
        if change == "cut" and path:
            body = without(body, path)
        elif change == "add" and isinstance(value, dict):
            body = put(body, (*path, draw(st.sampled_from(WORDS))), draw(PLAUSIBLE))
        elif change == "double" and isinstance(value, list) and value:
            body = put(body, path, [*value, draw(st.sampled_from(value))])
        elif change == "swap":
            other, other_value = places[draw(st.integers(0, len(places) - 1))]
            if path != other and other[: len(path)] != path and path[: len(other)] != other:
                body = put(put(body, path, other_value), other, value)
        elif change == "replace":
            body = put(body, path, draw(st.one_of(PLAUSIBLE, PLAUSIBLE, SCALARS)))
    if endpoint in ("suggest", "review") and isinstance(body, dict):
        # Search effort and deadlines are tested elsewhere.
        body = {name: value for name, value in body.items() if name not in ("depth", "deadline_ms")}
    return endpoint, body


def check_response(response: Any, body: Any = ...) -> None:
    """Check that a response is not a 5xx, and that an error is a valid problem document."""
    assert response.status_code < 500
    if response.status_code < 400:
        return
    if response.request.method == "HEAD":
        assert response.headers["Content-Type"] == PROBLEM_JSON
        return
    problem_of(response, response.status_code, body=body)


@examples(80, 400)
@given(mutants())
def test_a_mutant_is_accepted_if_and_only_if_it_is_legal(
    app: Flask, mutant: tuple[str, Any]
) -> None:
    endpoint, body = mutant

    response = post(app.test_client(), endpoint, body)

    if legal(endpoint, body):
        assert result_of(response)
        assert request_validator(f"{BASE}/{endpoint}").is_valid(body)
    else:
        problem_of(response, 422, body=body)
    assert_documented(f"{BASE}/{endpoint}", "post", response)


@examples(50, 250)
@given(st.sampled_from(ENDPOINTS), DOCUMENTS)
def test_a_random_document_is_an_invalid_body(app: Flask, endpoint: str, body: Any) -> None:
    response = post(app.test_client(), endpoint, body)

    problem_of(response, 422, "invalid-body", body)


@examples(50, 250)
@given(st.sampled_from(ENDPOINTS), st.data())
def test_a_random_document_as_a_member_is_accepted_exactly_if_it_is_legal(
    app: Flask, endpoint: str, data: st.DataObject
) -> None:
    body = dict(EXAMPLES[endpoint])
    read = dict(body)
    for name in data.draw(st.lists(st.sampled_from(sorted(body)), min_size=1, max_size=2)):
        body[name] = data.draw(DOCUMENTS)
        read[name] = as_read((name,), body[name])

    response = post(app.test_client(), endpoint, body)

    assert (response.status_code == 200) == legal(endpoint, read)
    check_response(response, read)


@examples(60, 300)
@given(
    st.sampled_from(PATHS),
    st.sampled_from(METHODS),
    st.one_of(st.binary(max_size=200), st.text(max_size=100).map(str.encode)),
    st.sampled_from(MEDIA),
)
def test_random_bytes_never_cause_an_internal_error(
    app: Flask, path: str, method: str, text: bytes, media: str
) -> None:
    response = app.test_client().open(path, method=method, data=text, content_type=media)

    with response:
        check_response(response)
        assert response.status_code != 200 or method in ("GET", "HEAD", "OPTIONS")


@examples(60, 300)
@given(st.sampled_from(ENDPOINTS), st.data())
def test_a_few_changed_bytes_never_cause_an_internal_error(
    app: Flask, endpoint: str, data: st.DataObject
) -> None:
    text = bytearray(json.dumps(EXAMPLES[endpoint]).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.one_of(st.binary(max_size=2), st.sampled_from([b'"', b"[", b"}", b","])))
        text[at : at + data.draw(st.integers(0, 2))] = new
    try:
        body, is_json = json.loads(text.decode()), True
    except ValueError:
        body, is_json = None, False

    response = post(app.test_client(), endpoint, bytes(text))

    assert response.status_code in ((200, 422) if is_json else (400,))
    check_response(response, body if is_json else ...)


@examples(30, 150)
@given(
    st.sampled_from(METHODS),
    st.text(st.characters(codec="latin-1", exclude_characters="?#"), max_size=30),
    st.sampled_from(["/", "/v1/", "/v1/games/", f"{BASE}/", "/docs/"]),
)
def test_random_paths_never_cause_an_internal_error(
    app: Flask, method: str, tail: str, head: str
) -> None:
    response = app.test_client().open(head + tail, method=method, json={})

    with response:
        check_response(response)
