"""The service with a route that does nothing beside its own: it passes the same hooks and reads a
body as they do, so that what they cost is not what is measured.
"""

from __future__ import annotations

from flask import Flask, Response

from service.api.games import MEDIA_TYPE, read_body
from service.app import create_app as create_service

ROUTE = "/noop"
ANSWER = b'{"status":"nothing was done"}' + b" " * 4_000


def create_app() -> Flask:
    """For load tests only."""
    app = create_service()
    app.add_url_rule(ROUTE, "noop", _do_nothing, methods=["POST"])
    return app


def _do_nothing() -> Response:
    read_body()
    return Response(ANSWER, content_type=MEDIA_TYPE)
