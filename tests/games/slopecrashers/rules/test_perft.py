"""Perft: the number of ways to play a turn, stored and derived by hand.

Positions and counts are in ``data/perft.json``; ``scripts/regenerate_golden.py`` rewrites the
counts after a change of the rules.
"""

import json
from pathlib import Path

import pytest

from service.core.perft import perft
from service.games.common.validation import Violations
from service.games.slopecrashers.rules.legality import parse_state
from tests import stored
from tests.games.slopecrashers.positions import GAME

STORED = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text("utf-8"))
POSITIONS = {position["name"]: position for position in STORED}

BY_HAND = {
    # No, one or two steps: end; f or r; each of them has two continuations.
    "free": 1 + 2 + 4,
    # As before, but b is ahead: a turn cannot end after f, only after f f and f r.
    "blocked": 1 + 1 + 2 + 2,
    # One movement: end; r; f and draw a rocket (not used, used or discarded) or a magnet (not used
    # or discarded).
    "gift": 1 + 1 + 3 + 2,
    # No step possible: end; discard the rocket; play it, and the target uses its magnet or not.
    "answer": 1 + 1 + 2,
    # From lane 0 of row 0, seven turns as in "free", but the step aside leads to b, where only f is
    # a new end; the other step leads back to lane 0. From lane 1, with b on it, the turn cannot end
    # at once: f, then nothing, f or l; or l, then nothing, f or r.
    "placing": (1 + 1 + 2 + 2) + (3 + 2),
    # One movement: end; r; over the line into either lane.
    "the line": 1 + 1 + 2,
    # a misses the turn; b, with one movement, stays, steps aside, or wins at once.
    "missed": 1 + 1 + 1,
    # The same as "gift", with the rows given from the other end.
    "reversed": 1 + 1 + 3 + 2,
    # One movement: end; r; f and draw the magnet with a movement left, f or r, which is made or
    # not, after or before the magnet is discarded or without that.
    "gift and boost": 1 + 1 + (1 + 1 + 2 * 2 + 2),
    # The lane of a ends: end; r, then nothing, f or back.
    "offset": 1 + 3,
}


@pytest.mark.parametrize("name", POSITIONS)
def test_perft_matches_the_stored_counts(name):
    position = POSITIONS[name]
    state = parse_state(position["state"], Violations())
    for turns, paths in position["paths"].items():
        assert perft(GAME, GAME.begin(state).play, int(turns)) == paths, stored.PERFT


@pytest.mark.parametrize("name", BY_HAND)
def test_the_stored_counts_match_the_counts_derived_by_hand(name):
    assert POSITIONS[name]["paths"]["1"] == BY_HAND[name]
