"""Headlines: how clear a choice is."""

from __future__ import annotations

from typing import Any

import pytest

from service.core.advice import (
    ADVICE_CODES,
    AVOID,
    CLEAR,
    DECIDED,
    DRAWN,
    EQUAL,
    FORCED,
    LEVEL,
    LOST,
    MIXTURE,
    UNCERTAIN,
    UNLIKELY,
    WON,
    judge,
)
from service.core.vocabulary import POINTS, WIN


def test_one_legal_choice_is_forced() -> None:
    assert judge([0.3], WIN).code == FORCED


@pytest.mark.parametrize(("value", "result"), [(1.0, WON), (0.0, LOST), (0.25, LEVEL)])
def test_a_share_that_nobody_can_change_decides(value: float, result: str) -> None:
    verdict = judge([value] * 3, WIN, bounds=[(value, value)] * 3)
    assert (verdict.code, verdict.result) == (DECIDED, result)


@pytest.mark.parametrize("bounds", [None, [(0.0, 0.5)] * 3, [(0.0, 0.0), (0.0, 0.0), (0.0, 1.0)]])
@pytest.mark.parametrize(("value", "code"), [(0.0, UNLIKELY), (0.25, EQUAL), (1.0, EQUAL)])
def test_equal_values_alone_decide_nothing(value: float, code: str, bounds: Any) -> None:
    verdict = judge([value] * 3, WIN, bounds=bounds)
    assert (verdict.code, verdict.result) == (code, "")


def test_spaces_are_no_win() -> None:
    """A hint for points called a choice that gains one space "a sure win"."""
    verdict = judge([1.0, 0.0], POINTS, bounds=[(1.0, 1.0), (0.0, 0.0)])
    assert (verdict.code, verdict.result) == (CLEAR, "")


def test_only_a_choice_that_wins_against_every_play_is_a_sure_win() -> None:
    bounds = [(1.0, 1.0), (0.0, 1.0), (0.5, 1.0)]
    verdict = judge([1.0, 1.0, 0.9], WIN, bounds=bounds)
    assert (verdict.code, list(verdict.choices), verdict.result) == (CLEAR, [0], WON)
    verdict = judge([1.0, 1.0, 0.9], WIN, bounds=bounds, pick=1)
    assert (verdict.code, verdict.result) == (EQUAL, "")


def test_equal_sampled_values_do_not_decide() -> None:
    assert judge([0.3, 0.3], WIN, error=0.02).code == UNCERTAIN


def test_a_choice_ahead_by_more_than_the_tolerance_is_clear() -> None:
    verdict = judge([0.4, 0.39, 0.2], WIN)
    assert (verdict.code, list(verdict.choices)) == (CLEAR, [0])
    assert verdict.margin == pytest.approx(0.01)


def test_choices_within_the_tolerance_are_equal() -> None:
    verdict = judge([0.4, 0.397, 0.39, 0.2], WIN)
    assert (verdict.code, list(verdict.choices)) == (EQUAL, [0, 1])
    assert (verdict.spread, verdict.margin) == pytest.approx((0.003, 0.01))


def test_a_larger_tolerance_of_the_solution_applies() -> None:
    assert list(judge([0.4, 0.391, 0.2], WIN, tolerance=0.01).choices) == [0, 1]


def test_few_mistakes_among_equal_choices_are_named() -> None:
    verdict = judge([0.4, 0.4, 0.399, 0.35], WIN)
    assert (verdict.code, list(verdict.choices)) == (AVOID, [3])
    assert verdict.margin == pytest.approx(0.05)


def test_a_choice_between_good_and_bad_prevents_avoid() -> None:
    assert judge([0.4, 0.4, 0.4, 0.39, 0.35], WIN).code == EQUAL


def test_an_unpredictable_strategy_is_a_mixture_by_probability() -> None:
    verdict = judge([0.4, 0.4, 0.39, 0.2], WIN, probabilities=[0.3, 0.66, 0.04, 0.0])
    assert (verdict.code, list(verdict.choices)) == (MIXTURE, [1, 0])


def test_a_mixture_of_nearly_one_choice_is_clear() -> None:
    assert judge([0.4, 0.38, 0.2], WIN, probabilities=[0.97, 0.03, 0.0]).code == CLEAR


