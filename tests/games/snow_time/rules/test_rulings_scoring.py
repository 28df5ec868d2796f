"""Rulings R6 to R12: resolution by level, bonus spaces, end of the track, two players."""

import pytest

from tests.games.snow_time.positions import (
    FULL,
    GAME,
    ask,
    full,
    labels,
    move,
    move_documents,
    play_round,
    points,
    position,
    reveal,
    seat_document,
    track,
)

# R6 Level by level, from the top -------------------------------------------------------------


def test_r6_a_pair_struck_from_above_does_not_brawl():
    played = play_round(full(3), "7", "6", "6")
    assert played.points == {"a": points(fight=2, mana=1), "b": points(), "c": points()}
    assert played.story == ["reveal", "strike 7", "mana 7", "return"]


def test_r6_a_pair_on_six_without_a_seven_brawls():
    played = play_round(full(3), "5", "6", "6")
    assert played.points == {"a": points(mana=1), "b": points(fight=1), "c": points(fight=1)}


def test_r6_a_brawl_does_not_attack_below():
    played = play_round(full(4), "6", "6", "5", "1")
    assert played.hands[2] == FULL
    assert played.points["c"] == points()
    assert played.points["d"] == points(mana=1)


def test_r6_a_brawl_takes_no_fruit():
    played = play_round(full(3, fruit={6: 4}), "6", "6", "h:")
    assert played.fruit == {6: 4}
    assert played.points["a"] == points(fight=1)


def test_r6_three_that_brawl_gain_two_points_each():
    played = play_round(full(5), "4", "4", "4", "3", "h:")
    assert [seat.fight for seat in played.points.values()] == [2, 2, 2, 0, 0]
    assert played.hands[3] == FULL, "no champion above is left to strike it"


def test_r6_two_brawls_on_neighbouring_levels_do_not_touch_each_other():
    played = play_round(full(5, fruit={5: 1, 6: 1}), "6", "6", "5", "5", "4")
    assert [seat.fight for seat in played.points.values()] == [1, 1, 1, 1, 0]
    assert played.points["e"] == points(mana=1)
    assert played.fruit == {5: 1, 6: 1}


def test_r6_a_struck_champion_neither_attacks_nor_takes_fruit():
    played = play_round(full(3, fruit={5: 3, 4: 2}), "6", "5", "4")
    assert played.points == {
        "a": points(fight=1),
        "b": points(),
        "c": points(fruit=2, mana=1),
    }
    assert played.fruit == {5: 3}


def test_r6_a_champion_below_a_struck_one_is_saved():
    played = play_round(full(4), "7", "6", "5", "4")
    # Seven strikes six, so five stands and strikes four.
    assert played.hands == (FULL, "123457hwb", FULL, "123567hwb")
    assert played.points["c"] == points(fight=1, mana=1)


def test_r6_every_second_of_a_ladder_falls():
    played = play_round(full(5), "5", "4", "3", "2", "1")
    assert [word == FULL for word in played.hands] == [True, False, True, False, True]
    assert [seat.fight for seat in played.points.values()] == [1, 0, 1, 0, 0]
    assert played.points["e"] == points(mana=1)


def test_r6_a_pair_saved_by_a_strike_from_above_brawls():
    played = play_round(full(4), "7", "6", "5", "5")
    assert played.points["c"] == played.points["d"] == points(fight=1)
    assert played.points["a"] == points(fight=1, mana=1)


def test_r6_a_level_two_champion_above_a_pair_on_one_knocks_both_down():
    played = play_round(full(3, fruit={1: 5, 2: 1}), "2", "1", "1")
    assert played.points == {"a": points(fight=2, fruit=1, mana=1), "b": points(), "c": points()}
    assert played.fruit == {1: 5}


def test_r6_a_pair_on_one_brawls_when_the_level_above_is_empty():
    played = play_round(full(3, fruit={1: 5}), "3", "1", "1")
    assert played.points == {"a": points(mana=1), "b": points(fight=1), "c": points(fight=1)}
    assert played.fruit == {1: 5}


