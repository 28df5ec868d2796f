"""Solutions as bytes: unpacking restores every bit and rejects other bytes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from service.solver.codec import LARGEST
from service.solver.solution import Solution, unpack

NUMBERS = st.floats(-LARGEST, LARGEST)
SOLUTION = Solution(
    strategies=[np.array([0.25, 0.75]), np.ones(1)],
    outcomes=[np.array([[0.1, -0.0], [1e-300, 3.0]]), np.zeros((0, 2))],
    parts=[np.array([[0.5], [-0.5]]), np.zeros((0, 1))],
    replies=[np.array([[0.0, 0.0, 0.25], [0.0, 0.0, 0.5]]), np.zeros((0, 0))],
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
    def bits(solution: Solution) -> list[tuple[tuple[int, ...], bytes]]:
        by_player = (*solution.outcomes, *solution.parts, *solution.replies)
        all_arrays = (*(solution.strategies or ()), *by_player)
        return [(array.shape, array.tobytes()) for array in all_arrays]

    bare = {"strategies": None, "outcomes": (), "parts": (), "replies": ()}
    return (
        bits(one) == bits(other)
        and (one.strategies is None) == (other.strategies is None)
        and replace(one, **bare) == replace(other, **bare)
    )


def test_unpacking_restores_every_bit_of_a_solution():
    assert same(unpack(SOLUTION.pack()), SOLUTION)
    bare = replace(SOLUTION, strategies=None, epsilon=None, quantal_residual=1e-9)
    assert same(unpack(bare.pack()), bare)


@given(
    strategies=st.none() | st.lists(arrays(np.float64, st.integers(1, 5), elements=NUMBERS)),
    outcomes=st.lists(arrays(np.float64, array_shapes(min_dims=2, max_dims=2), elements=NUMBERS)),
    unsearched=st.floats(0.0, 1.0),
    epsilon=st.none() | st.floats(0.0, 9.0),
)
def test_unpacking_restores_every_bit_of_any_solution(strategies, outcomes, unsearched, epsilon):
    solution = replace(
        SOLUTION, strategies=strategies, outcomes=outcomes, unsearched=unsearched, epsilon=epsilon
    )
    assert same(unpack(solution.pack()), solution)
    assert unpack(solution.pack()).pack() == solution.pack()


def test_unpacked_arrays_are_writeable_float64():
    solution = unpack(SOLUTION.pack())
    assert all(array.dtype == np.float64 and array.flags.writeable for array in solution.outcomes)


def test_truncated_or_extended_bytes_are_rejected():
    packed = SOLUTION.pack()
    for end in range(len(packed)):
        with pytest.raises(ValueError, match="not a packed solution"):
            unpack(packed[:end])
    with pytest.raises(ValueError, match="not a packed solution"):
        unpack(packed + b"\0")


def test_bytes_with_another_head_are_rejected():
    other = b'{"shapes": [], "strategies": null}'
    for head in (b"[]", b"1", b"{}", b"nonsense", other, b"\xff\xfe"):
        with pytest.raises(ValueError, match="not a packed solution"):
            unpack(len(head).to_bytes(4, "big") + head)
