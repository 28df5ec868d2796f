"""The name of a kernel includes everything that invalidates its compile cache; debugging."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from service import compiling
from service.core.violations import Overloaded

ROOT = Path(__file__).resolve().parents[1]
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


def read_of_module(x):
    return x + layout.FACTOR  # noqa: F821


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


def test_the_name_depends_on_what_a_kernel_reads_of_a_module(monkeypatch: pytest.MonkeyPatch):
    layout = ModuleType("service.layout")
    layout.FACTOR = 2  # type: ignore[attr-defined]
    monkeypatch.setitem(globals(), "layout", layout)
    before = compiling._digest(read_of_module)
    layout.FACTOR = 3  # type: ignore[attr-defined]
    assert compiling._digest(read_of_module) != before


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
    monkeypatch.setattr(compiling, "_busy", lambda: True)
    inside = compiling.kernel("int64(int64)")(one)
    monkeypatch.setitem(globals(), "one", inside)
    outside = compiling.kernel("int64(int64)")(two)
    called, caller = compiling.KERNELS.values()
    assert caller.calls == [called]
    assert not caller.is_cached
    with pytest.raises(Overloaded, match="compiling"):
        outside(1)
    monkeypatch.setattr(compiling, "_busy", lambda: False)
    assert outside(1) == 5
    assert inside(1.0) == 3  # An argument is converted to the type of the signature.
    assert len(outside.signatures) == len(inside.signatures) == 1
    assert caller.is_cached


# Calls ----------------------------------------------------------------------------------------


plain_one = one


def callers_of_one(monkeypatch: pytest.MonkeyPatch, largest_inlined: int, signature: str):
    """Return a compiled ``two``, and the kernels of both, as a new process has them."""
    for function in (plain_one, two):
        monkeypatch.setattr(function, "__qualname__", function.__name__)
    monkeypatch.setattr(compiling, "MAX_INLINED", largest_inlined)
    monkeypatch.setattr(compiling, "KERNELS", {})
    monkeypatch.setitem(globals(), "one", compiling.kernel(signature)(plain_one))
    return compiling.kernel("int64(int64)")(two), *compiling.KERNELS.values()


@pytest.mark.parametrize(("largest_inlined", "is_external"), [(1_000, False), (0, True)])
def test_callers_contain_small_kernels_and_call_large_ones_at_their_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, largest_inlined: int, is_external: bool
):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    call, *_ = callers_of_one(monkeypatch, largest_inlined, "int64(int64)")
    assert call(1) == 5
    call, called, caller = callers_of_one(monkeypatch, largest_inlined, "int64(int64)")
    assert caller.is_cached
    assert caller.external_calls == ({called} if is_external else set())
    assert call(1) == 5
    assert called.is_loaded == is_external


def test_the_name_depends_on_how_a_kernel_is_called(monkeypatch: pytest.MonkeyPatch):
    names = {
        callers_of_one(monkeypatch, largest_inlined, signature)[2].digest
        for largest_inlined in (0, 1_000)
        for signature in ("int64(int64)", "float64(int64)")
    }
    assert len(names) == 4


# Counting references --------------------------------------------------------------------------


@compiling.kernel("void(float64[::1])")
def double(numbers):
    for place in range(len(numbers)):
        numbers[place] *= 2.0


@compiling.kernel("float64[::1](float64[:, ::1], int64)")
def row_of(table, row):
    return table[row]


@compiling.kernel("float64(float64[:, ::1])")
def total_of_rows(table):
    """Owns what ``row_of`` returns, so it must give it back."""
    total = 0.0
    for row in range(len(table)):
        total += row_of(table, row)[0]
    return total


class Numbers(NamedTuple):
    """A record of arrays."""

    values: Any
    factor: Any


NUMBERS = compiling.record(Numbers, values="float64[::1]", factor="float64")


@compiling.kernel(f"{NUMBERS}(int64)")
def numbers_of(count):
    return Numbers(np.full(count, 1.5), 2.0)


@compiling.kernel("float64(int64)")
def total_of_numbers(count):
    """Owns the array in what ``numbers_of`` returns."""
    numbers, total = numbers_of(count), 0.0
    for value in numbers.values:
        total += value * numbers.factor
    return total


@compiling.kernel("float64(int64, int64)")
def total_of_doubled(rows, columns):
    table = np.full((rows, columns), 1.5)
    for row in range(rows):
        double(table[row])
    return total_of_rows(table)


def test_references_are_counted_only_where_arrays_are_created_or_returned():
    counting = {
        compiling.KERNELS[id(own)].name.rpartition(".")[2]: own.targetoptions["_nrt"]
        for own in (double, row_of, total_of_rows, total_of_doubled, numbers_of, total_of_numbers)
    }
    assert counting == {
        "double": False,
        "row_of": True,
        "total_of_rows": True,
        "total_of_doubled": True,
        "numbers_of": True,
        "total_of_numbers": True,
    }


def test_kernels_that_do_not_count_references_lose_no_memory():
    total_of_doubled(4, 8), total_of_numbers(8)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert total_of_doubled(4, 8) == 12.0
        assert total_of_numbers(8) == 24.0
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.mi_alloc - before.mi_alloc == 2
    assert after.mi_free - before.mi_free == 2


def test_a_kernel_that_copies_an_array_without_counting_is_not_compiled():
    @compiling.kernel("void(float64[::1], float64[::1])")
    def assign(source, target):
        target[:] = source

    try:
        with pytest.raises(numba.core.errors.NumbaRuntimeError, match="NRT required"):
            assign(TABLE, TABLE.copy())
    finally:
        del compiling.KERNELS[id(assign)]


def test_kernels_run_as_python_for_a_debugger() -> None:
    """Hashes overflow in some of them, which is no warning."""
    program = (
        "from golden.asking import ask\n"
        "seats = [{'player': 'ada'}, {'player': 'ben'}]\n"
        "state = ask('slopecrashers', 'new', {'seats': seats, 'seed': 1})['state']\n"
        "print(ask('slopecrashers', 'suggest', {'state': state, 'player': 'ada'})['pick'])\n"
    )
    path = {"PYTHONPATH": ":".join(map(str, (ROOT, ROOT / "scripts")))}
    picks = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, **path, **variables},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for variables in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert picks[0] == picks[1] != ""
