"""Every error as ``application/problem+json`` (RFC 9457), built in this one module."""

from __future__ import annotations

import random
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import Any, Final

import orjson
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, InternalServerError

from service.api.auth import KeyRefused
from service.api.json_body import NotJson
from service.api.log import logger
from service.api.responses import QuotaExceeded
from service.core.violation_codes import PROBLEM_CODES
from service.core.violations import (
    COMPILE_TIMES,
    COMPILING,
    ClientGone,
    OutOfTime,
    Overloaded,
    Rejected,
    Violation,
)
from service.games.common.near_misses import near_miss
from service.operations.observer import Observer

MEDIA_TYPE: Final = "application/problem+json"

# The phrases of RFC 9110; those of Python's http module differ from version to version.
TITLES: Final = {status.value: status.phrase for status in HTTPStatus} | {
    413: "Content Too Large",
    422: "Unprocessable Content",
}
BAD_REQUEST, NOT_FOUND, TOO_LARGE = "bad-request", "not-found", "body-too-large"
METHOD_NOT_ALLOWED = "method-not-allowed"
INTERNAL_ERROR: Final = "internal-error"
CLIENT_GONE: Final = "client-gone"
"""In the log only: no client receives it."""
ERROR_PAGE: Final = "/docs/errors"
"""The page that explains every code; served by :mod:`service.docs`."""
RETRY_AFTER_S: Final = (1, 4)
"""Drawn from this range, so that clients refused together do not retry together."""
MAX_SHOWN_PATH: Final = 200
WHERE_TO_LOOK: Final = "GET /v1/games lists the games; /docs documents every route."
MAX_ERRORS: Final = 1000
"""A body with more violations is hostile, and its response would be larger than the body."""


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a problem document as a response."""
    return _respond(problem_document(status, code, detail, g.get("request_id", "")), headers)


def rejection(rejected: Rejected, request_id: str) -> dict[str, Any]:
    """Return the problem document of a rejected body."""
    count, violations, code = len(rejected.violations), rejected.violations, rejected.code
    named = (each for each in violations if each.code == code)
    first = next(named, violations[0])
    detail = f"{first.path}: {first.detail}" if first.path else first.detail
    if count > 1:
        detail = f"{detail.removesuffix('.')}; and {count - 1} more."
    errors = [_error(violation) for violation in violations[:MAX_ERRORS]]
    if count > MAX_ERRORS:
        left = f"{count - MAX_ERRORS} more violations are not listed."
        errors.append(_error(Violation("", "more-faults", left)))
    return problem_document(422, code, detail, request_id) | {"errors": errors}


def problem_document(status: int, code: str, detail: str, request_id: str) -> dict[str, Any]:
    """Return a problem document (RFC 9457)."""
    return {
        "type": f"{ERROR_PAGE}#{code}",
        "title": TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
    }


def _respond(document: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    g.code = document["code"]
    body = orjson.dumps(document)
    return Response(body, document["status"], content_type=MEDIA_TYPE, headers=headers)


def _error(violation: Violation) -> dict[str, str]:
    error = {"path": violation.path, "code": violation.code, "detail": violation.detail}
    return error | {"rule": violation.rule} if violation.rule else error


def problem_of(error: Exception, request_id: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the problem document of an exception, and the headers of its response."""
    match error:
        case NotJson():
            return problem_document(400, "not-json", str(error), request_id), {}
        case Rejected():
            return rejection(error, request_id), {}
        case QuotaExceeded():
            detail = "The rate limit is used up; the RateLimit header says when it is reset."
            return problem_document(429, "quota-exceeded", detail, request_id), {}
        case OutOfTime():
            detail = "The deadline passed before there was any result. Increase `deadline_ms`."
            return problem_document(503, "deadline-passed", detail, request_id), _retry_later()
        case Overloaded():
            detail = _OVERLOADED.get(str(error), "The service is overloaded")
            detail += "; try again after Retry-After."
            return problem_document(503, "overloaded", detail, request_id), _retry_later()
    logger().error("failed", request_id=request_id, exc_info=error)
    return problem_document(500, INTERNAL_ERROR, InternalServerError.description, request_id), {}


