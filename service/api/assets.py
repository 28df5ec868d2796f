"""Things that are sent as they are: made once, validated by their content, guarded by headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from flask import Response, request


@dataclass(frozen=True, slots=True)
class Asset:
    """Something that is served.

    Attributes:
        content: its bytes.
        media_type: as ``Content-Type`` has it.
        etag: a strong validator, without quotes.
    """

    content: bytes
    media_type: str
    etag: str


def asset_of(content: bytes, media_type: str) -> Asset:
    """The bytes with a validator that tells them from others."""
    return Asset(content, media_type, sha256(content).hexdigest()[:32])


def sent(asset: Asset, headers: Mapping[str, str]) -> Response:
    """The asset as an answer, or 304 to whoever has it already (RFC 9110, 13.1.2)."""
    response = Response(asset.content, content_type=asset.media_type)
    response.headers.update(headers)
    response.set_etag(asset.etag)
    response.make_conditional(request)
    return response
