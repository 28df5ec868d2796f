"""openapi.yaml, generated from the schemas; the examples are computed, not written."""

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
from service.games.common.validation import MapOf
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES
from service.operations import batch, catalogue
from service.operations.dispatch import execute

API_VERSION: Final = "1.0.0"

_DESCRIPTION: Final = """\
Plays winter board games by their rules and gives hints. The service is stateless: a request
contains the whole position, and every POST is safe to repeat.

A complete 200 response depends only on the body and on the versions in `GET /v1/version`. Objects
of a response may gain members; unknown members of a request are refused.

Every error is a problem document (RFC 9457), except malformed HTTP (request line, headers), which
the web server refuses itself.
"""

_BATCH: Final = """\
Requests are served one after the other, as if each came alone; identical ones are computed once.
The status and the body of a result are those of the route. A batch has at most 64 requests and
512 KiB, and must not contain a batch. Each request counts against the rate limit; those beyond it
are 429. A request that is not started within 20 s is 503; send the batch again, and the earlier
ones are served from the cache. The `deadline_ms` of a request runs from when it is started.
"""

_PROBLEMS: Final = {
    "400": "The body is not JSON.",
    "401": "The API key is missing or unknown.",
    "404": "There is no such path.",
    "405": "The path does not support this method; see `Allow`.",
    "413": "The body is larger than 64 KiB, or a batch than 512 KiB.",
    "415": "The body is not `application/json` in UTF-8, uncompressed.",
    "422": "The body is invalid; `errors` lists every violation.",
    "429": "The rate limit is used up; see `Retry-After` and `RateLimit`.",
    "500": "Internal error; the log has the request id.",
    "503": "Overloaded, or the deadline passed without a result; try again after `Retry-After`.",
}


_HEADERS: Final = {
    "X-Request-Id": "The id of the request, or a new one.",
    "Server-Timing": "`total;dur=` milliseconds from receipt to response.",
}
_GAME_HEADERS: Final = {
    "Cache-Status": "The cache that had the response or its solution (RFC 9211).",
    "RateLimit-Policy": "The rate limit, if any (draft-ietf-httpapi-ratelimit-headers-10).",
    "RateLimit": "The units left, and the seconds until the limit is reset.",
}
_IN_LANGUAGE: Final = {
    "Content-Language": "Language of the sentences.",
    "Vary": "`Accept-Language`: the sentences depend on it.",
}
_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "Required only if the operator has configured keys.",
}
_SECURITY: Final[list[dict[str, list[str]]]] = [{}, {"key": []}]

_REQUEST_ID: Final = {
    "name": "X-Request-Id",
    "in": "header",
    "description": "Repeated in the response; 1 to 64 of `A-Z a-z 0-9 . _ -`, otherwise replaced.",
    "schema": {"type": "string"},
}

_LANGUAGE: Final = {
    "name": "Accept-Language",
    "in": "header",
    "description": "Preferred language of sentences (RFC 9110): `en` (default), `de` or `zh`.",
    "schema": {"type": "string"},
}


@lru_cache(maxsize=1)
def as_yaml() -> str:
    """Return the specification as YAML; equal code gives equal text."""
    document: str = yaml.safe_dump(
        build(), sort_keys=False, allow_unicode=True, width=100, default_flow_style=False
    )
    return document


def build() -> dict[str, Any]:
    """Return the specification as a document (OpenAPI 3.1)."""
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
    for name, definition in GAMES.items():
        for endpoint in definition.endpoints:
            path = f"/v1/games/{name}/{endpoint.name}"
            spec.path(path, operations={"post": _operation(definition, endpoint)})
    spec.path(batch.PATH, operations={"post": _batch()})
    for path, summary, tag, schema, example in _get_routes():
        spec.path(path, operations={"get": _get_operation(summary, tag, path, schema, example)})
    spec.path("/openapi.yaml", operations={"get": _text("This document", "application/yaml")})
    document: dict[str, Any] = orjson.loads(orjson.dumps(spec.to_dict()))
    return document


