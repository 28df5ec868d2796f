"""Rulings R6 to R12: resolution by level, bonus spaces, end of the track, two players."""

import pytest

from service.core.violations import Rejected
from tests.games.snow_time.positions import (
    FULL,
    GAME,
    ask,
    full,
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


ROUNDS = {
    "a pair struck from above does not brawl": ("7 6 6", {}, (2, 0, 0), "a", "bc"),
    "a pair with nothing above brawls": ("5 6 6", {}, (0, 1, 1), "a", "bc"),
    "a brawl does not attack below": ("6 6 5 1", {}, (1, 1, 0, 0), "d", "ab"),
    "a brawl takes no fruit": ("6 6 h:", {6: 4}, (1, 1, 0), "", "ab"),
    "three that brawl gain two points each": ("4 4 4 3 h:", {}, (2, 2, 2, 0, 0), "d", "abc"),
    "neighbouring brawls do not touch": ("6 6 5 5 4", {5: 1, 6: 1}, (1, 1, 1, 1, 0), "e", "abcd"),
    "a struck champion takes no fruit and strikes nobody": ("6 5 4", {5: 3}, (1, 0, 0), "c", "b"),
    "a champion below a struck one is saved": ("7 6 5 4", {}, (1, 0, 1, 0), "c", "bd"),
    "every second of a ladder falls": ("5 4 3 2 1", {}, (1, 0, 1, 0, 0), "e", "bd"),
    "a pair saved by a strike from above brawls": ("7 6 5 5", {}, (1, 0, 1, 1), "a", "bcd"),
    "a two knocks down a pair of ones": ("2 1 1", {1: 5}, (2, 0, 0), "a", "bc"),
    "only the level directly below is attacked": ("7 5 3", {}, (0, 0, 0), "c", ""),
    "four on one level are struck together": ("4 3 3 3 3", {3: 2}, (4, 0, 0, 0, 0), "a", "bcde"),
    "all on one level fall and get no mana": ("2 2 2 2 2", {2: 1}, (4, 4, 4, 4, 4), "", "abcde"),
}
"""Cards of full hands, fruit that stays, points of fights, the seat with mana, fallen seats."""


@pytest.mark.parametrize(
    ("cards", "fruit", "fights", "mana", "fallen"), ROUNDS.values(), ids=ROUNDS
)
def test_r6_champions_fight_level_by_level(cards, fruit, fights, mana, fallen):
    played = play_round(full(len(fights), fruit=fruit), *cards.split())
    names = "abcde"[: len(fights)]
    assert played.points == {
        name: points(fight=fight, mana=int(name == mana))
        for name, fight in zip(names, fights, strict=True)
    }
    assert played.fruit == fruit
    assert [own == FULL for own in played.hands] == [name not in fallen for name in names]


def test_r6_a_champion_takes_the_fruit_of_its_level_and_attacks_only_below():
    played = play_round(full(3, fruit={1: 2, 2: 1}), "1", "h:", "h:")
    assert (played.gained, played.fruit) == ({"a": points(fruit=2, mana=1)}, {2: 1})
    assert played.story == ["reveal", "fruit 1", "mana 1", "return"]


def test_r6_fruit_of_a_level_comes_before_the_fight_of_the_next():
    played = play_round(full(4, fruit={6: 1, 4: 1}), "6", "5", "4", "3")
    assert played.story == [
        "reveal", "strike 6", "fruit 6", "strike 4", "fruit 4", "mana 4", "return"
    ]  # fmt: skip


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
    assert (played.scores, played.winners) == ((30, 0, 30), ("a", "c"))
    assert played.event("finish").seats == ("a", "c")


def test_r7_a_winning_bonus_does_not_cancel_the_other_bonuses():
    own = track(30, (29, "fight", 1), (6, "mana", 3))
    played = play_round(full(3, scores=(28, 0, 5), on=own), "7", "6", "1")
    assert (played.scores, played.winners) == ((30, 0, 9), ("a",))


# R8 A bonus is automatic, of its kind, once --------------------------------------------------


def test_r8_a_bonus_is_not_a_decision():
    state = full(3, scores=(4, 0, 0), on=track(30, (5, "mana", 1)))
    play = reveal(state, "7hh")
    assert GAME.pending(play) is None
    assert GAME.rest(play).seats[0].score == 6


@pytest.mark.parametrize(
    ("cards", "fruit", "bonus", "gained"),
    [
        ("7 h: h:", {}, (5, "mana", 3), points(mana=1, bonus=3)),
        # Another kind, also that of a point gained in the same round.
        ("7 h: h:", {}, (5, "fight", 3), points(mana=1)),
        ("7 h: h:", {}, (5, "fruit", 3), points(mana=1)),
        # One matching point among others is enough.
        ("6 5 h:", {6: 3}, (9, "fight", 2), points(fight=1, fruit=3, mana=1, bonus=2)),
        # A space that is only passed.
        ("6 h: h:", {6: 3}, (7, "fruit", 2), points(fruit=3, mana=1)),
        # A seat that stands on the space and gains nothing.
        ("h: 7 6", {}, (4, "fight", 2), points()),
    ],
)
def test_r8_a_bonus_needs_a_point_of_its_kind_and_the_space_reached(cards, fruit, bonus, gained):
    state = full(3, scores=(4, 0, 0), fruit=fruit, on=track(30, bonus))
    assert play_round(state, *cards.split()).points["a"] == gained


def test_r8_a_bonus_space_that_a_bonus_leads_to_needs_a_point_of_a_later_round():
    own = track(30, (5, "mana", 2), (7, "mana", 3))
    first = play_round(full(3, scores=(4, 0, 0), on=own), "7", "h:", "h:")
    assert (first.scores[0], first.points["a"]) == (7, points(mana=1, bonus=2))
    assert play_round(first.state, "h:", "7", "h:").scores[0] == 7
    assert play_round(first.state, "7", "h:", "h:").scores[0] == 8, "it left the space by its point"


def test_r8_several_seats_may_stand_on_the_same_bonus_space():
    own = track(30, (5, "fight", 2))
    played = play_round(full(4, scores=(4, 4, 5, 0), on=own), "6", "6", "h:", "h:")
    assert played.scores == (7, 7, 5, 0)
    assert {award.kind for award in played.event("bonus").awards} == {"bonus"}


def test_r8_bonus_spaces_are_checked_after_the_mana_point():
    own = track(30, (5, "fight", 3), (6, "mana", 1))
    played = play_round(full(3, scores=(4, 0, 0), on=own), "7", "6", "h:")
    # The fight leads to space 5, and mana to space 6 before bonuses are checked.
    assert (played.scores[0], played.points["a"]) == (7, points(fight=1, mana=1, bonus=1))


# R9 A marker stops at the last space ---------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "score", "fruit", "type_", "gained"),
    [
        ("6 h: h:", 29, {6: 5}, "fruit", points(fruit=5)),
        ("7 h: h:", 28, {}, "bonus", points(mana=1, bonus=3)),
        ("b 1 3 5 7", 29, {}, "blizzard", points(fight=4)),
    ],
)
def test_r9_points_count_as_awarded_and_spaces_as_moved(cards, score, fruit, type_, gained):
    words = cards.split()
    state = full(len(words), scores=(score, 0, 0, 0, 0), fruit=fruit, on=track(30, (29, "mana", 3)))
    played = play_round(state, *words)
    assert played.points["a"] == gained
    [award] = played.event(type_).awards
    assert (award.points, award.start, award.end) == (getattr(gained, award.kind), 29, 30)


