"""Arrays as bytes: a JSON head with their shapes, then the numbers, bit for bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from service.core.arrays import Floats

_LENGTH_BYTES: Final = 4
"""Size of the length field before the head."""
_NUMBER: Final = np.dtype("<f8")
LARGEST: Final = 1e12
"""No number of an array is larger; NaN and infinite numbers are refused too."""
SUM_TOLERANCE: Final = 1e-3
"""By how much the sum of probabilities can differ from 1: many have single precision."""


def pack_arrays(head: Mapping[str, Any], arrays: Sequence[Floats]) -> bytes:
    """Return bytes that :func:`unpack_arrays` reads."""
    text = json.dumps({**head, "shapes": [array.shape for array in arrays]}).encode()
    numbers = [array.astype(_NUMBER).tobytes() for array in arrays]
    return b"".join([len(text).to_bytes(_LENGTH_BYTES, "big"), text, *numbers])


def unpack_arrays(packed: bytes) -> tuple[dict[str, Any], list[Floats]]:
    """Return the head and the arrays.

    Raises:
        ValueError: if the bytes were not packed by :func:`pack_arrays`.
    """
    start = _LENGTH_BYTES + int.from_bytes(packed[:_LENGTH_BYTES], "big")
    head = unpack_head(packed[_LENGTH_BYTES:start])
    numbers = np.frombuffer(packed, _NUMBER, offset=min(start, len(packed))).astype(np.float64)
    if not np.abs(numbers).max(initial=0.0) <= LARGEST:
        raise ValueError("a number is not finite")
    arrays: list[Floats] = []
    begin = 0
    for shape in _shapes(head.pop("shapes", None), len(numbers)):
        end = begin + prod(shape)
        arrays.append(numbers[begin:end].reshape(shape))
        begin = end
    if begin != len(numbers):
        raise ValueError("the bytes are longer than their head says")
    return head, arrays


def unpack_head(text: bytes) -> dict[str, Any]:
    """Return the fields of a JSON object.

    Raises:
        ValueError: if the text is anything else. The standard library would raise RecursionError
            for deeply nested text, and it accepts NaN.
    """
    head = orjson.loads(text)
    if not isinstance(head, dict):
        raise ValueError("the head is not an object")
    return head


def are_probabilities(rows: NDArray[np.floating[Any]]) -> bool:
    """Return whether the last axis of an array has probabilities, whose sum is 1 up to rounding."""
    return bool(rows.min() >= 0.0 and np.abs(rows.sum(axis=-1) - 1.0).max() <= SUM_TOLERANCE)


def _shapes(shapes: Any, numbers: int) -> list[list[int]]:
    """Return the shapes of arrays that have at most so many numbers each.

    Raises:
        ValueError: if they are anything else.
    """
    if isinstance(shapes, list) and all(
        isinstance(shape, list)
        and all(type(size) is int and 0 <= size <= numbers for size in shape)
        and prod(shape) <= numbers
        for shape in shapes
    ):
        return shapes
    raise ValueError("the shapes are not lists of sizes")
