"""Identities between hints that hold for all numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from service.games.snow_time.rules.state import Move, Track
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize
from service.solver.search.iterative_deepening import search_for_all_players
from tests import randomized
from tests.solver.scenarios import (
    NAMES,
    SUGGEST,
    Scenario,
    position,
    random_fruit,
    rendered_hint,
)


@pytest.mark.parametrize("seed", randomized.case_numbers(4, 12))
def test_the_leads_of_two_players_are_opposite(seed: int):
    """Two players with two seats each and few cards."""
    random = Random(seed)
    words = ["".join(random.sample("1234567", k=3)) + "h" for _ in range(4)]
    owners = random.choice(("aabb", "abab", "abba"))
    scores = tuple(random.randrange(30) for _ in words)
    fruit = random_fruit(random, 9)
    state = position(*words, scores=scores, fruit=fruit, track=None, owners=owners)
    for player in ("a", "b"):
        expected = rendered_hint(Scenario(state, player, "lead"))["expected_values"]
        print(seed, state, expected)
        assert expected["a"] == -expected["b"]


def test_a_small_share_is_as_precise_as_its_rounding():
    """The best choice is computed for each of 105,000 reveals; none is too rare.

    The healer's value is the mean of its values against each pair of cards of two opponents, as
    its sets are chosen after all cards are revealed.  Red is far behind; its share is a few
    millionths.
    """
    full = "1234567hwb"
    state = position("12h", *[full] * 4, scores=(26, 56, 56, 56, 56), track=Track(60, ()))
    scenario = Scenario(state, "red", "win")
    whole = rendered_hint(scenario)["moves"]["red=healer"]["value"]
    parts = []
    for blue, green in product(state.seat("blue").hand, repeat=2):
        weights = {"blue": {Move(blue): 1.0}, "green": {Move(green): 1.0}}
        answer = rendered_hint(replace(scenario, weights=weights))
        parts.append(answer["moves"]["red=healer"]["value"])
    assert whole == pytest.approx(sum(parts) / len(parts), abs=1.5e-9)


@pytest.mark.parametrize("objective", ["win", "points"])
@pytest.mark.parametrize("model", ["level-1", "quantal", "equilibrium"])
@pytest.mark.parametrize("owners", ["", "aabb"])
def test_equal_players_have_equal_outcomes_with_their_roles_exchanged(
    owners: str, model: str, objective: str
):
    """The search computes the outcomes of one of them only."""
    words = ["35hw", "46hb", "35hw", "46hb"]
    state = position(*words, fruit=(0, 0, 1, 0, 2, 0), owners=owners)
    question = Scenario(state, owners[:1] or NAMES[0], objective, model=model).question
    canonical = canonicalize(SUGGEST.search_game, question)
    solution, stage_game, profile = search_for_all_players(
        SUGGEST.search_game, canonical.question, canonical.owners, WorkMeter(None)
    )
    together = np.concatenate(profile.strategies)
    assert len(set(stage_game.symmetry_classes)) == 2 - bool(owners)
    for player, (outcomes, parts) in enumerate(zip(solution.outcomes, solution.parts, strict=True)):
        own, split = stage_game.outcomes(player, together), stage_game.parts(player, together)
        np.testing.assert_allclose(outcomes, own, rtol=0, atol=1e-12)
        np.testing.assert_allclose(parts, split, rtol=0, atol=1e-12)
