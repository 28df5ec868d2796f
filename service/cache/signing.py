"""Values under a seal over key and value, so that what comes back from elsewhere is what was put
there under that key, whole and unchanged; with a secret, also by one of us.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

SEAL_BYTES: Final = 32


def seal(key: bytes, value: bytes, secret: bytes = b"") -> bytes:
    """The seal, then the value.

    Args:
        secret: signs it (RFC 2104 with SHA-256); without one the seal finds accidents, not forgers.
    """
    return _seal(key, value, secret) + value


def unseal(key: bytes, sealed: bytes, secret: bytes = b"") -> bytes | None:
    """The value, or None where the seal is broken."""
    value = sealed[SEAL_BYTES:]
    whole = hmac.compare_digest(sealed[:SEAL_BYTES], _seal(key, value, secret))
    return value if whole else None


def _seal(key: bytes, value: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, len(key).to_bytes(4, "big") + key + value, sha256)
