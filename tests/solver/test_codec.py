"""A solve as bytes: what comes back is what went in, bit by bit, and nothing else is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from service.solver.solution import Solution, unpack

NUMBERS = st.floats(allow_nan=False)
SOLVE = Solution(
    strategies=[np.array([0.25, 0.75]), np.ones(1)],
    outcomes=[np.array([[0.1, -0.0], [1e-300, 3.0]]), np.zeros((0, 2))],
    epsilon=0.0004,
    quantal_residual=None,
    method="equilibrium",
    depth=2,
    choices_exact=False,
    complete=True,
    nodes=123_456_789,
    unsearched=1 / 3,
)


def same(one: Solution, other: Solution) -> bool:
    def bits(found: Solution) -> list[tuple[tuple[int, ...], bytes]]:
        return [(a.shape, a.tobytes()) for a in (*(found.strategies or ()), *found.outcomes)]

    bare = {"strategies": None, "outcomes": ()}
    return (
        bits(one) == bits(other)
        and (one.strategies is None) == (other.strategies is None)
        and replace(one, **bare) == replace(other, **bare)
    )


def test_a_solve_comes_back_bit_by_bit():
    assert same(unpack(SOLVE.pack()), SOLVE)
    bare = replace(SOLVE, strategies=None, epsilon=None, quantal_residual=1e-9)
    assert same(unpack(bare.pack()), bare)


@given(
    strategies=st.none() | st.lists(arrays(np.float64, st.integers(1, 5), elements=NUMBERS)),
    outcomes=st.lists(arrays(np.float64, array_shapes(min_dims=2, max_dims=2), elements=NUMBERS)),
    unsearched=st.floats(0.0, 1.0),
    epsilon=st.none() | st.floats(0.0, 9.0),
)
def test_any_solve_comes_back_bit_by_bit(strategies, outcomes, unsearched, epsilon):
    found = replace(
        SOLVE, strategies=strategies, outcomes=outcomes, unsearched=unsearched, epsilon=epsilon
    )
    assert same(unpack(found.pack()), found)
    assert unpack(found.pack()).pack() == found.pack()


def test_numbers_that_come_back_can_be_worked_with_like_those_that_went_in():
    found = unpack(SOLVE.pack())
    assert all(array.dtype == np.float64 and array.flags.writeable for array in found.outcomes)


def test_bytes_that_are_cut_or_have_more_are_no_solve():
    packed = SOLVE.pack()
    for end in range(len(packed)):
        with pytest.raises(ValueError, match="not a packed solution"):
            unpack(packed[:end])
    with pytest.raises(ValueError, match="not a packed solution"):
        unpack(packed + b"\0")


@pytest.mark.parametrize(
    "head", [b"[]", b"1", b"{}", b"nonsense", b'{"shapes": [], "strategies": null}', b"\xff\xfe"]
)
def test_bytes_with_another_head_are_no_solve(head: bytes):
    with pytest.raises(ValueError, match="not a packed solution"):
        unpack(len(head).to_bytes(4, "big") + head)
