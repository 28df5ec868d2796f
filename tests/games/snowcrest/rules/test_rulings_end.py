"""Rulings C10 to C14: challenges, scoring, hidden information, solo game, resolve."""

from dataclasses import replace
from fractions import Fraction

import pytest

from service.core.violations import Rejected
from service.games.snowcrest.catalogue.cards import UNKNOWN, Condition, ConditionKind, VillagerKind
from service.games.snowcrest.rules.challenges import condition_value
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.scoring import scores, winners
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.solo import DIFFICULTIES, grade
from service.games.snowcrest.rules.state import Phase, observed
from tests.games.snowcrest.positions import (
    CORNERS,
    GAME,
    PASS,
    REST,
    action_violations,
    activate,
    ask,
    bid,
    choices,
    draw,
    follow_actions,
    outcomes,
    pay,
    pending_node,
    play,
    play_card,
    response_violations,
    seat,
    state,
    table,
    with_cards,
)

NO_STORYTELLER = ["shepherd", "guide", "poet", "smith", "miller"]
LAST_TURN = {"turn": "b", "supply": 0, "ending": True}
WIDE_FIELDS = {"challenges": [{"challenge": "wide-fields"}]}
"""Three farms meet this challenge."""
EXHAUSTED_ROW = {0: "farmer!", 1: "potter!", 2: "woodcutter!"}


# C10 Challenges -----------------------------------------------------------------------------


def test_c10_a_challenge_is_claimed_at_the_start_of_the_own_turn_even_before_a_rest():
    played = play(table(seat("a", EXHAUSTED_ROW, buildings={"farm": 3}), **WIDE_FIELDS), REST)
    assert played.types[:3] == ["challenge", "scrolls", "rest"]
    assert (played.seat("a").scrolls, played.state.supply) == (2, 18)
    assert played.state.challenges[0].by == 0


def test_c10_a_challenge_is_claimed_as_soon_as_it_is_met_within_a_turn():
    """After building, before the villager is exhausted."""
    start = table(seat("a", tokens={"juniper": 2}, buildings={"farm": 2}), **WIDE_FIELDS)
    farm = {"type": "build", "building": "farm"}
    played = play(start, activate(6), pay(tokens={"juniper": 2}), farm)
    assert played.types == ["activate", "pay", "build", "challenge", "scrolls", "exhaust"]


def test_c10_only_the_active_player_claims_challenges_and_each_only_once():
    met = {"challenges": [{"challenge": "wide-fields", "by": "b"}]}
    farms = {"farm": 3}
    for start in (
        table(seat("a", buildings=farms), **met),
        table(seat("a"), seat("b", buildings=farms), **WIDE_FIELDS),
    ):
        assert [each.scrolls for each in play(start, activate(2)).state.seats] == [0, 0]


def test_c10_no_challenge_is_claimed_after_the_last_turn():
    """It is b's last turn: a does not claim what it would meet at the start of a next turn."""
    seats = (seat("a", buildings={"farm": 3}), seat("b", EXHAUSTED_ROW))
    played = play(table(*seats, **LAST_TURN, **WIDE_FIELDS), REST)
    assert played.state.phase.label == "over"
    assert "challenge" not in played.types
    assert played.seat("a").scrolls == 0


def test_c10_a_reward_may_meet_the_next_challenge_in_printed_order():
    own = with_cards(
        wide_fields={"conditions": [{"type": "scrolls", "at_least": 2}]},
        glowing_forges={"conditions": [{"type": "buildings", "at_least": 1}]},
    )
    posed = [{"challenge": "wide-fields"}, {"challenge": "glowing-forges"}]
    played = play(table(challenges=posed, catalogue=own), activate(2))
    names = [played.state.catalogue.challenges[e.challenge].id for e in played.of("challenge")]
    assert names == ["glowing-forges", "wide-fields"]
    assert played.seat("a").scrolls == 4


def test_c10_challenges_keep_the_order_of_the_request_and_are_claimed_in_printed_order():
    given = [{"challenge": "glowing-forges"}, {"challenge": "wide-fields"}]
    start = table(seat("a", buildings={"farm": 3, "forge": 3}), challenges=given)
    response = ask("resolve", {"state": start, "moves": [activate(2)], "seed": 3})
    posed = [each["challenge"] for each in response["state"]["challenges"]]
    assert posed == ["glowing-forges", "wide-fields"]
    claimed = [e["challenge"] for e in response["events"] if e["type"] == "challenge"]
    assert claimed == ["wide-fields", "glowing-forges"]


