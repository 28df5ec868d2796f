"""The compiled evaluation agrees with the readable one on random games."""

import numpy as np
import pytest
from research.league.snowcrest.agents import GREEDY_EVALUATOR

from service.games.snowcrest.engine.evaluation import default_evaluator, models_of
from service.games.snowcrest.engine.kernels.choices import estimation
from service.games.snowcrest.rules.state import State, observed
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, start, steps
from tests.games.snowcrest.engine.plain_evaluation import shares
from tests.games.snowcrest.plain_ends import next_turn


@pytest.mark.parametrize("own_catalogue", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_shares_are_equal(seed, own_catalogue):
    random, state, packing = start(seed, own_catalogue=own_catalogue)
    count = len(state.seats)
    out, memos = np.zeros(count), np.zeros((count, estimation.memo_size(packing.cards)))
    compared = 0
    for evaluator in (default_evaluator(), GREEDY_EVALUATOR):
        models = models_of(evaluator, packing.catalogue, count)
        memos[:, estimation.MEMO_PHASE] = -1.0
        for before, _, turn in steps(random, state):
            if isinstance(before, State) or turn.state.turn == before.state.turn:
                continue
            player = random.choice(state.players)
            for view in (turn, type(turn)(observed(turn.state, player), turn.tasks)):
                vector = packing.pack(view)
                following = estimation.next_turn(vector)
                assert following == next_turn(view)
                estimation.shares(vector, packing.cards, models, following, memos, out)
                expected = shares(evaluator, view.state, following)
                assert np.allclose(out, expected, rtol=0.0, atol=1e-9)
                compared += 1
    assert compared > 20 or count == 1