def test_r9_a_marker_arrives_exactly_at_the_last_space():
    assert play_round(full(3, scores=(28, 0, 0)), "b", "1", "2").winners == ("a",)
    assert play_round(full(3, scores=(27, 0, 0)), "b", "1", "2").winners == ()


# R10 Who arrives in the same award shares the win --------------------------------------------


@pytest.mark.parametrize(
    ("cards", "scores", "winners", "after"),
    [
        ("5 5 5 1", (29, 28, 29, 0), "abc", (30, 30, 30, 0)),
        ("5 5 5 1", (29, 20, 29, 0), "ac", (30, 22, 30, 0)),
        ("b wb b 6", (28, 29, 27, 0), "b", (29, 30, 28, 0)),
        ("b wb b 6", (29, 29, 27, 0), "ab", (30, 30, 28, 0)),
        # A higher level wins alone although a lower one would arrive too.
        ("7 6 4 3", (29, 29, 29, 29), "a", (30, 29, 29, 29)),
        # A blizzard wins before any level.
        ("b 6 5", (29, 29, 29), "a", (30, 29, 29)),
    ],
)
def test_r10_seats_that_arrive_in_the_same_award_share_the_win(cards, scores, winners, after):
    played = play_round(full(len(scores), scores=scores), *cards.split())
    assert (played.winners, played.scores) == (tuple(winners), after)
    finish = played.event("finish")
    assert (finish.seats, finish.rule) == (tuple(winners), "R10")


