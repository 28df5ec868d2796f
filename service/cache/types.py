"""Results of a cache lookup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_VALUE_BYTES: Final = 1 << 20
"""Larger values are not cached."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A cached value.

    Attributes:
        value: the bytes that were stored.
        layer: the cache that had it: ``memory`` or ``redis``.
    """

    value: bytes
    layer: str


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to compute a value that other processes wait for."""

    key: bytes
    token: bytes