_OVERLOADED: Final = {
    COMPILING: "After its first start, the service still compiles what this request needs "
    f"(ready: {COMPILE_TIMES})"
}
"""What to say instead of *overloaded*, by the keyword of :class:`Overloaded`."""


def _retry_later() -> dict[str, str]:
    return {"Retry-After": str(random.randint(*RETRY_AFTER_S))}


def register(app: Flask, observer: Observer) -> None:
    """Turn every exception of a request into a problem document."""

    def on_exception(error: Exception) -> Response:
        if isinstance(error, Overloaded):
            observer.shed(str(error))
        elif isinstance(error, OutOfTime):
            observer.timed_out(str(error) or "search")
        return _respond(*problem_of(error, g.get("request_id", "")))

    app.register_error_handler(Exception, on_exception)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(KeyRefused, _key_refused)
    app.register_error_handler(ClientGone, _client_gone)


def _client_gone(_: ClientGone) -> Response:
    """Return an empty response for the log; 499 is what nginx uses for this case."""
    g.code = CLIENT_GONE
    return Response(status=499)


def _key_refused(error: KeyRefused) -> Response:
    detail = "A valid API key is required: Authorization: Bearer KEY."
    challenge = {"WWW-Authenticate": 'Bearer realm="winter-games"'}
    return problem(401, str(error), detail, headers=challenge)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    code = TOO_LARGE if status == 413 else TITLES[status].lower().replace(" ", "-")
    if code not in PROBLEM_CODES:
        code = BAD_REQUEST
    headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    detail = error.description or TITLES[status]
    if status == 404:
        detail = no_route(request.path)
    elif status == 405:
        methods = headers.get("Allow", "")
        detail = f"This route supports {methods}, not {request.method}. {WHERE_TO_LOOK}"
    if status in (404, 405) and _is_browser():
        return _html_problem(status, code, detail, headers)
    return problem(status, code, detail, headers=headers)


_SIMILAR_ROUTE: Final = 0.92
"""Least similarity of a route that was probably meant: all routes begin alike."""
_OPERATIONS: Final = {
    word: operation
    for operation, words in {
        "new": "start create setup",
        "grow": "roll dice",
        "legal-moves": "moves actions legal-actions choices",
        "resolve": "play apply move turn round",
        "suggest": "hint hints suggestion advice advise recommend best-move",
        "review": "analysis analyse analyze",
    }.items()
    for word in words.split()
}
"""The operation of a game for other words that clients try."""


def no_route(path: str) -> str:
    """Return what is wrong with a path that no route has, and the route that was probably meant."""
    return f"No route {path[:MAX_SHOWN_PATH]!r}. {_meant(path)}"


def _meant(path: str) -> str:
    """Return a sentence with the route that was probably meant, or where to look."""
    routes = [rule.rule for rule in current_app.url_map.iter_rules() if not rule.arguments]
    parent, _, last = path.rstrip("/").rpartition("/")
    wanted = f"{parent}/{_OPERATIONS.get(last.casefold(), last)}"
    for each in (wanted, f"/v1{wanted}", f"/v1/games{wanted}"):
        if (route := near_miss(each, routes, _SIMILAR_ROUTE)) is not None:
            return f"Did you mean {route}?"
    return WHERE_TO_LOOK


def _is_browser() -> bool:
    """Return whether the client prefers HTML to JSON, as browsers do when they open a page."""
    preferred = request.accept_mimetypes.best_match([MEDIA_TYPE, "application/json", "text/html"])
    return preferred == "text/html"


def _html_problem(status: int, code: str, detail: str, headers: Mapping[str, str]) -> Response:
    g.code = code
    page = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{status} {TITLES[status]}</title>
<h1>{status} {TITLES[status]}</h1>
<p>{escape(detail)}</p>
<ul>
<li><a href="/">Play</a></li>
<li><a href="/docs/">Documentation</a></li>
<li><a href="/v1/games">Games of the API</a></li>
<li><a href="{ERROR_PAGE}#{code}">About this error</a></li>
</ul>
</html>
"""
    response = Response(page, status, headers=headers, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
    response.vary.add("Accept")
    return response
