"""Operational routes: health, readiness, metrics, versions and the specification."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, current_app, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from service.api.games import as_json
from service.api.metrics import MEDIA_TYPE, Metrics
from service.api.problems import problem
from service.api.spec import as_yaml
from service.operations import catalogue

DOCS: Final = "/docs"
SPECIFICATION: Final = "/openapi.yaml"


def blueprint(metrics: Metrics, metrics_port: int) -> Blueprint:
    """Return the operational routes; metrics are served on their own port only."""
    ops = Blueprint("ops", __name__)
    ops.before_app_request(lambda: _separate_ports(metrics_port))
    ops.add_url_rule("/metrics", "metrics", lambda: _metrics(metrics))
    ops.add_url_rule("/healthz", "healthz", lambda: as_json({"status": "ok"}))
    ops.add_url_rule("/readyz", "readyz", _ready)
    ops.add_url_rule("/v1/version", "version", lambda: as_json(catalogue.versions()))
    ops.add_url_rule(SPECIFICATION, "specification", _specification)
    # A relative redirect: Flask would take the host from the Host header.
    ops.add_url_rule(DOCS, "docs", _docs)
    return ops


def _separate_ports(metrics_port: int) -> None:
    if request.endpoint in ("ops.healthz", "ops.readyz"):
        return
    at_metrics = request.environ.get("SERVER_PORT") == str(metrics_port)
    if at_metrics != (request.endpoint == "ops.metrics"):
        abort(404)


def _ready() -> Response:
    # Kernels are compiled on import, so a worker that responds is ready.
    if current_app.config.get("DRAINING", bool)():
        return problem(503, "draining", "This worker is shutting down.", {"Retry-After": "1"})
    return as_json({"status": "ready"})


def _metrics(metrics: Metrics) -> Response:
    return Response(metrics.exposition(), content_type=MEDIA_TYPE)


def _specification() -> Response:
    return Response(as_yaml(), content_type="application/yaml")


def _docs() -> BaseResponse:
    return redirect(DOCS + "/")
