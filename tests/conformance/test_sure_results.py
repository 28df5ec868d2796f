"""What a hint calls sure is true, however the others play and whatever the cards are."""

from dataclasses import replace

import pytest
from research.sure import GAMES, checked

from tests import randomized
from tests.games.slopecrashers.courses import relaid

WRONG = (102, 221, 231, 327, 458, 599)
"""Seeds of races that are lost against the best play; the hint said "You cannot win any more."."""
GAMES_EACH = 8
"""Games after each statement."""


OWN_SET = replace(
    GAMES["slopecrashers"],
    position=lambda random: relaid(GAMES["slopecrashers"].position(random)),
)
"""Races on courses with turned, shifted and narrow pieces."""


def false_statements(game, seed, effort):
    return [name for name in checked(game, seed, effort, GAMES_EACH) if "false" in name]


@pytest.mark.parametrize("seed", [*WRONG, *randomized.case_numbers(12, 400)])
def test_what_is_sure_in_slopecrashers_is_true(seed):
    assert not false_statements(GAMES["slopecrashers"], seed, "deep")


@pytest.mark.parametrize("seed", randomized.case_numbers(12, 400))
def test_what_is_sure_on_a_course_of_an_own_set_is_true(seed):
    assert not false_statements(OWN_SET, seed, "deep")


@pytest.mark.slow
@pytest.mark.parametrize("seed", randomized.case_numbers(8, 200))
def test_what_is_sure_in_snowcrest_is_true(seed):
    assert not false_statements(GAMES["snowcrest"], seed, "quick")
