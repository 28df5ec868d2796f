"""Perft counts by the library, by a plain counter, and by hand.

``data/perft.json`` contains the positions and counts; ``scripts/regenerate_golden.py`` writes the
counts again after a change of the rules.  This module derives some of them on paper.

**Number of lines of a seat.**  A seat with c champions in hand has discarded d = 7 - c.  Its healer
has R(d) sets to take back: 1 + d + d(d-1)/2 sets of up to two champions, but 1 if d = 7 (R4).
Champions, blizzard and healer make c + b + R(d) lines, and with a watcher each of these again as
the added card.  Seats choose independently, so the line counts of all seats multiply, and the
outcomes of growth multiply with them: 21 of two dice, 6 of one, 1 of none.
"""

import json
from pathlib import Path

import pytest

from service.core.perft import perft
from service.games.common.validation import Violations
from service.games.snow_time.rules.legality import read_position
from service.games.snow_time.rules.rules import Round
from tests import stored
from tests.games.snow_time import plain_rules as plain
from tests.games.snow_time.positions import GAME

PERFT = Path(__file__).parents[1] / "data" / "perft.json"
POSITIONS = {position["name"]: position for position in json.loads(PERFT.read_text("utf-8"))}
MOST_PATHS = 20_000
"""The default suite counts positions with at most this many paths."""
CASES = [
    pytest.param(
        position,
        int(depth),
        paths,
        id=f"{name}, {depth}",
        marks=[pytest.mark.slow] if paths > MOST_PATHS else [],
    )
    for name, position in POSITIONS.items()
    for depth, paths in position["paths"].items()
]


@pytest.mark.parametrize(("position", "rounds", "paths"), CASES)
def test_perft_matches_the_stored_counts(position, rounds, paths):
    state = read_position(position["state"], Violations()).state
    assert perft(GAME, Round(state, grown=position["grown"]), rounds) == paths, stored.PERFT


@pytest.mark.parametrize(("position", "rounds", "paths"), CASES)
def test_the_plain_counter_matches_the_stored_counts(position, rounds, paths):
    assert plain.count_paths(position["state"], rounds, grown=position["grown"]) == paths


def sets(discarded):
    """Return R(d), see the module docstring."""
    return 1 if discarded == 7 else 1 + discarded + discarded * (discarded - 1) // 2


ALL_CHAMPIONS_BACK = 7 + sets(0)
"""Eight lines: seven champions, or a healer with nothing to take back."""


def stored_counts(name):
    return {int(depth): paths for depth, paths in POSITIONS[name]["paths"].items()}


def test_the_first_round_of_three_full_hands():
    # 7 champions, a blizzard, a healer without effect; the same nine as added cards.
    lines = (7 + 1 + sets(0)) * 2
    assert lines == 18
    assert stored_counts("start") == {1: 18**3}


def test_a_round_with_the_growth_of_two_dice():
    # Hands {1, healer}, {2, healer}, {healer}: 23, 23 and 1 lines, as 1 + R(6) = 23.
    assert stored_counts("growth-of-two-dice") == {1: 21 * (1 + sets(6)) * (1 + sets(6)) * sets(7)}
    assert 21 * 23 * 23 == 11_109


def test_all_seven_champions_return_and_the_last_token_grows_once():
    # All seats can only heal.  One die (6 outcomes) empties the supply.  No fruit is taken, so
    # the second round has no growth, and three seats have 8 lines each.
    assert stored_counts("all-seven-back") == {1: 6, 2: 6 * ALL_CHAMPIONS_BACK**3}


def test_one_healers_choice_decides_the_lines_of_the_next_round():
    # Hands {1, healer}, {healer}, {healer}; 15 fruit on six, out of reach in round 1.
    # Round 2 of the others, all seven back: 8 lines each.
    others = ALL_CHAMPIONS_BACK**2
    # The first seat plays its one, alone, and has {1, healer} again; or it takes back k of six.
    after_the_one = 1 + sets(6)
    after_healing = (
        1 * (1 + sets(6))  # nothing
        + 6 * (2 + sets(5))  # one champion
        + 15 * (3 + sets(4))  # two
    )
    assert (after_the_one, after_healing) == (23, 341)
    assert stored_counts("one-healer-decides") == {
        1: 1 + sets(6),
        2: others * (after_the_one + after_healing),
    }
