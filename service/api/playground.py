"""Routes of the web page at ``/`` and of its files below ``/playground/``."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, request

from service.api.assets import send
from service.api.page_files import PAGE, PREFIX, WORKER, read_files

HEADERS: Final = {
    # Without the version in the address, browsers revalidate each time (RFC 9111); mostly 304.
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            # No text, for example from a link or a name, can become markup. The one policy names
            # the address of the service worker, a constant.
            "require-trusted-types-for 'script'",
            "trusted-types service-worker",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
IMMUTABLE: Final = HEADERS | {"Cache-Control": "public, max-age=31536000, immutable"}
"""Headers of a file whose address has the version that this process serves."""


def blueprint() -> Blueprint:
    """Return the routes of the page and of its files."""
    playground = Blueprint("playground", __name__)
    files = read_files()

    # Only paths read at start-up are served, so a path cannot leave the folder.
    def file_view(path: str) -> Response:
        asset = files.assets.get(path)
        if asset is None:
            abort(404)
        # While an upgrade is rolled out, a page can ask for files of another version.
        is_current = request.args.get("v") == files.version
        response = send(asset, IMMUTABLE if is_current else HEADERS)
        if path == WORKER:
            response.headers["Service-Worker-Allowed"] = "/"
        return response

    playground.add_url_rule("/", "page", lambda: send(files.assets[PAGE], HEADERS))
    playground.add_url_rule(f"{PREFIX}<path:path>", "asset", file_view)
    return playground
