"""What is said about a choice."""

import pytest

from service.core.explanation import (
    BALANCE,
    Consequence,
    explain_alone,
    explain_best,
    explain_other,
)


def codes(reasons):
    return [each.code for each in reasons]


def consequences(**weights):
    return [Consequence(code, {}, weight) for code, weight in weights.items()]


@pytest.mark.parametrize(
    ("weights", "difference", "said"),
    [
        ({"a": 0.02, "b": 0.05, "c": 0.03}, 0.1, ["b", "c"]),
        ({"a": 0.01, "b": 0.05}, 0.06, ["b"]),
        ({"a": 0.05, "danger": -0.03}, 0.02, ["a", "danger"]),
        ({"a": 0.05, "danger": -0.01}, 0.04, ["a"]),
        ({}, 0.04, [BALANCE]),
        ({"danger": -0.02}, 0.04, [BALANCE]),
        ({"danger": -0.02}, 0.0, []),
        ({"a": 0.009}, 0.0, []),
    ],
)
def test_the_largest_gains_are_said_then_what_they_cost(weights, difference, said):
    assert codes(explain_best(consequences(**weights), difference, 0.005)) == said


def test_a_cost_is_not_said_of_equal_choices_without_gains():
    found = consequences(cost=-0.03)
    assert codes(explain_best(found, 0.0, 0.005)) == []
    assert codes(explain_best(found, 0.02, 0.005)) == [BALANCE]


def test_what_the_choice_does_comes_before_what_another_would_suffer():
    own, other = Consequence("own", {}, 0.02), Consequence("other", {}, 0.015, rank=1)
    assert codes(explain_best([other, own], 0.04, 0.005)) == ["own"]
    assert codes(explain_best([other], 0.04, 0.005)) == ["other"]
    larger = Consequence("other", {}, 0.03, rank=1)
    assert codes(explain_best([larger, own], 0.04, 0.005)) == ["own", "other"]


def test_what_is_said_does_not_argue_for_the_other_choice():
    found = consequences(a=0.05, danger=-0.06)
    assert codes(explain_best(found, 0.02, 0.005)) == ["a"]
    assert codes(explain_best(found, 0.0, 0.005)) == ["a", "danger"]


def test_another_choice_has_at_most_one_reason_against_it():
    assert codes(explain_other(consequences(a=0.05, b=-0.02, c=-0.03))) == ["c"]
    assert explain_other(consequences(a=0.05, b=-0.009)) == []


def test_without_a_comparison_all_that_matters_is_said_once():
    found = consequences(a=0.02, b=-0.02, c=0.05, d=0.009, e=-0.03)
    assert codes(explain_alone([*found, *found])) == ["c", "a", "e", "b"]


def test_weights_in_spaces_matter_from_a_tenth_of_a_space():
    assert codes(explain_other(consequences(b=-0.09, c=-0.11), 10.0)) == ["c"]
