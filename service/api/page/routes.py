"""Routes of the web page at ``/`` and of its files below ``/playground/``."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from service.api.assets import send
from service.api.page.files import PAGE, PREFIX, WORKER, PageFiles, read_files

_IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
"""For a file whose address has the version that this process serves."""


def blueprint() -> Blueprint:
    """Return the routes of the page and of its files."""
    playground = Blueprint("playground", __name__)
    files = read_files()
    usual = headers(files)

    # Only paths read at start-up are served, so a path cannot leave the folder.
    def file_view(path: str) -> Response:
        asset = files.assets.get(path)
        if asset is None:
            abort(404)
        # While an upgrade is rolled out, a page can ask for files of another version.
        is_current = request.args.get("v") == files.version
        response = send(asset, usual | _IMMUTABLE if is_current else usual)
        if path == WORKER:
            response.headers["Service-Worker-Allowed"] = "/"
        return response

    playground.add_url_rule("/", "page", lambda: send(files.assets[PAGE], usual))
    playground.add_url_rule(f"{PREFIX}<path:path>", "asset", file_view)
    return playground


def headers(files: PageFiles) -> dict[str, str]:
    """Return the headers of the page and of its files."""
    policy = (
        "default-src 'none'",
        # The only script in the page itself sets the theme before the first paint.
        f"script-src 'self' {files.inline}",
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
    return {
        # Without the version in the address, browsers revalidate each time (RFC 9111); mostly 304.
        "Cache-Control": "no-cache",
        "Content-Security-Policy": "; ".join(policy),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
    }
