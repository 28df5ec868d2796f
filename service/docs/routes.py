"""Routes of the documentation site: pages, files that they load, and the search index."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect

from service.api.assets import send
from service.docs.layout import HOME, REFERENCE
from service.docs.pages import LATE, assets, late_assets

HEADERS: Final = {
    # The address of a page does not change with its content, so browsers revalidate each time and
    # mostly get 304 (RFC 9111).
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "connect-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    ),
    "Referrer-Policy": "no-referrer",
}


def blueprint() -> Blueprint:
    """Return all routes below ``/docs/``."""
    docs = Blueprint("docs", __name__)
    site = assets()

    # A lookup in a dictionary: no request path reaches the file system.
    def page(name: str = "") -> Response:
        asset = late_assets()[name] if name in LATE else site.get(name)
        if asset is None:
            abort(404)
        return send(asset, HEADERS)

    docs.add_url_rule(HOME, "index", page)
    # Without this route, Flask would redirect to the host in the Host header.
    docs.add_url_rule(REFERENCE.rstrip("/"), "reference", lambda: redirect(REFERENCE))
    # The former address of the API reference.
    docs.add_url_rule(f"{HOME}index.html", "front", lambda: redirect(HOME))
    docs.add_url_rule(f"{HOME}<path:name>", "page", page)
    return docs
