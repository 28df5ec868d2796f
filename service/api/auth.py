"""Who may ask: with keys configured, nobody without one, but for what is listed as public."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from flask import Flask, g, request

PUBLIC: Final = frozenset(
    {"ops.healthz", "ops.readyz", "ops.version", "ops.specification", "ops.docs", "ops.metrics"}
    | {"swagger_ui.show", "playground.page", "playground.asset"}
    | {"docs.index", "docs.front", "docs.page", "docs.reference"}
)
"""Endpoints that need no key; metrics have a port of their own."""
SCHEME: Final = "bearer"


class KeyRefused(Exception):
    """No key, or none that is known; the argument is the problem's code."""


class Keys:
    """API keys, known by their hashes alone.

    Args:
        hashes: SHA-256 of each key, by its owner.  Keys are random and long (``secrets``), so that
            a plain hash cannot be turned back.
    """

    def __init__(self, hashes: Mapping[str, bytes]) -> None:
        self._hashes = dict(hashes)

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def owner(self, key: str) -> str | None:
        """Whose key it is; takes as long for a wrong one as for any."""
        told = sha256(key.encode("utf-8", "surrogatepass")).digest()
        found = None
        for owner, known in self._hashes.items():
            if hmac.compare_digest(told, known):
                found = owner
        return found


def read_keys(lines: Iterable[str]) -> Keys:
    """Keys from lines of ``owner:hash`` with the hash in hexadecimal; ``#`` begins a comment.

    Raises:
        ValueError: if a line is neither, or an owner has two.
    """
    hashes: dict[str, bytes] = {}
    for number, line in enumerate(lines, start=1):
        told = line.partition("#")[0].strip()
        if not told:
            continue
        owner, _, digits = told.partition(":")
        try:
            known = bytes.fromhex(digits)
        except ValueError:
            known = b""
        # The line itself stays unsaid: it may be a key, put where its hash is due.
        if not owner or len(known) != sha256().digest_size:
            raise ValueError(f"API keys, line {number}: owner:sha256-in-hex is due")
        if owner in hashes:
            raise ValueError(f"API keys, line {number}: {owner} has a key already")
        hashes[owner] = known
    return Keys(hashes)


def register(app: Flask, keys: Keys) -> None:
    """Refuses every request without a key, whatever its path, unless there are no keys at all."""
    if keys:
        app.before_request(lambda: _guard(keys))


def _guard(keys: Keys) -> None:
    # A preflight carries no key, and learns nothing (Fetch standard, CORS-preflight fetch).
    preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    if preflight or request.endpoint in PUBLIC:
        return
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != SCHEME or not key:
        raise KeyRefused("key-missing")
    owner = keys.owner(key.strip())
    if owner is None:
        raise KeyRefused("key-unknown")
    g.client = f"key {owner}"