def test_a_mixture_is_no_reason_if_every_choice_is_good() -> None:
    assert judge([0.4, 0.399], WIN, probabilities=[0.5, 0.5]).code == EQUAL


def test_a_difference_within_the_sampling_error_is_uncertain() -> None:
    verdict = judge([0.4, 0.38, 0.2], WIN, error=0.03)
    assert (verdict.code, list(verdict.choices)) == (UNCERTAIN, [0, 1])


def test_spaces_have_their_own_tolerance() -> None:
    assert judge([2.0, 1.96, 1.0], POINTS).code == EQUAL
    assert judge([2.0, 1.9, 1.0], POINTS).code == CLEAR


def test_every_code_is_described() -> None:
    assert all(ADVICE_CODES.values())


def test_a_drawn_choice_that_is_not_good_makes_it_a_mixture() -> None:
    """The headline said "Play Blizzard, ahead by 2 %" when the blizzard was drawn with 5 %."""
    values, chances = [0.317, 0.2934, 0.2933, 0.1], [0.845, 0.11, 0.04, 0.005]
    verdict = judge(values, WIN, probabilities=chances, pick=2)
    assert (verdict.code, list(verdict.choices)) == (MIXTURE, [0, 2])
    assert judge(values, WIN, probabilities=chances, pick=0).code == CLEAR


def test_a_mixture_names_no_choice_that_is_not_played() -> None:
    """The headline said "Blizzard (0%)" about the best response to the mixture."""
    values, probabilities = [0.400, 0.393, 0.392, 0.2], [0.0, 0.6, 0.4, 0.0]
    verdict = judge(values, WIN, probabilities=probabilities, pick=1)
    assert (verdict.code, list(verdict.choices)) == (MIXTURE, [1, 2])
    alone = judge([0.4, 0.393, 0.2], WIN, probabilities=[0.0, 1.0, 0.0], pick=1)
    assert (alone.code, list(alone.choices)) == (DRAWN, [0])
    assert alone.margin == pytest.approx(0.007)


def test_a_drawn_mistake_is_not_one_to_avoid() -> None:
    values, chances = [0.3, 0.3, 0.299, 0.2], [0.5, 0.3, 0.17, 0.03]
    assert judge(values, WIN, probabilities=chances, pick=0).code == AVOID
    verdict = judge(values, WIN, probabilities=chances, pick=3)
    assert (verdict.code, list(verdict.choices)) == (MIXTURE, [0, 1, 2, 3])


def test_equal_choices_stay_in_the_order_of_recommendation() -> None:
    """Among equal values, the first choice need not have the highest one."""
    verdict = judge([0.6, 0.600005, 0.2], WIN)
    assert (verdict.code, list(verdict.choices)) == (EQUAL, [0, 1])
    assert verdict.spread == pytest.approx(5e-6)


def test_a_sure_win_now_is_better_than_a_later_one() -> None:
    verdict = judge([1.0, 0.999999, 0.4], WIN, bounds=[(1.0, 1.0), (1.0, 1.0), (0.0, 1.0)])
    assert (verdict.code, list(verdict.choices), verdict.result) == (CLEAR, [0], WON)
    verdict = judge([1.0, 1.0, 0.4], WIN, bounds=[(1.0, 1.0), (1.0, 1.0), (0.0, 1.0)])
    assert (verdict.code, list(verdict.choices), verdict.result) == (EQUAL, [0, 1], WON)


def test_discounted_results_are_certain() -> None:
    verdict = judge([3.3e-7, 3.3e-7], WIN, bounds=[(0.0, 0.0)] * 2)
    assert (verdict.code, verdict.result) == (DECIDED, LOST)
    verdict = judge([0.999999, 0.999999], WIN, bounds=[(1.0, 1.0)] * 2)
    assert (verdict.code, verdict.result) == (DECIDED, WON)


def test_a_weaker_choice_that_was_drawn_is_not_called_equal() -> None:
    verdict = judge([0.4, 0.398, 0.37], WIN, pick=2)
    assert (verdict.code, list(verdict.choices)) == (DRAWN, [0, 1])
    assert verdict.margin == pytest.approx(0.03)
    assert judge([0.4, 0.398, 0.37], WIN, pick=1).code == EQUAL
