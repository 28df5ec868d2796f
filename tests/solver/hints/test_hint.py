"""The order of recommendation, and the best response among recommended moves."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from service.core.advice import judge
from service.core.hints import Hint, MoveValue, Search
from service.solver.hints.hint import recommended_order
from tests import randomized


@pytest.mark.parametrize(
    ("values", "chances", "tolerance", "order"),
    [
        # Without a tolerance by value; then by probability, then in the order of the deck.
        ([1.0, 3.0, 2.0], [0.2, 0.3, 0.5], 0.0, [1, 2, 0]),
        ([2.0, 2.0, 2.0, 2.0], [0.1, 0.4, 0.1, 0.4], 0.0, [1, 3, 0, 2]),
        ([-1.5], [1.0], 0.0, [0]),
        # Values within the tolerance of the highest are equal.
        ([0.50, 0.49, 0.48], [0.1, 0.2, 0.7], 0.02, [2, 1, 0]),
        ([0.50, 0.49, 0.48], [0.1, 0.2, 0.7], 0.01, [1, 0, 2]),
        ([0.50, 0.49, 0.48], [0.1, 0.2, 0.7], 0.009, [0, 1, 2]),
        # Each class spans the tolerance from its own highest value: 0.92 starts a new one.
        ([1.0, 0.96, 0.92, 0.88], [0.1, 0.2, 0.3, 0.4], 0.05, [1, 0, 3, 2]),
        # 0.3 - 0.1 exceeds 0.2 in binary floating point, yet not as printed.
        ([0.3, 0.1], [0.4, 0.6], 0.2, [1, 0]),
        ([0.300000001, 0.1], [0.4, 0.6], 0.2, [0, 1]),
        # A move that the strategy does not play is never first, within the class and beyond it.
        ([5.0, 4.9, 1.0], [0.0, 1.0, 0.0], 0.2, [1, 0, 2]),
        ([5.0, 4.0, 3.0], [0.0, 0.4, 0.6], 0.2, [1, 0, 2]),
    ],
)
def test_moves_are_recommended_by_value_within_a_tolerance_and_by_probability(
    values: list[float], chances: list[float], tolerance: float, order: list[int]
):
    assert recommended_order(values, chances, tolerance) == order


@pytest.mark.parametrize("seed", randomized.case_numbers(30, 200))
def test_the_order_of_random_moves_is_a_permutation_with_the_documented_properties(seed: int):
    random = Random(seed)
    count = random.randint(1, 12)
    values = [random.randint(-5, 5) / 4 for _ in range(count)]
    weights = [random.choice((0, 0, 1, 2)) for _ in range(count - 1)] + [1]
    random.shuffle(weights)
    chances = [weight / sum(weights) for weight in weights]
    tolerance = random.choice((0.0, 0.25, 0.6))
    order = recommended_order(values, chances, tolerance)
    assert sorted(order) == list(range(count))
    assert chances[order[0]] > 0.0
    by_value = sorted(set(values), reverse=True)
    highest = {by_value[0]: by_value[0]}
    for better, value in pairwise(by_value):
        of_class = highest[better]
        highest[value] = of_class if of_class - value <= tolerance else value
    ranks = {i: (-highest[values[i]], -chances[i], i) for i in range(count)}
    rest = order[1:]
    assert [ranks[i] for i in rest] == sorted(ranks[i] for i in rest)
    assert order[0] == min((i for i in order if chances[i] > 0.0), key=lambda i: ranks[i])


def test_the_best_response_has_no_loss_although_another_move_is_recommended():
    """The first move of an equilibrium may lose up to epsilon against the highest value."""

    def move(card: str, value: float, probability: float) -> MoveValue[str]:
        return MoveValue({"red": card}, value, 0.75 - value, probability, {})

    hint = Hint(
        moves=[move("3", 0.5, 0.75), move("5", 0.75, 0.25)],
        verdict=judge([0.5, 0.75], "win"),
        pick={"red": "5"},
        pick_index=1,
        strategies={},
        win_shares={},
        expected_values={},
        grade=None,
        search=Search("equilibrium", 1, True, True, 1, 0.25, None, 0.0, "v1"),
    )
    assert hint.best_response.move == {"red": "5"}
    assert replace(hint, moves=hint.moves[::-1]).best_response.move == {"red": "5"}
