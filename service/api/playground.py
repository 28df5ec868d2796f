"""The playground: the page at the root and its assets, read once from files of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort

from service.api.assets import Asset, asset_of, sent

FOLDER: Final = Path(__file__).resolve().parents[1] / "playground"
PAGE: Final = "index.html"
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""Of what is served; nothing else in the folder is."""
HEADERS: Final = {
    # Names change with no version, so browsers ask each time, and mostly hear 304 (RFC 9111).
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            # Whatever a link or a name brings, no text of the page becomes markup.
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def read_assets(folder: Path = FOLDER) -> dict[str, Asset]:
    """All files of the page, by their path below the folder."""
    assets = {}
    for file in sorted(folder.rglob("*")):
        media_type = MEDIA_TYPES.get(file.suffix)
        if media_type is not None and file.is_file():
            name = file.relative_to(folder).as_posix()
            assets[name] = asset_of(file.read_bytes(), media_type)
    return assets


def blueprint() -> Blueprint:
    """The page at ``/``, and what it loads below ``/playground/``."""
    playground = Blueprint("playground", __name__)
    assets = read_assets()

    # Paths are looked up among those that were read, so there is no way out of the folder.
    def asset(path: str) -> Response:
        found = assets.get(path)
        if found is None or path == PAGE:
            abort(404)
        return sent(found, HEADERS)

    playground.add_url_rule("/", "page", lambda: sent(assets[PAGE], HEADERS))
    playground.add_url_rule("/playground/<path:path>", "asset", asset)
    return playground
