"""Absent values and those of another JSON type: the violation shows an example that mends it.

The fields come from ``openapi.yaml``: every one of every request, at every depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import Path, pointer, post, problem_of, put, result_of, without
from tests.api.spec import dereferenced, operations, validator_of
from tests.rich_requests import RICH

POSTED = [
    (path, operation["requestBody"]["content"]["application/json"]["schema"])
    for path, method, operation in operations()
    if method == "post"
]
BATCH = "/v1/batch"
VALUES: dict[str, tuple[Any, str]] = {
    "object": ({"?": 1}, "an object"),
    "array": ([1], "an array"),
    "string": ("x", "a string"),
    "number": (3, "the number 3"),
    "boolean": (True, "true"),
    "null": (None, "null"),
}
"""A value of each JSON type, and its name in a violation."""
EXAMPLE = re.compile(r" Example: (?!GET )(.*)\.$")
NO_OTHER_TYPE = {"/requests/0/body"}
"""The body of a batched request is checked by its own operation."""
LONG = {"/catalogue", "/state/catalogue"}
"""Values whose example another request returns."""
SHAPE = re.compile(
    r"not-an?-(object|array|integer|number|boolean|string)|null|missing|unknown-(field|word)|"
    r"out-of-range|wrong-length|bad-(name|display-name|id|nonce)|wrapped|unnamed"
)
"""Codes of the violations of a schema."""


def body_of(path: str) -> Any:
    """Return a legal body with an unknown field, so that it is never more than checked."""
    if path == BATCH:
        return {"requests": [{"id": "a", "path": "/v1/games", "method": "GET"}], "?": 0}
    _, _, _, game, operation = path.split("/")
    return {**json.loads(json.dumps(RICH[game][operation])), "?": 0}


def violations_at(client: FlaskClient, path: str, body: Any, at: str) -> list[Any]:
    """Return the violations of a body at a place, those of the schema first."""
    return [
        error
        for error in problem_of(post(client, path, body), 422, body=body)["errors"]
        if error["path"] == at
    ]


def kinds_of(schema: Any) -> list[Any]:
    """Return the schema and those of the kinds of its union, if it is one."""
    return [schema, *map(dereferenced, schema.get("oneOf", ()))]


def json_type(schema: Any) -> str:
    """Return the JSON type of a field."""
    declared = schema.get("type", "object")
    return "number" if declared == "integer" else str(declared)


def below(schema: Any, value: Any) -> Iterator[tuple[str | int, Any]]:
    """Yield the fields below a value: each with its step and its schema."""
    if isinstance(value, list) and value:
        yield 0, schema["items"]
    if not isinstance(value, dict):
        return
    for kind in kinds_of(schema):
        yield from kind.get("properties", {}).items()
        if isinstance(kind.get("additionalProperties"), dict) and value:
            yield next(iter(value)), kind["additionalProperties"]


@pytest.mark.parametrize(("path", "schema"), POSTED, ids=[path for path, _ in POSTED])
def test_an_absent_value_or_another_type_is_named_and_the_example_mends_it(
    client: FlaskClient, path: str, schema: Any
) -> None:
    checked: set[str] = set()
    fields: list[tuple[Path, Any, Any, Any]] = [((), schema, body_of(path), None)]
    for steps, reference, body, owner in fields:
        at, field = pointer(steps), dereferenced(reference)
        if at in checked | NO_OTHER_TYPE:
            continue
        checked.add(at)
        wanted = json_type(field)
        example = None
        for kind, (value, name) in VALUES.items():
            if kind == wanted or (kind == "null" and not steps):
                continue
            [error, *_] = violations_at(client, path, put(body, steps, value), at)
            assert re.search(rf"got {re.escape(name)}\b", error["detail"]), error
            shown = EXAMPLE.search(error["detail"])
            example = json.loads(shown[1]) if shown else None
            if at in LONG:
                assert "Example: GET /v1/games/snowcrest/catalogues/default." in error["detail"]
            elif wanted in ("object", "array"):
                assert example is not None, error
        if steps and isinstance(steps[-1], str):
            absent = violations_at(client, path, without(put(body, steps, 0), steps), at)
            required = [each for each in absent if each["detail"].startswith("The field")]
            assert all(EXAMPLE.search(each["detail"]) for each in required) or at in LONG
            if owner is not None:
                assert bool(required) == (steps[-1] in owner), at
        if example is not None:
            validator_of(reference).validate(example)
            body = put(body, steps, example if steps else {**example, "?": 0})
            assert not shape_violations(client, path, body, at)
            names = None if "oneOf" in field else field.get("required", ())
            fields += [
                ((*steps, step), inner, body, names) for step, inner in below(field, example)
            ]
    assert len(checked) > 3


@pytest.mark.parametrize("game", RICH)
def test_the_example_of_a_state_is_a_legal_position(client: FlaskClient, game: str) -> None:
    path = f"/v1/games/{game}/legal-moves"
    [error] = problem_of(post(client, path, {"state": "x"}), 422)["errors"]
    shown = EXAMPLE.search(error["detail"])
    assert shown
    assert result_of(post(client, path, {"state": json.loads(shown[1])}))["game_over"] is False


@pytest.mark.parametrize("game", RICH)
def test_a_whole_response_sent_as_a_state_is_named(client: FlaskClient, game: str) -> None:
    response = result_of(post(client, f"/v1/games/{game}/new", RICH[game]["new"]))
    for operation, body in RICH[game].items():
        if operation != "new":
            path = f"/v1/games/{game}/{operation}"
            violations = violations_at(client, path, {**body, "state": response}, "/state")
            assert [each["code"] for each in violations] == ["wrapped"]


def shape_violations(client: FlaskClient, path: str, body: Any, at: str) -> list[Any]:
    """Return the violations of the schema at a place and below."""
    return [
        error
        for error in problem_of(post(client, path, body), 422)["errors"]
        if (error["path"] + "/").startswith(at + "/")
        and SHAPE.fullmatch(error["code"])
        and error["path"] != "/?"
    ]
