"""Routes of the documentation site: index, pages, style sheet, images and API reference."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect, request
from flask_swagger_ui import get_swaggerui_blueprint

from service.api.assets import send
from service.api.ops import SPECIFICATION
from service.docs.layout import HOME, REFERENCE
from service.docs.pages import assets

HEADERS: Final = {
    # The address of a page does not change with its content, so browsers revalidate each time and
    # mostly get 304 (RFC 9111).
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
}


def reference() -> Blueprint:
    """Return the API reference: Swagger UI, served from the files of its package."""
    # The default validator would make browsers send the specification to another host.
    config = {"app_name": "Winter Games", "validatorUrl": None, "oauth2RedirectUrl": None}
    page: Blueprint = get_swaggerui_blueprint(REFERENCE.rstrip("/"), SPECIFICATION, config=config)
    page.after_request(_revalidated)
    return page


def _revalidated(response: Response) -> Response:
    """Let browsers store a page of Swagger UI; its files have these headers already."""
    if response.status_code == 200 and "ETag" not in response.headers:
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
    return response


def blueprint() -> Blueprint:
    """Return all routes below ``/docs/`` except the API reference, which has another blueprint."""
    docs = Blueprint("docs", __name__)
    site = assets()

    # A lookup in a dictionary: no request path reaches the file system.
    def page(name: str = "") -> Response:
        asset = site.get(name)
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
