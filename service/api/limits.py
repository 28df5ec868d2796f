"""Limits of requests, as ``GET /v1/limits`` states them, and the check of query parameters."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from flask import Flask, request

from service.cache.rate_limit import Quota
from service.core.violations import Rejected, Violation
from service.games.common.near_misses import LANGUAGE_FIELDS
from service.operations.batch import MAX_REQUESTS

MAX_BODY_BYTES: Final = 128 * 1024
MAX_BATCH_BYTES: Final = 512 * 1024
BATCH_START_S: Final = 20.0
"""Requests of a batch not started by then are refused: the proxy in front waits 35 s for a
response, and the last request may have to wait and to be solved."""


MAX_SHOWN_NAMES: Final = 5
MAX_SHOWN_NAME: Final = 40
"""Of unknown query parameters, in an error."""


def limits(quota: Quota | None) -> dict[str, Any]:
    """Return the body of ``GET /v1/limits``: sizes in bytes, times in seconds.

    Args:
        quota: the rate limit; None if there is none, and then ``rate_limit`` is absent.
    """
    document: dict[str, Any] = {
        "body_bytes": MAX_BODY_BYTES,
        "batch": {
            "body_bytes": MAX_BATCH_BYTES,
            "requests": MAX_REQUESTS,
            "start_seconds": BATCH_START_S,
        },
    }
    if quota is not None:
        document["rate_limit"] = {"units": quota.units, "window_seconds": quota.window_s}
    return document


def register(app: Flask) -> None:
    """Refuse query parameters of API routes, like unknown fields of a body: none has any."""
    app.before_request(_refuse_query)


def _refuse_query() -> None:
    if request.endpoint is None or not request.path.startswith("/v1/") or not request.args:
        return
    names = [f"`{name[:MAX_SHOWN_NAME]}`" for name in islice(request.args, MAX_SHOWN_NAMES)]
    language = next(iter(request.args)).casefold() in LANGUAGE_FIELDS
    detail = f"No query parameter {', '.join(names)}: this route has none. "
    if language:
        detail += "The header Accept-Language chooses the language of texts."
    else:
        detail += "Remove the query; options are fields of the body."
    raise Rejected([Violation("", "unknown-parameter", detail)])
