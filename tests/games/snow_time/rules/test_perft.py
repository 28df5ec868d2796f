"""Perft counts by the library, by a plain counter, and by hand.

``data/perft.json`` contains the positions and counts; ``scripts/regenerate_golden.py`` writes the
counts again after a change of the rules.  This module derives them on paper.

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
POSITIONS = {
    position["name"]: position
    for position in json.loads(
        (Path(__file__).parents[1] / "data" / "perft.json").read_text("utf-8")
    )
}
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


# Counts by hand ------------------------------------------------------------------------------


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


def test_one_space_before_the_end_every_champion_ends_the_game():
    # With any champion on the tree, the topmost level brawls or strikes or leaves a champion for
    # mana, so a point is gained and the game is over.  It continues only after three healers (1 of
    # 512).  The single die is rolled in the first round; without a champion no fruit is taken.
    all_lines = ALL_CHAMPIONS_BACK**3
    first = all_lines
    second = (all_lines - 1) + first
    third = (all_lines - 1) + second
    assert stored_counts("a-step-before-the-end") == {1: 6 * first, 2: 6 * second, 3: 6 * third}


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


def test_a_blizzard_is_spent():
    # Hands {blizzard, healer}, {healer}, {healer}: over an empty tree the blizzard gains
    # nothing and leaves {healer}, 1 line; healing leaves seven champions and the blizzard.
    others = ALL_CHAMPIONS_BACK**2
    assert stored_counts("blizzard-is-spent") == {1: 2, 2: others * (1 + (7 + 1 + sets(0)))}


def test_a_watcher_is_spent():
    # Healing by the watcher or without it: 8 lines afterwards, or 8 and 8 as added cards.
    others = ALL_CHAMPIONS_BACK**2
    assert stored_counts("watcher-is-spent") == {1: 2, 2: others * (8 + (8 + 8))}


def test_a_fallen_champion_adds_a_line_and_taking_fifteen_fruit_wins():
    # Hands: a has 1 to 6 (seven is discarded), b has 1 to 7, c has only the healer.  There are 15
    # fruit on six and 15 spaces to the end.  Lines of round 1: a 6 + R(1) = 8, b 7 + R(0) = 8, c 1.
    lines = 8 * 8 * 1
    # The game ends if a single champion takes the fruit on six: a on six with b on 1 to 5 or
    # healing (6 ways); b on six with a on 1 to 5 or healing in two ways (7 ways).  It does
    # not end if both are on six or if b on seven strikes a on six.
    over_by_a, over_by_b = 6, 7
    # b and c have 8 lines afterwards, whether b's champion fell (6 + R(1)) or not (7 + R(0));
    # a has 8 too (6 + R(1), or 7 + R(0) with the seven back), but 5 + R(2) = 9 after a fall.
    assert (6 + sets(1), 7 + sets(0), 5 + sets(2)) == (8, 8, 9)
    # a falls by a brawl (6 ways) or by b one level above (6 ways); one of these, a on five
    # under b on six, is among those that end the game.
    falls = 6 + 6 - 1
    going_on = lines - over_by_a - over_by_b
    second = (going_on - falls) * 8 + falls * 9
    assert stored_counts("who-falls-has-another-line") == {
        1: lines,
        2: over_by_a + over_by_b + second * 8 * 8,
    }


def test_two_players_one_space_before_the_end():
    # a and b have all champions; c and d can only heal.  Any champion ends the game, so only one
    # of the 64 joint lines goes on, with eight lines for each of the four seats.
    first = ALL_CHAMPIONS_BACK**2
    assert stored_counts("two-players-a-step-before-the-end") == {
        1: first,
        2: (first - 1) + ALL_CHAMPIONS_BACK**4,
    }