def test_r10_winners_are_listed_in_the_order_of_seats():
    state = full(4, scores=(29, 28, 29, 0), players="dcba")
    assert play_round(state, "5", "5", "5", "1").winners == ("d", "c", "b")


def test_r10_fruit_wins_before_mana_and_before_a_lower_fight():
    played = play_round(full(3, scores=(28, 29, 29), fruit={6: 2}), "6", "4", "3")
    assert (played.winners, played.gained) == (("a",), {"a": points(fruit=2)})
    assert played.hands[2] == FULL, "the four never struck the three"


def test_r10_mana_wins_before_a_bonus():
    own = track(30, (25, "fruit", 3), (29, "fruit", 1))
    played = play_round(full(3, scores=(28, 29, 0), fruit={6: 1}, on=own), "6", "1", "h:")
    assert (played.winners, played.scores) == (("b",), (29, 30, 0))
    assert played.points["a"] == points(fruit=1)


# R11 What is left when a game ends mid-round -------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "scores", "fruit", "hands"),
    [
        # A strike wins before the fruit of the same level.
        ("6 5 1", (29, 0, 0), {6: 3, 5: 1}, (FULL, "123467hwb", FULL)),
        # Cards discarded before the end stay discarded.
        (
            "6 6 4 3 1",
            (0, 0, 29, 0, 0),
            {},
            ("123457hwb", "123457hwb", FULL, "124567hwb", FULL),
        ),
        # A lower pair that never fought returns.
        ("7 6 3 3 2", (29, 0, 0, 0, 0), {2: 1}, (FULL, "123457hwb", FULL, FULL, FULL)),
        # Specials are spent and healers return.
        ("b w6 h: 5", (29, 0, 0, 0), {}, ("1234567hw", "123457hb", FULL, "123467hwb")),
        # After a winning blizzard nothing returns.
        ("b 6 4", (29, 0, 0), {6: 2}, ("1234567hw", "123457hwb", "123567hwb")),
    ],
)
def test_r11_fruit_that_was_not_taken_stays_and_standing_champions_return(
    cards, scores, fruit, hands
):
    played = play_round(full(len(scores), scores=scores, fruit=fruit), *cards.split())
    assert played.winners == ("abcde"[scores.index(29)],)
    assert (played.hands, played.fruit) == (hands, fruit)


def test_r11_the_return_cites_the_ruling_only_when_the_game_ended():
    assert play_round(full(3, scores=(29, 0, 0)), "7", "h:", "h:").event("return").rule == "R11"
    assert play_round(full(3), "7", "h:", "h:").event("return").rule is None


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


@pytest.mark.parametrize(
    ("hands", "cards", "choices"),
    [
        # A watcher adds from its own hand only, and a healer takes back from its own discard only.
        (("1hw", FULL, "7h", FULL), "whhh", ["w1", "wh"]),
        (("123456h", FULL, "1234567h", FULL), "h111", ["h:", "h:7"]),
    ],
)
def test_r12_watcher_and_healer_concern_the_cards_of_their_own_seat(hands, cards, choices):
    play = reveal(position(*hands, **TWO), cards)
    assert GAME.pending(play).choices["a"] == tuple(map(move, choices))


def test_r12_the_discard_of_the_other_seat_does_not_count_towards_seven():
    [healing] = GAME.pending(reveal(position("1h", FULL, "h", FULL, **TWO), "h1h1")).choices.items()
    assert (healing[0], len(healing[1])) == ("a", 22)


@pytest.mark.parametrize(
    ("words", "first", "code", "path", "rule"),
    [
        (("123456h", FULL, "12345h", FULL), "h:6", "illegal-recovery", "/recover", "R4"),
        (("1hw", FULL, FULL, FULL), "w7", "card-not-in-hand", "/then/card", None),
    ],
)
def test_r12_cards_of_the_other_seat_are_rejected(words, first, code, path, rule):
    seats = [
        seat_document(name, word, player=player)
        for name, word, player in zip("abcd", words, "xyxy", strict=True)
    ]
    body = {"state": {"seats": seats, "fruit": [0] * 6}}
    with pytest.raises(Rejected, match=code) as rejected:
        ask("resolve", body | {"moves": move_documents(first, "1", "1", "1")})
    [violation] = rejected.value.violations
    assert (violation.path, violation.rule) == ("/moves/a" + path, rule)


def test_r12_both_seats_of_a_player_may_watch_and_heal_in_one_round():
    state = position("1hw", FULL, "2hw", FULL, **TWO)
    played = play_round(state, "wh:23", "6", "w2", "4")
    assert played.hands[0] == "123h"
    assert played.hands[2] == "2h"
