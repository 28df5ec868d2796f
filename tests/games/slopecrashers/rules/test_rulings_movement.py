"""Rulings S1 to S7: the track, the laps, placing, moving, fields and springs."""

from itertools import pairwise

import pytest

from service.core.game import Chance
from service.core.violations import Rejected
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course, Field
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, card_label
from service.games.slopecrashers.rules.state import MAX_ACTIONS, ActionType, Place
from tests.games.slopecrashers.positions import (
    GAME,
    PLAIN,
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


def steps(*words):
    """Return the legal steps after these actions."""
    return {each.direction.label[0] for each in choices(*words) if each.type is ActionType.STEP}


# S1 Track and deck are data -----------------------------------------------------------------


def test_s1_the_default_set_has_six_pieces_of_five_rows_and_four_lanes():
    assert len(DEFAULT_PIECES) == 6
    for piece in DEFAULT_PIECES:
        assert [len(row) for row in piece.rows] == [4] * 5
        fields = {field for row in piece.rows for field in row}
        assert fields == set(Field) - {Field.GIFT_BOOST, Field.OFF_COURSE}
        assert all(field.is_enterable for row in (piece.rows[0], piece.rows[-1]) for field in row)


def test_s1_default_pieces_can_be_passed_without_a_spring_from_every_enterable_lane():
    for piece in DEFAULT_PIECES:
        course = Course((piece,))
        for lane in range(course.lanes):
            met, open_ = set(), [(0, lane)]
            while open_:
                row, at = open_.pop()
                if (row, at) in met or not course.is_enterable(row, at):
                    continue
                met.add((row, at))
                open_ += [(row + 1, at), (row, at - 1), (row, at + 1)]
            assert any(row == course.length - 1 for row, _ in met), (piece.name, lane)


def test_s1_no_two_boosts_of_the_default_pieces_are_adjacent_in_any_order():
    for piece in DEFAULT_PIECES:
        assert Field.BOOST not in piece.rows[0] + piece.rows[-1]
        lines = (*piece.rows, *zip(*piece.rows, strict=True))
        assert all((Field.BOOST, Field.BOOST) not in pairwise(line) for line in lines)


def test_s1_the_default_deck_has_forty_cards():
    own = deck(
        spring=6, chili=6, rocket=5, magnet=5, black_ice=4, bee_sting=4, carrier_pigeon=4,
        snowman=3, spring_or_rocket=1, chili_or_magnet=1, bee_sting_or_carrier_pigeon=1,
    )  # fmt: skip
    assert own == DEFAULT_DECK
    assert DEFAULT_DECK.size == 40


PAIR = {"seats": [{"player": "a"}, {"player": "b"}]}
OWN = {
    "slope": [["plain", "gift"], ["boost", "abyss"], ["plain", "obstacle"]],
    "end": [["plain"] * 2],
}


def test_s1_own_pieces_and_an_own_deck_replace_the_default_set_and_are_returned():
    own = {"pieces": OWN, "deck": {"chili": 3}, "course": ["slope", "end"]}
    start = ask("new", PAIR | own)["state"]
    assert start["pieces"] == OWN
    assert start["deck"] == {"chili": 3}
    response = ask("legal-moves", {"state": start})
    assert response["moves"] == {"a": [{"type": "place", "lane": 0}, {"type": "place", "lane": 1}]}
    placed = ask("legal-moves", {"state": start, "so_far": [{"type": "place", "lane": 1}]})
    assert placed["draw"] == [{"type": "draw", "card": "chili", "probability": 1.0}]


def test_s1_no_own_pieces_are_the_default_ones():
    """Generated clients send an empty object for an absent one."""
    start = ask("new", PAIR | {"seed": 1})["state"]
    assert ask("new", PAIR | {"seed": 1, "pieces": {}})["state"] == start
    assert "pieces" not in ask("legal-moves", {"state": start | {"pieces": {}}})["position"]


def test_s1_own_pieces_and_decks_have_limits():
    for pieces, code in (
        ({"p": [["plain"] * 4] * 3}, "too-short"),
        ({"p": [["plain"] * 4] * 3 + [["plain"] * 3]}, "uneven-lanes"),
        ({"p": [["plain"]] * 4}, "wrong-length"),
        ({"p": [["plain"] * 9] * 4}, "wrong-length"),
        ({"p": [["plain"] * 2] * 13}, "wrong-length"),
        ({f"p{index}": [["plain"] * 2] for index in range(13)}, "too-many-pieces"),
    ):
        found = response_violations("new", PAIR | {"seed": 1, "pieces": pieces})
        assert {each for _, each in found} == {code}, pieces
    widest = {f"p{index}": [["plain"] * 8] * 12 for index in range(12)}
    assert len(ask("new", PAIR | {"seed": 1, "pieces": widest})["state"]["course"]) == 12


# S2 Seats and rows --------------------------------------------------------------------------


def test_s2_two_to_six_play_and_the_first_seat_begins():
    bodies = [{"seats": [{"player": each} for each in "abcdefg"[:n]], "seed": 1} for n in range(8)]
    for count in (2, 6):
        assert ask("new", bodies[count])["state"]["turn"] == "a"
    for count in (1, 7):
        assert response_violations("new", bodies[count]) == {("/seats", "wrong-length")}


def test_s2_turns_follow_the_order_of_seats():
    start = state({"a": (0, 0), "b": (0, 1), "c": (0, 2)}, turn="c")
    assert play(start, "f").state.mover.player == "a"


# S3 The start -------------------------------------------------------------------------------


def test_s3_the_first_turn_begins_by_placing_the_character_on_row_0():
    start = state({"a": None, "b": None})
    assert pending_node(start).name == "place"
    assert [each.lane for each in choices(start)] == [0, 1, 2, 3]
    assert action_violations(start, "f") == {"wrong-moment"}
    assert action_violations(start, "end") == {"wrong-moment"}
    assert action_violations(start, "place 1", "place 1") == {"wrong-moment"}
    assert action_violations(start, "place 4") == {"not-enterable"}


def test_s3_placing_costs_no_movement_and_counts_as_entering():
    start = state({"a": None, "b": None}, PLAIN[:-4] + ".g+.")
    assert play(start, "place 0", "f", "f").at("a") == (2, 0)
    assert isinstance(pending_node(start, "place 1"), Chance)
    assert play(start, "place 2", "f", "f", "f").at("a") == (3, 2)


def test_s3_an_abyss_or_obstacle_of_row_0_is_no_start_space():
    start = state({"a": None, "b": None}, PLAIN[:-4] + ".~#.")
    assert [each.lane for each in choices(start)] == [0, 3]


def test_s3_a_turn_can_start_on_an_occupied_space_if_it_can_end_elsewhere():
    start = state({"a": None, "b": (0, 1)})
    assert play(start, "place 1", "f").at("a") == (1, 1)
    assert action_violations(start, "place 1", "end") == {"occupied-at-end"}


def test_s3_without_a_legal_turn_the_character_stays_off_the_board():
    """A sting waits for a turn that is played (S11)."""
    at, drawing = {"a": None, "b": (0, 0), "c": (0, 1)}, ".. .. .. ## .."
    assert pending_node(state(at, drawing)) is None
    played = play(state(at, drawing, stung="a"))
    assert (played.types, played.stung) == (["no-place"], "a")
    assert played.seat("a").place is None
    assert played.state.mover.player == "b"


# S4 Laps ------------------------------------------------------------------------------------


def test_s4_from_the_last_row_the_player_chooses_a_lane_of_row_0():
    start = state({"a": (7, 3), "b": (4, 0)}, PLAIN[:-4] + ".~..")
    crossing = [each.lane for each in choices(start) if each.lane is not None]
    assert crossing == [0, 2, 3]
    played = play(start, "f0")
    assert played.seat("a").place == Place(2, 0, 0)


def test_s4_the_lane_is_required_where_it_is_chosen_and_forbidden_elsewhere():
    start = state({"a": (7, 3), "b": (4, 0)})
    assert action_violations(start, "f") == {"missing"}
    assert action_violations(start, "f7") == {"not-enterable"}
    assert action_violations(state({"a": (6, 3), "b": (4, 0)}), "f2") == {"surplus-lane"}
    assert action_violations(state({"a": (2, 7, 3), "b": (4, 0)}), "f2") == {"surplus-lane"}


def test_s4_characters_of_different_laps_block_each_other():
    over_the_line = state({"a": (7, 3), "b": (2, 0, 0)})
    assert play(over_the_line, "f0", "f").at("a") == (1, 0)
    assert action_violations(over_the_line, "f0", "end") == {"occupied-at-end"}
    start = state({"a": (3, 1), "b": (2, 4, 1)})
    assert action_violations(start, "f", "end") == {"occupied-at-end"}


# S5 Movement --------------------------------------------------------------------------------


def test_s5_steps_go_forward_and_sideways_and_never_back():
    assert steps(state({"a": (3, 1), "b": (0, 0)})) == {"f", "l", "r"}


def test_s5_a_turn_uses_between_zero_and_two_movements():
    start = state({"a": (3, 1), "b": (0, 0)})
    assert play(start, "f", "f").at("a") == (5, 1)
    assert play(start, "f").at("a") == (4, 1)
    assert play(start).at("a") == (3, 1)
    assert action_violations(start, "f", "f", "f") == {"no-movement-left"}


def test_s5_the_edges_abysses_and_obstacles_cannot_be_stepped_on():
    drawing = ".... .... .~.. .... #... ...."
    assert steps(state({"a": (0, 0), "b": (5, 0)}, drawing)) == {"r"}
    assert steps(state({"a": (2, 1), "b": (5, 0)}, drawing)) == {"l", "r"}
    assert steps(state({"a": (2, 3), "b": (5, 0)}, drawing)) == {"f", "l"}
    assert action_violations(state({"a": (2, 1), "b": (5, 0)}, drawing), "f") == {"not-enterable"}


def test_s5_an_occupied_space_can_only_be_passed():
    start = state({"a": (3, 1), "b": (4, 1)})
    assert action_violations(start, "f", "end") == {"occupied-at-end"}
    assert play(start, "f", "f").at("a") == (5, 1)
    assert play(start, "f", "l").at("a") == (4, 0)


def test_s5_an_occupied_space_without_a_way_on_cannot_be_entered():
    start = state({"a": (3, 1), "b": (4, 1)}, stung="a")
    assert steps(start) == {"l", "r"}
    assert action_violations(start, "f") == {"no-certain-end"}
    row_of_others = state({"a": (3, 1), "b": (4, 1), "c": (5, 1), "d": (4, 0), "e": (4, 2)})
    assert action_violations(row_of_others, "f") == {"no-certain-end"}


def test_s5_a_known_spring_or_chili_in_the_stack_makes_a_way_certain():
    certain = ("spring", "chili", "rocket spring", "? chili", "spring-or-rocket")
    for gifts in (*certain, "rocket", "?", "? ?", "black-ice", "magnet", "snowman"):
        start = state({"a": (3, 1), "b": (4, 1)}, stung="a", gifts={"a": gifts})
        assert ("f" in steps(start)) == (gifts in certain), gifts


def test_s5_a_spring_needed_to_end_the_turn_cannot_be_discarded():
    start = state({"a": (3, 1), "b": (4, 1)}, stung="a", gifts={"a": "spring"})
    assert action_violations(start, "f", "drop") == {"no-certain-end"}
    assert play(start, "f", "spring f").at("a") == (6, 1)
    assert play(start, "drop", "l").at("a") == (3, 0)


def test_s5_a_boost_on_the_way_counts_unless_another_character_is_on_it():
    drawing = ".... .... .... ~.~. ~+~. .... .... ...."
    free = state({"a": (2, 1), "b": (4, 1), "c": (0, 0)}, drawing)
    assert play(free, "f", "f", "f").at("a") == (5, 1)
    taken = state({"a": (2, 1), "b": (3, 1), "c": (4, 1)}, drawing)
    assert action_violations(taken, "f") == {"no-certain-end"}


def test_s5_an_unseen_card_can_be_discarded_for_those_below():
    start = state({"a": (3, 1), "b": (4, 1)}, stung="a", gifts={"a": "? spring"})
    assert play(start, "f", "drop as magnet", "spring f").at("a") == (6, 1)


def test_s5_black_ice_that_could_block_the_last_way_on_is_rejected():
    """Without movements left, the spring would land where the ice may move b."""
    others = {"a": (0, 0), "b": (2, 0), "c": (1, 0)}
    for magnet in ("", "magnet", "?"):
        gifts = {"a": "black-ice spring", "b": magnet}
        start = state(others, ".. #. .. .. .. ..", stung="a", gifts=gifts)
        assert action_violations(start, "f", "black-ice") == {"no-certain-end"}
        assert play(start, "f", "drop", "spring f").at("a") == (3, 0)
    start = state(others, ".. .. .. .. .. ..", stung="a", gifts={"a": "black-ice spring"})
    played = play(start, "f", "black-ice", "spring f")
    assert (played.at("a"), played.at("b")) == ((3, 0), (4, 0))


def test_s5_black_ice_that_would_clear_a_way_does_not_count_before_it_is_played():
    """Sliding b away would free a space for a, but b may have a magnet."""
    others = {"a": (0, 0), "b": (2, 0), "c": (1, 0), "d": (1, 1), "e": (2, 1)}
    start = state(others, ".. .. .. .. ..", gifts={"a": "black-ice"})
    assert action_violations(start, "f") == {"no-certain-end"}


def test_s5_going_back_and_forth_without_a_change_is_rejected():
    """Two adjacent boosts give back every movement."""
    drawing = "..... ..... ..... .++.. ....."
    below = state({"a": (0, 1), "b": (4, 0)}, drawing, gifts={"a": "magnet"})
    assert action_violations(below, "f", "r", "l") == {"returns"}
    assert play(below, "f", "r", "f", "f").at("a") == (3, 2)
    assert play(below, "f", "r", "drop", "l").at("a") == (1, 1)
    on_a_boost = state({"a": (1, 1), "b": (4, 0)}, drawing)
    assert action_violations(on_a_boost, "r", "l") == {"returns"}


def test_s5_a_turn_has_at_most_64_actions_with_its_end():
    gifts, drops = {"a": "magnet " * 80}, ["drop"] * (MAX_ACTIONS - 1)
    start = state({"a": (0, 0), "b": (4, 0)}, gifts=gifts, cards=deck(magnet=90))
    assert len(play(start, *drops).events) == MAX_ACTIONS
    assert action_violations(start, *drops, "drop") == {"no-certain-end"}
    placing = state({"a": None, "b": (4, 0)}, gifts=gifts, cards=deck(magnet=90))
    placed = play(placing, "place 0", *drops)
    assert len(placed.events) == 1 + MAX_ACTIONS, "the placement is not counted"


# S6 Fields ----------------------------------------------------------------------------------


def before_a_gift(**more):
    return state({"a": (1, 1), "b": (0, 0)}, ".... .... .g.. .... ....", **more)


def test_s6_a_gift_field_requires_a_draw_and_the_gift_goes_on_top():
    start = before_a_gift(gifts={"a": "magnet"})
    played = play(start, "f", "draw rocket")
    assert [card_label(card) for card in played.seat("a").gifts] == ["rocket", "magnet"]
    with pytest.raises(Rejected, match=r"^\S+: open-draw$"):
        follow_turn(start, "f", "end").require_complete()


def test_s6_a_gift_just_drawn_may_be_played_in_the_same_turn():
    assert play(before_a_gift(), "f", "draw spring", "spring f").at("a") == (4, 1)


def test_s6_a_boost_gives_one_movement_on_every_entry():
    start = state({"a": (0, 1), "b": (0, 0)}, ".... .... .... .+.. ....")
    assert play(start, "f", "f", "f").at("a") == (3, 1)
    assert play(start, "f", "r", "l", "r").at("a") == (1, 2)


def test_s6_fields_do_nothing_while_another_character_is_there():
    at, drawing = {"a": (0, 1), "b": (1, 1), "c": (2, 1)}, ".... .... .... .g.. .+.. ...."
    played = play(state(at, drawing, gifts={"a": "chili"}), "chili", "f", "f", "f")
    assert played.at("a") == (3, 1)
    assert played.types == ["play", "chili", "step", "step", "step", "end"]
    assert action_violations(state(at, drawing), "f", "f") == {"no-certain-end"}


def test_s6_a_field_entered_again_acts_again():
    start = state({"a": (0, 1), "b": (4, 0)}, ".... .... .... .g.. ....", gifts={"a": "chili"})
    played = play(start, "chili", "f", "draw magnet", "l", "r", "draw rocket")
    assert [card_label(card) for card in played.seat("a").gifts] == ["rocket", "magnet"]


# S7 Springs ---------------------------------------------------------------------------------


def spring(at, drawing=PLAIN, others=None, **more):
    more.setdefault("gifts", {"a": "spring"})
    return state({"a": at, **(others or {"b": (0, 0)})}, drawing, **more)


def test_s7_a_spring_jumps_over_exactly_one_space_forward_or_sideways():
    assert play(spring((2, 1)), "f", "spring f", "f").at("a") == (6, 1), "it costs no movement"
    assert play(spring((2, 2)), "spring l").at("a") == (2, 0)
    assert play(spring((2, 1)), "spring r").at("a") == (2, 3)
    assert action_violations(spring((2, 1)), "spring l") == {"not-enterable"}
    assert action_violations(spring((2, 2)), "spring r") == {"not-enterable"}


@pytest.mark.parametrize("field", ".g+~#")
def test_s7_a_field_that_is_jumped_over_does_nothing(field):
    drawing = f".... .... .{field}.. .... ...."
    played = play(spring((1, 1), drawing), "spring f")
    assert played.at("a") == (3, 1)
    assert played.types == ["play", "jump", "end"]


def test_s7_a_character_or_snowman_is_jumped_over():
    assert play(spring((2, 1), others={"b": (3, 1)}), "spring f").at("a") == (4, 1)
    played = play(spring((2, 1), snowmen=((3, 1),)), "spring f")
    assert played.state.snowmen
    assert played.missing == ""


def test_s7_the_landing_must_be_enterable():
    for field in "~#":
        drawing = f".... .{field}.. .... ...."
        assert action_violations(spring((0, 1), drawing), "spring f") == {"not-enterable"}


def test_s7_the_landing_counts_as_entering():
    played = play(spring((0, 1), ".... .g.. .... ...."), "spring f", "draw chili")
    assert played.types == ["play", "jump", "draw", "end"]
    boosted = spring((0, 1), ".... .... .+.. .... ....")
    assert play(boosted, "spring f", "f", "f", "r").at("a") == (4, 2)


def test_s7_a_turn_cannot_end_on_an_occupied_landing_space():
    start = spring((2, 1), others={"b": (4, 1)})
    assert action_violations(start, "spring f", "end") == {"occupied-at-end"}
    assert play(start, "spring f", "f").at("a") == (5, 1)
    without = spring((1, 0), others={"b": (4, 1)})
    assert action_violations(without, "f", "r", "spring f") == {"no-certain-end"}


@pytest.mark.parametrize(("row", "lanes", "end"), [(7, [0, 2, 3], (1, 0)), (6, [1, 2, 3], (0, 1))])
def test_s7_over_the_line_a_spring_lands_on_row_1_or_0(row, lanes, end):
    """From the last row it jumps over row 0; from the one before, it lands as a step would."""
    start = spring((row, 1), PLAIN[:-9] + ".~..\n#...")
    jumps = [each for each in choices(start) if each.type is ActionType.PLAY]
    assert [each.lane for each in jumps if each.lane is not None] == lanes
    assert play(start, f"spring f{end[1]}").seat("a").place == Place(2, *end)


def test_s7_on_the_last_lap_a_spring_wins_from_either_row():
    for row in (6, 7):
        played = play(spring((2, row, 1)), "spring f")
        assert GAME.winners(played.state) == ("a",)
        assert played.types[-1] == "win"


def test_s7_the_spring_is_discarded_after_the_gift_of_its_landing_is_drawn():
    """S14: the pile and the discards are empty, so no card can be drawn."""
    start = spring((0, 1), ".... .g.. .... ....", cards=deck(spring=1))
    played = play(start, "spring f")
    assert "no-gift" in played.types
    assert [card_label(card) for card in played.state.discards] == ["spring"]