def test_c10_a_card_and_its_payment_count_as_one_action():
    """The gold is still there when the card is played, but not after the payment."""
    gold = {"type": "resources", "resource": "gold", "at_least": 3}
    conditions = [gold, {"type": "villagers", "at_least": 5}]
    start = table(
        seat("a", hand="scholar", tokens={"gold": 3}, buildings={}),
        catalogue=with_cards(wide_fields={"conditions": conditions}),
        **WIDE_FIELDS,
    )
    copy = {"type": "copy", "owner": "b", "cell": 2}
    played = play(start, play_card("scholar", 4), pay(tokens={"gold": 3}), copy)
    assert played.seat("a").scrolls == 0


@pytest.mark.parametrize(
    ("bounds", "scrolls"),
    [({"at_least": 2, "at_most": 2}, 0), ({"at_least": 3, "at_most": 3}, 2),
     ({"at_least": 0, "at_most": 2}, 0), ({"at_least": 0, "at_most": 4}, 2)],
)  # fmt: skip
def test_c2_a_condition_is_at_least_at_most_or_exactly(bounds, scrolls):
    own = with_cards(wide_fields={"conditions": [{"type": "buildings", **bounds}]})
    start = table(seat("a", buildings={"farm": 3}), **WIDE_FIELDS, catalogue=own)
    assert play(start, activate(2)).seat("a").scrolls == scrolls
    posed = ask("resolve", {"state": start, "moves": [activate(2)], "seed": 3})["state"]
    [echoed] = [c for c in posed["catalogue"]["challenges"] if c["id"] == "wide-fields"]
    assert echoed["conditions"] == [{"type": "buildings", **bounds}]


CONDITIONS = [
    (ConditionKind.BUILDINGS, None, 5),
    (ConditionKind.BUILDINGS, Building.FARM, 3),
    (ConditionKind.RESOURCES, None, 7),
    (ConditionKind.RESOURCES, Resource.GOLD, 2),
    (ConditionKind.SCROLLS, None, 4),
    (ConditionKind.OMEN, None, -2),
    (ConditionKind.VILLAGERS, None, 5),
    (ConditionKind.VILLAGERS, VillagerKind.STARTER, 2),
    (ConditionKind.VILLAGERS, VillagerKind.COMMON, 2),
    (ConditionKind.EXHAUSTED, None, 4),
    (ConditionKind.EXHAUSTED_ROWS, None, 1),
    (ConditionKind.HAND, None, 2),
]


def test_c2_conditions_count_the_right_things():
    """Spent buildings and exhausted villagers count."""
    village = {0: "farmer!", 1: "potter!", 2: "woodcutter!", 4: "guide!", 8: "poet"}
    stocks = {"farm": (1, 2), "forge": (0, 1), "temple": 1}
    tokens = {"barley": 5, "gold": 2}
    one = seat("a", village, hand="monk nun", tokens=tokens, buildings=stocks, scrolls=4, omen=-2)
    start = state(table(one, row=["shepherd", "smith", "storyteller", "miller", "baker"]))
    for kind, of, count in CONDITIONS:
        condition = Condition(kind, 0, of)
        assert condition_value(start.catalogue, start.seats[0], condition) == count, (kind, of)


# C11 Final scoring --------------------------------------------------------------------------


def test_c11_the_scoring_example_of_the_rule_sheet():
    """11 scrolls, 7 buildings, omen at -1, most barley and most gold: 15 points."""
    village = {0: "gardener", 4: "scholar"}
    one = seat("a", village, scrolls=11, omen=-1, buildings={"farm": (3, 4)})
    other = seat("b", {}, tokens={"bell": 1}, scrolls=9, buildings={})
    start = state(table(one, other, phase="over"))
    score = scores(start)[0]
    assert (score.scrolls, score.buildings, score.omen, sum(score.majorities)) == (11, 3, -1, 2)
    assert score.points == 15
    assert winners(start) == ("a",)


def test_c11_building_points_are_totals_and_spent_ones_count():
    for count, points in ((0, 0), (5, 0), (6, 1), (7, 3), (8, 5)):
        start = state(table(seat("a", {}, buildings={"farm": (0, count)})))
        assert scores(start)[0].buildings == points


