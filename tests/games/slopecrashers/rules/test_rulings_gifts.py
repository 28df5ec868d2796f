"""Rulings S8 to S17: gifts, targets, answers, hidden cards, the end, whole turns."""

from fractions import Fraction

import pytest

from service.core.game import Chance
from service.core.violations import Rejected
from service.games.slopecrashers.rules.gifts import card_label
from service.games.slopecrashers.rules.state import ActionType
from tests.games.slopecrashers.positions import (
    GAME,
    PLAIN,
    action_violations,
    ask,
    card,
    choices,
    decider,
    deck,
    follow_turn,
    pending_node,
    play,
    state,
)

SEATS = [{"player": "a"}, {"player": "b"}]
GIFT_AHEAD = ".... .... .g.. .... ...."
"""A step ahead of (1, 1)."""


def names(cards):
    return [card_label(each) for each in cards]


# S8 Black ice -------------------------------------------------------------------------------


def iced(others, drawing=PLAIN, at=(3, 1), **more):
    more.setdefault("gifts", {"a": "black-ice"})
    return play(state({"a": at} | others, drawing, **more), "black-ice")


def test_s8_neighbours_slide_two_spaces_straight_away():
    others = {"b": (4, 3), "c": (3, 2), "d": (3, 4), "e": (2, 3)}
    played = iced(others, "....... " * 8, at=(3, 3))
    assert [played.at(name) for name in "bcde"] == [(6, 3), (3, 0), (3, 6), (0, 3)]


def test_s8_only_the_four_orthogonal_neighbours_slide():
    played = iced({"b": (4, 2), "c": (2, 0), "d": (5, 1)})
    assert [played.at(name) for name in "bcd"] == [(4, 2), (2, 0), (5, 1)]


def test_s8_an_abyss_or_obstacle_stops_before_it():
    for field in "~#":
        drawing = f".... .... .{field}.. .... .... .... .... ...."
        assert iced({"b": (4, 1)}, drawing).at("b") == (4, 1)
        assert iced({"b": (3, 1)}, drawing, at=(2, 1)).at("b") == (4, 1)


def test_s8_the_edge_of_the_board_stops_the_slide_and_the_line_is_not_crossed():
    assert iced({"b": (3, 0)}).at("b") == (3, 0)
    assert iced({"b": (1, 1)}, at=(2, 1)).at("b") == (0, 1)
    assert iced({"b": (6, 1)}, at=(5, 1)).at("b") == (7, 1)
    assert iced({"b": (0, 1)}, at=(1, 1)).at("b") == (0, 1)
    assert iced({"b": (2, 0, 1)}, at=(7, 1)).at("b") == (0, 1), "row 0 is not next to the last"


def test_s8_another_character_stops_the_slide():
    assert iced({"b": (4, 1), "c": (5, 1)}).at("b") == (4, 1)
    assert iced({"b": (4, 1), "c": (6, 1)}).at("b") == (5, 1)


def test_s8_a_snowman_ends_the_slide_on_its_space():
    played = iced({"b": (4, 1)}, snowmen=((5, 1),))
    assert played.at("b") == (5, 1)
    assert played.state.snowmen == ()
    assert played.suspended == "b"
    assert names(played.state.discards) == ["black-ice", "snowman"]


def test_s8_front_slides_before_left_before_right_before_back():
    played = iced({"e": (2, 1), "d": (3, 2), "c": (3, 0), "b": (4, 1)})
    assert [event.player for event in played.events if event.type == "slide"] == ["b", "d", "e"]
    assert played.at("c") == (3, 0)


def test_s8_the_slid_character_triggers_no_field():
    for field in "g+*":
        played = iced({"b": (4, 1)}, f".... .{field}.. .{field}.. .... .... .... .... ....")
        assert played.at("b") == (6, 1)
        assert played.types == ["play", "slide", "end"]


