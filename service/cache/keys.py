"""Cache keys: a digest of everything that a value depends on."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

DIGEST_BYTES: Final = 32


def key_of(*parts: str | bytes) -> bytes:
    """Return the key of a sequence of parts (BLAKE2b, each part prefixed with its length)."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()
