"""Static assets with ETags and security headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from flask import Response, request


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


def send(asset: Asset, headers: Mapping[str, str]) -> Response:
    """Return the asset, or 304 if the client has it already (RFC 9110, 13.1.2)."""
    response = Response(asset.content, content_type=asset.media_type)
    response.headers.update(headers)
    response.set_etag(asset.etag)
    response.make_conditional(request)
    return response