def test_r6_a_champion_on_level_one_attacks_no_other():
    played = play_round(full(3, fruit={1: 2}), "1", "h:", "h:")
    assert played.points["a"] == points(fruit=2, mana=1)
    assert played.story == ["reveal", "fruit 1", "mana 1", "return"]


def test_r6_only_the_level_directly_below_is_attacked():
    played = play_round(full(3), "7", "5", "3")
    assert played.hands == (FULL, FULL, FULL)
    assert [seat.fight for seat in played.points.values()] == [0, 0, 0]


def test_r6_four_on_one_level_are_struck_together():
    played = play_round(full(5, fruit={3: 2}), "4", "3", "3", "3", "3")
    assert played.points["a"] == points(fight=4, mana=1)
    assert all(played.points[name] == points() for name in "bcde")
    assert played.fruit == {3: 2}


def test_r6_if_all_are_on_one_level_all_fall_and_no_seat_gets_mana():
    played = play_round(full(5, fruit={2: 1}), "2", "2", "2", "2", "2")
    assert set(played.points.values()) == {points(fight=4)}
    assert played.story == ["reveal", "brawl 2"]
    assert played.fruit == {2: 1}


def test_r6_fruit_of_a_level_comes_before_the_fight_of_the_next():
    played = play_round(full(4, fruit={6: 1, 4: 1}), "6", "5", "4", "3")
    assert played.story == [
        "reveal", "strike 6", "fruit 6", "strike 4", "fruit 4", "mana 4", "return"
    ]  # fmt: skip


def test_r6_a_higher_fruit_wins_before_a_lower_fight():
    played = play_round(full(3, scores=(28, 29, 0), fruit={6: 2}), "6", "4", "3")
    assert played.winners == ("a",)
    assert played.scores == (30, 29, 0)
    assert played.hands[2] == FULL, "the four never struck the three"


def test_r6_the_champions_that_brawl_are_named_as_fallen():
    event = play_round(full(4), "6", "6", "6", "1").event("brawl")
    assert (event.level, event.seats, event.fallen) == (6, tuple("abc"), tuple("abc"))
    assert [(a.seat, a.points) for a in event.awards] == [("a", 2), ("b", 2), ("c", 2)]


# R7 Bonuses move simultaneously --------------------------------------------------------------


def test_r7_all_bonuses_of_a_round_are_one_award():
    own = track(30, (5, "fight", 2), (6, "mana", 3))
    played = play_round(full(3, scores=(4, 0, 5), on=own), "7", "6", "1")
    # a: one fight to 5; c: mana to 6.
    event = played.event("bonus")
    assert [(award.seat, award.points) for award in event.awards] == [("a", 2), ("c", 3)]
    assert event.rule == "R7"
    assert played.scores == (7, 0, 9)


def test_r7_seats_that_arrive_by_bonuses_share_the_win():
    own = track(30, (28, "fight", 2), (27, "mana", 3))
    played = play_round(full(3, scores=(27, 0, 26), on=own), "7", "6", "1")
    assert played.scores == (30, 0, 30)
    assert played.winners == ("a", "c")
    assert played.event("finish").seats == ("a", "c")


def test_r7_a_winning_bonus_does_not_cancel_the_other_bonuses():
    own = track(30, (29, "fight", 1), (6, "mana", 3))
    played = play_round(full(3, scores=(28, 0, 5), on=own), "7", "6", "1")
    assert played.winners == ("a",)
    assert played.scores == (30, 0, 9)
    assert played.points["c"] == points(mana=1, bonus=3)


# R8 A bonus is automatic, of its kind, once --------------------------------------------------


def test_r8_a_bonus_is_not_a_decision():
    state = full(3, scores=(4, 0, 0), on=track(30, (5, "mana", 1)))
    play = reveal(state, "7hh")
    assert GAME.pending(play) is None
    assert GAME.rest(play).seats[0].score == 6


@pytest.mark.parametrize(
    ("kind", "bonus"), [("fight", 0), ("fruit", 0), ("mana", 3)], ids=["fight", "fruit", "mana"]
)
def test_r8_the_kind_has_to_match(kind, bonus):
    state = full(3, scores=(4, 0, 0), on=track(30, (5, kind, 3)))
    assert play_round(state, "7", "h:", "h:").points["a"] == points(mana=1, bonus=bonus)