def test_s8_a_character_on_the_players_space_is_no_neighbour():
    start = state({"a": (2, 1), "b": (3, 1), "c": (4, 1)}, gifts={"a": "black-ice"})
    played = play(start, "f", "black-ice", "f")
    assert (played.at("b"), played.at("c")) == ((3, 1), (6, 1))
    assert played.event("play").targets == ("c",)


def test_s8_laps_do_not_matter():
    assert iced({"b": (2, 4, 1)}).seat("b").place == (2, 6, 1)


# S9 Rocket ----------------------------------------------------------------------------------


def rocketed(others, drawing=PLAIN, at=(2, 1), **more):
    more.setdefault("gifts", {"a": "rocket"})
    return play(state({"a": at} | others, drawing, **more), "rocket")


@pytest.mark.parametrize(
    ("others", "hit"),
    [
        ({"b": (7, 1), "c": (5, 1), "d": (4, 2), "e": (1, 1)}, "c"),
        pytest.param({"b": (2, 0, 1)}, "", id="not over the line"),
        pytest.param({"b": (2, 5, 1)}, "b", id="laps do not matter"),
    ],
)
def test_s9_it_hits_the_first_character_ahead_in_the_lane(others, hit):
    assert rocketed(others).suspended == hit


def test_s9_an_obstacle_stops_it_and_an_abyss_does_not():
    for field, hit in (("#", ""), ("~", "b"), ("g", "b"), ("+", "b")):
        drawing = f".... .... .... .{field}.. .... .... ...."
        assert rocketed({"b": (5, 1)}, drawing).suspended == hit


def test_s9_a_snowman_stops_it_and_stays():
    played = rocketed({"b": (5, 1)}, snowmen=((4, 1),))
    assert (played.suspended, len(played.state.snowmen)) == ("", 1)


def test_s9_a_character_on_the_same_space_is_not_ahead():
    start = state({"a": (2, 1), "b": (3, 1), "c": (5, 1)}, gifts={"a": "rocket"})
    assert play(start, "f", "rocket", "f").suspended == "c"


def test_s9_a_target_with_a_magnet_stops_it_for_those_behind():
    start = state({"a": (2, 1), "b": (4, 1), "c": (6, 1)}, gifts={"a": "rocket", "b": "magnet"})
    assert play(start, "rocket", "magnet").suspended == ""


# S10 Leader and last ------------------------------------------------------------------------


def test_s10_the_sting_makes_the_leaders_next_turn_start_with_one_movement():
    start = state({"a": (2, 1), "b": (4, 1), "c": (1, 0)}, gifts={"a": "bee-sting"})
    played = play(start, "bee-sting")
    assert played.stung == "b"
    assert action_violations(played.state, "f", "f") == {"no-movement-left"}
    assert play(played.state, "f").stung == ""


def test_s10_boosts_and_chili_still_add_to_a_stung_turn():
    drawing = ".... .... .... .+.. ...."
    start = state({"a": (0, 1), "b": (0, 0)}, drawing, stung="a", gifts={"a": "chili"})
    assert play(start, "f", "f").at("a") == (2, 1)
    assert play(start, "chili", "f", "f", "f").at("a") == (3, 1)


def test_s10_the_pigeon_makes_the_leader_miss_a_turn():
    start = state({"a": (2, 1), "b": (4, 1), "c": (1, 0)}, gifts={"a": "carrier-pigeon"})
    played = play(start, "carrier-pigeon")
    assert played.types == ["play", "suspended", "end", "missed"]
    assert played.state.mover.player == "c"
    assert played.missing == ""


@pytest.mark.parametrize(
    ("at", "hit"),
    [
        pytest.param({"a": (7, 1), "b": (2, 0, 1), "c": (1, 0)}, "b", id="the lap comes first"),
        pytest.param({"a": (4, 1), "b": (4, 2), "c": (1, 0)}, "ab", id="all on the foremost row"),
        pytest.param({"a": (4, 1), "b": (3, 2)}, "a", id="the player who leads alone"),
    ],
)
def test_s10_the_leaders_are_hit_the_player_included(at, hit):
    for gift in ("bee-sting", "carrier-pigeon"):
        played = play(state(at, gifts={"a": gift}), gift)
        assert hit == (played.stung if gift == "bee-sting" else played.suspended)
        assert played.event("play").targets == tuple(hit.replace("a", ""))


