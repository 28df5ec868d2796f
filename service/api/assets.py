"""Responses that do not depend on the request, with ETag and ``Cache-Control``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import orjson
from flask import Response, request

REVALIDATE = {"Cache-Control": "no-cache"}
"""Addresses have no version, so clients revalidate each time and mostly get 304 (RFC 9111)."""
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Asset:
    """A static asset.

    Attributes:
        content: the bytes.
        media_type: value of ``Content-Type``.
        etag: a strong validator, without quotes.
    """

    content: bytes
    media_type: str
    etag: str


def asset_of(content: bytes, media_type: str) -> Asset:
    """Return an asset whose ETag is a digest of its content."""
    return Asset(content, media_type, sha256(content).hexdigest()[:32])


def json_asset(document: object) -> Asset:
    """Return a JSON document as an asset."""
    return asset_of(orjson.dumps(document), JSON)


def send(asset: Asset, headers: Mapping[str, str] = REVALIDATE) -> Response:
    """Return the asset, or 304 if the client has it already (RFC 9110, 13.1.2)."""
    response = Response(asset.content, content_type=asset.media_type)
    response.headers.update(headers)
    response.set_etag(asset.etag)
    response.make_conditional(request)
    return response
