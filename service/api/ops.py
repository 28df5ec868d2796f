"""Operational routes: health, versions, the specification, the way to the documentation."""

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
    """Health, versions and the specification; metrics, on a port where there is nothing else."""
    ops = Blueprint("ops", __name__)
    ops.before_app_request(lambda: _keep_ports_apart(metrics_port))
    ops.add_url_rule("/metrics", "metrics", lambda: _exposed(metrics))
    ops.add_url_rule("/healthz", "healthz", lambda: as_json({"status": "ok"}))
    ops.add_url_rule("/readyz", "readyz", _ready)
    ops.add_url_rule("/v1/version", "version", lambda: as_json(catalogue.versions()))
    ops.add_url_rule(SPECIFICATION, "specification", _specification)
    # Before Flask redirects to what the Host header says.
    ops.add_url_rule(DOCS, "docs", _docs)
    return ops


def _keep_ports_apart(metrics_port: int) -> None:
    if request.endpoint in ("ops.healthz", "ops.readyz"):
        return
    at_metrics = request.environ.get("SERVER_PORT") == str(metrics_port)
    if at_metrics != (request.endpoint == "ops.metrics"):
        abort(404)


def _ready() -> Response:
    # Kernels are compiled on import, so whoever can answer is warm.
    if current_app.config.get("DRAINING", bool)():
        return problem(503, "draining", "This worker is about to end.", {"Retry-After": "1"})
    return as_json({"status": "ready"})


def _exposed(metrics: Metrics) -> Response:
    return Response(metrics.exposition(), content_type=MEDIA_TYPE)


def _specification() -> Response:
    return Response(as_yaml(), content_type="application/yaml")


def _docs() -> BaseResponse:
    return redirect(DOCS + "/")