@pytest.mark.parametrize(
    ("at", "gained"),
    [
        ({"a": (4, 1), "b": (3, 1), "c": (2, 1)}, 1),
        ({"a": (4, 1), "b": (4, 2), "c": (2, 1)}, 1),
        ({"a": (4, 1), "b": (4, 2), "c": (4, 3)}, 1),
        ({"a": (4, 1), "b": None, "c": None}, 1),
        ({"a": (2, 1), "b": (3, 2), "c": (4, 3)}, 3),
        ({"a": (2, 1), "b": (2, 2), "c": (4, 3)}, 2),
        ({"a": (3, 1), "b": (2, 2), "c": (4, 3)}, 2),
        ({"a": (3, 1), "b": None, "c": (4, 3)}, 2),
        ({"a": (7, 1), "b": (2, 0, 2), "c": (2, 0, 3)}, 3),
    ],
)
def test_s10_chili_gives_one_to_the_leader_three_to_the_single_last_and_two_otherwise(at, gained):
    start = state(at, gifts={"a": "chili"})
    assert play(start, "chili").event("chili").movements == gained


def test_s10_places_count_when_the_card_is_played():
    start = state({"a": (2, 1), "b": (3, 2), "c": (3, 0)}, gifts={"a": "chili"})
    for before, gained in ((("f", "f"), 1), (("f",), 1), ((), 3)):
        assert play(start, *before, "chili").event("chili").movements == gained


# S11 Missing a turn -------------------------------------------------------------------------


def test_s11_a_missed_turn_is_skipped_at_once_and_clears_the_flag():
    start = state({"a": (2, 1), "b": (3, 2), "c": (3, 0)}, missing="bc", gifts={"b": "rocket"})
    played = play(start)
    assert played.types == ["end", "missed", "missed"]
    assert played.state.mover.player == "a"
    assert played.missing == ""
    assert names(played.seat("b").gifts) == ["rocket"]


@pytest.mark.parametrize(("missing", "first"), [("a", "b"), ("ab", "a")])
def test_s11_a_state_may_begin_with_missed_turns(missing, first):
    start = state({"a": (2, 1), "b": (3, 2)}, missing=missing)
    assert decider(start) == first
    assert play(start, "f").types == [*["missed"] * len(missing), "step", "end"]


def test_s11_a_missed_turn_is_a_flag_and_not_a_count():
    at = {"a": (2, 1), "b": (4, 1), "c": (0, 0)}
    start = state(at, missing="b", gifts={"a": "carrier-pigeon rocket"})
    played = play(start, "carrier-pigeon", "rocket")
    assert (played.missing, played.state.mover.player) == ("", "c")


def test_s11_a_sting_waits_for_the_next_turn_played():
    start = state({"a": (2, 1), "b": (4, 1)}, missing="b", stung="b")
    played = play(start)
    assert played.stung == "b"
    assert action_violations(play(played.state).state, "f", "f") == {"no-movement-left"}


def test_s11_effects_on_oneself_concern_the_next_turn():
    start = state({"a": (4, 1), "b": (3, 2)}, gifts={"a": "carrier-pigeon bee-sting"})
    played = play(start, "carrier-pigeon", "bee-sting", "f", "f")
    assert played.at("a") == (6, 1)
    assert (played.missing, played.stung) == ("a", "a")
    after = play(played.state)
    assert after.types == ["end", "missed"]
    assert after.stung == "a"


# S12 Snowman --------------------------------------------------------------------------------


def snowman(at=(3, 1), drawing=PLAIN, others=None, **more):
    more.setdefault("gifts", {"a": "snowman"})
    return state({"a": at, **(others or {"b": (0, 0)})}, drawing, **more)


