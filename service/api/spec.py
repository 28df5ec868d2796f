"""openapi.yaml, exported from the code: shapes from the schemas, answers really computed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import orjson
import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from service.api.problems import rejection
from service.api.schemas import (
    BatchAnswer,
    GamesAnswer,
    Health,
    Problem,
    VersionAnswer,
)
from service.core.violations import Rejected
from service.games.common.validation import Table
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES
from service.operations import batch, catalogue
from service.operations.dispatch import execute

API_VERSION: Final = "1.0.0"

_DESCRIPTION: Final = """\
Plays winter board games by their rules and gives hints.  Stateless: a request brings the whole
position, and every POST is safe to repeat.

A complete 200 answer is a pure function of the body and of the versions in `GET /v1/version`.
Objects of an answer may gain members; unknown members of a request are refused.

Every error is a problem document (RFC 9457), but for what is no HTTP request to begin with: a
malformed request line or headers, or too many of them, are refused by the server in front.
"""

_BATCH: Final = """\
Each request is answered as if it had come alone, one after the other, and identical ones once: the
status and the body of its result are those of its route.  A batch of at most 64 requests has at
most 512 KiB and holds no batches.  It costs what its requests cost together; what the quota does
not cover is 429.  A request whose turn does not come within 20 s is 503; sent again, those before
it are answered from the cache.  `deadline_ms` of a request runs from when its turn comes.
"""

_PROBLEMS: Final = {
    "400": "The text is not JSON.",
    "401": "The service asks for a key, and this is none that it knows.",
    "404": "No such path.",
    "405": "No such method here; `Allow` names those there are.",
    "413": "The body is larger than 64 KiB, or a batch than 512 KiB.",
    "415": "The body is not `application/json` in UTF-8, uncompressed.",
    "422": "Something else is wrong with the body; `errors` names every fault.",
    "429": "The quota is spent; `Retry-After` and `RateLimit` say when there is some again.",
    "500": "A fault of the service; the request id finds it in the log.",
    "503": "Overloaded, or stopped before anything was found; try again after `Retry-After`.",
}


_HEADERS: Final = {
    "X-Request-Id": "The id sent, or a new one.",
    "Server-Timing": "`total;dur=` milliseconds from receipt to the answer.",
}
_GAME_HEADERS: Final = {
    "Cache-Status": "Which cache had the answer, or the solve that it is told from (RFC 9211).",
    "RateLimit-Policy": "The quota, where there is one (draft-ietf-httpapi-ratelimit-headers-10).",
    "RateLimit": "What is left of it, and the seconds until all of it is back.",
}
_IN_LANGUAGE: Final = {
    "Content-Language": "Of the sentences in the answer.",
    "Vary": "`Accept-Language`: in another language the sentences are others.",
}
_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "Where the operator asks for keys; elsewhere none is needed.",
}
_SECURITY: Final[list[dict[str, list[str]]]] = [{}, {"key": []}]

_REQUEST_ID: Final = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "Comes back in the answer; 1 to 64 of `A-Z a-z 0-9 . _ -`, else it is replaced.",
    "schema": {"type": "string"},
}

_LANGUAGE: Final = {
    "name": "Accept-Language",
    "in": "header",
    "description": "What sentences are to be in (RFC 9110): `en`, `de` or `zh`; otherwise `en`.",
    "schema": {"type": "string"},
}


@lru_cache(maxsize=1)
def as_yaml() -> str:
    """The specification as text, the same for the same code."""
    document: str = yaml.safe_dump(
        build(), sort_keys=False, allow_unicode=True, width=100, default_flow_style=False
    )
    return document


def build() -> dict[str, Any]:
    """The specification as a document (OpenAPI 3.1)."""
    marshmallow = MarshmallowPlugin(schema_name_resolver=_component_name)
    spec = APISpec(
        title="Winter Games",
        version=API_VERSION,
        openapi_version="3.1.0",
        plugins=[marshmallow],
        info={"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/"}],
    )
    assert marshmallow.converter is not None, "the plugin is initialised by its specification"
    marshmallow.converter.add_attribute_function(_member_names)
    spec.components.security_scheme("key", _KEY)
    for status, description in _PROBLEMS.items():
        spec.components.response(f"Problem{status}", _problem(status, description))
    for name, entry in GAMES.items():
        for verb in entry.endpoints:
            path = f"/v1/games/{name}/{verb.name}"
            spec.path(path, operations={"post": _operation(entry, verb)})
    spec.path(batch.PATH, operations={"post": _batch()})
    for path, summary, tag, schema, example in _readings():
        spec.path(path, operations={"get": _reading(summary, tag, path, schema, example)})
    spec.path("/openapi.yaml", operations={"get": _text("This document", "application/yaml")})
    document: dict[str, Any] = orjson.loads(orjson.dumps(spec.to_dict()))
    return document


def _operation(entry: GameDefinition, verb: Endpoint) -> dict[str, Any]:
    body = orjson.loads(orjson.dumps(verb.example))
    shown = execute(entry, verb, body).document
    shape: Any = verb.response_schema
    if verb.other_responses:
        shape = {"anyOf": [verb.response_schema, *verb.other_responses]}
    headers = _HEADERS | _GAME_HEADERS | (_IN_LANGUAGE if verb.localized else {})
    statuses = ["400", "401", "413", "415", "422", "429", "500", "503"]
    return {
        "operationId": f"{entry.game.name}-{verb.name}",
        "summary": verb.summary,
        "tags": [entry.game.name],
        "security": _SECURITY,
        "parameters": [_REQUEST_ID, *([_LANGUAGE] if verb.localized else [])],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": verb.request_schema, "example": body}},
        },
        "responses": {"200": _json(verb.summary, shape, shown, headers)}
        | {status: f"Problem{status}" for status in statuses},
    }


def _batch() -> dict[str, Any]:
    asked, results = [], []
    for entry in list(GAMES.values())[:2]:
        verb = next(verb for verb in entry.endpoints if verb.name == "legal-moves")
        body = orjson.loads(orjson.dumps(verb.example))
        shown = execute(entry, verb, body).document
        path = f"/v1/games/{entry.game.name}/{verb.name}"
        asked.append({"id": entry.game.name, "path": path, "body": body})
        results.append({"id": entry.game.name, "status": 200, "body": shown})
    statuses = ["400", "401", "413", "415", "422", "500"]
    told = {"results": results}
    return {
        "operationId": "batch",
        "summary": "Several requests in one",
        "description": _BATCH,
        "tags": ["service"],
        "security": _SECURITY,
        "parameters": [_REQUEST_ID, _LANGUAGE],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": batch.BatchRequest,
                    "example": {"requests": asked},
                }
            },
        },
        "responses": {
            "200": _json("What each was answered", BatchAnswer, told, _HEADERS | _IN_LANGUAGE)
        }
        | {status: f"Problem{status}" for status in statuses},
    }


def _readings() -> list[tuple[str, str, str, type[Schema], Any]]:
    about = [
        (f"/v1/games/{name}", f"Names, data and rulings of {name}", name, entry.about_schema, entry)
        for name, entry in GAMES.items()
    ]
    return [
        ("/v1/games", "The games", "service", GamesAnswer, catalogue.games()),
        *(
            (path, text, tag, schema, catalogue.game(entry))
            for path, text, tag, schema, entry in about
        ),
        *(
            (f"/v1/games/{name}/{told.path}", told.summary, name, told.schema, told.document)
            for name, entry in GAMES.items()
            for told in entry.documents
        ),
        ("/v1/version", "All versions", "service", VersionAnswer, catalogue.versions()),
        ("/healthz", "Whether the process lives", "service", Health, {"status": "ok"}),
        ("/readyz", "Whether it can answer now", "service", Health, {"status": "ready"}),
    ]


def _reading(
    summary: str, tag: str, path: str, schema: type[Schema], example: Any
) -> dict[str, Any]:
    statuses = ["500"]
    operation: dict[str, Any] = {
        "operationId": path.strip("/").replace("/", "-"),
        "summary": summary,
        "tags": [tag],
    }
    if path.startswith("/v1/games"):
        operation["security"] = _SECURITY
        statuses.insert(0, "401")
    if path == "/readyz":
        statuses.append("503")
    problems = {status: f"Problem{status}" for status in statuses}
    return operation | {"responses": {"200": _json(summary, schema, example)} | problems}


def _text(summary: str, media_type: str) -> dict[str, Any]:
    return {
        "operationId": "openapi",
        "summary": summary,
        "tags": ["service"],
        "responses": {
            "200": {"description": summary, "content": {media_type: {"schema": {"type": "string"}}}}
        },
    }


def _json(
    description: str, schema: Any, example: Any, headers: Mapping[str, str] = _HEADERS
) -> dict[str, Any]:
    return {
        "description": description,
        "headers": _described(headers),
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _described(headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
    }


def _problem(status: str, description: str) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": Problem}
    response: dict[str, Any] = {
        "description": description,
        "content": {"application/problem+json": content},
    }
    if status == "422":
        content["example"] = _refused_example()
    headers = _described(_HEADERS)
    if status == "401":
        headers |= _described({"WWW-Authenticate": "`Bearer` (RFC 6750)."})
    if status in ("429", "503"):
        headers["Retry-After"] = {"description": "Seconds.", "schema": {"type": "integer"}}
    response["headers"] = headers
    return response


def _refused_example() -> dict[str, Any]:
    """What a first example is answered once some of it is spoilt."""
    entry = next(iter(GAMES.values()))
    verb = entry.endpoints[0]
    body = orjson.loads(orjson.dumps(verb.example)) | {"surplus": True}
    body.pop(next(iter(verb.example)))
    try:
        execute(entry, verb, body)
    except Rejected as rejected:
        return rejection(rejected, "7f3a2c")
    raise AssertionError("a body without a required member is refused")


def _component_name(schema: Any) -> str:
    """Return the public name of a schema, which its class states itself."""
    made = schema if isinstance(schema, type) else type(schema)
    # Not inherited: two classes with one name would overwrite each other in the document.
    name: str = vars(made)["component"]
    return name


def _member_names(_: Any, field: Any, **__: Any) -> dict[str, Any]:
    """What the free member names of a table have to look like."""
    if not isinstance(field, Table) or field.key_field is None:
        return {}
    for validator in field.key_field.validators:
        if hasattr(validator, "regex"):
            return {"propertyNames": {"pattern": validator.regex.pattern}}
        if hasattr(validator, "choices"):
            return {"propertyNames": {"enum": list(validator.choices)}}
    return {}
