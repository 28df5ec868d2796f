"""What the rules page says about set-up, growth and the order of decisions.

``test_rulings_*.py`` test the numbered rulings, ``test_properties.py`` all that a round does.
"""

from fractions import Fraction

import pytest

from service.core.game import Chance
from service.games.snow_time.rules.rules import growth_outcomes
from tests.games.snow_time.positions import (
    FULL,
    GAME,
    ask,
    full,
    labels,
    move,
    move_documents,
    position,
    reveal,
    state_document,
)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_new_game_has_full_hands_no_fruit_and_all_markers_on_space_0(seats):
    names = [{"seat": name} for name in "abcde"[:seats]]
    state = ask("new", {"seats": names})["state"]
    assert state["fruit"] == [0, 0, 0, 0, 0, 0]
    assert [seat["score"] for seat in state["seats"]] == [0] * seats
    assert all(seat["hand"] == labels(FULL) for seat in state["seats"])
    assert [seat["player"] for seat in state["seats"]] == list("abcde"[:seats])


@pytest.mark.parametrize(
    ("on_tree", "dice", "outcomes"), [(0, 2, 21), (13, 2, 21), (14, 1, 6), (15, 0, 1)]
)
def test_growth_rolls_one_die_per_token_in_the_supply_but_at_most_two(on_tree, dice, outcomes):
    node = GAME.pending(GAME.begin(full(3, fruit={2: on_tree})).play)
    assert isinstance(node, Chance)
    assert len(node.outcomes) == outcomes
    assert {len(roll) for roll, _ in node.outcomes} == {dice}


def test_two_dice_have_six_doubles_at_1_in_36_and_fifteen_others_at_2_in_36():
    doubles = [p for roll, p in growth_outcomes(2) if roll[0] == roll[1]]
    others = [p for roll, p in growth_outcomes(2) if roll[0] != roll[1]]
    assert doubles == [Fraction(1, 36)] * 6
    assert others == [Fraction(2, 36)] * 15
    assert all(roll == tuple(sorted(roll)) for roll, _ in growth_outcomes(2))


def test_one_die_has_six_outcomes_and_never_a_seven():
    assert growth_outcomes(1) == tuple(((level,), Fraction(1, 6)) for level in range(1, 7))


def test_the_order_of_the_dice_does_not_matter():
    state = state_document(FULL, FULL, FULL)
    first, second = (ask("grow", {"state": state, "dice": dice}) for dice in ([2, 5], [5, 2]))
    assert first == second


@pytest.mark.parametrize(("on_tree", "dice"), [(0, 2), (13, 2), (14, 1), (15, 0)])
def test_equal_seeds_roll_the_same_number_and_values_of_dice(on_tree, dice):
    state = state_document(FULL, FULL, FULL) | {"fruit": [0, on_tree, 0, 0, 0, 0]}
    rolled = [ask("grow", {"state": state, "seed": seed}) for seed in range(50)]
    assert all(len(answered["dice"]) == dice for answered in rolled)
    assert rolled == [ask("grow", {"state": state, "seed": seed}) for seed in range(50)]
    assert len({str(answered["dice"]) for answered in rolled}) > 5 or dice == 0


@pytest.mark.parametrize(
    ("on_tree", "dice", "growth"),
    [(0, [6, 4], [{"type": "growth", "step": "growth", "dice": [4, 6]}]), (15, [], [])],
)
def test_growth_in_a_resolve_request_is_the_first_event_if_dice_are_rolled(on_tree, dice, growth):
    state = state_document(FULL, FULL, FULL) | {"fruit": [on_tree, 0, 0, 0, 0, 0]}
    body = {"state": state, "moves": move_documents("6", "4", "2"), "dice": dice}
    events = ask("resolve", body)["events"]
    assert events[: len(growth)] == growth
    assert events[len(growth)]["type"] == "reveal"


def test_watchers_add_before_healers_choose():
    play = reveal(position("1hw", "1h", FULL), "wh6")
    assert GAME.pending(play).name == "watcher"
    play = GAME.choose(play, {"a": move("w1")}).play
    assert GAME.pending(play).name == "healer"
    assert list(GAME.pending(play).choices) == ["b"]


def test_a_watcher_that_has_added_its_card_has_no_further_decision():
    revealed = {name: {"card": "watcher"} for name in "ab"} | {"c": {"card": "7"}}
    revealed["a"] = {"card": "watcher", "then": {"card": "2"}}
    asked = ask("legal-moves", {"state": state_document(FULL, FULL, FULL), "revealed": revealed})
    assert asked["decision"] == "watcher"
    assert list(asked["moves"]) == ["b"]


def test_a_finished_game_has_no_legal_moves():
    state = state_document(FULL, FULL, FULL)
    state["seats"][1]["score"] = 30
    assert ask("legal-moves", {"state": state}) == {
        "decision": "none", "moves": {}, "game_over": True
    }  # fmt: skip