def spaces(start):
    return [(each.row, each.lane) for each in choices(start) if each.row is not None]


def row(number):
    return [(number, lane) for lane in range(4)]


def test_s12_a_snowman_is_placed_three_rows_ahead_or_one_behind_in_any_lane():
    assert spaces(snowman()) == row(6) + row(2)
    assert action_violations(snowman(), "snowman 5 1") == {"wrong-row"}
    played = play(snowman(), "snowman 6 2")
    assert [each.space for each in played.state.snowmen] == [(6, 2)]
    assert played.state.discards == ()


def test_s12_a_snowman_stays_on_the_board():
    assert spaces(snowman((6, 1))) == row(5)
    assert spaces(snowman((0, 1), others={"b": (7, 0)})) == row(3)
    assert action_violations(snowman((6, 1)), "snowman 9 1") == {"not-enterable"}


def test_s12_a_snowman_is_placed_on_a_free_enterable_space_gifts_and_boosts_included():
    fields = snowman(drawing=".... g+~# .... .... .... .... .... ....")
    assert spaces(fields) == [(6, 0), (6, 1), *row(2)]
    assert action_violations(fields, "snowman 6 2") == {"not-enterable"}
    taken = snowman(others={"b": (6, 0)}, snowmen=((6, 1),))
    assert spaces(taken) == [(6, 2), (6, 3), *row(2)]
    assert action_violations(taken, "snowman 6 0") == {"space-taken"}
    assert action_violations(taken, "snowman 6 1") == {"space-taken"}


def test_s12_a_character_that_enters_removes_it_misses_the_next_turn_and_goes_on():
    start = state({"a": (3, 1), "b": (0, 0)}, snowmen=((4, 1),))
    played = play(start, "f", "f")
    assert played.at("a") == (5, 1)
    assert played.suspended == "a"
    assert played.state.snowmen == ()
    assert names(played.state.discards) == ["snowman"]
    assert played.types == ["step", "snowman-removed", "suspended", "step", "end"]


def test_s12_the_field_acts_after_the_snowman_is_removed():
    drawing = ".... .... .... .... .+.. .... .... ...."
    start = state({"a": (2, 1), "b": (0, 0)}, drawing, snowmen=((3, 1),))
    played = play(start, "f", "f", "f")
    assert played.types[:4] == ["step", "snowman-removed", "suspended", "boost"]
    assert played.at("a") == (5, 1)


def test_s12_placing_and_landing_enter_the_space_too():
    start = state({"a": None, "b": (3, 0)}, snowmen=((0, 2),))
    assert play(start, "place 2").suspended == "a"
    start = state({"a": (2, 1), "b": (0, 0)}, snowmen=((4, 1),), gifts={"a": "spring"})
    assert play(start, "spring f").suspended == "a"


def test_s12_a_snowman_made_of_a_dual_card_leaves_that_card():
    start = snowman(gifts={"a": "spring-or-snowman"}, cards=deck(spring_or_snowman=1))
    placed = play(start, "snowman 2 1").state.snowmen
    assert names(each.card for each in placed) == ["spring-or-snowman"]


# S13 Magnet ---------------------------------------------------------------------------------


@pytest.mark.parametrize("gift", ["rocket", "black-ice", "bee-sting", "carrier-pigeon"])
def test_s13_a_magnet_on_top_foils_each_attack_and_is_discarded(gift):
    for magnet in ("magnet", "chili-or-magnet"):
        start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": gift, "b": f"{magnet} spring"})
        assert decider(start, gift) == "b"
        foiled = play(start, gift, "magnet")
        assert (foiled.at("b"), foiled.suspended, foiled.stung) == ((3, 1), "", "")
        assert names(foiled.seat("b").gifts) == ["spring"]
        assert magnet in names(foiled.state.discards)
        hit = play(start, gift, "no")
        assert hit.at("b") == (5, 1) or hit.stung == "b" or "missed" in hit.types
        assert names(hit.seat("b").gifts) == [magnet, "spring"]


