"""Rulings about sets that are not the default one: how pieces lie, and gift and boost in one."""

import pytest

from service.core.game import Chance
from service.games.slopecrashers.rules.course import Course, Field, Piece
from service.games.slopecrashers.rules.state import END, MAX_ACTIONS, ActionType, Direction
from tests.games.slopecrashers.positions import (
    GAME,
    action_violations,
    ask,
    choices,
    deck,
    follow_turn,
    pending_node,
    play,
    response_violations,
    state,
)

SET = {
    "wide": [["plain", "gift", "boost", "abyss"], ["obstacle", "plain", "gift-boost", "plain"]],
    "narrow": [["plain", "boost"], ["gift", "plain"], ["plain", "plain"]],
}
NARROW = "...._ ...._ _.... _.... ...__ ...__"
"""Seen from the start, with the last row on top: three lanes, then four, then four others."""


BODY = {"seats": [{"player": "a"}, {"player": "b"}], "pieces": SET, "course": ["wide", "narrow"]}


def new(**more):
    return ask("new", BODY | more)["state"]


def rejected(**more):
    return response_violations("new", BODY | more)


def directions(start, *words, kind=ActionType.STEP):
    return {each.direction for each in choices(start, *words) if each.type is kind}


# S1 How the pieces lie ----------------------------------------------------------------------


def test_s1_a_reversed_piece_is_rotated_by_180_degrees():
    rows = ((Field.GIFT, Field.PLAIN, Field.ABYSS), (Field.BOOST, Field.PLAIN, Field.OBSTACLE))
    turned = Course((Piece("p", rows, is_reversed=True),)).rows
    assert turned == tuple(row[::-1] for row in reversed(rows))
    start = new(course=["narrow", "wide"], reversed=["narrow"])
    start["seats"][0] |= {"lap": 1, "row": 0, "lane": 0, "gifts": []}
    step, aside = ({"type": "step", "direction": each} for each in ("forward", "right"))
    # The printed last row comes first, and its right lane is lane 0.
    for so_far, decision in (([step], "turn"), ([aside, step], "draw")):
        assert ask("legal-moves", {"state": start, "so_far": so_far})["decision"] == decision


def test_s1_pieces_of_unequal_width_lie_with_an_offset():
    narrow = Piece("b", ((Field.GIFT,) * 2,) * 2, offset=2)
    course = Course((Piece("a", ((Field.PLAIN,) * 3,) * 2), narrow))
    off = Field.OFF_COURSE
    assert course.lanes == 4
    assert course.rows[1] == (Field.PLAIN, Field.PLAIN, Field.PLAIN, off)
    assert course.rows[2] == (off, off, Field.GIFT, Field.GIFT)
    assert [course.contains(2, lane) for lane in range(-1, 5)] == [False] * 3 + [True] * 2 + [False]


def test_s1_the_offset_of_a_reversed_piece_is_where_it_lies():
    first = Piece("first", ((Field.PLAIN,) * 3,))
    piece = Piece("p", ((Field.GIFT, Field.PLAIN),) * 4, is_reversed=True, offset=1)
    assert Course((first, piece)).rows[1] == (Field.OFF_COURSE, Field.PLAIN, Field.GIFT)


def test_s1_how_pieces_lie_is_returned_in_the_order_of_the_course():
    start = new(reversed=["narrow", "wide"], offsets={"narrow": 2, "wide": 0})
    assert start["reversed"] == ["wide", "narrow"]
    assert start["offsets"] == {"narrow": 2}
    assert ask("legal-moves", {"state": start})["position"] == start


def test_s1_pieces_that_lie_as_printed_are_not_named():
    start = new(reversed=[], offsets={})
    assert not {"reversed", "offsets"} & set(start)
    assert start == new() == new(offsets={"wide": 0, "narrow": 0})


def test_s1_pieces_lie_the_same_way_wherever_a_seed_puts_them():
    for seed in range(8):
        body = {"seats": BODY["seats"], "pieces": SET, "seed": seed}
        start = ask("new", body | {"reversed": ["wide"], "offsets": {"narrow": 1}})["state"]
        assert start["course"] == ask("new", body)["state"]["course"]
        assert (start["reversed"], start["offsets"]) == (["wide"], {"narrow": 1})