def test_r8_one_matching_point_among_others_is_enough():
    state = full(3, scores=(4, 0, 0), fruit={6: 3}, on=track(30, (9, "fight", 2)))
    played = play_round(state, "6", "5", "h:")
    assert played.points["a"] == points(fight=1, fruit=3, mana=1, bonus=2)


def test_r8_a_space_passed_over_gives_nothing():
    state = full(3, scores=(4, 0, 0), fruit={6: 3}, on=track(30, (7, "fruit", 2)))
    assert play_round(state, "6", "h:", "h:").points["a"] == points(fruit=3, mana=1)


def test_r8_standing_on_a_bonus_space_without_gaining_gives_nothing():
    state = full(3, scores=(5, 0, 0), on=track(30, (5, "fight", 2)))
    played = play_round(state, "h:", "7", "6")
    assert played.points["a"] == points()
    assert played.scores[0] == 5


def test_r8_a_bonus_that_leads_to_another_bonus_space_ends_there():
    own = track(30, (5, "mana", 2), (7, "mana", 3))
    played = play_round(full(3, scores=(4, 0, 0), on=own), "7", "h:", "h:")
    assert played.scores[0] == 7
    assert played.points["a"] == points(mana=1, bonus=2)


def test_r8_the_space_reached_by_a_bonus_counts_again_the_next_round_only_with_a_point():
    own = track(30, (5, "mana", 2), (7, "mana", 3))
    first = play_round(full(3, scores=(4, 0, 0), on=own), "7", "h:", "h:")
    assert play_round(first.state, "h:", "7", "h:").scores[0] == 7
    assert play_round(first.state, "7", "h:", "h:").scores[0] == 8, "it left the space by its point"


def test_r8_several_seats_may_stand_on_the_same_bonus_space():
    own = track(30, (5, "fight", 2))
    played = play_round(full(4, scores=(4, 4, 5, 0), on=own), "6", "6", "h:", "h:")
    assert played.scores == (7, 7, 5, 0)


def test_r8_a_bonus_is_not_a_point_of_its_kind():
    own = track(30, (5, "mana", 2))
    played = play_round(full(3, scores=(4, 0, 0), on=own), "7", "h:", "h:")
    [award] = played.event("bonus").awards
    assert award.kind == "bonus"
    assert played.points["a"].mana == 1


def test_r8_bonus_spaces_are_checked_after_the_mana_point():
    own = track(30, (5, "fight", 3), (6, "mana", 1))
    played = play_round(full(3, scores=(4, 0, 0), on=own), "7", "6", "h:")
    # The fight leads to space 5, and mana to space 6 before bonuses are checked.
    assert played.points["a"] == points(fight=1, mana=1, bonus=1)
    assert played.scores[0] == 7


# R9 A marker stops at the last space ---------------------------------------------------------


def test_r9_points_count_as_awarded_and_spaces_as_moved():
    played = play_round(full(3, scores=(29, 0, 0), fruit={6: 5}), "6", "h:", "h:")
    assert played.points["a"] == points(fruit=5)
    [award] = played.event("fruit").awards
    assert (award.points, award.start, award.end) == (5, 29, 30)


def test_r9_a_bonus_is_clipped_too():
    state = full(3, scores=(28, 0, 0), on=track(30, (29, "mana", 3)))
    played = play_round(state, "7", "h:", "h:")
    assert played.scores[0] == 30
    assert played.points["a"] == points(mana=1, bonus=3)
    [award] = played.event("bonus").awards
    assert (award.points, award.start, award.end) == (3, 29, 30)


def test_r9_a_blizzard_over_the_end_stops_there():
    played = play_round(full(5, scores=(29, 0, 0, 0, 0)), "b", "1", "3", "5", "7")
    assert played.scores == (30, 0, 0, 0, 0)
    assert played.points["a"] == points(fight=4)


