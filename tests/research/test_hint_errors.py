"""The truth that the errors of hints are compared with."""

import pytest
import research.errors as hint_errors

from service.solver.search.turn_expectimax import solve

pytestmark = pytest.mark.research


def test_the_truth_of_snowcrest_plays_the_games_to_the_end():
    """A limit of positions once shortened them to one round, and 97.5 % of the errors were true."""
    case = hint_errors.CASES["snowcrest"]
    question = next(each for each in case.questions(5001) if each.play.state.supply > 10)
    assert solve(case.truth(4), question, None).rounds == hint_errors.TO_THE_END