def test_s1_default_pieces_can_lie_in_all_ways_too():
    default = {"pieces": {}, "course": ["fir", "pine"], "reversed": ["pine"]}
    assert rejected(**default, offsets={"fir": 4}) == {("/course/1", "pieces-apart")}
    start = new(**default, offsets={"fir": 3})
    moves = ask("legal-moves", {"state": start})["moves"]["a"]
    assert [each["lane"] for each in moves] == [3, 4, 5, 6]


def test_s1_the_faults_of_how_pieces_lie_are_reported_together():
    assert rejected(reversed=["wide", "wide", "yew"], offsets={"ash": 1}) == {
        ("/reversed/1", "duplicate-piece"),
        ("/reversed/2", "not-on-course"),
        ("/offsets/ash", "not-on-course"),
    }
    assert rejected(reversed=[7], offsets={"narrow": 7, "no name": 1}, course=["wide", "yew"]) == {
        ("/reversed/0", "not-a-string"),
        ("/offsets/narrow", "out-of-range"),
        ("/offsets/no name", "bad-name"),
        ("/course/1", "unknown-piece"),
    }
    assert rejected(offsets={"wide": 6}) == {
        ("/offsets/wide", "too-wide"),
        ("/course/1", "pieces-apart"),
    }
    assert rejected(pieces={"wide": SET["wide"][:1]}, course=["wide"], offsets={"wide": 5}) == {
        ("/course", "too-short"),
        ("/offsets", "empty-lane"),
        ("/offsets/wide", "too-wide"),
    }


def test_s1_each_piece_has_rows_of_one_width():
    wide, narrow = [["plain"] * 3, ["plain"] * 2], [["plain"] * 2, ["plain"] * 4]
    assert rejected(pieces={"wide": wide, "narrow": narrow}) == {
        ("/pieces/wide", "uneven-lanes"),
        ("/pieces/narrow", "uneven-lanes"),
    }


def test_s2_a_place_in_an_open_lane_is_off_the_course():
    start = new(offsets={"narrow": 1})
    start["seats"][0] |= {"lap": 1, "row": 3, "lane": 0}
    start["snowmen"] = [{"row": 4, "lane": 3}]
    assert response_violations("legal-moves", {"state": start}) == {
        ("/state/seats/0", "off-course"),
        ("/state/snowmen/0", "off-course"),
    }


# Open lanes are like the edge ---------------------------------------------------------------


def test_s3_a_character_starts_in_a_lane_of_the_first_piece():
    start = state({"a": None, "b": None}, NARROW)
    assert [each.lane for each in choices(start)] == [0, 1, 2]


def test_s4_the_next_lap_begins_in_a_lane_of_the_first_piece():
    start = state({"a": (5, 3), "b": (0, 1)}, NARROW)
    forward = [each for each in choices(start) if each.direction is Direction.FORWARD]
    assert [each.lane for each in forward] == [0, 1, 2]


def test_s5_an_open_lane_cannot_be_stepped_on():
    assert directions(state({"a": (1, 0), "b": (5, 3)}, NARROW)) == {Direction.RIGHT}
    edges = state({"a": (2, 1), "b": (5, 3)}, NARROW)
    assert directions(edges) == {Direction.FORWARD, Direction.RIGHT}
    assert action_violations(edges, "l") == {"not-enterable"}
    right = state({"a": (4, 3), "b": (0, 0)}, NARROW)
    assert directions(right) == {Direction.FORWARD, Direction.LEFT}


def test_s5_a_character_at_the_end_of_its_lane_may_have_to_stay():
    start = state({"a": (1, 0), "b": (1, 1)}, "_.. _.. ... ...")
    assert {each.type for each in choices(start)} == {ActionType.STEP, ActionType.END}
    assert directions(start) == {Direction.RIGHT}


def test_s7_a_spring_does_not_skip_an_open_lane():
    """The sheet lets it skip a field, and there is none."""
    left, right = (
        state({"a": (2, lane), "b": (0, 2)}, "... _.. ... ... ...", gifts={"a": "spring"})
        for lane in (0, 1)
    )
    assert directions(left, kind=ActionType.PLAY) == {Direction.RIGHT}
    assert action_violations(left, "spring f") == {"not-enterable"}
    assert play(right, "spring f").at("a") == (4, 1)


@pytest.mark.parametrize("lap", [1, 2])
def test_s7_a_spring_over_the_line_needs_a_space_of_the_last_row(lap):
    left, right = (
        state({"a": (lap, 3, lane), "b": (0, 2)}, "_.. ... ... ... ...", gifts={"a": "spring"})
        for lane in (0, 1)
    )
    assert directions(left, kind=ActionType.PLAY) == {Direction.RIGHT}
    assert Direction.FORWARD in directions(right, kind=ActionType.PLAY)


