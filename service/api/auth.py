"""API keys: if any are configured, every route requires one except the public ones."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from flask import Flask, g, request

PUBLIC: Final = frozenset(
    {
        "ops.healthz",
        "ops.readyz",
        "documents.v1-version",
        "ops.specification",
        "ops.specification_json",
        "ops.docs",
    }
    | {"playground.page", "playground.asset"}
    | {"docs.index", "docs.front", "docs.page", "docs.reference"}
)
"""Endpoints that need no key."""
SCHEME: Final = "bearer"
KEY_PREFIX: Final = "key "
"""Distinguishes clients with a key from addresses."""


class KeyRefused(Exception):
    """The request has no key or an unknown one; the argument is the problem's code."""


class Keys:
    """API keys, stored as hashes.

    Args:
        hashes: SHA-256 of each key, by owner. Keys are long and random (``secrets``), so a plain
            hash cannot be reversed.
    """

    def __init__(self, hashes: Mapping[str, bytes]) -> None:
        self._hashes = dict(hashes)

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def owner(self, key: str) -> str | None:
        """Return the owner of a key, or None; takes the same time for every key."""
        digest = sha256(key.encode("utf-8", "surrogatepass")).digest()
        match = None
        for owner, known in self._hashes.items():
            if hmac.compare_digest(digest, known):
                match = owner
        return match


def read_keys(lines: Iterable[str]) -> Keys:
    """Parse lines of ``owner:hash`` with the hash in hexadecimal; ``#`` starts a comment.

    Raises:
        ValueError: if a line is malformed, or an owner has two keys.
    """
    hashes: dict[str, bytes] = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        owner, _, digits = text.partition(":")
        try:
            known = bytes.fromhex(digits)
        except ValueError:
            known = b""
        # The message must not repeat the line: it may be a key instead of its hash.
        if not owner or len(known) != sha256().digest_size:
            raise ValueError(f"API keys, line {number}: expected owner:sha256-in-hex")
        if owner in hashes:
            raise ValueError(f"API keys, line {number}: {owner} already has a key")
        hashes[owner] = known
    return Keys(hashes)


def client_of_key(authorization: str, keys: Keys) -> str:
    """Return the client that the rate limit charges, from the header ``Authorization``.

    Raises:
        KeyRefused: if it has no valid key.
    """
    scheme, _, key = authorization.partition(" ")
    if scheme.lower() != SCHEME or not key:
        raise KeyRefused("key-missing")
    owner = keys.owner(key.strip())
    if owner is None:
        raise KeyRefused("key-unknown")
    return KEY_PREFIX + owner


def register(app: Flask, keys: Keys) -> None:
    """Refuse requests without a key, also for unknown paths; without keys allow everything."""
    if keys:
        app.before_request(lambda: _guard(keys))


def _guard(keys: Keys) -> None:
    # A preflight request carries no key (Fetch standard, CORS-preflight fetch).
    preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    if preflight or request.endpoint in PUBLIC:
        return
    g.client = client_of_key(request.headers.get("Authorization", ""), keys)
