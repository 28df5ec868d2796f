"""Calling the service in tests, and what holds of every problem it answers."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from service.games.registry import GAMES
from tests import randomized

SEED = randomized.seed(20261121)
"""The seed of all random cases here."""

JSON = "application/json"
PROBLEM_JSON = "application/problem+json"
BASE = "/v1/games/snow-time"
EXAMPLES = {
    verb.name: json.loads(json.dumps(verb.example)) for verb in GAMES["snow-time"].endpoints
}
EXAMPLE_BY_PATH = {
    f"/v1/games/{name}/{verb.name}": json.loads(json.dumps(verb.example))
    for name, entry in GAMES.items()
    for verb in entry.endpoints
}
VERBS = ("new", "grow", "legal-moves", "resolve", "suggest", "review")
DECK = ("1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard")

# RFC 9110, section 15; about:blank promises these (RFC 9457, section 4.2.1).
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
    422: {"invalid-body", "game-over", "nothing-to-decide"},
    429: {"quota-exceeded"},
    500: {"internal-error"},
    503: {"deadline-passed", "overloaded", "draining"},
}
REFUSALS = ("game-over", "nothing-to-decide")

# Codes that point to where something would have to stand, and how far below what is there.
ABSENT_PLACES = {"missing": 1, "move-missing": 1, "open-decision": 1}

Path = tuple[str | int, ...]


def route(verb: str) -> str:
    """The path of a verb of Snow Time; a path is one already."""
    return verb if verb.startswith("/") else f"{BASE}/{verb}"


def post(client: Any, verb: str, body: Any, **kwargs: Any) -> Any:
    """Posts a body; bytes go as they are, anything else as JSON."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(route(verb), data=text, content_type=kwargs.pop("media", JSON), **kwargs)


def answer_of(response: Any) -> Any:
    """The body of a 200 answer."""
    assert response.status_code == 200, response.get_data(as_text=True)
    assert response.headers["Content-Type"] == JSON
    return json.loads(response.data)


# Problems -------------------------------------------------------------------------------------


def problem_of(response: Any, status: int, code: str | None = None, body: Any = ...) -> Any:
    """The problem document of a response, after everything that has to hold of one was checked.

    With a body, the paths of the errors are held against it.
    """
    assert response.status_code == status, response.get_data(as_text=True)[:2000]
    assert response.headers["Content-Type"] == PROBLEM_JSON
    document = json.loads(response.data)
    told = set(document)
    assert told - {"errors"} == {"type", "title", "status", "detail", "code", "request_id"}
    assert all(type(document[name]) is str for name in told - {"status", "errors"})
    assert type(document["status"]) is int
    assert document["status"] == status
    if document["type"] == "about:blank":
        assert document["title"] == TITLES[status]
    assert document["title"]
    assert document["detail"]
    assert document["code"] in CODES[status]
    assert re.fullmatch("[a-z]+(-[a-z]+)*", document["code"])
    assert document["request_id"] == response.headers["X-Request-Id"] != ""
    assert not re.search(rb"Traceback|File \\?\"|\.py\b|0x[0-9a-f]{6}", response.data)
    assert code is None or document["code"] == code, document
    assert ("errors" in document) == (status == 422)
    if status == 405:
        assert response.headers["Allow"]
    if status in (429, 503):
        assert int(response.headers["Retry-After"]) >= 1
    for error in document.get("errors", ()):
        _judge_error(error, body)
    if status == 422:
        codes = {error["code"] for error in document["errors"]}
        foremost = next((code for code in REFUSALS if code in codes), None)
        stands = foremost == "game-over" or codes <= set(REFUSALS)
        assert document["code"] == (foremost if stands else "invalid-body")
        places = [(error["path"], error["code"]) for error in document["errors"]]
        assert len(places) == len(set(places)), "a fault is told once"
    return document


def _judge_error(error: Any, body: Any) -> None:
    assert set(error) - {"rule"} == {"path", "code", "detail"}
    assert all(type(value) is str and (value or name == "path") for name, value in error.items())
    assert re.fullmatch("[a-z]+(-[a-z]+)*", error["code"])
    assert re.fullmatch("R([1-9]|1[0-2])|S([1-9]|1[0-7])", error.get("rule", "R1"))
    assert re.fullmatch("(/([^~/]|~[01])*)*", error["path"], re.DOTALL), error
    if body is not ...:
        assert points_into(body, error["path"], ABSENT_PLACES.get(error["code"], 0)), error


def faults_of(document: Any) -> set[tuple[str, str]]:
    return {(error["path"], error["code"]) for error in document["errors"]}


def told_by(document: Any) -> set[str]:
    """The faults of a problem as ``path code`` or, where one decides, ``path code ruling``."""
    return {
        " ".join(filter(None, (error["path"] or ".", error["code"], error.get("rule"))))
        for error in document["errors"]
    }


def points_into(body: Any, pointer: str, beyond: int = 0) -> bool:
    """Whether a JSON pointer resolves (RFC 6901), or misses members of an object by ``beyond``."""
    at, tokens = body, [unescaped(token) for token in pointer.split("/")[1:]]
    for index, token in enumerate(tokens):
        if isinstance(at, dict) and token in at:
            at = at[token]
        elif isinstance(at, list) and re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(at):
            at = at[int(token)]
        else:
            return isinstance(at, dict) and len(tokens) - index <= beyond
    return True


def unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def pointer(path: Path) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


# Documents ------------------------------------------------------------------------------------


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value in a document, with its path, from the outside in."""
    yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from nodes(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from nodes(inner, (*path, index))


def put(body: Any, path: Path, value: Any) -> Any:
    """The body with the value at the path, maybe a new member; nothing is changed in place."""
    if not path:
        return value
    made = copy.copy(body)
    made[path[0]] = put(body[path[0]], path[1:], value) if path[1:] else value
    return made


def changed(body: Any, *changes: tuple[Path, Any]) -> Any:
    """The body with several values put in."""
    for path, value in changes:
        body = put(body, path, value)
    return body


def cut(body: Any, path: Path) -> Any:
    """The body without what is at the path; nothing is changed in place."""
    made = copy.copy(body)
    if path[1:]:
        made[path[0]] = cut(body[path[0]], path[1:])
    else:
        del made[path[0]]
    return made
