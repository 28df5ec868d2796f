"""The web page at ``/`` and its assets, read once at start-up."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort

from service.api.assets import Asset, asset_of, json_asset, send
from service.core.languages import LANGUAGES
from service.texts.catalogue import Forms, texts

FOLDER: Final = Path(__file__).resolve().parents[1] / "playground"
PAGE: Final = "index.html"
TEXTS: Final = "page."
"""What the ids of the page's texts begin with."""
SHARED_TEXTS: Final = "snowcrest.amount."
"""What the ids of texts begin with that the page shares with the service."""
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Only files with these suffixes are served."""
HEADERS: Final = {
    # File names have no version, so browsers revalidate each time (RFC 9111); mostly 304.
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
            # No text, for example from a link or a name, can become markup.
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}


def read_assets(folder: Path = FOLDER) -> dict[str, Asset]:
    """Return all files of the page by their path in the folder, and its messages by language."""
    assets = {}
    for file in sorted(folder.rglob("*")):
        media_type = MEDIA_TYPES.get(file.suffix)
        if media_type is not None and file.is_file():
            name = file.relative_to(folder).as_posix()
            assets[name] = asset_of(file.read_bytes(), media_type)
    for language in LANGUAGES:
        assets[f"messages/{language}.json"] = json_asset(messages(language))
    return assets


def messages(language: str) -> dict[str, str | Forms]:
    """Return the texts of the page by key; those with plural forms by category."""
    return {
        text_id.removeprefix(TEXTS): forms if len(forms) > 1 else forms["other"]
        for text_id, forms in texts(language).items()
        if text_id.startswith((TEXTS, SHARED_TEXTS))
    }


def blueprint() -> Blueprint:
    """Return the routes of the page and of its assets below ``/playground/``."""
    playground = Blueprint("playground", __name__)
    assets = read_assets()

    # Only paths read at start-up are served, so a path cannot leave the folder.
    def asset_view(path: str) -> Response:
        asset = assets.get(path)
        if asset is None or path == PAGE:
            abort(404)
        return send(asset, HEADERS)

    playground.add_url_rule("/", "page", lambda: send(assets[PAGE], HEADERS))
    playground.add_url_rule("/playground/<path:path>", "asset", asset_view)
    return playground
