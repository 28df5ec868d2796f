"""Perft: numbers of ways to play a turn, computed by the library and derived by hand.

``data/perft.json`` contains the states and counts; ``scripts/regenerate_golden.py`` regenerates the
counts after a change of the rules.
"""

import json
from pathlib import Path

import pytest

from service.core.perft import perft
from tests import stored
from tests.games.snowcrest.positions import GAME, state

STORED = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text("utf-8"))
POSITIONS = {position["name"]: position for position in STORED}

BY_HAND = {
    "rest": 1,
    "pass": 1,
    # The farmer draws one of 13 - 2 cards; the woodcutter leaves juniper on the forest.
    "two starters": 11 + 1,
    # One bell or two, against none, or one, which gains nothing and is taken back or left.
    "meditation": 2 * (1 + 2),
    # The potter; or a worship: the potter's bowl pays the first of two items, the second, or
    # none; then b gives a barley or takes omen.
    "guardian": 1 + 3 * 2,
    # The potter comes from the hand.  Four others come from the row, and then one of 26 distinct
    # commons fills it (31 minus four of the row and the recruiter below; two shepherds exist).
    # The storyteller also draws two of 12 cards.
    "recruiter": 1 + 4 * 26 + 12 * 11 * 26,
    # Nine cells; two of a token, gold and the farm.
    "payments": 9 * 3,
    # Two cards each.
    "set-up": 2 * 2,
}


@pytest.mark.parametrize("name", POSITIONS)
def test_perft_matches_the_stored_counts(name):
    play = GAME.begin(state(POSITIONS[name]["state"])).play
    for turns, paths in POSITIONS[name]["paths"].items():
        assert perft(GAME, play, int(turns)) == paths, stored.PERFT


@pytest.mark.parametrize("name", BY_HAND)
def test_the_stored_counts_match_the_counts_derived_by_hand(name):
    [paths] = POSITIONS[name]["paths"].values()
    assert paths == BY_HAND[name]
