"""Rulings R1 to R5: track, watcher, healer and blizzard."""

from itertools import combinations

import pytest

from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import Bonus, Card, Kind, Move, Track, default_track
from tests.games.snow_time.positions import (
    FULL,
    GAME,
    NO_BONUSES,
    ask,
    full,
    hand,
    labels,
    move,
    move_documents,
    play_round,
    points,
    position,
    reveal,
    seat_document,
    state_document,
    track,
)

OPTIONAL, SPARED = Track(30, (), optional_watcher=True), Track(30, (), spared_champion=True)


# R1 The track is data -----------------------------------------------------------------------


def test_r1_the_default_track_has_30_spaces_and_nine_bonus_spaces():
    fight, fruit, mana = Kind.FIGHT, Kind.FRUIT, Kind.MANA
    assert default_track().length == 30
    assert default_track().bonuses == (
        Bonus(3, fight, 1),
        Bonus(6, fruit, 1),
        Bonus(9, mana, 2),
        Bonus(12, fight, 1),
        Bonus(15, fruit, 2),
        Bonus(18, mana, 3),
        Bonus(21, fight, 2),
        Bonus(24, fruit, 1),
        Bonus(27, mana, 1),
    )


def test_r1_without_a_track_the_default_track_applies():
    played = play_round(full(3, scores=(1, 0, 0), on=None), "6", "5", "5")
    # Two points of fight to space 3, mana to 4: the default bonus on 3 is only passed.
    assert played.scores == (4, 0, 0)
    played = play_round(full(3, scores=(2, 0, 0), on=None), "b", "5", "h:")
    assert played.points["a"] == points(fight=1, bonus=1)
    assert played.scores == (4, 0, 0)


def test_r1_the_track_of_a_state_replaces_the_default_track():
    own = track(40, (4, "mana", 3))
    played = play_round(full(3, scores=(2, 0, 0), on=own), "b", "5", "h:")
    assert played.points["a"] == points(fight=1)
    played = play_round(full(3, scores=(3, 0, 0), on=own), "7", "h:", "h:")
    assert played.points["a"] == points(mana=1, bonus=3)


def test_r1_the_last_space_is_that_of_the_own_track():
    played = play_round(full(3, scores=(4, 0, 0), on=track(5)), "7", "h:", "h:")
    assert played.scores == (5, 0, 0)
    assert played.winners == ("a",)


def test_r1_the_response_has_the_track_of_the_request_and_no_other():
    bonuses = [{"space": 4, "kind": "mana", "advance": 3}]
    body = {"moves": move_documents("h", "h", "h")}
    own = {"track": {"length": 40, "bonuses": bonuses}}
    answered = ask("resolve", body | {"state": state_document(FULL, FULL, FULL, **own)})
    assert answered["state"]["track"] == own["track"]
    answered = ask("resolve", body | {"state": state_document(FULL, FULL, FULL)})
    assert "track" not in answered["state"]


def test_r1_the_order_of_bonus_spaces_in_a_request_does_not_matter():
    first = {"space": 1, "kind": "mana", "advance": 2}
    second = {"space": 3, "kind": "fight", "advance": 1}
    answers = [
        ask(
            "resolve",
            {
                "state": state_document(
                    FULL, FULL, FULL, track={"length": 9, "bonuses": list(order)}
                ),
                "moves": move_documents("7", "h", "h"),
            },
        )
        for order in ((first, second), (second, first))
    ]
    assert answers[0] == answers[1]
    assert answers[0]["points"]["a"] == {"fight": 0, "fruit": 0, "mana": 1, "bonus": 2}


# R2 Adding a card is mandatory ----------------------------------------------------------------


def test_r2_a_watcher_must_add_a_card():
    play = reveal(full(3), "w66")
    assert GAME.pending(play).name == "watcher"
    assert Move(Card.WATCHER) not in GAME.pending(play).choices["a"]


