"""The rules page by section: Material, A round, Resolution, Moving, Two players.

``test_rulings_*.py`` test the numbered rulings.
"""

from fractions import Fraction

import pytest

from service.core.game import Chance, Decision
from service.games.snow_time.rules.rules import growth_outcomes
from service.games.snow_time.rules.state import CHAMPIONS, DECK, Card
from tests.games.snow_time.positions import (
    FULL,
    GAME,
    ask,
    full,
    hand,
    labels,
    move,
    play_round,
    points,
    position,
    reveal,
    seat_document,
    state_document,
    track,
)

# Material -----------------------------------------------------------------------------------


def test_the_tree_has_one_level_per_champion():
    assert [int(champion) for champion in CHAMPIONS] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("level", range(1, 7))
def test_each_of_the_six_lower_levels_can_have_all_fifteen_tokens(level):
    fruit = [15 if level == there else 0 for there in range(1, 7)]
    state = state_document(FULL, FULL, FULL) | {"fruit": fruit}
    assert ask("grow", {"state": state, "dice": []})["state"]["fruit"] == fruit


def test_a_champion_on_seven_takes_no_fruit():
    played = play_round(full(3, fruit={6: 5, 1: 10}), "7", "h:", "h:")
    assert played.points["a"] == points(mana=1)
    assert played.fruit == {6: 5, 1: 10}


def test_the_supply_is_fifteen_minus_the_fruit_on_the_tree():
    assert full(3).supply == 15
    assert full(3, fruit={1: 4, 6: 3}).supply == 8
    assert full(3, fruit={3: 15}).supply == 0


def test_a_colour_owns_seven_champions_a_healer_a_watcher_and_a_blizzard():
    assert [card.label for card in DECK] == labels(FULL)
    assert len(set(DECK)) == 10


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_new_game_has_full_hands_no_fruit_and_all_markers_on_space_0(seats):
    names = [{"seat": name} for name in "abcde"[:seats]]
    state = ask("new", {"seats": names})["state"]
    assert state["fruit"] == [0, 0, 0, 0, 0, 0]
    assert [seat["score"] for seat in state["seats"]] == [0] * seats
    assert all(seat["hand"] == labels(FULL) for seat in state["seats"])
    assert [seat["player"] for seat in state["seats"]] == list("abcde"[:seats])


def test_two_players_start_with_two_seats_each():
    seats = [{"seat": name, "player": owner} for name, owner in zip("abcd", "xyxy", strict=True)]
    state = ask("new", {"seats": seats})["state"]
    assert [seat["player"] for seat in state["seats"]] == list("xyxy")


def test_the_discard_is_the_complement_of_the_hand():
    [seat] = position("136hb").seats
    assert seat.discarded_champions == hand("2457")


def test_the_healer_always_returns_to_hand():
    for words in (("h:", "6", "5"), ("wh:", "b", "6"), ("b", "h:", "wh:")):
        played = play_round(full(3), *words)
        assert all("h" in word for word in played.hands)


# A round: growth ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on_tree", "dice", "outcomes"), [(0, 2, 21), (13, 2, 21), (14, 1, 6), (15, 0, 1)]
)
def test_growth_rolls_one_die_per_token_in_the_supply_but_at_most_two(on_tree, dice, outcomes):
    node = GAME.pending(GAME.begin(full(3, fruit={2: on_tree})).play)
    assert isinstance(node, Chance)
    assert len(node.outcomes) == outcomes
    assert {len(roll) for roll, _ in node.outcomes} == {dice}


@pytest.mark.parametrize("dice", [0, 1, 2])
def test_the_probabilities_of_growth_sum_to_one(dice):
    assert sum(probability for _, probability in growth_outcomes(dice)) == 1


def test_two_dice_have_six_doubles_at_1_in_36_and_fifteen_others_at_2_in_36():
    doubles = [p for roll, p in growth_outcomes(2) if roll[0] == roll[1]]
    others = [p for roll, p in growth_outcomes(2) if roll[0] != roll[1]]
    assert doubles == [Fraction(1, 36)] * 6
    assert others == [Fraction(2, 36)] * 15
    assert all(roll == tuple(sorted(roll)) for roll, _ in growth_outcomes(2))


def test_one_die_has_six_outcomes_and_never_a_seven():
    assert growth_outcomes(1) == tuple(((level,), Fraction(1, 6)) for level in range(1, 7))


def test_each_die_puts_one_fruit_on_its_level():
    state = state_document(FULL, FULL, FULL) | {"fruit": [1, 0, 0, 0, 0, 2]}
    assert ask("grow", {"state": state, "dice": [6, 1]})["state"]["fruit"] == [2, 0, 0, 0, 0, 3]


def test_a_double_puts_two_fruit_on_one_level():
    state = state_document(FULL, FULL, FULL)
    assert ask("grow", {"state": state, "dice": [4, 4]})["state"]["fruit"] == [0, 0, 0, 2, 0, 0]


