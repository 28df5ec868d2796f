"""Compilation of kernels with numba; only kernel modules use it.

Kernels are compiled on import for one signature, work on plain arrays and release the interpreter
lock. They use only + − × ÷ √ and comparisons in the order written: no fast-math, no parallel loops
(unsafe after a fork), no BLAS, so that every machine computes the same bits.

The compile cache detects changes of the file of a kernel only. Therefore the name of a kernel
includes a digest of the kernels it calls and of the global constants it reads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
from numba import njit


def kernel(signature: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that compiles for a signature, cached on disk if a folder is writable."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__qualname__ += f"-{_digest(function)}"
        compile_with = partial(
            njit, signature, nogil=True, error_model="numpy", no_cfunc_wrapper=True
        )
        try:
            ready: Callable[..., Any] = compile_with(cache=True)(function)
        except RuntimeError:  # No folder for the cache is writable.
            ready = compile_with()(function)
        return ready

    return compiled


def _digest(function: Callable[..., Any]) -> str:
    """Return a digest of the global constants that a function reads and the kernels it calls."""
    inputs: list[Any] = []
    for name in sorted(set(function.__code__.co_names)):
        value: Any = function.__globals__.get(name)
        if hasattr(value, "py_func"):
            code = value.py_func.__code__
            inputs.append((name, code.co_code, repr(code.co_consts), _digest(value.py_func)))
        elif isinstance(value, np.ndarray):
            inputs.append((name, value.dtype.str, value.shape, value.tobytes()))
        elif isinstance(value, (int, float, tuple, np.generic)):
            inputs.append((name, value))
    return sha256(repr(inputs).encode()).hexdigest()[:8]