def test_c11_everything_that_is_face_up_or_in_hand_becomes_tokens():
    """Exhausted starters and settle icons yield nothing."""
    one = seat(
        "a", {0: "farmer!", 1: "abbess", 2: "potter!", 3: "prospector"}, hand="monk mason",
        tokens={"barley": 1}, buildings={"farm": (1, 1), "temple": 1},
    )  # fmt: skip
    score = scores(state(table(one)))[0]
    assert score.resources == (2, 2, 1, 1, 1)


def test_c11_tied_majorities_score_for_all_and_absent_resources_for_no_player():
    one, other = scores(state(finished(a={"barley": 2, "gold": 1}, b={"barley": 2})))
    assert one.majorities == (1, 0, 0, 0, 1)
    assert other.majorities == (1, 0, 0, 0, 0)


def test_c11_omen_tokens_cost_a_point_each():
    score = scores(state(table(seat("a", {}, buildings={}, omen=-5, omen_tokens=2))))[0]
    assert (score.omen, score.omen_tokens, score.points) == (-5, -2, -7)


def finished(**tokens):
    seats = (seat(name, {}, tokens=own, buildings={}, scrolls=5) for name, own in tokens.items())
    return table(*seats, phase="over")


def test_c11_resources_break_a_tie_and_otherwise_it_is_shared():
    assert winners(state(finished(a={"bell": 2}, b={"bell": 2}))) == ("a", "b")
    assert winners(state(finished(a={"bell": 1}, b={"bowl": 3}))) == ("b",)


def test_c11_the_result_lists_every_component():
    start = table(seat("a", {}), seat("b"), **LAST_TURN)
    response = ask("resolve", {"state": start, "moves": [activate(2)]})
    assert response["game_over"] is True
    assert response["winners"] == ["b"]
    assert response["scores"]["b"] == {
        "points": 2, "scrolls": 0, "buildings": 0, "omen": 0, "omen_tokens": 0,
        "majorities": {"barley": 1, "juniper": 1}, "resources": {"barley": 1, "juniper": 2},
    }  # fmt: skip
    assert ask("legal-moves", {"state": response["state"]}) == {
        "decision": "none", "moves": {}, "position": response["state"], "game_over": True,
    }  # fmt: skip


def test_c11_the_final_conversion_reveals_no_forest_card():
    """The mason's juniper does not come from the forest."""
    row = ["shepherd", "guide", "smith", "storyteller", "miller"]
    seats = (seat("a", {}), seat("b", {0: "mason", 1: "poet"}))
    played = play(table(*seats, row=row, juniper=1, **LAST_TURN), activate(1))
    assert "forest" not in played.types
    assert scores(played.state)[1].resources[Resource.JUNIPER] == 1


def test_c11_unknown_hands_are_revealed_at_the_end():
    start = table(seat("a", hand="unknown"), seat("b"), **LAST_TURN)
    shares = outcomes(start, activate(2))
    assert set(shares.values()) == {Fraction(1, 9)}
    played = play(start, activate(2), draw("scholar"))
    assert played.hand("a") == ["scholar"]
    assert action_violations(start, activate(2), draw("unknown")) == {("", "impossible-draw")}


# C12 Hidden information ---------------------------------------------------------------------


def test_c12_a_player_sees_only_the_size_of_other_hands():
    start = state(table(seat("a", hand="monk"), seat("b", hand="nun potter", discards="mason")))
    seen = observed(start, "a")
    assert seen.seats[0] == start.seats[0]
    assert seen.seats[1] == replace(start.seats[1], hand=(UNKNOWN, UNKNOWN))


def test_c12_a_draw_comes_from_the_unseen_cards_including_unknown_hand_cards():
    """Of nine villagers in the deck, three are known elsewhere; two others are in hand, unknown."""
    one = seat("a", {4: "storyteller", 5: "potter"}, hand="monk unknown unknown", discards="nun")
    start = table(one, row=NO_STORYTELLER)
    shares = outcomes(start, activate(4))
    left = ("abbess", "priest", "gardener", "officer", "scholar", "mason")
    starters = ("farmer", "woodcutter", "builder", "acolyte")
    assert shares == dict.fromkeys((*starters, *left), Fraction(1, 10))


def test_c12_a_draw_of_another_player_may_be_unknown():
    start = table(seat("a", {4: "storyteller"}), row=NO_STORYTELLER)
    assert play(start, activate(4), draw("unknown"), draw("monk")).hand() == ["unknown", "monk"]
    assert action_violations(start, activate(4), draw("smith")) == {("", "impossible-draw")}


