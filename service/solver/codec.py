"""Arrays as bytes: a JSON head with their shapes, then the numbers, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats

_LENGTH_BYTES: Final = 4
"""Size of the length field before the head."""
_NUMBER: Final = np.dtype("<f8")


def pack_arrays(head: Mapping[str, Any], arrays: Sequence[Floats]) -> bytes:
    """Return bytes that :func:`unpack_arrays` reads."""
    text = json.dumps({**head, "shapes": [array.shape for array in arrays]}).encode()
    numbers = [array.astype(_NUMBER).tobytes() for array in arrays]
    return b"".join([len(text).to_bytes(_LENGTH_BYTES, "big"), text, *numbers])


def unpack_arrays(packed: bytes) -> tuple[dict[str, Any], list[Floats]]:
    """Return the head and the arrays.

    Raises:
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError: if the bytes were
            not packed by :func:`pack_arrays`.
    """
    start = _LENGTH_BYTES + int.from_bytes(packed[:_LENGTH_BYTES], "big")
    head: dict[str, Any] = json.loads(packed[_LENGTH_BYTES:start])
    arrays: list[Floats] = []
    for shape in head.pop("shapes"):
        size = int(np.prod(shape))
        numbers = np.frombuffer(packed, _NUMBER, size, start)
        arrays.append(numbers.astype(np.float64).reshape(shape))
        start += numbers.nbytes
    if start != len(packed):
        raise ValueError("the bytes are longer than their head says")
    return head, arrays
