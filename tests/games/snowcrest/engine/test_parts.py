"""The terms of parts, against the evaluator and a plain computation."""

import numpy as np
import pytest

from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.lookahead import LookAhead
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.parts import estimates
from service.games.snowcrest.rules.state import observed
from service.games.snowcrest.rules.turn import Turn
from tests.games.snowcrest.engine.plain_evaluation import shares
from tests.games.snowcrest.engine.plain_parts import plain_terms
from tests.games.snowcrest.engine.test_evaluation import random_states

EVALUATOR = default_evaluator()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_terms_are_those_of_the_readable_features_and_sum_to_the_estimate(players):
    for now in random_states(players, 8, 25):
        for asker, player in enumerate(now.players):
            seen = observed(now, player)
            following = seen.turn or players
            vector = packing_of(seen.catalogue, players).pack(Turn(seen))
            over = np.array([False, True])
            ahead = LookAhead(seen, asker, EVALUATOR)
            by_part, finished = ahead.terms_of(np.array([vector, vector]), over)
            assert np.isnan(finished).all()
            assert by_part == pytest.approx(plain_terms(seen, following, asker=asker), abs=1e-9)
            total = by_part.sum(axis=0)[None]
            [share] = estimates(EVALUATOR, asker, players, seen.solo, total)
            estimated = np.array([shares(EVALUATOR, seen, following)])
            [expected] = EVALUATOR.stated(estimated, asker)
            assert share == pytest.approx(expected[asker], abs=1e-9)