def test_r2_a_hand_of_healer_and_watcher_must_add_the_healer():
    play = reveal(position("hw", FULL, FULL), "w11")
    assert GAME.pending(play).choices == {"a": (move("wh"),)}


def test_r2_adding_the_healer_and_taking_nothing_back_is_like_adding_nothing():
    played = play_round(position("1hw", FULL, FULL), "wh:", "6", "4")
    assert played.hands == ("1h", FULL, FULL)
    assert played.points["a"] == points()


def test_r2_a_track_can_let_a_watcher_add_no_card():
    play = reveal(full(3, on=OPTIONAL), "w66")
    assert GAME.pending(play).choices["a"][-1] == move("w0")
    played = play_round(position("1hw", FULL, FULL, on=OPTIONAL), "w0", "6", "4")
    assert played.hands == ("1h", FULL, FULL)
    assert played.story == ["reveal", "mana 4", "return", "spend"]


def test_r2_without_a_card_all_seven_champions_stay_discarded():
    state = position("hw", FULL, FULL, on=OPTIONAL)
    assert play_round(state, "w0", "6", "4").hands[0] == "h"
    assert play_round(state, "wh:1234567", "6", "4").hands[0] == "1234567h"


# R3 Any card may be added -----------------------------------------------------------------------


def test_r3_every_other_card_of_the_hand_may_be_added():
    play = reveal(full(3), "w11")
    added = [choice.then.card for choice in GAME.pending(play).choices["a"]]
    assert added == list(hand("1234567hb"))


def test_r3_a_card_that_is_not_in_hand_is_not_offered():
    state = position("25hw", FULL, FULL)
    play = reveal(state, "w11")
    assert GAME.pending(play).choices["a"] == (move("w2"), move("w5"), move("wh"))


def test_r3_an_added_blizzard_counts_like_any_other():
    played = play_round(full(3), "wb", "6", "4")
    assert played.points["a"] == points(fight=2)
    assert played.hands == ("1234567h", "123457hwb", "123567hwb")


def test_r3_an_added_healer_takes_champions_back():
    played = play_round(position("1hw", FULL, FULL), "wh:67", "6", "4")
    assert played.hands[0] == "167h"


def test_r3_an_added_champion_fights_like_any_other():
    played = play_round(full(3), "w6", "6", "5")
    assert played.points == {"a": points(fight=1), "b": points(fight=1), "c": points(mana=1)}
    assert played.hands[:2] == ("123457hb", "123457hwb")


def test_r3_a_seat_never_has_two_champions_on_the_tree():
    play = reveal(full(3), "w66")
    for choice in GAME.pending(play).choices["a"]:
        assert len([card for card in choice.cards if card.is_champion]) <= 1
        assert choice.cards[0] is Card.WATCHER


# R4 The healer ------------------------------------------------------------------------------


def healer_sets(word: str) -> set[str]:
    state = position(word, FULL, FULL)
    return {"".join(card.label for card in taken) for taken in recoverable(state.seats[0])}


def test_r4_with_nothing_discarded_nothing_is_taken_back():
    assert healer_sets("1234567h") == {""}


def test_r4_with_one_discarded_champion_recovery_is_optional():
    assert healer_sets("123567h") == {"", "4"}


def test_r4_any_set_of_up_to_two_may_be_taken_back():
    assert healer_sets("1367h") == {"", "2", "4", "5", "24", "25", "45"}


def test_r4_with_six_discarded_there_are_22_sets_and_six_is_not_seven():
    sets = healer_sets("4h")
    assert len(sets) == 1 + 6 + 15
    assert max(map(len, sets)) == 2
    assert sets == {"".join(taken) for n in range(3) for taken in combinations("123567", n)}


def test_r4_with_all_seven_discarded_exactly_all_seven_come_back():
    assert healer_sets("h") == {"1234567"}


def test_r4_watcher_and_blizzard_in_hand_do_not_prevent_recovering_all_seven():
    assert healer_sets("hwb") == {"1234567"}
    assert play_round(position("hwb", FULL, FULL), "h", "6", "4").hands[0] == FULL