def test_s13_a_magnet_below_the_top_does_not_help():
    start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": "rocket", "b": "spring magnet"})
    assert decider(start, "rocket") == "a"
    assert action_violations(start, "rocket", "magnet") == {"not-a-choice"}


def test_s13_all_targets_answer_in_turn_order_from_the_players_left():
    others = {"c": (3, 0), "a": (3, 1), "b": (2, 1), "d": (4, 1)}
    start = state(others, gifts=dict.fromkeys("bcd", "magnet") | {"a": "black-ice"})
    assert [decider(start, "black-ice", *["no"] * count) for count in range(3)] == ["b", "d", "c"]
    events = follow_turn(start, "black-ice", "no", "no").events
    assert "slide" not in [event.type for event in events]


def test_s13_a_target_that_cannot_slide_answers_too():
    start = state({"a": (2, 1), "b": (2, 0)}, gifts={"a": "black-ice", "b": "magnet"})
    assert decider(start, "black-ice") == "b"
    assert names(play(start, "black-ice", "magnet").state.discards) == ["magnet", "black-ice"]


def test_s13_one_magnet_foils_one_attack():
    gifts = {"a": "rocket carrier-pigeon", "b": "magnet magnet"}
    start = state({"a": (2, 1), "b": (3, 1)}, gifts=gifts)
    assert decider(start, "rocket", "magnet") == "a"
    assert decider(start, "rocket", "magnet", "carrier-pigeon") == "b"
    assert play(start, "rocket", "magnet", "carrier-pigeon", "magnet").seat("b").gifts == ()


def test_s13_in_the_own_turn_a_magnet_can_only_be_discarded():
    start = state({"a": (4, 1), "b": (3, 1)}, gifts={"a": "magnet"})
    assert action_violations(start, "play magnet") == {"magnet-in-own-turn"}
    assert names(play(start, "drop").state.discards) == ["magnet"]
    own = state({"a": (4, 1), "b": (3, 1)}, gifts={"a": "bee-sting magnet"})
    assert play(own, "bee-sting").stung == "a", "a cannot answer its own attack"


def test_s13_placing_a_snowman_is_no_attack():
    start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": "snowman", "b": "magnet"})
    assert decider(start, "snowman 5 1") == "a"


def test_s13_an_answer_with_an_unknown_card_makes_it_known():
    start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": "rocket", "b": "? ?"})
    answers = [(each.magnet, each.card) for each in choices(start, "rocket")]
    assert answers == [(True, card("magnet")), (True, card("chili-or-magnet")), (False, None)]
    played = play(start, "rocket", "magnet as chili-or-magnet")
    assert names(played.state.discards) == ["rocket", "chili-or-magnet"]
    assert names(play(start, "rocket", "magnet").state.discards) == ["rocket", "magnet"]


def test_s13_an_unknown_card_is_a_magnet_only_if_the_pool_has_one():
    some, none = (
        state(
            {"a": (2, 1), "b": (3, 1)},
            gifts={"a": "rocket", "b": "?"},
            cards=deck(rocket=1, spring=3, magnet=1),
            discards=discards,
        )
        for discards in ("", "magnet")
    )
    assert (decider(some, "rocket"), decider(none, "rocket")) == ("b", "a")
    assert action_violations(none, "rocket", "magnet") == {"not-a-choice"}


def test_s13_one_magnet_of_the_pool_serves_one_of_two_unknown_stacks():
    at, gifts = {"a": (2, 1), "b": (3, 1), "c": (2, 2)}, {"a": "black-ice", "b": "?", "c": "?"}
    start = state(at, gifts=gifts, cards=deck(black_ice=1, spring=3, magnet=1))
    assert decider(start, "black-ice", "no") == "c"
    assert decider(start, "black-ice", "magnet") == "a"


