"""Shared components: headers, parameters, problem responses and the security scheme."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson
from apispec import APISpec

from service.api.problems import rejection
from service.api.schemas import Problem
from service.core.violations import Rejected
from service.games.registry import GAMES
from service.operations.dispatch import execute

SECURITY: Final[list[dict[str, list[str]]]] = [{}, {"key": []}]
"""Of all operations that state nothing else."""
PUBLIC: Final[list[dict[str, list[str]]]] = []

CONSTANT_HEADERS: Final = ("ETag", "Cache-Control")
GAME_HEADERS: Final = ("Cache-Status",)
LANGUAGE_HEADERS: Final = ("Content-Language",)
_PROBLEM_HEADERS: Final = (
    *("X-Request-Id", "Server-Timing", "RateLimit-Policy", "RateLimit"),
    *("Retry-After", "WWW-Authenticate"),
)
LANGUAGE: Final = "Language"

_HEADERS: Final = {
    "X-Request-Id": "The id of the request, or a new one.",
    "Server-Timing": "`total;dur=` milliseconds from receipt to response.",
    "Cache-Status": "The cache that had the response or its solution (RFC 9211).",
    "RateLimit-Policy": "The rate limit, if any (draft-ietf-httpapi-ratelimit-headers-10).",
    "RateLimit": "The units left, and the seconds until the limit is reset.",
    "Content-Language": "Language of the sentences.",
    "ETag": "Validator for `If-None-Match`. It changes only with the service or its settings.",
    "Cache-Control": "`max-age=3600` for what changes only with a release, else `no-cache`.",
    "WWW-Authenticate": "`Bearer` (RFC 6750).",
}
_RETRY_AFTER: Final = {"description": "Seconds.", "schema": {"type": "integer"}}
_PROBLEM: Final = """\
What is wrong and how to correct it. `code` is stable; `/docs/errors` explains each.

- 400: the body is not JSON.
- 401: the API key is missing or unknown.
- 404, 405: there is no such path, or it has no such method.
- 413: the body is larger than 128 KiB, or a batch than 512 KiB.
- 415: the body is not `application/json` in UTF-8, uncompressed.
- 422: the request is invalid, or the `deadline_ms` of a review too short; see `errors`.
- 429: the rate limit is used up; see `Retry-After` and `RateLimit`.
- 500: internal error; the log has the request id.
- 503: overloaded, or the deadline passed without a result; try again after `Retry-After`.
"""
_PARAMETERS: Final = {
    "Language": {
        "name": "Accept-Language",
        "in": "header",
        "description": "Preferred languages of sentences (RFC 9110), found by lookup (RFC 4647): "
        "`en` (default), `de`, `zh-Hans` (also for `zh`, `zh-CN`, `zh-SG`) or `zh-Hant` (also for "
        "`zh-TW`, `zh-HK`, `zh-MO`).",
        "schema": {"type": "string"},
        "example": "zh-TW, en;q=0.8",
    },
}
_KEY: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "Required only if the operator has configured keys.",
}


def add_components(spec: APISpec) -> None:
    """Add all shared components to a specification."""
    spec.components.security_scheme("key", _KEY)
    for name, description in _HEADERS.items():
        spec.components.header(name, {"description": description, "schema": {"type": "string"}})
    spec.components.header("Retry-After", _RETRY_AFTER)
    for name, parameter in _PARAMETERS.items():
        spec.components.parameter(name, "header", dict(parameter))
    spec.components.response("Problem", _problem_response())


def header_references(names: Iterable[str]) -> dict[str, Any]:
    """Return references to header components."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


PROBLEMS: Final = {
    "4XX": {"$ref": "#/components/responses/Problem"},
    "5XX": {"$ref": "#/components/responses/Problem"},
}
"""The responses of every operation other than 200."""


def _problem_response() -> dict[str, Any]:
    return {
        "description": _PROBLEM,
        "headers": header_references(_PROBLEM_HEADERS),
        "content": {"application/problem+json": {"schema": Problem, "example": _invalid_example()}},
    }


def _invalid_example() -> dict[str, Any]:
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