def test_r4_recovering_all_seven_is_automatic():
    play = reveal(position("h", FULL, "h"), "hhh")
    assert GAME.pending(play) is None
    assert GAME.rest(play).seats[0].hand == hand("1234567h")


def test_r4_smaller_sets_come_first_then_deck_order():
    sets = recoverable(position("1247h", FULL, FULL).seats[0])
    assert [("".join(card.label for card in taken)) for taken in sets] == [
        "", "3", "5", "6", "35", "36", "56"
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["h", "4h", "1367h", "123567h", "1234567h"])
def test_r4_watcher_and_blizzard_never_come_back(word):
    assert not any(set(taken) & set("hwb") for taken in healer_sets(word))
    state = position(word, FULL, FULL)
    taken = next(iter(recoverable(state.seats[0])[-1:]))
    played = play_round(state, "h:" + "".join(card.label for card in taken), "5", "5")
    assert set(played.hands[0]) == set(word) | {card.label for card in taken}


def test_r4_a_champion_taken_back_by_an_added_healer_does_not_fight_this_round():
    played = play_round(position("1hw", FULL, FULL), "wh:6", "6", "h:")
    assert played.points == {"a": points(), "b": points(mana=1), "c": points()}


def test_r4_a_champion_that_falls_this_round_cannot_be_taken_back_at_once():
    state = position("345h", FULL, FULL)
    play = reveal(state, "h66")
    [healing] = GAME.pending(play).choices.items()
    assert healing[0] == "a"
    assert all(set(choice.recover) <= set(hand("1267")) for choice in healing[1])


def test_r4_healers_choose_simultaneously():
    state = position("345h", "12h", "1hw")
    play = reveal(state, "hhw")
    assert list(GAME.pending(play).choices) == ["c"], "the watcher comes before the healers"
    play = GAME.choose(play, {"c": move("wh")}).play
    assert GAME.pending(play).name == "healer"
    assert list(GAME.pending(play).choices) == ["a", "b", "c"]


def test_r4_recovery_events_precede_the_resolution():
    played = play_round(position("345h", FULL, FULL), "h:12", "b", "6")
    assert played.story == ["reveal", "recover", "blizzard", "return", "spend"]
    assert played.event("recover").cards == (("a", hand("12")),)
    assert played.event("recover").rule == "R4"


def test_r4_a_blizzard_does_not_bury_what_a_healer_took_back():
    played = play_round(position("h", FULL, FULL), "h", "b", "6")
    assert played.hands[0] == "1234567h"
    assert played.points["b"] == points(fight=1)


def test_r4_recovered_champions_stay_in_hand_if_the_game_ends_in_that_round():
    played = play_round(position("345h", FULL, FULL, scores=(0, 29, 0)), "h:12", "7", "6")
    assert played.winners == ("b",)
    assert played.hands[0] == "12345h"


# R5 The blizzard ----------------------------------------------------------------------------


def test_r5_an_added_champion_is_discarded_too():
    played = play_round(full(3), "w6", "b", "4")
    assert played.points == {"a": points(), "b": points(fight=2), "c": points()}
    assert played.hands == ("123457hb", "1234567hw", "123567hwb")


def test_r5_a_blizzard_that_a_watcher_added_buries_what_another_watcher_added():
    played = play_round(full(3), "wb", "w3", "w7")
    assert played.points == {"a": points(fight=2), "b": points(), "c": points()}
    assert played.hands == ("1234567h", "124567hb", "123456hb")


def test_r5_a_track_can_spare_champions_that_watchers_add():
    state = full(4, fruit={6: 2}, on=SPARED)
    played = play_round(state, "w6", "b", "4", "w5")
    assert played.points["b"] == points(fight=1)
    assert played.story == [
        *("reveal", "add", "blizzard", "strike 6", "fruit 6", "mana 6", "return", "spend"),
    ]
    assert played.points["a"] == points(fight=1, fruit=2, mana=1)
    assert played.hands == ("1234567hb", "1234567hw", "123567hwb", "123467hb")