def test_s13_only_the_next_target_answers():
    start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": "rocket", "b": "magnet"})
    assert action_violations(start, "rocket", "end") == {"not-a-choice"}
    node = pending_node(start, "rocket")
    assert (node.name, list(node.choices)) == ("answer", ["b"])
    new = ask("new", {"seats": SEATS, "seed": 1})["state"]
    with pytest.raises(Rejected, match=r"^/moves/0: not-deciding$"):
        ask("resolve", {"state": new, "moves": [{"type": "answer", "player": "b", "magnet": True}]})


# S14 Gifts ----------------------------------------------------------------------------------


def test_s14_gifts_are_used_and_discarded_from_the_top_only():
    start = state({"a": (2, 1), "b": (0, 0)}, gifts={"a": "chili rocket"})
    assert action_violations(start, "rocket") == {"not-a-use"}
    assert action_violations(start, "drop as rocket") == {"not-on-top"}
    played = play(start, "drop", "rocket")
    assert names(played.state.discards) == ["chili", "rocket"]
    assert action_violations(played.state, "drop") == {"no-gift"}


def test_s14_a_dual_card_is_used_as_one_of_its_two():
    start = state({"a": (2, 1), "b": (4, 1)}, gifts={"a": "spring-or-rocket"})
    uses = {each.gift.label for each in choices(start) if each.type is ActionType.PLAY}
    assert uses == {"spring", "rocket"}
    assert names(play(start, "rocket").state.discards) == ["spring-or-rocket"]
    assert play(start, "spring r").at("a") == (2, 3)
    assert action_violations(start, "chili") == {"not-a-use"}


def test_s14_rocket_and_black_ice_may_be_played_without_a_target():
    for gift in ("rocket", "black-ice"):
        start = state({"a": (4, 1), "b": (0, 0)}, gifts={"a": gift})
        assert play(start, gift).event("play").targets == ()


def test_s14_without_a_legal_space_a_spring_or_a_snowman_can_only_be_discarded():
    for gift, drawing in (("spring", ".. ~. .. .. .."), ("snowman", "## .. .. .. .#")):
        start = state({"a": (1, 0), "b": (0, 0)}, drawing, gifts={"a": gift})
        types = {each.type for each in choices(start)}
        assert types == {ActionType.STEP, ActionType.DISCARD, ActionType.END}


def before_a_gift(at=(1, 1), **more):
    return state({"a": at, "b": (0, 0)}, GIFT_AHEAD, **more)


def test_s14_an_empty_pile_is_renewed_from_the_discards():
    start = before_a_gift(discards="rocket chili rocket", cards=deck(rocket=2, chili=1))
    outcomes = ((card("chili"), Fraction(1, 3)), (card("rocket"), Fraction(2, 3)))
    assert pending_node(start, "f") == Chance("gift", outcomes)
    played = play(start, "f", "draw rocket")
    assert played.types == ["step", "renew", "draw", "end"]
    assert played.state.discards == ()


def test_s14_with_pile_and_discards_empty_nothing_is_drawn():
    start = before_a_gift(gifts={"b": "rocket"}, cards=deck(rocket=1))
    assert play(start, "f").types == ["step", "no-gift", "end"]


def test_s14_the_card_in_play_cannot_be_drawn_at_its_landing():
    start = before_a_gift((0, 1), gifts={"a": "spring"}, cards=deck(spring=2, rocket=1))
    node = pending_node(start, "spring f")
    assert dict(node.outcomes) == {card("spring"): Fraction(1, 2), card("rocket"): Fraction(1, 2)}
    assert names(play(start, "spring f", "draw spring").state.discards) == ["spring"]


# S15 Hidden information ---------------------------------------------------------------------


def test_s15_the_pile_and_the_unknown_gifts_are_one_pool():
    few, gifts = deck(spring=2, rocket=2, chili=1), {"a": "rocket", "b": "? ?"}
    node = pending_node(before_a_gift(gifts=gifts, discards="chili", cards=few), "f")
    assert dict(node.outcomes) == {card("spring"): Fraction(2, 3), card("rocket"): Fraction(1, 3)}


