"""Positions whose exact values are derived by hand, each derivation in a comment.

Nothing grows and no bonus space counts unless the position says so: fruit is 0, the track bare.
A hand of the healer alone is harmless in its round: it plays the healer and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from service.games.snow_time.rules.state import Bonus, Kind, Move, Track
from tests.solver.scenarios import Scenario, best_row, first, position, rendered_hint


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-9)


def values(answer: dict[str, Any]) -> dict[str, float]:
    """Return values by move of one seat, the best first."""
    return {move.partition("=")[2]: row["value"] for move, row in answer["moves"].items()}


def only(letter: str) -> dict[Move, float]:
    return {first(letter): 1.0}


def test_a_blizzard_gains_a_point_for_each_expected_champion():
    # Blue plays its 3 with 1/2, green its 5 with 1/2: one champion falls on average, the
    # blizzard gains a fight point for each, and nobody else gains anything.  The healer: 0.
    state = position("hb", "3h", "5h")
    answer = rendered_hint(Scenario(state, "red", "points"))
    assert values(answer) == {"blizzard": 1.0, "healer": 0.0}
    assert best_row(answer)["points"] == {"fight": 1.0, "fruit": 0.0, "mana": 0.0, "bonus": 0.0}
    assert best_row(answer)["survival"] == {}
    assert answer["expected_values"] == {"red": 1.0, "blue": 0.0, "green": 0.0}


def test_a_watcher_answers_the_revealed_cards():
    # Blue plays 2, 4 or healer.  Red's 3: strikes the 2 and has mana: 2; falls to the 4: 0;
    # alone: 1; on average 1.  Red's 5: the 2 stands lower: 0; strikes the 4: 2; alone: 1; 1.
    # The watcher adds the 3 against the 2, the 5 against the 4, either against the healer:
    # (2 + 2 + 1) / 3.  It never falls.
    answer = rendered_hint(Scenario(position("35hw", "24h", "h"), "red", "points"))
    assert values(answer) == near({"watcher": Fraction(5, 3), "3": 1, "5": 1, "healer": 0})
    assert answer["moves"]["red=watcher"]["survival"] == {"red": 1.0}
    assert answer["moves"]["red=3"]["survival"] == {"red": near(Fraction(2, 3))}


def test_survival_is_as_precise_as_its_rounding():
    # Blue plays 4, healer or watcher, green 4 or healer.  Where both heal (1/6) red's watcher adds
    # its 3 for the mana.  Where blue watches and green heals (1/6) the 3 is as good as the
    # blizzard, 1/2, and comes first: it stands unless blue adds the 4.  Where a 4 lies on the
    # table the blizzard is better.  So the 3 is played with 1/3 and returns with 1/6 + 1/12.
    answer = rendered_hint(Scenario(position("3hwb", "4hw", "4h"), "red", "points"))
    assert answer["moves"]["red=watcher"]["survival"] == {"red": 0.75}


def test_a_watcher_does_not_know_the_addition_of_another():
    # Both watchers are on the table; blue adds 3, 5 or healer.  Red's 4: strikes the 3 and has
    # mana: 2; falls to the 5: 0; alone: 1; on average 1.  Red's 2: falls to the 3: 0; has mana
    # below the 5: 1; alone: 1; 2/3.  Who knew blue's card would have (2 + 1 + 1) / 3.
    state = position("24hw", "35hw", "h")
    revealed = {"red": first("w"), "blue": first("w"), "green": first("h")}
    answer = rendered_hint(Scenario(state, "red", "points", revealed=revealed))
    assert values(answer) == near(
        {"watcher+4": 1, "watcher+2": Fraction(2, 3), "watcher+healer": 0}
    )
    # Asked before the cards are shown, it is the same with a blue that is sure to watch.
    weights = {"blue": only("w")}
    answer = rendered_hint(Scenario(state, "red", "points", weights=weights))
    assert values(answer)["watcher"] == near(1)


def test_a_shared_win_counts_half():
    # Both stand one space before the end.  Red's 4 meets blue's 4 (1/2): each gains a fight
    # point, they share; or stands alone, and the mana point wins: 1/2 * 1/2 + 1/2 * 1.
    state = position("4h", "4h", "h", scores=(4, 4, 0), track=Track(5, ()))
    answer = rendered_hint(Scenario(state, "red", "win"))
    assert best_row(answer)["value"] == 0.75
    assert answer["win_shares"] == {"red": 0.75, "blue": 0.25, "green": 0.0}
    # The healer leaves an open game behind where blue heals too; that is estimated.
    assert answer["search"]["exact"] is False


def test_points_are_as_awarded_and_values_count_spaces():
    # Against blue's 2 red's 1 falls: 0.  Against the healer it takes 2 fruit (1 to 3), 1 mana
    # (4), and stands on a fruit bonus of 2, of which the track has room for 1.  Four spaces of
    # five points, each with 1/2.
    track = Track(5, (Bonus(4, Kind.FRUIT, 2),))
    state = position("1h", "2h", "h", scores=(1, 0, 0), fruit=(2, 0, 0, 0, 0, 0), track=track)
    answer = rendered_hint(Scenario(state, "red", "points"))
    assert values(answer) == {"1": 2.0, "healer": 0.0}
    assert best_row(answer)["points"] == {"fight": 0.0, "fruit": 1.0, "mana": 0.5, "bonus": 1.0}
    assert best_row(answer)["survival"] == {"red": 0.5}


def test_two_seats_of_one_player_may_gain_from_each_other():
    # The opponents heal.  Two 3s brawl: a fight point for each, 2 together, none left for mana.
    # One 3 alone has the mana: 1.  Two healers: 0.
    state = position("3h", "h", "3h", "h", owners="abab")
    answer = rendered_hint(Scenario(state, "a", "points"))
    assert {move: row["value"] for move, row in answer["moves"].items()} == {
        "green=3 red=3": 2.0,
        "green=3 red=healer": 1.0,
        "green=healer red=3": 1.0,
        "green=healer red=healer": 0.0,
    }
    assert best_row(answer)["survival"] == {"red": 0.0, "green": 0.0}


def test_a_second_round_of_the_seven_is_worth_39_64():
    # First round: red's 7 stands alone and has the mana: 1; blue and green heal all seven back.
    # Second round: they play one of 1 to 7 and the healer, 1/8 each.  Red's hand is 7 and healer,
    # the healer gains nothing.  Its 7 takes no fruit, whatever the dice.
    #   both others 7 (1/64): a brawl of three, 2 points;
    #   one of them (14/64): a brawl of two, 1 point;
    #   none (49/64): each is a 6 with 1/7, struck for 1 point: 49/64 * 2/7 = 14/64;
    #   mana if nobody else stands: both of 6 and healer (4/64) or a brawl below 6 (5/64).
    # 2/64 + 14/64 + 14/64 + 9/64 = 39/64.
    state = position("7h", "h", "h")
    answer = rendered_hint(Scenario(state, "red", "points", depth=2))
    assert answer["search"]["depth"] == 2
    assert values(answer)["7"] == near(1 + Fraction(39, 64))


def test_three_equal_players_have_equal_win_shares():
    # Nothing happens and all players are equal: a third for each; the rounded numbers sum to 1.
    answer = rendered_hint(Scenario(position("h", "h", "h"), "green", "win"))
    assert sorted(answer["win_shares"].values()) == [0.333333333, 0.333333333, 0.333333334]
    assert best_row(answer)["value"] == near(Fraction(1, 3))