def _operation(definition: GameDefinition, endpoint: Endpoint) -> dict[str, Any]:
    body = orjson.loads(orjson.dumps(endpoint.example))
    response = execute(definition, endpoint, body).document
    schema: Any = endpoint.response_schema
    if endpoint.other_responses:
        schema = {"anyOf": [endpoint.response_schema, *endpoint.other_responses]}
    headers = _HEADERS | _GAME_HEADERS | (_IN_LANGUAGE if endpoint.localized else {})
    statuses = ["400", "401", "413", "415", "422", "429", "500", "503"]
    return {
        "operationId": f"{definition.game.name}-{endpoint.name}",
        "summary": endpoint.summary,
        "tags": [definition.game.name],
        "security": _SECURITY,
        "parameters": [_REQUEST_ID, *([_LANGUAGE] if endpoint.localized else [])],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": endpoint.request_schema, "example": body}},
        },
        "responses": {"200": _json(endpoint.summary, schema, response, headers)}
        | {status: f"Problem{status}" for status in statuses},
    }


def _batch() -> dict[str, Any]:
    batched, results = [], []
    for definition in list(GAMES.values())[:2]:
        endpoint = next(
            endpoint for endpoint in definition.endpoints if endpoint.name == "legal-moves"
        )
        body = orjson.loads(orjson.dumps(endpoint.example))
        response = execute(definition, endpoint, body).document
        path = f"/v1/games/{definition.game.name}/{endpoint.name}"
        batched.append({"id": definition.game.name, "path": path, "body": body})
        results.append({"id": definition.game.name, "status": 200, "body": response})
    statuses = ["400", "401", "413", "415", "422", "500"]
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
                    "example": {"requests": batched},
                }
            },
        },
        "responses": {
            "200": _json(
                "The result of each request",
                BatchAnswer,
                {"results": results},
                _HEADERS | _IN_LANGUAGE,
            )
        }
        | {status: f"Problem{status}" for status in statuses},
    }


def _get_routes() -> list[tuple[str, str, str, type[Schema], Any]]:
    about = [
        (
            f"/v1/games/{name}",
            f"Names, data and rulings of {name}",
            name,
            definition.about_schema,
            definition,
        )
        for name, definition in GAMES.items()
    ]
    return [
        ("/v1/games", "The games", "service", GamesAnswer, catalogue.games()),
        *(
            (path, text, tag, schema, catalogue.game(definition))
            for path, text, tag, schema, definition in about
        ),
        *(
            (
                f"/v1/games/{name}/{static.path}",
                static.summary,
                name,
                static.schema,
                static.document,
            )
            for name, definition in GAMES.items()
            for static in definition.documents
        ),
        ("/v1/version", "All versions", "service", VersionAnswer, catalogue.versions()),
        ("/healthz", "Whether the process is alive", "service", Health, {"status": "ok"}),
        ("/readyz", "Whether the worker accepts requests", "service", Health, {"status": "ready"}),
    ]


def _get_operation(
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
    """Return the response to the first example with two errors in it."""
    definition = next(iter(GAMES.values()))
    endpoint = definition.endpoints[0]
    body = orjson.loads(orjson.dumps(endpoint.example)) | {"unknown": True}
    body.pop(next(iter(endpoint.example)))
    try:
        execute(definition, endpoint, body)
    except Rejected as rejected:
        return rejection(rejected, "7f3a2c")
    raise AssertionError("a body without a required member is invalid")


def _component_name(schema: Any) -> str:
    """Return the public name of a schema, which its class states itself."""
    cls = schema if isinstance(schema, type) else type(schema)
    # Not inherited: two classes with one name would overwrite each other in the document.
    name: str = vars(cls)["component"]
    return name


def _member_names(_: Any, field: Any, **__: Any) -> dict[str, Any]:
    """Return the constraint on the free member names of an object."""
    if not isinstance(field, MapOf) or field.key_field is None:
        return {}
    for validator in field.key_field.validators:
        if hasattr(validator, "regex"):
            return {"propertyNames": {"pattern": validator.regex.pattern}}
        if hasattr(validator, "choices"):
            return {"propertyNames": {"enum": list(validator.choices)}}
    return {}
