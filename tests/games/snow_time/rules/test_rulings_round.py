"""Rulings R1 to R5: track, watcher, healer and blizzard."""

from itertools import combinations

import pytest

from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import Card, Move, Track, default_track
from tests.games.snow_time.positions import (
    FULL,
    GAME,
    ask,
    full,
    hand,
    move,
    move_documents,
    play_round,
    points,
    position,
    reveal,
    state_document,
    track,
)

OPTIONAL, SPARED = Track(30, (), optional_watcher=True), Track(30, (), spared_champion=True)


# R1 The track is data -----------------------------------------------------------------------


def test_r1_the_default_track_has_30_spaces_and_nine_bonus_spaces():
    assert default_track() == track(
        30,
        *((3, "fight", 1), (6, "fruit", 1), (9, "mana", 2)),
        *((12, "fight", 1), (15, "fruit", 2), (18, "mana", 3)),
        *((21, "fight", 2), (24, "fruit", 1), (27, "mana", 1)),
    )


def test_r1_without_a_track_the_default_track_applies():
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
    assert (played.scores, played.winners) == ((5, 0, 0), ("a",))


def test_r1_the_response_has_the_track_of_the_request_and_no_other():
    body = {"moves": move_documents("h", "h", "h")}
    own = {"length": 40, "bonuses": [{"space": 4, "kind": "mana", "advance": 3}]}
    answered = ask("resolve", body | {"state": state_document(FULL, FULL, FULL, track=own)})
    assert answered["state"]["track"] == own
    answered = ask("resolve", body | {"state": state_document(FULL, FULL, FULL)})
    assert "track" not in answered["state"]


def test_r1_the_order_of_bonus_spaces_in_a_request_does_not_matter():
    first = {"space": 1, "kind": "mana", "advance": 2}
    second = {"space": 3, "kind": "fight", "advance": 1}
    answers = []
    for bonuses in ([first, second], [second, first]):
        state = state_document(FULL, FULL, FULL, track={"length": 9, "bonuses": bonuses})
        answers.append(ask("resolve", {"state": state, "moves": move_documents("7", "h", "h")}))
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
    state = position("hw", FULL, FULL, on=OPTIONAL)
    assert play_round(state, "w0", "6", "4").hands[0] == "h", "all seven stay discarded"
    assert play_round(state, "wh:1234567", "6", "4").hands[0] == "1234567h"


# R3 Any card may be added -----------------------------------------------------------------------


def test_r3_every_other_card_of_the_hand_may_be_added():
    play = reveal(full(3), "w11")
    added = [choice.then.card for choice in GAME.pending(play).choices["a"]]
    assert added == list(hand("1234567hb"))


def test_r3_a_card_that_is_not_in_hand_is_not_offered():
    play = reveal(position("25hw", FULL, FULL), "w11")
    assert GAME.pending(play).choices["a"] == (move("w2"), move("w5"), move("wh"))


@pytest.mark.parametrize(
    ("cards", "gained", "hands"),
    [
        ("wb 6 4", {"a": points(fight=2)}, ("1234567h", "123457hwb", "123567hwb")),
        (
            "w6 6 5",
            {"a": points(fight=1), "b": points(fight=1), "c": points(mana=1)},
            ("123457hb", "123457hwb", FULL),
        ),
    ],
)
def test_r3_an_added_blizzard_or_champion_counts_like_any_other(cards, gained, hands):
    played = play_round(full(3), *cards.split())
    assert (played.gained, played.hands) == (gained, hands)


def test_r3_an_added_healer_takes_champions_back_which_do_not_fight_this_round():
    played = play_round(position("1hw", FULL, FULL), "wh:67", "6", "h:")
    assert played.hands[0] == "167h"
    assert played.gained == {"b": points(mana=1)}


def test_r3_a_seat_never_has_two_champions_on_the_tree():
    play = reveal(full(3), "w66")
    for choice in GAME.pending(play).choices["a"]:
        assert len([card for card in choice.cards if card.is_champion]) <= 1
        assert choice.cards[0] is Card.WATCHER


# R4 The healer ------------------------------------------------------------------------------


def healer_sets(word: str) -> set[str]:
    state = position(word, FULL, FULL)
    return {"".join(card.label for card in taken) for taken in recoverable(state.seats[0])}


@pytest.mark.parametrize(
    ("word", "sets"),
    [
        ("1234567h", {""}),
        ("123567h", {"", "4"}),
        ("1367h", {"", "2", "4", "5", "24", "25", "45"}),
        # Six are not all seven.
        ("4h", {"".join(taken) for size in range(3) for taken in combinations("123567", size)}),
        ("h", {"1234567"}),
        ("hwb", {"1234567"}),
    ],
)
def test_r4_up_to_two_discarded_champions_or_exactly_all_seven_come_back(word, sets):
    assert healer_sets(word) == sets


def test_r4_recovering_all_seven_is_automatic():
    play = reveal(position("h", FULL, "h"), "hhh")
    assert GAME.pending(play) is None
    assert GAME.rest(play).seats[0].hand == hand("1234567h")


