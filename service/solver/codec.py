"""Numbers as bytes: a head in JSON that tells their shapes, then the numbers, bit by bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats

_LENGTH: Final = 4
"""Bytes that say how long the head is."""
_NUMBERS: Final = np.dtype("<f8")


def pack_arrays(head: Mapping[str, Any], arrays: Sequence[Floats]) -> bytes:
    """Bytes that :func:`unpack_arrays` reads."""
    text = json.dumps({**head, "shapes": [array.shape for array in arrays]}).encode()
    numbers = [array.astype(_NUMBERS).tobytes() for array in arrays]
    return b"".join([len(text).to_bytes(_LENGTH, "big"), text, *numbers])


def unpack_arrays(packed: bytes) -> tuple[dict[str, Any], list[Floats]]:
    """The head and the arrays.

    Raises:
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError: if these bytes were
            not packed.
    """
    start = _LENGTH + int.from_bytes(packed[:_LENGTH], "big")
    head: dict[str, Any] = json.loads(packed[_LENGTH:start])
    arrays: list[Floats] = []
    for shape in head.pop("shapes"):
        size = int(np.prod(shape))
        numbers = np.frombuffer(packed, _NUMBERS, size, start)
        arrays.append(numbers.astype(np.float64).reshape(shape))
        start += numbers.nbytes
    if start != len(packed):
        raise ValueError("more than was packed")
    return head, arrays
