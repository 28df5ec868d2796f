"""The compiled choices of the search agree with the readable ones; the seeds are printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from service.core.game import Chance
from service.games.snowcrest.engine.choices.bids import bid_outcomes, deciding_seat
from service.games.snowcrest.engine.choices.candidates import candidate_actions
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.kernels.choices import answers, candidates, estimation, listing
from service.games.snowcrest.engine.packed_weights import models_of
from service.games.snowcrest.rules.actions import NO_PAYMENT, ActionType
from service.games.snowcrest.rules.state import observed
from service.games.snowcrest.rules.turn import CollectBids, PayCost
from tests.games.snowcrest.engine.kernels.test_twin import SEEDS, start, steps
from tests.games.snowcrest.positions import GAME


@pytest.mark.parametrize("own_catalogue", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_choices_are_the_same(seed, own_catalogue):
    """Except if all payments known to be possible prevent the action; see ``list_payments``."""
    random, state, packing = start(seed, own_catalogue=own_catalogue)
    evaluator = default_evaluator()
    models = models_of(evaluator, packing.catalogue, len(state.seats))
    out = np.zeros((listing.MOST_ACTIONS, packing.action_size), np.int16)
    scratch = np.zeros(packing.length, np.int16)
    compared: Counter[str] = Counter()
    for _, _, turn in steps(random, state):
        node = GAME.pending(turn)
        if node is None or isinstance(node, Chance):
            continue
        asker = state.players[deciding_seat(turn)]
        view = replace(turn, state=observed(turn.state, asker), actions=())
        vector = packing.pack(view)
        m = models[estimation.phase(vector, models)]
        model = evaluator.model(view.state)
        if isinstance(view.task, CollectBids) and asker != view.mover.player:
            for each in (view, replace(view, state=observed(view.state, view.mover.player))):
                assert_same_bid(packing, packing.pack(each), m, out, bid_outcomes(each, model))
            compared["answer"] += 1
            continue
        for limit in (1, 2, 3):
            expected = list(candidate_actions(view, model, limit))
            count = candidates.list_candidates(vector, packing.cards, m, limit, out, scratch)
            if isinstance(view.task, PayCost) and out[0, 0] == ActionType.SKIP:
                assert expected[0].type in (ActionType.SKIP, ActionType.PAY)
                continue
            packed = [packing.pack_action(each, state.players) for each in expected]
            assert [list(each) for each in out[:count]] == [list(each) for each in packed], (
                view.task,
                expected,
            )
        compared[node.name] += 1
    print(compared)
    assert sum(compared.values()) > 20


def assert_same_bid(packing, vector, m, out, expected):
    chance = answers.answer_bid(vector, packing.cards, m, out)
    probability, first = expected[0]
    likely = 0.0 if first.payment == NO_PAYMENT else probability
    assert abs(chance - likely) < 1e-9
    if likely:
        assert list(out[0]) == list(packing.pack_action(first, ()))