def test_c12_an_unknown_hand_card_may_be_any_unseen_card():
    one = seat("a", {}, hand="unknown", discards="potter", tokens={"barley": 3}, buildings={})
    played = {m["card"] for m in choices(table(one)) if m["type"] == "play"}
    assert {"monk", "scholar"} < played
    assert not played & {"potter"}
    assert action_violations(table(one), play_card("potter", 4)) == {("/card", "card-not-there")}
    bidding = table(seat("a", {0: "abbess"}, hand="unknown", buildings={}))
    bids = choices(bidding, activate(0))
    assert bid(hand=["monk"]) in bids
    assert bid(hand=["nun", "monk"]) not in bids, "there is but one card"
    assert bids[-1] == {"type": "skip"}, "it may be none of them"


def test_c12_an_action_payable_only_with_unknown_cards_is_optional():
    """C3, C5, C12: only the player knows the cards."""
    one = seat("a", {0: "farmer!"}, hand="unknown unknown", buildings={})
    options = choices(table(one))
    assert {move["type"] for move in options} == {"play", "pass"}
    exhausted_row = seat("a", {0: "farmer!"}, hand="gardener potter", buildings={})
    assert {move["type"] for move in choices(table(exhausted_row))} == {"play"}
    builder = seat("a", {0: "builder"}, hand="unknown unknown", buildings={})
    assert {move["type"] for move in choices(table(builder), activate(0))} == {"pay", "skip"}


def test_c12_a_trading_player_can_pay_with_unknown_cards():
    """Two farms and three more barley from three unknown cards."""
    one = seat("a", {0: "merchant"}, hand="unknown unknown unknown", buildings={"farm": 2})
    actions = (activate(0), {"type": "trade", "give": "barley", "get": "scroll"})
    assert {move["type"] for move in choices(table(one), *actions)} == {"pay"}
    paid = pay(buildings={"farm": 2}, hand=["gardener", "scholar"])
    played = play(table(one), *actions, paid)
    assert (played.seat("a").scrolls, played.hand()) == (1, ["unknown"])


def test_c12_when_the_pile_is_shuffled_unknown_cards_are_known_by_exclusion():
    """C12, C19: a card in neither pile nor discards must be in hand."""
    discards = "nun monk abbess priest potter gardener officer scholar"
    one = seat("a", CORNERS | {4: "storyteller"}, hand="unknown", discards=discards)
    played = play(table(one, row=NO_STORYTELLER), activate(4), draw("nun"), draw("monk"))
    assert played.hand() == ["nun", "monk", "mason"]


def test_c12_unknown_cards_of_a_pile_lie_above_the_known_ones():
    """A common that was put under the pile comes after all unknown ones."""
    below = {"commons": ["guide", "poet"]}
    row = ["shepherd", "storyteller", "miller", "baker", "smith"]
    start = table(seat("a", {}, tokens={"barley": 2}), row=row, below=below)
    actions = (play_card("shepherd", 4), pay(tokens={"barley": 2}))
    shares = outcomes(start, *actions)
    assert not {"guide", "poet"} & set(shares)
    assert shares["shepherd"] == Fraction(1, 28), "the other one of two"
    assert shares["prospector"] == Fraction(2, 28)
    assert sum(shares.values()) == 1


# C13 The solo game --------------------------------------------------------------------------


@pytest.mark.parametrize("level", DIFFICULTIES)
def test_c13_ten_difficulties_set_scrolls_and_barley(level):
    start = ask("new", {"seats": [{"player": "a"}], "seed": 1, "difficulty": level})["state"]
    scrolls = {1: 10, 2: 11, 3: 12, 8: 14, 9: 15, 10: 15}.get(level, 13)
    barley = {5: 2, 6: 1}.get(level, 3 if level < 5 else 0)
    assert (start["supply"], start["seats"][0]["tokens"].get("barley", 0)) == (scrolls, barley)
    assert (start["juniper"], len(start["challenges"]), start["difficulty"]) == (3, 2, level)


def test_c13_the_mystics_are_not_in_the_solo_game():
    """A mystic in any place is one card too many."""
    one = set_up("a", 3).catalogue.commons(solo=True)
    assert one.total() == 33
    solo = table(seat("a", {0: "mystic"}), solo=True)
    assert response_violations("legal-moves", {"state": solo}) == {("/state", "too-many-cards")}


