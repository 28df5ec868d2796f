"""Counts of all ways to play a turn, by the library, and by hand.

The positions and counts stand in ``data/perft.json``; ``scripts/regenerate_golden.py`` writes the
counts anew when the rules change.  Here they are derived on paper.
"""

import json
from pathlib import Path

import pytest

from service.core.perft import perft
from service.games.common.validation import Violations
from service.games.slopecrashers.rules.legality import parse_state
from tests.games.slopecrashers.positions import GAME

PERFT = Path(__file__).parents[1] / "data" / "perft.json"
POSITIONS = {
    position["name"]: position
    for position in json.loads(
        (Path(__file__).parents[1] / "data" / "perft.json").read_text("utf-8")
    )
}

BY_HAND = {
    # None, one or two steps: end; f or r; from each of these two ways on.
    "free": 1 + 2 + 4,
    # As before, but ahead stands b: f is no end, only f f and f r are.
    "blocked": 1 + 1 + 2 + 2,
    # One movement: end; r; f and a rocket, to be kept, used or discarded, or a magnet, to be kept
    # or discarded.
    "gift": 1 + 1 + 3 + 2,
    # No way to go: end; discard the rocket; use it against a magnet that is used or is not.
    "answer": 1 + 1 + 2,
    # On lane 0 of row 0 there are seven turns (see "free"), but the step aside leads to b, from
    # where only f is an end that was not one before, and back to lane 0; on lane 1 with b there is
    # no end at once: f, and from there nothing, f or l; l, and from there nothing, f or r.
    "placing": (1 + 1 + 2 + 2) + (3 + 2),
    # One movement: end; r; over the line into either lane.
    "the line": 1 + 1 + 2,
    # a misses the turn; b, with one movement, stays, goes aside, or wins at once.
    "missed": 1 + 1 + 1,
}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_library_counts_the_paths_that_are_written_down(name):
    position = POSITIONS[name]
    state = parse_state(position["state"], Violations())
    for turns, paths in position["paths"].items():
        assert perft(GAME, GAME.begin(state).play, int(turns)) == paths


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_written_down_is_what_comes_out_on_paper(name):
    assert POSITIONS[name]["paths"]["1"] == BY_HAND[name]
