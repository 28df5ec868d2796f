"""Operational routes: health, readiness and the specification."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import orjson
from flask import Blueprint, Response, current_app, redirect
from werkzeug.wrappers import Response as BaseResponse

from service.api.assets import HOUR, JSON, Asset, asset_of, send
from service.api.openapi.published import as_json, as_yaml
from service.api.problems import problem
from service.core.violations import COMPILE_TIMES

DOCS: Final = "/docs"
SPECIFICATION: Final = "/openapi.yaml"
SPECIFICATION_JSON: Final = "/openapi.json"

UNREADY: Final = {
    "draining": "This worker is shutting down.",
    "starting": f"The service compiles its search after a first start. Ready: {COMPILE_TIMES}.",
}
"""Why a worker is not ready, by the code of the problem."""


def blueprint() -> Blueprint:
    """Return the operational routes."""
    ops = Blueprint("ops", __name__)
    ops.add_url_rule("/healthz", "healthz", lambda: _status("ok"))
    ops.add_url_rule("/readyz", "readyz", _ready)
    for path, name in (
        (SPECIFICATION, "specification"),
        (SPECIFICATION_JSON, "specification_json"),
    ):
        ops.add_url_rule(path, name, lambda path=path: send(_specifications()[path], HOUR))
    # A relative redirect: Flask would take the host from the Host header.
    ops.add_url_rule(DOCS, "docs", _docs)
    return ops


def _ready() -> Response:
    """Return whether requests should be sent; the server says why not."""
    code = current_app.config.get("UNREADY", lambda: None)()
    if code is not None:
        return problem(503, code, UNREADY[code], {"Retry-After": "1"})
    return _status("ready")


def _status(status: str) -> Response:
    document = orjson.dumps({"status": status})
    return Response(document, content_type=JSON, headers={"Cache-Control": "no-store"})


@lru_cache(maxsize=1)
def _specifications() -> dict[str, Asset]:
    return {
        SPECIFICATION: asset_of(as_yaml(), "application/yaml"),
        SPECIFICATION_JSON: asset_of(as_json(), JSON),
    }


def _docs() -> BaseResponse:
    return redirect(DOCS + "/")