def resting(rests, **more):
    return table(seat("a", EXHAUSTED_ROW, scrolls=4), solo=True, rests=rests, **more)


@pytest.mark.parametrize(("level", "rests"), [(1, 3), (9, 3), (10, 2)])
def test_c13_the_last_rest_ends_the_game_at_once_as_a_loss(level, rests):
    response = ask("resolve", {"state": resting(rests, difficulty=level), "moves": [REST]})
    assert (response["game_over"], response["winners"]) == (True, [])
    assert response["solo"] == {"won": False}
    assert response["scores"]["a"]["points"] == 4
    assert [event["type"] for event in response["events"]] == ["rest", "lost", "end"]


def test_c13_earlier_rests_are_counted():
    played = play(resting(1), REST)
    assert (played.state.rests, played.state.phase) == (2, Phase.TURNS)


@pytest.mark.parametrize(
    ("omen", "winners_", "result"),
    [(0, ["a"], {"won": True, "grade": "survived"}), (-1, [], {"won": False, "grade": "cursed"})],
)
def test_c13_the_solo_game_ends_with_the_turn_that_takes_the_last_scroll(omen, winners_, result):
    """Ten points win."""
    one = seat("a", {0: "abbess"}, tokens={"bell": 6}, scrolls=9, omen=omen)
    moves = [activate(0), bid(tokens={"bell": 6})]
    response = ask("resolve", {"state": table(one, solo=True, supply=1), "moves": moves})
    assert (response["winners"], response["solo"]) == (winners_, result)
    assert response["scores"]["a"]["majorities"] == {}


def test_c13_a_challenge_claimed_before_the_last_rest_may_still_win():
    """C10, C13: the challenge is claimed before the rest begins."""
    one = seat("a", EXHAUSTED_ROW, buildings={"farm": 3}, scrolls=9)
    start = table(one, solo=True, rests=3, supply=2, **WIDE_FIELDS)
    response = ask("resolve", {"state": start, "moves": [REST]})
    assert (response["winners"], response["solo"]["won"]) == (["a"], True)


def test_c13_points_determine_the_grade():
    for least, most, code in (
        (-3, 9, "cursed"), (10, 10, "survived"), (11, 13, "well-earned-rest"),
        (14, 16, "widely-known"), (17, 19, "lasting-fame"), (20, 31, "inner-peace"),
    ):  # fmt: skip
        assert {grade(points) for points in range(least, most + 1)} == {code}


def test_c13_the_solo_game_has_no_starter_variant():
    body = {"seats": [{"player": "a"}], "seed": 1, "starter_variant": True}
    assert response_violations("new", body) == {("/starter_variant", "not-in-solo")}


# C14 Resolve --------------------------------------------------------------------------------


def test_c14_a_turn_must_be_complete_and_missing_actions_are_named():
    start = table(seat("a", {4: "storyteller"}), row=NO_STORYTELLER)
    for state_, moves, path, code in (
        (start, [activate(4)], "/moves/1", "open-draw"),
        (start, [], "/moves/0", "open-decision"),
        (table(), [activate(2), PASS], "/moves/1", "surplus"),
    ):
        body = {"state": state_, "moves": moves}
        assert response_violations("resolve", body) == {(path, code)}


def test_c14_draws_come_from_the_seed_and_are_listed_in_the_response():
    start = table(seat("a", {4: "storyteller"}), row=NO_STORYTELLER)
    first = ask("resolve", {"state": start, "moves": [activate(4)], "seed": 5})
    assert [move["type"] for move in first["moves"]] == ["activate", "draw", "draw"]
    assert ask("resolve", {"state": start, "moves": first["moves"]}) == first


def test_c14_an_answer_of_the_wrong_player_is_rejected():
    start = table(seat("a", {0: "abbess"}, tokens={"bell": 1}), seat("b", tokens={"bell": 1}))
    first = (activate(0), bid(tokens={"bell": 1}))
    with pytest.raises(Rejected, match=r"^\S+: not-deciding$"):
        follow_actions(start, *first, bid("a", tokens={"bell": 1}))
    assert pending_node(start, *first).choices.keys() == {"b"}


def test_a_finished_game_has_no_turn():
    over = finished(a={}, b={})
    assert GAME.pending(GAME.begin(state(over)).play) is None
    assert response_violations("resolve", {"state": over, "moves": []}) == {("/state", "game-over")}