def test_r9_a_marker_arrives_exactly_at_the_last_space():
    assert play_round(full(3, scores=(28, 0, 0)), "b", "1", "2").winners == ("a",)
    assert play_round(full(3, scores=(27, 0, 0)), "b", "1", "2").winners == ()


# R10 Who arrives in the same award shares the win --------------------------------------------


def test_r10_several_seats_can_arrive_by_one_brawl():
    played = play_round(full(4, scores=(29, 28, 29, 0)), "5", "5", "5", "1")
    assert played.winners == ("a", "b", "c")
    assert played.event("finish").seats == ("a", "b", "c")
    assert played.event("finish").rule == "R10"


def test_r10_of_the_seats_in_a_brawl_only_those_that_arrive_win():
    played = play_round(full(4, scores=(29, 20, 29, 0)), "5", "5", "5", "1")
    assert played.winners == ("a", "c")
    assert played.scores == (30, 22, 30, 0)


def test_r10_several_blizzards_share_the_win():
    played = play_round(full(4, scores=(28, 29, 27, 0)), "b", "wb", "b", "6")
    assert played.winners == ("b",)
    played = play_round(full(4, scores=(29, 29, 27, 0)), "b", "wb", "b", "6")
    assert played.winners == ("a", "b")


def test_r10_a_higher_level_wins_alone_although_a_lower_one_would_arrive_too():
    played = play_round(full(4, scores=(29, 29, 29, 29)), "7", "6", "4", "3")
    assert played.winners == ("a",)
    assert played.scores == (30, 29, 29, 29)


def test_r10_a_blizzard_wins_before_any_level():
    played = play_round(full(3, scores=(29, 29, 29)), "b", "6", "5")
    assert played.winners == ("a",)


def test_r10_fruit_wins_before_mana():
    played = play_round(full(3, scores=(29, 29, 0), fruit={6: 1}), "6", "1", "h:")
    assert played.winners == ("a",)
    assert played.points["b"] == points()


def test_r10_mana_wins_before_a_bonus():
    own = track(30, (25, "fruit", 3), (29, "fruit", 1))
    state = full(3, scores=(28, 29, 0), fruit={6: 1}, on=own)
    played = play_round(state, "6", "1", "h:")
    assert played.winners == ("b",)
    assert played.scores == (29, 30, 0)
    assert played.points["a"] == points(fruit=1)


# R11 What is left when a game ends mid-round -------------------------------------------------


def test_r11_a_strike_wins_before_the_fruit_of_the_same_level():
    played = play_round(full(3, scores=(29, 0, 0), fruit={6: 3, 5: 1}), "6", "5", "1")
    assert played.points["a"] == points(fight=1)
    assert played.fruit == {6: 3, 5: 1}
    assert played.story == ["reveal", "strike 6", "finish", "return"]


def test_r11_cards_discarded_before_the_end_stay_discarded():
    played = play_round(full(5, scores=(0, 0, 29, 0, 0)), "6", "6", "4", "3", "1")
    assert played.winners == ("c",)
    assert played.hands == ("123457hwb", "123457hwb", FULL, "124567hwb", FULL)


def test_r11_a_lower_pair_that_never_fought_returns():
    played = play_round(full(5, scores=(29, 0, 0, 0, 0), fruit={2: 1}), "7", "6", "3", "3", "2")
    assert played.hands == (FULL, "123457hwb", FULL, FULL, FULL)
    assert played.fruit == {2: 1}


def test_r11_the_return_cites_the_ruling_only_when_the_game_ended():
    assert play_round(full(3, scores=(29, 0, 0)), "7", "h:", "h:").event("return").rule == "R11"
    assert play_round(full(3), "7", "h:", "h:").event("return").rule is None


def test_r11_specials_are_spent_and_healers_return_although_the_game_ended():
    played = play_round(full(4, scores=(29, 0, 0, 0)), "b", "w6", "h:", "5")
    assert played.winners == ("a",)
    assert played.hands == ("1234567hw", "123457hb", FULL, "123467hwb")


