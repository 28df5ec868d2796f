"""The service with an additional route that does nothing.

The route passes the same hooks and reads its body, so that a comparison measures only the rest.
"""

from __future__ import annotations

from flask import Flask, Response

from service.api.assets import JSON
from service.api.games import read_body
from service.app import create_app as create_service

ROUTE = "/noop"
ANSWER = b'{"status":"nothing was done"}' + b" " * 4_000


def create_app() -> Flask:
    """Return the app; for load tests only."""
    app = create_service()
    app.add_url_rule(ROUTE, "noop", _do_nothing, methods=["POST"])
    return app


def _do_nothing() -> Response:
    read_body()
    return Response(ANSWER, content_type=JSON)
