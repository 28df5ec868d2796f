"""The one place that knows the compiler; only modules of kernels use it.

Kernels are compiled ahead of use by their signatures, work on plain arrays, hold no interpreter
lock, and use + − × ÷ √ and comparisons only, in the order written: no fast mathematics, no parallel
loops (unsafe after a fork), no library for linear algebra, so that every machine finds the same
bits.  The compile cache notices changes of a kernel's own file alone; so the code of what it calls
is a part of its name there, and so are numbers, tuples and arrays, from whatever file they come.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
from numba import njit


def kernel(signature: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compiles without the interpreter lock; cached on disk where a writable place exists."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__qualname__ += f"-{_digest(function)}"
        compile_with = partial(njit, signature, nogil=True, error_model="numpy")
        try:
            ready: Callable[..., Any] = compile_with(cache=True)(function)
        except RuntimeError:  # No writable place for the cache.
            ready = compile_with()(function)
        return ready

    return compiled


def _digest(function: Callable[..., Any]) -> str:
    """Of the global numbers that a function reads and the code of the kernels that it calls, for
    both are compiled into it.
    """
    read: list[Any] = []
    for name in sorted(set(function.__code__.co_names)):
        value: Any = function.__globals__.get(name)
        if hasattr(value, "py_func"):
            code = value.py_func.__code__
            read.append((name, code.co_code, repr(code.co_consts), _digest(value.py_func)))
        elif isinstance(value, np.ndarray):
            read.append((name, value.dtype.str, value.shape, value.tobytes()))
        elif isinstance(value, (int, float, tuple, np.generic)):
            read.append((name, value))
    return sha256(repr(read).encode()).hexdigest()[:8]
