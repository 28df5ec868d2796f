"""The routes of the documentation: its index, its pages, and what they load."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect
from flask_swagger_ui import get_swaggerui_blueprint

from service.api.assets import sent
from service.api.ops import SPECIFICATION
from service.docs.layout import HOME, REFERENCE
from service.docs.pages import assets

HEADERS: Final = {
    # Addresses change with no version, so browsers ask each time, and mostly hear 304 (RFC 9111).
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "style-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def reference() -> Blueprint:
    """The API reference: Swagger UI, from files of its package."""
    # Without a validator no browser sends our specification to another host.
    config = {"app_name": "Winter Games", "validatorUrl": None, "oauth2RedirectUrl": None}
    page: Blueprint = get_swaggerui_blueprint(REFERENCE.rstrip("/"), SPECIFICATION, config=config)
    return page


def blueprint() -> Blueprint:
    """All pages below ``/docs/``, but for the reference, which has a blueprint of its own."""
    docs = Blueprint("docs", __name__)
    served = assets()

    # Looked up among what was made, so that no path leads to a file.
    def page(name: str = "") -> Response:
        found = served.get(name)
        if found is None:
            abort(404)
        return sent(found, HEADERS)

    docs.add_url_rule(HOME, "index", page)
    # Before Flask redirects to what the Host header says.
    docs.add_url_rule(REFERENCE.rstrip("/"), "reference", lambda: redirect(REFERENCE))
    # Where the reference was, before there were other pages.
    docs.add_url_rule(f"{HOME}index.html", "front", lambda: redirect(HOME))
    docs.add_url_rule(f"{HOME}<path:name>", "page", page)
    return docs