def test_with_one_token_left_one_die_puts_it_on_the_tree():
    state = state_document(FULL, FULL, FULL) | {"fruit": [14, 0, 0, 0, 0, 0]}
    assert ask("grow", {"state": state, "dice": [3]})["state"]["fruit"] == [14, 0, 1, 0, 0, 0]


def test_the_order_of_the_dice_does_not_matter():
    state = state_document(FULL, FULL, FULL)
    assert ask("grow", {"state": state, "dice": [2, 5]}) == ask(
        "grow", {"state": state, "dice": [5, 2]}
    )


@pytest.mark.parametrize(("on_tree", "dice"), [(0, 2), (13, 2), (14, 1), (15, 0)])
def test_equal_seeds_roll_the_same_number_and_values_of_dice(on_tree, dice):
    state = state_document(FULL, FULL, FULL) | {"fruit": [0, on_tree, 0, 0, 0, 0]}
    rolled = [ask("grow", {"state": state, "seed": seed}) for seed in range(50)]
    assert all(len(answered["dice"]) == dice for answered in rolled)
    assert rolled == [ask("grow", {"state": state, "seed": seed}) for seed in range(50)]
    assert len({str(answered["dice"]) for answered in rolled}) > 5 or dice == 0


def test_fruit_taken_goes_back_to_the_supply():
    played = play_round(full(3, fruit={6: 10, 1: 5}), "6", "4", "2")
    assert played.state.supply == 10


def test_fruit_that_is_not_taken_stays():
    assert play_round(full(3, fruit={3: 2}), "6", "4", "2").fruit == {3: 2}


def test_growth_in_a_resolve_request_is_the_first_event():
    state = state_document(FULL, FULL, FULL)
    moves = {"a": {"card": "6"}, "b": {"card": "4"}, "c": {"card": "1"}}
    answered = ask("resolve", {"state": state, "moves": moves, "dice": [6, 4]})
    assert answered["events"][0] == {"type": "growth", "step": "growth", "dice": [4, 6]}
    assert answered["points"]["a"]["fruit"] == answered["points"]["b"]["fruit"] == 1


def test_an_empty_supply_leaves_no_growth_in_the_log():
    state = state_document(FULL, FULL, FULL) | {"fruit": [15, 0, 0, 0, 0, 0]}
    moves = {"a": {"card": "6"}, "b": {"card": "4"}, "c": {"card": "2"}}
    answered = ask("resolve", {"state": state, "moves": moves, "dice": []})
    assert answered["events"][0]["type"] == "reveal"
    assert answered["state"]["fruit"] == [15, 0, 0, 0, 0, 0]


# A round: decisions -------------------------------------------------------------------------


def test_every_seat_chooses_any_card_of_its_hand():
    play = GAME.begin(position("1h", "35hb", FULL)).play
    play = GAME.draw(play, (1, 1)).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    assert node.name == "card"
    assert node.choices == {
        "a": tuple(map(move, "1h")),
        "b": tuple(map(move, "35hb")),
        "c": tuple(map(move, FULL)),
    }


def test_only_seats_with_a_revealed_watcher_add_a_card_and_simultaneously():
    node = GAME.pending(reveal(full(4), "w6w5"))
    assert node.name == "watcher"
    assert list(node.choices) == ["a", "c"]


def test_watchers_add_before_healers_choose():
    play = reveal(position("1hw", "1h", FULL), "wh6")
    assert GAME.pending(play).name == "watcher"
    play = GAME.choose(play, {"a": move("w1")}).play
    assert GAME.pending(play).name == "healer"
    assert list(GAME.pending(play).choices) == ["b"]


def test_without_watcher_and_healer_the_round_ends_with_the_card_decision():
    assert GAME.pending(reveal(full(3), "b66")) is None


def test_a_healer_with_no_discarded_champions_has_no_decision():
    assert GAME.pending(reveal(full(3), "h66")) is None


def test_legal_moves_depend_on_the_revealed_cards():
    state = state_document("1hw", "4h", FULL)
    asked = ask("legal-moves", {"state": state})
    assert asked["decision"] == "card"
    assert asked["moves"]["b"] == [{"card": "4"}, {"card": "healer"}]
    revealed = {"a": {"card": "watcher"}, "b": {"card": "healer"}, "c": {"card": "7"}}
    asked = ask("legal-moves", {"state": state, "revealed": revealed})
    assert asked["decision"] == "watcher"
    assert asked["moves"] == {
        "a": [
            {"card": "watcher", "then": {"card": "1"}},
            {"card": "watcher", "then": {"card": "healer"}},
        ]
    }
    revealed["a"] = {"card": "watcher", "then": {"card": "1"}}
    asked = ask("legal-moves", {"state": state, "revealed": revealed})
    assert asked["decision"] == "healer"
    assert len(asked["moves"]["b"]) == 22
    assert asked["moves"]["b"][:2] == [
        {"card": "healer", "recover": []},
        {"card": "healer", "recover": ["1"]},
    ]
    revealed["b"] = {"card": "healer", "recover": ["1", "2"]}
    asked = ask("legal-moves", {"state": state, "revealed": revealed})
    assert asked == {"decision": "none", "moves": {}, "game_over": False}


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


