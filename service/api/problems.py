"""Every error as ``application/problem+json`` (RFC 9457), shaped in this one place."""

from __future__ import annotations

import random
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, InternalServerError, RequestEntityTooLarge

from service.api.access import KeyRefused
from service.api.answers import QuotaExceeded
from service.api.body import NotJson
from service.api.log import logger
from service.core.codes import PROBLEM_CODES
from service.core.faults import INVALID_BODY, Fault, OutOfTime, Overloaded, Rejected
from service.operations.watch import Watch

MEDIA_TYPE: Final = "application/problem+json"

# The phrases of RFC 9110; those of Python's http module differ from version to version.
_TITLES: Final = {status.value: status.phrase for status in HTTPStatus} | {
    413: "Content Too Large",
    422: "Unprocessable Content",
}
BAD_REQUEST: Final = "bad-request"
INTERNAL_ERROR: Final = "internal-error"
RETRY_AFTER_S: Final = (1, 4)
"""Drawn from this range, so that those who were refused together do not come back together."""
MOST_ERRORS: Final = 1000
"""Beyond that a body is not mistaken but hostile, and its answer would outgrow it."""


def problem(
    status: int, code: str, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A problem document as a response."""
    return _respond(_document(status, code, detail, g.get("request_id", "")), headers)


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
        errors.append(_error(Fault("", "more-faults", left)))
    return _document(422, rejected.code, detail, request_id) | {"errors": errors}


def _document(status: int, code: str, detail: str, request_id: str) -> dict[str, Any]:
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


def _error(fault: Fault) -> dict[str, str]:
    error = {"path": fault.path, "code": fault.code, "detail": fault.detail}
    return error | {"rule": fault.rule} if fault.rule else error


def register(app: Flask, watch: Watch) -> None:
    """Makes every way a request can fail end in a problem document."""

    def overloaded(error: Overloaded) -> Response:
        watch.shed(str(error))
        detail = "Too much is being solved already."
        return problem(503, "overloaded", detail, headers=_retry_later())

    app.register_error_handler(NotJson, _not_json)
    app.register_error_handler(Rejected, _rejected)
    app.register_error_handler(OutOfTime, _out_of_time)
    app.register_error_handler(Overloaded, overloaded)
    app.register_error_handler(QuotaExceeded, _quota_exceeded)
    app.register_error_handler(KeyRefused, _key_refused)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _not_json(error: NotJson) -> Response:
    return problem(400, "not-json", str(error))


def _rejected(error: Rejected) -> Response:
    return _respond(rejection(error, g.get("request_id", "")))


def _out_of_time(_: OutOfTime) -> Response:
    detail = "The deadline passed before anything was found."
    return problem(503, "deadline-passed", detail, headers=_retry_later())


def _key_refused(error: KeyRefused) -> Response:
    detail = "A key that is known is due: Authorization: Bearer KEY."
    challenge = {"WWW-Authenticate": 'Bearer realm="winter-games"'}
    return problem(401, str(error), detail, headers=challenge)


def _retry_later() -> dict[str, str]:
    return {"Retry-After": str(random.randint(*RETRY_AFTER_S))}


def _quota_exceeded(_: QuotaExceeded) -> Response:
    return problem(429, "quota-exceeded", "The quota is spent; RateLimit says when it is back.")


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    if isinstance(error, RequestEntityTooLarge):
        return problem(status, "body-too-large", "The body is larger than 64 KiB.")
    code = _TITLES[status].lower().replace(" ", "-")
    if code not in PROBLEM_CODES:
        code = BAD_REQUEST
    kept = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    return problem(status, code, error.description or _TITLES[status], headers=kept)


def _unexpected(error: Exception) -> Response:
    logger().error("failed", request_id=g.get("request_id", ""), exc_info=error)
    return problem(500, INTERNAL_ERROR, InternalServerError.description)
