"""Signatures of cached values (RFC 2104, SHA-256), so that a damaged or swapped value is a miss.

The signature covers key and value. With a secret, values of other writers are misses too.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

SEAL_BYTES: Final = 32


def seal(key: bytes, value: bytes, secret: bytes = b"") -> bytes:
    """Return the signature followed by the value.

    Args:
        secret: HMAC key; without one the signature detects damage, not forgery.
    """
    return _seal(key, value, secret) + value


def unseal(key: bytes, sealed: bytes, secret: bytes = b"") -> bytes | None:
    """Return the value, or None if the signature does not match."""
    value = sealed[SEAL_BYTES:]
    intact = hmac.compare_digest(sealed[:SEAL_BYTES], _seal(key, value, secret))
    return value if intact else None


def _seal(key: bytes, value: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, len(key).to_bytes(4, "big") + key + value, sha256)