# A round: return ----------------------------------------------------------------------------


def test_champions_still_on_the_tree_return_and_fallen_ones_do_not():
    assert play_round(full(3), "6", "5", "3").hands == (FULL, "123467hwb", FULL)


def test_a_played_watcher_or_blizzard_leaves_the_game():
    played = play_round(full(3), "w7", "b", "wb")
    assert played.hands == ("123456hb", "1234567hw", "1234567h")
    assert played.event("spend").cards == (
        ("a", (Card.WATCHER,)),
        ("b", (Card.BLIZZARD,)),
        ("c", (Card.WATCHER, Card.BLIZZARD)),
    )


# Resolution: mana ---------------------------------------------------------------------------


def test_the_lowest_champion_still_on_the_tree_gains_one_mana():
    played = play_round(full(4), "7", "5", "3", "h:")
    assert [seat.mana for seat in played.points.values()] == [0, 0, 1, 0]


def test_the_sole_champion_on_seven_gets_the_mana():
    assert play_round(full(3), "7", "h:", "h:").points["a"] == points(mana=1)


def test_the_lowest_is_judged_after_the_fights():
    played = play_round(full(5), "7", "3", "2", "1", "1")
    # Three strikes two; the pair on one brawls; three is the lowest left.
    assert [seat.mana for seat in played.points.values()] == [0, 1, 0, 0, 0]


def test_without_a_champion_on_the_tree_no_seat_gets_mana():
    assert all(seat.mana == 0 for seat in play_round(full(4), "6", "6", "h:", "h:").points.values())


# Moving and winning -------------------------------------------------------------------------


def test_every_point_moves_the_marker_one_space_at_once():
    played = play_round(full(3, scores=(3, 0, 0), fruit={6: 2}), "6", "5", "h:")
    spaces = [(a.kind, a.start, a.end) for event in played.events for a in event.awards]
    assert spaces == [("fight", 3, 4), ("fruit", 4, 6), ("mana", 6, 7)]


def test_the_game_continues_until_a_marker_is_on_the_last_space():
    played = play_round(full(3, scores=(28, 0, 0)), "7", "h:", "h:")
    assert played.winners == ()
    assert isinstance(GAME.pending(GAME.begin(played.state).play), Chance)
    played = play_round(played.state, "7", "h:", "h:")
    assert played.winners == ("a",)
    assert GAME.pending(GAME.begin(played.state).play) is None


def test_the_response_names_winners_and_their_seats():
    owners = zip("abcd", "xyxy", strict=True)
    seats = [seat_document(name, score=29, player=owner) for name, owner in owners]
    body = {
        "state": {"seats": seats, "fruit": [0] * 6},
        "moves": {"a": {"card": "6"}, "b": {"card": "6"}, "c": {"card": "6"}, "d": {"card": "1"}},
    }
    answered = ask("resolve", body)
    assert answered["game_over"] is True
    assert answered["winners"] == ["x", "y"]
    assert answered["winning_seats"] == ["a", "b", "c"]


def test_a_bonus_on_the_space_before_the_last_can_end_the_game():
    played = play_round(full(3, scores=(3, 0, 0), on=track(5, (4, "mana", 1))), "7", "h:", "h:")
    assert played.winners == ("a",)


# The two-player variant ---------------------------------------------------------------------


def test_each_seat_of_a_player_plays_its_own_card():
    node = GAME.pending(GAME.draw(GAME.begin(full(4, players="xyxy")).play, (1, 1)).play)
    assert list(node.choices) == ["a", "b", "c", "d"]


def test_seats_of_the_same_player_fight_each_other():
    played = play_round(full(4, players="xxyy"), "6", "5", "3", "3")
    assert played.points["a"] == points(fight=1, mana=1)
    assert played.hands[1] == "123467hwb"
    assert played.points["c"] == played.points["d"] == points(fight=1)


def test_a_player_wins_with_one_of_their_seats():
    played = play_round(full(4, players="xxyy", scores=(0, 29, 5, 5)), "h:", "7", "h:", "h:")
    assert played.winners == ("x",)


def test_both_seats_of_a_player_arriving_make_one_winner():
    played = play_round(full(4, players="xyxy", scores=(29, 0, 29, 0)), "6", "h:", "6", "h:")
    assert played.winners == ("x",)
    assert played.event("finish").seats == ("a", "c")


def test_seats_of_both_players_arriving_together_share_the_win():
    played = play_round(full(4, players="xyxy", scores=(29, 29, 0, 0)), "6", "6", "h:", "h:")
    assert played.winners == ("x", "y")


def test_the_points_of_two_seats_are_not_added_up():
    played = play_round(full(4, players="xyxy", scores=(20, 0, 15, 0)), "7", "h:", "5", "h:")
    assert played.winners == ()
    assert played.scores == (20, 0, 16, 0)