def test_r11_after_a_winning_blizzard_nothing_returns_and_fruit_stays():
    played = play_round(full(3, scores=(29, 0, 0), fruit={6: 2}), "b", "6", "4")
    assert played.hands == ("1234567hw", "123457hwb", "123567hwb")
    assert played.fruit == {6: 2}
    assert played.story == ["reveal", "blizzard", "finish", "spend"]


@pytest.mark.parametrize(
    ("scores", "words", "won_by"),
    [
        ((29, 0, 29, 4), "7621", "strike 7"),
        ((29, 29, 0, 4), "6621", "brawl 6"),
        ((29, 0, 0, 4), "6421", "fruit 6"),
        ((4, 0, 0, 29), "6431", "mana 1"),
        ((29, 4, 0, 0), "b531", "blizzard"),
    ],
    ids=["strike", "brawl", "fruit", "mana", "blizzard"],
)
def test_r11_nothing_is_awarded_after_the_award_that_ends_the_game(scores, words, won_by):
    # A seat that reaches 5 by fruit or 6 by mana would get a bonus.
    own = track(30, (5, "fruit", 3), (6, "mana", 3))
    played = play_round(full(4, scores=scores, fruit={6: 1}, on=own), *words)
    assert played.winners
    place = played.story.index(won_by)
    assert played.story[place + 1] == "finish"
    assert all(not event.awards for event in played.events[place + 1 :])


# R12 The two-player variant ------------------------------------------------------------------

TWO = {"players": "xyxy"}


def test_r12_a_watcher_adds_from_its_own_seats_hand_only():
    state = position("1hw", FULL, "7h", FULL, **TWO)
    play = reveal(state, "whhh")
    assert GAME.pending(play).choices["a"] == (move("w1"), move("wh"))


def test_r12_a_healer_takes_back_from_its_own_seats_discard_only():
    state = position("123456h", FULL, "1234567h", FULL, **TWO)
    play = reveal(state, "h111")
    assert GAME.pending(play).choices == {"a": (move("h:"), move("h:7"))}


def test_r12_the_discard_of_the_other_seat_does_not_count_towards_seven():
    state = position("1h", FULL, "h", FULL, **TWO)
    play = reveal(state, "h1h1")
    choices = GAME.pending(play).choices
    assert list(choices) == ["a"]
    assert len(choices["a"]) == 22


def test_r12_recovery_from_the_other_seats_discard_is_rejected():
    seats = [
        seat_document("a", "123456h", player="x"),
        seat_document("b", player="y"),
        seat_document("c", "12345h", player="x"),
        seat_document("d", player="y"),
    ]
    body = {"state": {"seats": seats, "fruit": [0] * 6}}
    with pytest.raises(Exception, match="illegal-recovery") as rejected:
        ask("resolve", body | {"moves": move_documents("h:6", "1", "1", "1")})
    [violation] = rejected.value.violations
    assert (violation.path, violation.rule) == ("/moves/a/recover", "R4")
    answered = ask("resolve", body | {"moves": move_documents("h:7", "1", "1", "1")})
    assert answered["state"]["seats"][0]["hand"] == labels("1234567h")
    assert answered["state"]["seats"][2]["hand"] == labels("2345h"), (
        "its champion 1 fell in a brawl"
    )


def test_r12_adding_a_card_of_the_other_seats_hand_is_rejected():
    seats = [
        seat_document("a", "1hw", player="x"),
        seat_document("b", player="x"),
        seat_document("c", player="y"),
        seat_document("d", player="y"),
    ]
    body = {"state": {"seats": seats, "fruit": [0] * 6}}
    with pytest.raises(Exception, match="card-not-in-hand") as rejected:
        ask("resolve", body | {"moves": move_documents("w7", "1", "1", "1")})
    assert [violation.path for violation in rejected.value.violations] == ["/moves/a/then/card"]


def test_r12_both_seats_of_a_player_may_watch_and_heal_in_one_round():
    state = position("1hw", FULL, "2hw", FULL, **TWO)
    played = play_round(state, "wh:23", "6", "w2", "4")
    assert played.hands[0] == "123h"
    assert played.hands[2] == "2h"
