"""Requests to the service in tests, and checks that hold for every problem document."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from service.games.registry import GAMES
from service.operations.catalogue import violation_codes
from tests import randomized
from tests.rich_requests import RICH

SEED = randomized.seed(20261121)
"""The seed of all random cases of these tests."""

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
BASE = "/v1/games/snow-time"
EXAMPLES = json.loads(json.dumps(RICH["snow-time"]))
"""A legal body for each operation of Snow Time."""
HINT = {name: EXAMPLES["suggest"][name] for name in ("state", "player")}
"""The shortest request for a hint."""
EXAMPLE_BY_PATH = {
    f"/v1/games/{name}/{endpoint.name}": json.loads(json.dumps(endpoint.example))
    for name, definition in GAMES.items()
    for endpoint in definition.endpoints
}
"""The bodies in ``openapi.yaml``."""
ENDPOINTS = ("new", "grow", "legal-moves", "resolve", "suggest", "review")
DECK = ("1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard")

# The titles of RFC 9110, section 15.
TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
CODES = {
    401: {"key-missing", "key-unknown"},
    404: {"not-found"},
    405: {"method-not-allowed"},
    413: {"body-too-large"},
    415: {"unsupported-media-type"},
    400: {"not-json", "bad-request"},
    422: {"invalid-body", "game-over", "nothing-to-decide", "deadline-too-short"},
    429: {"quota-exceeded"},
    500: {"internal-error"},
    503: {"deadline-passed", "overloaded", "draining", "starting"},
}
REFUSALS = ("game-over", "nothing-to-decide")
"""Codes of legal bodies that are refused all the same, in the order of precedence."""

ABSENT_TOKENS = {"missing": 1, "move-missing": 1, "open-decision": 1}
"""Codes that point to an absent member: the number of path tokens that do not exist."""

Path = tuple[str | int, ...]


def client_of(**config: Any) -> FlaskClient:
    """Return a client of a new service."""
    return create_app(Config(**{"log_level": "CRITICAL"} | config)).test_client()


def route(endpoint: str) -> str:
    """Return the path of a Snow Time endpoint; a path is returned unchanged."""
    return endpoint if endpoint.startswith("/") else f"{BASE}/{endpoint}"


def post(client: Any, endpoint: str, body: Any, **kwargs: Any) -> Any:
    """Post a body: bytes unchanged, any other value as JSON."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(route(endpoint), data=text, content_type=kwargs.pop("media", JSON), **kwargs)


def result_of(response: Any) -> Any:
    """Check that a response has status 200 and return its JSON body."""
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == JSON
    return json.loads(response.data)


def rate_limit_of(response: Any) -> dict[str, int]:
    """Return the parameters of the header ``RateLimit``: units left, and seconds to the reset."""
    name, *parameters = response.headers["RateLimit"].split(";")
    assert name == '"compute"'
    return {key: int(number) for key, number in (each.split("=") for each in parameters)}


def units_left(response: Any) -> int:
    """Return the units that the client of a response has left."""
    return rate_limit_of(response)["r"]


# Problems -------------------------------------------------------------------------------------


