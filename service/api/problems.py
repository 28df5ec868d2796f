"""Every error as ``application/problem+json`` (RFC 9457), shaped in this one place."""

from __future__ import annotations

import random
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, InternalServerError

from service.api.auth import KeyRefused
from service.api.json_body import NotJson
from service.api.log import logger
from service.api.responses import QuotaExceeded
from service.core.violation_codes import PROBLEM_CODES
from service.core.violations import INVALID_BODY, OutOfTime, Overloaded, Rejected, Violation
from service.operations.observer import Observer

MEDIA_TYPE: Final = "application/problem+json"

# The phrases of RFC 9110; those of Python's http module differ from version to version.
_TITLES: Final = {status.value: status.phrase for status in HTTPStatus} | {
    413: "Content Too Large",
    422: "Unprocessable Content",
}
BAD_REQUEST, NOT_FOUND, TOO_LARGE = "bad-request", "not-found", "body-too-large"
INTERNAL_ERROR: Final = "internal-error"
RETRY_AFTER_S: Final = (1, 4)
"""Drawn from this range, so that those who were refused together do not come back together."""
MOST_ERRORS: Final = 1000
"""Beyond that a body is not mistaken but hostile, and its answer would outgrow it."""


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A problem document as a response."""
    return _respond(problem_document(status, code, detail, g.get("request_id", "")), headers)


def rejection(rejected: Rejected, request_id: str) -> dict[str, Any]:
    """The problem document of a body that was refused."""
    count = len(rejected.faults)
    detail = f"The body has {count} {'fault' if count == 1 else 'faults'}; see errors."
    if rejected.code != INVALID_BODY:
        foremost = next(fault for fault in rejected.faults if fault.code == rejected.code)
        detail = foremost.detail
    errors = [_error(fault) for fault in rejected.faults[:MOST_ERRORS]]
    if count > MOST_ERRORS:
        left = f"{count - MOST_ERRORS} more faults are not listed."
        errors.append(_error(Violation("", "more-faults", left)))
    return problem_document(422, rejected.code, detail, request_id) | {"errors": errors}


def problem_document(status: int, code: str, detail: str, request_id: str) -> dict[str, Any]:
    """A problem document (RFC 9457)."""
    return {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
    }


def _respond(document: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    g.code = document["code"]
    body = orjson.dumps(document)
    return Response(body, document["status"], content_type=MEDIA_TYPE, headers=headers)


def _error(fault: Violation) -> dict[str, str]:
    error = {"path": fault.path, "code": fault.code, "detail": fault.detail}
    return error | {"rule": fault.rule} if fault.rule else error


def told(error: Exception, request_id: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The problem document of what kept a body from being answered, and its headers."""
    match error:
        case NotJson():
            return problem_document(400, "not-json", str(error), request_id), {}
        case Rejected():
            return rejection(error, request_id), {}
        case QuotaExceeded():
            detail = "The quota is spent; RateLimit says when it is back."
            return problem_document(429, "quota-exceeded", detail, request_id), {}
        case OutOfTime():
            detail = "The deadline passed before anything was found."
            return problem_document(503, "deadline-passed", detail, request_id), _retry_later()
        case Overloaded():
            detail = "Too much is being solved already."
            return problem_document(503, "overloaded", detail, request_id), _retry_later()
    logger().error("failed", request_id=request_id, exc_info=error)
    return problem_document(500, INTERNAL_ERROR, InternalServerError.description, request_id), {}


def _retry_later() -> dict[str, str]:
    return {"Retry-After": str(random.randint(*RETRY_AFTER_S))}


def register(app: Flask, watch: Observer) -> None:
    """Makes every way a request can fail end in a problem document."""

    def unanswered(error: Exception) -> Response:
        if isinstance(error, Overloaded):
            watch.shed(str(error))
        return _respond(*told(error, g.get("request_id", "")))

    app.register_error_handler(Exception, unanswered)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(KeyRefused, _key_refused)


def _key_refused(error: KeyRefused) -> Response:
    detail = "A key that is known is due: Authorization: Bearer KEY."
    challenge = {"WWW-Authenticate": 'Bearer realm="winter-games"'}
    return problem(401, str(error), detail, headers=challenge)


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    code = TOO_LARGE if status == 413 else _TITLES[status].lower().replace(" ", "-")
    if code not in PROBLEM_CODES:
        code = BAD_REQUEST
    kept = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    return problem(status, code, error.description or _TITLES[status], headers=kept)
