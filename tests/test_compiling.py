"""The name of a kernel includes everything that invalidates its compile cache."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest

from service import compiling
from service.core.violations import Overloaded

FACTOR = 2
TABLE = np.array([1.0, 2.0])
BOUNDS = (1, 2)


class Kernel:
    """A compiled function, as another kernel sees it."""

    def __init__(self, function):
        self.py_func = function

    def __call__(self, x):
        return self.py_func(x)


def times(x):
    return x * FACTOR


inner = Kernel(times)


def through(x):
    return inner(x)


def looked_up(x):
    return TABLE[x] + BOUNDS[x]


@pytest.mark.parametrize(
    ("function", "name", "other"),
    [
        (times, "FACTOR", 3),
        (through, "FACTOR", 3),
        (looked_up, "TABLE", np.array([1.0, 3.0])),
        (looked_up, "BOUNDS", (1, 3)),
    ],
)
def test_the_name_depends_on_the_numbers_that_a_kernel_reads(
    function, name: str, other: object, monkeypatch: pytest.MonkeyPatch
):
    before = compiling._digest(function)
    assert compiling._digest(function) == before
    monkeypatch.setitem(globals(), name, other)
    assert compiling._digest(function) != before


def test_the_name_depends_on_the_code_of_called_kernels(monkeypatch: pytest.MonkeyPatch):
    def plus(x):
        return x + FACTOR

    before = compiling._digest(through)
    monkeypatch.setitem(globals(), "inner", Kernel(plus))
    assert compiling._digest(through) != before


def one(x):
    return x + FACTOR


def two(x):
    return one(one(x))


def test_a_kernel_is_compiled_at_its_first_call_unless_other_processes_compile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiling, "KERNELS", {})
    monkeypatch.setattr(compiling, "_refused", lambda: True)
    inside = compiling.kernel("int64(int64)")(one)
    monkeypatch.setitem(globals(), "one", inside)
    outside = compiling.kernel("int64(int64)")(two)
    called, caller = compiling.KERNELS.values()
    assert caller.calls == [called]
    assert not caller.is_cached
    with pytest.raises(Overloaded, match="compiling"):
        outside(1)
    monkeypatch.setattr(compiling, "_refused", lambda: False)
    assert outside(1) == 5
    assert inside(1.0) == 3  # An argument is converted to the type of the signature.
    assert len(outside.signatures) == len(inside.signatures) == 1
    assert caller.is_cached