def test_s15_a_draw_may_be_unknown_but_no_card_that_is_known_elsewhere():
    start = before_a_gift(gifts={"b": "rocket"}, cards=deck(spring=1, rocket=1))
    assert names(play(start, "f", "draw unknown").seat("a").gifts) == ["unknown"]
    assert action_violations(start, "f", "draw rocket") == {"impossible-draw"}


def test_s15_an_unknown_gift_becomes_known_when_used_or_discarded():
    start = state({"a": (2, 1), "b": (5, 1)}, gifts={"a": "?"})
    assert play(start, "rocket").suspended == "b"
    assert names(play(start, "rocket as spring-or-rocket").state.discards) == ["spring-or-rocket"]
    assert names(play(start, "drop as magnet").state.discards) == ["magnet"]
    assert action_violations(start, "drop") == {"missing"}
    gone = state({"a": (2, 1), "b": (5, 1)}, gifts={"a": "?"}, discards=" ".join(["rocket"] * 5))
    assert action_violations(gone, "rocket as rocket") == {"not-in-the-pool"}
    assert names(play(gone, "rocket").state.discards)[-1] == "spring-or-rocket"


def test_s15_a_seed_shuffles_the_pieces():
    laid = [
        tuple(ask("new", {"seats": SEATS, "seed": seed})["state"]["course"])
        for seed in (*range(30), 3)
    ]
    assert len(set(laid)) > 20
    assert all(sorted(course) == sorted(laid[0]) for course in laid)
    assert laid[-1] == laid[3]


# S16 The end --------------------------------------------------------------------------------


def test_s16_the_first_to_leave_the_last_row_on_the_second_lap_wins_at_once():
    start = state({"a": (2, 6, 1), "b": (2, 7, 2)})
    played = play(start, "f", "f")
    assert played.types == ["step", "step", "win"]
    assert GAME.winners(played.state) == ("a",)
    assert played.seat("a").place is None
    assert GAME.winners(play(state({"a": (7, 1), "b": (0, 0)}), "f1").state) == ()
    with pytest.raises(Rejected, match=r"^/2: surplus$"):
        play(start, "f", "f", "end")


# S17 A whole turn ---------------------------------------------------------------------------


def test_s17_resolve_requires_every_decision_of_the_turn():
    start = state({"a": (2, 1), "b": (3, 1)}, gifts={"a": "rocket", "b": "magnet"})
    for words in (("rocket",), ("f", "f")):
        with pytest.raises(Rejected, match=r"^\S+: open-decision$"):
            follow_turn(start, *words).require_complete()
    with pytest.raises(Rejected, match=r"^/1: surplus$"):
        follow_turn(start, "end", "f")


def test_s17_draws_are_given_or_each_made_from_its_own_seed():
    start = state({"a": (0, 1), "b": (4, 0)}, ".... .... .g.. .g.. ....")
    pairs = {tuple(play(start, "f", "f", seed=seed).seat("a").gifts) for seed in range(60)}
    assert len(pairs) > 25
    assert {len(pair) for pair in pairs} == {2}
    assert any(one == other for one, other in pairs)
    assert any(one != other for one, other in pairs)
    mixed = play(start, "f", "draw magnet", "f", seed=5)
    assert names(mixed.seat("a").gifts)[1] == "magnet"
    assert mixed.seat("a").gifts[0] == play(start, "f", "f", seed=5).seat("a").gifts[0]


def test_s17_the_response_contains_the_whole_turn_and_can_be_sent_again():
    start = ask("new", {"seats": SEATS, "course": ["cedar", "fir"]})["state"]
    moves = [{"type": "place", "lane": 0}, {"type": "end"}]
    response = ask("resolve", {"state": start, "moves": moves, "seed": 1})
    assert [each["type"] for each in response["moves"]] == ["place", "draw", "end"]
    assert ask("resolve", {"state": start, "moves": response["moves"]}) == response