def problem_of(response: Any, status: int, code: str | None = None, body: Any = ...) -> Any:
    """Check everything that holds for every problem and return the problem document.

    With a request body, also check that the paths of the violations exist in it.
    """
    assert response.status_code == status, response.get_data(as_text=True)[:2000]
    assert response.headers["Content-Type"] == PROBLEM_JSON
    document = json.loads(response.data)
    members = set(document)
    assert members - {"errors"} == {"type", "title", "status", "detail", "code", "request_id"}
    assert all(type(document[name]) is str for name in members - {"status", "errors"})
    assert type(document["status"]) is int
    assert document["status"] == status
    assert document["type"] == f"/docs/errors#{document['code']}"
    assert document["title"] == TITLES[status]
    assert document["detail"]
    assert document["code"] in CODES[status]
    assert re.fullmatch("[a-z]+(-[a-z]+)*", document["code"])
    assert document["request_id"] == response.headers["X-Request-Id"] != ""
    # A 404 repeats the path of the request, which is not a detail of the service.
    path = getattr(response, "request", None) and response.request.path
    without_path = response.data.replace(path.encode(), b"") if path else response.data
    # "1 dice".
    assert not re.search(rb"(?<!column )\b1 (dice|(?!is|has|was|as)[a-z]+s)\b", without_path)
    assert not re.search(rb"Traceback|File \\?\"|\.py\b|0x[0-9a-f]{6}", without_path)
    assert code is None or document["code"] == code, document
    assert ("errors" in document) == (status == 422)
    if status == 405:
        assert response.headers["Allow"]
    if status in (429, 503):
        assert int(response.headers["Retry-After"]) >= 1
    for error in document.get("errors", ()):
        _check_error(error, body)
    if status == 422:
        codes = {error["code"] for error in document["errors"]}
        refusal = next((code for code in REFUSALS if code in codes), None)
        takes_precedence = refusal == "game-over" or codes <= set(REFUSALS)
        assert document["code"] == (refusal if takes_precedence else "invalid-body")
        reported = [(error["path"], error["code"]) for error in document["errors"]]
        assert len(reported) == len(set(reported)), "a violation is reported twice"
    return document


def _check_error(error: Any, body: Any) -> None:
    assert set(error) - {"rule"} == {"path", "code", "detail"}
    assert all(type(value) is str and (value or name == "path") for name, value in error.items())
    assert error["code"] in violation_codes()
    assert re.fullmatch("[a-z]+(-[a-z]+)*", error["code"])
    assert re.fullmatch(
        "R([1-9]|1[0-2])|S([1-9]|1[0-7])|C([1-9]|1[0-9]|2[0-2])", error.get("rule", "R1")
    )
    assert re.fullmatch("(/([^~/]|~[01])*)*", error["path"], re.DOTALL), error
    if body is not ...:
        assert pointer_resolves(body, error["path"], ABSENT_TOKENS.get(error["code"], 0)), error


def violations_of(problem: Any) -> set[tuple[str, str]]:
    """Return path and code of every violation in a problem document."""
    return {(error["path"], error["code"]) for error in problem["errors"]}


def violation_texts(problem: Any) -> set[str]:
    """Return the violations in a problem document as ``path code`` or ``path code ruling``."""
    return {
        " ".join(filter(None, (error["path"] or ".", error["code"], error.get("rule"))))
        for error in problem["errors"]
    }


def pointer_resolves(body: Any, pointer: str, absent: int = 0) -> bool:
    """Return whether a JSON pointer (RFC 6901) exists, except up to ``absent`` last tokens."""
    at, tokens = body, [unescaped(token) for token in pointer.split("/")[1:]]
    for index, token in enumerate(tokens):
        if isinstance(at, dict) and token in at:
            at = at[token]
        elif isinstance(at, list) and re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(at):
            at = at[int(token)]
        else:
            return isinstance(at, dict) and len(tokens) - index <= absent
    return True


def unescaped(token: str) -> str:
    """Return a token of a JSON pointer without its escapes (RFC 6901, section 4)."""
    return token.replace("~1", "/").replace("~0", "~")


def pointer(path: Path) -> str:
    """Return a path as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


# Documents ------------------------------------------------------------------------------------


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every value in a document with its path, in pre-order."""
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from walk(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, (*path, index))


def put(body: Any, path: Path, value: Any) -> Any:
    """Return a copy of the body with the value at the path, which can be a new member."""
    if not path:
        return value
    copied = copy.copy(body)
    copied[path[0]] = put(body[path[0]], path[1:], value) if path[1:] else value
    return copied


def without(body: Any, path: Path) -> Any:
    """Return a copy of the body without the value at the path."""
    copied = copy.copy(body)
    if path[1:]:
        copied[path[0]] = without(body[path[0]], path[1:])
    else:
        del copied[path[0]]
    return copied
