"""The name of a kernel includes everything that invalidates its compile cache."""

from __future__ import annotations

import numpy as np
import pytest

from service import compiling

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
