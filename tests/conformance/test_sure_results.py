"""What a hint calls sure is true, however the others play and whatever the cards are."""

import pytest
from research.sure import GAMES, checked

from tests import randomized

WRONG = (102, 221, 231, 327, 458, 599)
"""Seeds of races that are lost against the best play; the hint said "You cannot win any more."."""
GAMES_EACH = 8
"""Games after each statement."""


def false_statements(game, seed, effort):
    return [name for name in checked(GAMES[game], seed, effort, GAMES_EACH) if "false" in name]


@pytest.mark.parametrize("seed", [*WRONG, *randomized.case_numbers(12, 400)])
def test_what_is_sure_in_slopecrashers_is_true(seed):
    assert not false_statements("slopecrashers", seed, "deep")


@pytest.mark.slow
@pytest.mark.parametrize("seed", randomized.case_numbers(8, 200))
def test_what_is_sure_in_snowcrest_is_true(seed):
    assert not false_statements("snowcrest", seed, "quick")
