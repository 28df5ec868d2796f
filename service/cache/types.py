"""What is found in a cache, or to be made for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_VALUE_BYTES: Final = 1 << 20
"""No larger value is kept anywhere."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A value that was kept.

    Attributes:
        value: as it was put.
        layer: which cache had it: ``memory`` or ``redis``.
    """

    value: bytes
    layer: str


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to make a value that others wait for."""

    key: bytes
    token: bytes
