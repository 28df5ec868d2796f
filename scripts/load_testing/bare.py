"""A bare Flask application under the same server, to compare the service with.

gunicorn -c deploy/gunicorn.conf.py "load_testing.bare:create_app()"
"""

from __future__ import annotations

import os

from flask import Flask, Response, abort, request
from werkzeug.exceptions import RequestEntityTooLarge

MAX_BODY_BYTES = 128 * 1024


def create_app() -> Flask:
    """Return an application that reads a body and sends ``BARE_BYTES`` of JSON."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.url_map.merge_slashes = False
    document = b'"' + b"x" * (int(os.environ.get("BARE_BYTES") or 1000) - 2) + b'"'

    def answer() -> Response:
        try:
            body = request.get_data()
        except RequestEntityTooLarge:
            raise
        except Exception:  # The server refuses the framing of the body.
            body = b""
        if not body:
            abort(400)
        return Response(document, content_type="application/json")

    for name in ("new", "suggest"):
        app.add_url_rule(f"/v1/games/snow-time/{name}", name, answer, methods=["POST"])
    for path in ("/healthz", "/readyz"):
        app.add_url_rule(path, path, lambda: {"status": "ok"})
    return app