def test_r5_a_blizzard_that_a_watcher_added_spares_what_another_watcher_added():
    played = play_round(full(3, on=SPARED), "wb", "w3", "7")
    assert played.points == {"a": points(fight=1), "b": points(mana=1), "c": points()}
    assert played.hands == ("1234567h", "1234567hb", "123456hwb")


def test_r5_a_spared_champion_returns_if_the_blizzard_ends_the_game():
    state = full(3, scores=(0, 29, 0), on=SPARED)
    played = play_round(state, "w6", "b", "4")
    assert played.winners == ("b",)
    assert played.hands[0] == "1234567hb"
    assert played.points["a"] == points()


def test_r5_a_revealed_and_an_added_blizzard_both_count_every_champion():
    played = play_round(full(4), "b", "wb", "6", "6")
    assert played.points["a"] == played.points["b"] == points(fight=2)
    assert played.hands[:2] == ("1234567hw", "1234567h")


def test_r5_several_blizzards_each_count_all_champions():
    played = play_round(full(5), "b", "b", "b", "1", "7")
    assert [played.points[name].fight for name in "abcde"] == [2, 2, 2, 0, 0]
    [event] = [event for event in played.events if event.type == "blizzard"]
    assert event.seats == ("a", "b", "c")
    assert event.fallen == ("d", "e")
    assert len(event.awards) == 3, "they gain simultaneously"


def test_r5_a_blizzard_over_an_empty_tree_gains_nothing_and_is_spent():
    played = play_round(full(3), "b", "h:", "h:")
    assert set(played.points.values()) == {points()}
    assert played.hands == ("1234567hw", FULL, FULL)
    assert played.event("blizzard").awards == ()


def test_r5_nothing_but_blizzards_gains_nothing():
    played = play_round(full(3), "b", "b", "wb")
    assert set(played.points.values()) == {points()}
    assert played.hands == ("1234567hw", "1234567hw", "1234567h")


def test_r5_after_a_blizzard_there_is_no_fight_no_fruit_and_no_mana():
    played = play_round(full(4, fruit={6: 2, 4: 1}), "b", "6", "5", "4")
    assert played.story == ["reveal", "blizzard", "spend"]
    assert played.fruit == {6: 2, 4: 1}
    assert [seat.fight for seat in played.points.values()] == [3, 0, 0, 0]


def test_r5_after_a_blizzard_bonus_spaces_still_count():
    state = full(3, scores=(2, 0, 0), on=track(30, (4, "fight", 3)))
    assert play_round(state, "b", "6", "5").points["a"] == points(fight=2, bonus=3)


def test_r5_a_blizzard_over_an_empty_tree_gives_no_fight_bonus():
    state = full(3, scores=(4, 0, 0), on=track(30, (4, "fight", 3)))
    assert play_round(state, "b", "h:", "h:").points["a"] == points()


def test_r5_a_blizzard_does_not_bury_the_healer():
    played = play_round(position("35h", FULL, FULL), "h:12", "b", "6")
    assert played.hands[0] == "1235h"


@pytest.mark.parametrize("blizzards", [1, 2, 3, 4])
def test_r5_every_blizzard_gains_the_number_of_champions(blizzards):
    words = ["b"] * blizzards + ["3"] * (5 - blizzards)
    played = play_round(full(5), *words)
    fights = [seat.fight for seat in played.points.values()]
    assert fights == [5 - blizzards] * blizzards + [0] * (5 - blizzards)


def test_the_test_notation_is_parsed_correctly():
    assert move("w6") == Move(Card.WATCHER, Move(Card.SIX))
    assert move("h:21") == Move(Card.HEALER, recover=(Card.ONE, Card.TWO))
    assert move("wh:").last.recover == ()
    assert labels("1hwb") == ["1", "healer", "watcher", "blizzard"]
    assert seat_document("a", "h")["hand"] == ["healer"]
    assert NO_BONUSES.bonuses == ()
