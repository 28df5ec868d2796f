"""Keys: a digest of all that a value depends on."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

DIGEST_BYTES: Final = 32


def key_of(*parts: str | bytes) -> bytes:
    """A key that no other sequence of parts has."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        told = part.encode() if isinstance(part, str) else part
        digest.update(len(told).to_bytes(8, "big"))
        digest.update(told)
    return digest.digest()