def test_r4_smaller_sets_come_first_then_deck_order():
    sets = recoverable(position("1247h", FULL, FULL).seats[0])
    assert [("".join(card.label for card in taken)) for taken in sets] == [
        "", "3", "5", "6", "35", "36", "56"
    ]  # fmt: skip


def test_r4_watcher_and_blizzard_never_come_back():
    assert play_round(position("h", FULL, FULL), "h", "5", "5").hands[0] == "1234567h"
    assert play_round(position("4h", FULL, FULL), "h:67", "5", "5").hands[0] == "467h"


def test_r4_a_champion_that_falls_this_round_cannot_be_taken_back_at_once():
    play = reveal(position("345h", FULL, FULL), "h66")
    [healing] = GAME.pending(play).choices.values()
    assert {card for choice in healing for card in choice.recover} == set(hand("1267"))


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
    assert (played.hands[0], played.gained) == ("1234567h", {"b": points(fight=1)})


def test_r4_recovered_champions_stay_in_hand_if_the_game_ends_in_that_round():
    played = play_round(position("345h", FULL, FULL, scores=(0, 29, 0)), "h:12", "7", "6")
    assert played.winners == ("b",)
    assert played.hands[0] == "12345h"


# R5 The blizzard ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "fights", "hands"),
    [
        ("w6 b 4", (0, 2, 0), ("123457hb", "1234567hw", "123567hwb")),
        ("wb w3 w7", (2, 0, 0), ("1234567h", "124567hb", "123456hb")),
        ("b wb 6 6", (2, 2, 0, 0), ("1234567hw", "1234567h", "123457hwb", "123457hwb")),
        ("b b wb", (0, 0, 0), ("1234567hw", "1234567hw", "1234567h")),
        ("b h: h:", (0, 0, 0), ("1234567hw", FULL, FULL)),
        ("b b b 1 7", (2, 2, 2, 0, 0), (*["1234567hw"] * 3, "234567hwb", "123456hwb")),
        ("b 3 3 3 3", (4, 0, 0, 0, 0), ("1234567hw", *["124567hwb"] * 4)),
        ("b b b b 3", (1, 1, 1, 1, 0), (*["1234567hw"] * 4, "124567hwb")),
    ],
)
def test_r5_each_blizzard_counts_all_champions_and_discards_them_added_ones_too(
    cards, fights, hands
):
    played = play_round(full(len(fights)), *cards.split())
    assert [played.points[name] for name in played.points] == [points(fight=n) for n in fights]
    assert played.hands == hands


@pytest.mark.parametrize(
    ("cards", "gained", "hands"),
    [
        (
            "w6 b 4 w5",
            {"a": points(fight=1, fruit=2, mana=1), "b": points(fight=1)},
            ("1234567hb", "1234567hw", "123567hwb", "123467hb"),
        ),
        (
            "wb w3 7",
            {"a": points(fight=1), "b": points(mana=1)},
            ("1234567h", "1234567hb", "123456hwb"),
        ),
    ],
)
def test_r5_a_track_can_spare_champions_that_watchers_add(cards, gained, hands):
    played = play_round(full(len(hands), fruit={6: 2}, on=SPARED), *cards.split())
    assert (played.gained, played.hands) == (gained, hands)


def test_r5_a_spared_champion_returns_if_the_blizzard_ends_the_game():
    played = play_round(full(3, scores=(0, 29, 0), on=SPARED), "w6", "b", "4")
    assert played.winners == ("b",)
    assert played.hands[0] == "1234567hb"
    assert played.gained == {"b": points(fight=1)}


def test_r5_blizzards_gain_simultaneously():
    event = play_round(full(5), "b", "b", "b", "1", "7").event("blizzard")
    assert (event.seats, event.fallen) == (tuple("abc"), tuple("de"))
    assert [(award.seat, award.points) for award in event.awards] == [("a", 2), ("b", 2), ("c", 2)]
    assert play_round(full(3), "b", "h:", "h:").event("blizzard").awards == ()


def test_r5_after_a_blizzard_there_is_no_fight_no_fruit_and_no_mana():
    played = play_round(full(4, fruit={6: 2, 4: 1}), "b", "6", "5", "4")
    assert played.story == ["reveal", "blizzard", "spend"]
    assert played.fruit == {6: 2, 4: 1}
    assert played.gained == {"a": points(fight=3)}


def test_r5_after_a_blizzard_bonus_spaces_still_count():
    own = track(30, (4, "fight", 3))
    played = play_round(full(3, scores=(2, 0, 0), on=own), "b", "6", "5")
    assert played.points["a"] == points(fight=2, bonus=3)
    played = play_round(full(3, scores=(4, 0, 0), on=own), "b", "h:", "h:")
    assert played.gained == {}, "over an empty tree, nothing is gained"


def test_r5_a_blizzard_does_not_bury_the_healer():
    played = play_round(position("35h", FULL, FULL), "h:12", "b", "6")
    assert played.hands[0] == "1235h"
