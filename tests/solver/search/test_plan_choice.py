"""The choice among plans by their values for each label."""

from __future__ import annotations

import numpy as np

from service.solver.search.plan_choice import best_options, doubtful_labels


def test_options_that_differ_by_rounding_only_are_ties():
    """Rounding to twelve decimals separates values next to a boundary."""
    boundary = 0.1234567890125
    smaller, larger = np.nextafter(boundary, 0.0), np.nextafter(boundary, 1.0)
    for first, second in ((smaller, larger), (larger, smaller)):
        values = np.array([[first], [second]])
        assert best_options(values, np.ones((2, 1))).tolist() == [[0]]


def test_the_best_option_is_taken_for_each_label():
    values = np.array([[1.0, 2.0, 0.5], [3.0, 2.0, 0.5 + 2e-12], [2.0, 4.0, 0.0]])
    assert best_options(values, np.ones(3)).tolist() == [[1, 2, 1]]


def test_values_are_compared_given_the_label():
    """Weighted by a small probability, the second option would be a tie."""
    masses = np.array([1e-12])
    values = np.array([[0.2], [0.7]]) * masses
    assert best_options(values, masses).tolist() == [[1]]


def test_the_first_option_is_taken_at_a_label_without_probability():
    assert best_options(np.zeros((3, 1)), np.zeros(1)).tolist() == [[0]]


def test_a_label_is_doubtful_if_an_estimate_could_be_worth_more():
    weighted = np.array([[0.5, 0.5, 0.5], [0.3, 0.3, 0.3]])
    unsure = np.array([[0.0, 0.0, 0.0], [0.0, 0.1, 0.3]])
    masses = np.ones((2, 3))
    doubtful = doubtful_labels(weighted, masses, unsure, weighted[:1])
    assert doubtful.tolist() == [False, False, True]


def test_no_label_is_doubtful_if_the_taken_option_is_certain_up_to_rounding():
    taken = np.array([[np.nextafter(0.3, 0.0)]])
    weighted = np.concatenate([taken, [[0.1]]])
    unsure = np.array([[0.0], [0.3]])
    assert doubtful_labels(weighted, np.array([0.3]), unsure, taken).tolist() == [False]
