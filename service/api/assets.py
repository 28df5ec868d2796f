"""Responses that do not depend on the request, with ETag and ``Cache-Control``."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Final

import orjson
from flask import Response, request

REVALIDATE = {"Cache-Control": "no-cache"}
"""Addresses have no version, so clients revalidate each time and mostly get 304 (RFC 9111)."""
HOUR: Final = {"Cache-Control": "max-age=3600"}
"""For what changes only with a release, and states its version."""
JSON = "application/json"
MIN_COMPRESSED: Final = 512
"""Smaller contents are sent as they are, in bytes."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A static asset.

    Attributes:
        content: the bytes.
        media_type: value of ``Content-Type``.
        etag: a strong validator, without quotes.
        compressed: the bytes in gzip, if they are fewer.
    """

    content: bytes
    media_type: str
    etag: str
    compressed: bytes | None = None


def asset_of(content: bytes, media_type: str) -> Asset:
    """Return an asset whose ETag is a digest of its content."""
    return Asset(content, media_type, sha256(content).hexdigest()[:32], _compressed(content))


def json_asset(document: object) -> Asset:
    """Return a JSON document as an asset."""
    return asset_of(orjson.dumps(document), JSON)


def send(asset: Asset, headers: Mapping[str, str] = REVALIDATE) -> Response:
    """Return the asset, or 304 if the client has it already (RFC 9110, 13.1.2)."""
    content, etag = asset.content, asset.etag
    response = Response(content_type=asset.media_type)
    response.headers.update(headers)
    if asset.compressed is not None:
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"] > 0:
            # Other bytes need another strong ETag (RFC 9110, 8.8.3.3).
            content, etag = asset.compressed, f"{asset.etag}-gzip"
            response.content_encoding = "gzip"
    response.set_data(content)
    response.set_etag(etag)
    response.make_conditional(request)
    return response


@cache
def _compressed(content: bytes) -> bytes | None:
    """Return the bytes in gzip, or None if that saves nothing; the same bytes in every process."""
    if len(content) < MIN_COMPRESSED:
        return None
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < len(content) else None