def test_s7_a_spring_from_the_last_row_skips_a_space_of_row_0():
    start = state({"a": (4, 0), "b": (3, 2)}, "... ... ... ... _..", gifts={"a": "spring"})
    jumps = [each for each in choices(start) if each.type is ActionType.PLAY]
    assert [each.lane for each in jumps if each.direction is Direction.FORWARD] == [1, 2]


def test_s8_black_ice_stops_before_an_open_lane():
    at = {"a": (1, 0), "b": (2, 0), "c": (1, 1)}
    start = state(at, "_... _... .... ..__ ..__ ..__", gifts={"a": "black-ice"})
    iced = play(start, "black-ice")
    assert (iced.at("b"), iced.at("c")) == ((3, 0), (1, 1))


def test_s9_a_rocket_does_not_leave_the_course():
    for lane, hit in ((0, ""), (1, "b")):
        at = {"a": (0, lane), "b": (4, lane)}
        start = state(at, ".. .. _. .. ..", gifts={"a": "rocket"})
        assert play(start, "rocket").suspended == hit


def test_s12_a_snowman_is_not_placed_in_an_open_lane():
    start = state({"a": (1, 1), "b": (3, 2)}, NARROW, gifts={"a": "snowman"})
    spaces = [(each.row, each.lane) for each in choices(start) if each.row is not None]
    assert spaces == [*((4, lane) for lane in range(4)), *((0, lane) for lane in range(3))]
    assert action_violations(start, "snowman 4 4") == {"not-enterable"}


# S6 A gift and a boost in one ---------------------------------------------------------------

BOTH = ".... .... .*.. .... ...."


def test_s6_a_gift_and_boost_space_does_both():
    start = state({"a": (1, 1), "b": (0, 3)}, BOTH)
    drawing = follow_turn(start, "f")
    assert isinstance(drawing.open, Chance)
    assert drawing.play.movements == 2
    played = play(start, "f", "draw rocket", "f", "f")
    assert played.types[:3] == ["step", "boost", "draw"]
    assert played.at("a") == (4, 1)
    assert len(played.seat("a").gifts) == 1


def test_s6_a_gift_and_boost_space_acts_on_every_entry():
    start = state({"a": (1, 1), "b": (0, 3)}, BOTH)
    played = play(start, "f", "draw rocket", "r", "l", "draw spring", "f")
    assert played.types.count("boost") == played.types.count("draw") == 2
    assert played.at("a") == (3, 1)


def test_s6_a_gift_and_boost_space_under_another_character_does_nothing():
    start = state({"a": (1, 1), "b": (2, 1)}, BOTH)
    assert play(start, "f", "f").types == ["step", "step", "end"]


def test_s6_s14_without_cards_a_gift_and_boost_space_is_a_boost():
    start = state({"a": (1, 1), "b": (0, 3)}, BOTH, gifts={"b": "rocket"}, cards=deck(rocket=1))
    played = play(start, "f", "f", "f")
    assert played.types == ["step", "boost", "no-gift", "step", "step", "end"]


def test_s7_a_spring_lands_on_a_gift_and_boost_space():
    start = state({"a": (0, 1), "b": (0, 3)}, BOTH, gifts={"a": "spring"})
    assert isinstance(pending_node(start, "spring f"), Chance)
    assert play(start, "spring f", "draw chili").types[:4] == ["play", "jump", "boost", "draw"]


def test_s5_two_gift_and_boost_spaces_give_back_every_movement_until_the_actions_end():
    """Each draw changes the stack, so only the number of actions is a limit."""
    start = state({"a": (1, 0), "b": (0, 3)}, ".... .... **.. .... ....", cards=deck(rocket=80))
    turn = follow_turn(start, "f").play
    while (node := GAME.pending(turn)) is not None:
        if isinstance(node, Chance):
            turn = GAME.draw(turn, node.outcomes[0][0]).play
            continue
        sides = (Direction.LEFT, Direction.RIGHT)
        aside = [each for each in node.choices["a"] if each.direction in sides]
        turn = GAME.choose(turn, {"a": aside[0] if aside else END}).play
    assert turn.count == MAX_ACTIONS
    assert len(turn.state.seats[0].gifts) == MAX_ACTIONS - 1
