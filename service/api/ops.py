"""What operators and tools ask: health, versions, the specification, the documentation page."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, redirect
from flask_swagger_ui import get_swaggerui_blueprint
from werkzeug.wrappers import Response as BaseResponse

from service.api.games import as_json
from service.api.spec import as_yaml
from service.operations import catalogue

DOCS: Final = "/docs"
SPECIFICATION: Final = "/openapi.yaml"


def blueprint() -> Blueprint:
    """Health, versions and the specification."""
    ops = Blueprint("ops", __name__)
    ops.add_url_rule("/healthz", "healthz", lambda: as_json({"status": "ok"}))
    # Kernels are compiled on import, so whoever can answer is warm.
    ops.add_url_rule("/readyz", "readyz", lambda: as_json({"status": "ready"}))
    ops.add_url_rule("/v1/version", "version", lambda: as_json(catalogue.versions()))
    ops.add_url_rule(SPECIFICATION, "specification", _specification)
    ops.add_url_rule("/", "front", _docs)
    # Before Flask redirects to what the Host header says.
    ops.add_url_rule(DOCS, "docs", _docs)
    return ops


def docs() -> Blueprint:
    """The documentation page, from assets in the package."""
    # Without a validator no browser asks another host about our specification.
    config = {"app_name": "Winter Games", "validatorUrl": None, "oauth2RedirectUrl": None}
    page: Blueprint = get_swaggerui_blueprint(DOCS, SPECIFICATION, config=config)
    return page


def _specification() -> Response:
    return Response(as_yaml(), content_type="application/yaml")


def _docs() -> BaseResponse:
    return redirect(DOCS + "/")
