"""Compilation of kernels with numba; only kernel modules use ``kernel``.

Kernels are compiled for one signature when they are first called, or before by
``service.serving.kernels``. They work on plain arrays and release the interpreter lock. They use
only + − × ÷ √ and comparisons in the order written: no fast-math, no parallel loops (unsafe after a
fork), no BLAS, so that every machine computes the same bits.

Callers contain small kernels, which LLVM may inline, and call large ones at their address.

Counting references to arrays takes a third of the time of kernels that call each other often. Numba
can leave it out where no array is created. So a kernel whose code names none of ``CREATING`` must
not assign an array to a part of another one, which may copy it first; the compiler refuses that
with *NRT required but not enabled*.

The compile cache detects changes of the file of a kernel only. Therefore the name of a kernel
includes a digest of the kernels it calls and of the global constants it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from hashlib import sha256
from threading import RLock
from types import ModuleType
from typing import Any, Final

import numpy as np
from llvmlite.binding import add_symbol
from numba import config, njit, types

from service.core.cpu_time import excluded
from service.core.violations import COMPILING, Overloaded

Function = Callable[..., Any]

CREATING: Final = frozenset(
    {
        "arange",
        "argsort",
        "astype",
        "copy",
        "empty",
        "empty_like",
        "full",
        "ones",
        "ravel",
        "reshape",
        "sort",
        "zeros",
        "zeros_like",
    }
)
"""Functions and methods that create arrays, or views that numba counts as new arrays."""

MAX_INLINED: Final = 1_500
"""Bytes of bytecode of the largest kernel that its callers contain, with all that it contains
itself. They call larger ones at their address, else each would be compiled in each of its callers:
that takes twice the time. With 400, hints take a few per cent longer."""

OWN: Final = "service."
"""Names of the modules whose attributes kernels read begin with it."""

_TYPES: Final[dict[str, Any]] = {**vars(types)}
"""Types by their names in signatures: those of numba, and records."""

_lock: Final = RLock()


class Kernel:
    """A function that is compiled when it is first needed.

    Args:
        dispatcher: of numba, without a compiled signature.
        signature: of the only variant.
        digest: of all that it depends on.

    Attributes:
        returns_array: whether the result is an array, or a record of arrays, which the caller owns.
        name: module and function.
        size: bytes of the function's bytecode.
        calls: the kernels that it calls itself.
        inlined_size: bytes of its bytecode and that of all kernels that it contains.
        is_external: whether its callers call it at its address instead of containing it.
        external_calls: the kernels whose addresses its machine code needs.
        is_loaded: whether a call needs nothing else.
    """

    def __init__(self, dispatcher: Any, signature: str, digest: str) -> None:
        self._dispatcher, self.digest = dispatcher, digest
        self.signature = eval(signature, {}, _TYPES)  # As numba does, which knows no records.
        self.returns_array = returns_array(signature)
        self.is_loaded = False
        function = dispatcher.py_func
        self.name = f"{function.__module__}.{function.__name__}"
        self.size = len(function.__code__.co_code)
        self.calls = _called_by(function)
        self.inlined_size: int = self.size + sum(
            each.inlined_size for each in self.calls if not each.is_external
        )
        self.is_external: bool = self.inlined_size > MAX_INLINED
        self.external_calls: set[Kernel] = {
            kernel
            for each in self.calls
            for kernel in ([each] if each.is_external else each.external_calls)
        }
        # Numba calls these two when another kernel or Python calls the function.
        dispatcher.compile = lambda _: self.load()
        dispatcher._compile_for_args = self._first_call

    @property
    def can_be_cached(self) -> bool:
        """Whether a folder for the compile cache is writable."""
        return self._dispatcher.stats.cache_path is not None

    @property
    def is_cached(self) -> bool:
        """Whether the compile cache has the kernel, so that loading takes milliseconds."""
        if not self.can_be_cached:
            return False
        cache = self._dispatcher._cache
        key = cache._index_key(self.signature, self._dispatcher.targetctx.codegen())
        return key in cache._cache_file._load_index()

    @property
    def described(self) -> tuple[str, str, bool]:
        """What the machine code of its callers depends on, besides its own code."""
        return self.digest, str(self.signature), self.is_external

    def load(self) -> None:
        """Load the machine code from the cache, or compile it.

        Raises:
            Overloaded: if other processes still compile the kernels.
        """
        with _lock:
            if self.is_loaded:
                return
            if others_compile() and not self.is_cached:
                raise Overloaded(COMPILING)
            for each in self.external_calls:
                each.load()
            with excluded():
                type(self._dispatcher).compile(self._dispatcher, self.signature)
            self._dispatcher.disable_compile()
            if self.is_external:
                self._export()
            self.is_loaded = True

    def _export(self) -> None:
        """Let other kernels call this one at its address, without linking its library."""
        [compiled] = self._dispatcher.overloads.values()
        external = copy(compiled.fndesc)
        address = compiled.library.get_pointer_to_function(external.mangled_name)
        # The name that numba gives differs from process to process, but caches contain this one.
        external.mangled_name = f"{self.name}-{self.digest}"
        add_symbol(external.mangled_name, address)
        context = self._dispatcher.targetctx
        context.remove_user_function(compiled.entry_point)
        context.insert_user_function(compiled.entry_point, external)

    def _first_call(self, *_: Any, **__: Any) -> Any:
        """Return what numba calls with the arguments."""
        self.load()
        return self._dispatcher


KERNELS: Final[dict[int, Kernel]] = {}
"""All kernels that are imported, by the identity of their function, called ones first."""


_busy: Callable[[], bool] = bool  # No process compiles.


def refuse_while(busy: Callable[[], bool]) -> None:
    """Refuse calls of kernels that are not compiled as long as ``busy`` returns true."""
    global _busy
    _busy = busy


def others_compile() -> bool:
    """Return whether other processes still compile kernels."""
    return _busy()


def record(kind: type[tuple[Any, ...]], **fields: str) -> str:
    """Let signatures of kernels contain a named tuple.

    Args:
        kind: the class.
        fields: the type of each of its fields, in order.

    Returns:
        Its name in signatures.
    """
    assert tuple(fields) == kind._fields, "all fields, in order"  # type: ignore[attr-defined]
    typed = [eval(each, {}, _TYPES) for each in fields.values()]
    _TYPES[kind.__name__] = types.NamedTuple(typed, kind)  # type: ignore[no-untyped-call]
    return kind.__name__


def kernel(signature: str) -> Callable[[Function], Function]:
    """Return a decorator that compiles for a signature, cached on disk if a folder is writable.

    With ``NUMBA_DISABLE_JIT=1`` in the environment, for a debugger, it compiles nothing.
    """

    def decorated(function: Function) -> Function:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return np.errstate(over="ignore")(function)  # Hashes overflow, as when compiled.
        counting = returns_array(signature) or _handles_new_arrays(function)
        digest = _digest(function)
        function.__qualname__ += f"-{digest}" if counting else f"-{digest}u"
        # Without the option, a kernel could inherit that of a kernel that calls it.
        compile_with = partial(
            njit, nogil=True, error_model="numpy", no_cfunc_wrapper=True, _nrt=counting
        )
        try:
            dispatcher: Function = compile_with(cache=True)(function)
        except RuntimeError:  # No folder for the cache is writable.
            dispatcher = compile_with()(function)
        KERNELS[id(dispatcher)] = Kernel(dispatcher, signature, digest)
        return dispatcher

    return decorated


def returns_array(signature: str) -> bool:
    """Return whether a kernel with this signature returns an array, or a record of arrays."""
    result = signature.partition("(")[0]
    return "[" in result or "array" in str(_TYPES.get(result))


def _handles_new_arrays(function: Function) -> bool:
    """Return whether a function creates arrays, or calls kernels that return them."""
    creates = not CREATING.isdisjoint(function.__code__.co_names)
    return creates or any(called.returns_array for called in _called_by(function))


def _called_by(function: Function) -> list[Kernel]:
    """Return the kernels that a function calls itself."""
    return [KERNELS[id(value)] for _, value in _globals_of(function) if id(value) in KERNELS]


def _globals_of(function: Function) -> Iterator[tuple[str, Any]]:
    """Yield the global names that a function reads, with their values.

    Numba freezes what a kernel reads of a module like a constant.
    """
    names = sorted(set(function.__code__.co_names))
    for name in names:
        value = function.__globals__.get(name)
        yield name, value
        if isinstance(value, ModuleType) and value.__name__.startswith(OWN):
            own = ((each, getattr(value, each, None)) for each in names)
            yield from ((f"{name}.{each}", inner) for each, inner in own if inner is not None)


def _digest(function: Function) -> str:
    """Return a digest of the global constants that a function reads and the kernels it calls."""
    inputs: list[Any] = []
    for name, value in _globals_of(function):
        if hasattr(value, "py_func"):
            code = value.py_func.__code__
            called = KERNELS.get(id(value))
            described = called.described if called else _digest(value.py_func)
            inputs.append((name, code.co_code, repr(code.co_consts), described))
        elif isinstance(value, np.ndarray):
            inputs.append((name, value.dtype.str, value.shape, value.tobytes()))
        elif isinstance(value, (int, float, tuple, np.generic)):
            inputs.append((name, value))
    return sha256(repr(inputs).encode()).hexdigest()[:8]
