"""The only place that wires things together."""

from __future__ import annotations

import re
import time
import uuid
from typing import Final

from flask import Flask, Response, g, request

from service.api import games, ops, problems
from service.cache.memory import Memory
from service.config import MIB, Config
from service.operations.solves import Solves

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def create_app(config: Config | None = None) -> Flask:
    """The service as a WSGI application."""
    config = config or Config.from_environment()
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    app.logger.setLevel(config.log_level)
    app.before_request(_receive)
    app.after_request(_label)
    problems.register(app)
    app.register_blueprint(games.blueprint(Solves(Memory(config.cache_mib * MIB))))
    app.register_blueprint(ops.blueprint())
    app.register_blueprint(ops.docs())
    return app


def _receive() -> None:
    g.received = time.monotonic()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _label(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.get("request_id", "")
    return response
