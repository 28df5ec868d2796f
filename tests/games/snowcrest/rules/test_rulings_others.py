"""Rulings C6 to C9 and C15: meditation, penalties, forest, scrolls, settle."""

import pytest

from service.games.registry import GAMES
from service.games.snowcrest.rules.effects.meditation import meditation_scrolls
from tests.games.snowcrest.positions import (
    LEAVE_BID,
    RETURN_BID,
    SKIP,
    action_violations,
    activate,
    ask,
    bid,
    choices,
    draw,
    give,
    outcomes,
    pay,
    pending_decision,
    play,
    play_card,
    response_violations,
    seat,
    settle,
    suffer,
    table,
    with_cards,
)

# C6 Meditation ------------------------------------------------------------------------------


def three(**bells):
    """Return a state of three players with bells; a meditates with the abbess."""
    villages = {"a": {0: "abbess"}, "b": {}, "c": {}}
    seats = (seat(each, villages[each], tokens={"bell": bells.get(each, 0)}) for each in "abc")
    return table(*seats)


def bells(count, player=None):
    """Return a bid of bell tokens."""
    return bid(player, **({"tokens": {"bell": count}} if count else {}))


def scrolls(played):
    return {each.player: each.scrolls for each in played.state.seats}


def test_c6_the_active_player_bids_at_least_one_bell_then_each_other_player_once():
    start = three(a=2, b=1, c=3)
    assert choices(start, activate(0)) == [bells(1), bells(2)]
    assert action_violations(start, activate(0), bells(0)) == {("/payment", "bids-nothing")}
    assert pending_decision(start, activate(0), bells(2)) == ("bid", "b")
    assert choices(start, activate(0), bells(2)) == [bells(0), bells(1)]
    assert pending_decision(start, activate(0), bells(2), bells(0)) == ("bid", "c")
    seen = ask("legal-moves", {"state": start, "so_far": [activate(0), bells(2), bells(1)]})
    assert seen["bids"] == {"a": 2, "b": 1}


def test_c6_without_a_bell_meditation_is_skipped():
    """The acting abbess herself cannot be bid."""
    start = three(b=1)
    assert choices(start, activate(0)) == [SKIP]
    assert play(start, activate(0), SKIP).types == ["activate", "skip", "exhaust"]


def test_c6_each_other_player_compares_with_the_active_player_only():
    """The higher of two bids gains two scrolls; a solo player gains one per six bells."""
    for bids, gains in (
        ((2, 3, 0), [1, 1, 0]), ((2, 2, 2), [2, 0, 0]), ((1, 2, 2), [0, 1, 1]),
        ((1, 0, 0, 0), [3, 0, 0, 0]), ((2, 3), [0, 2]), ((2, 2), [2, 0]), ((2, 0), [2, 0]),
        ((6,), [1]), ((5,), [0]), ((13,), [2]),
    ):  # fmt: skip
        assert meditation_scrolls(list(bids)) == gains, bids


def test_c6_a_player_without_a_scroll_takes_the_bid_back_unchanged():
    """Of three players, c takes the revealed card back; of two, the outbid player the bells."""
    start = three(a=1, b=2)
    start["seats"][2]["hand"] = ["monk"]
    bids = (activate(0), bells(1), bells(2), bid(hand=["monk"]))
    assert pending_decision(start, *bids) == ("return-bid", "c")
    assert choices(start, *bids) == [RETURN_BID, LEAVE_BID]
    played = play(start, *bids, RETURN_BID)
    assert scrolls(played) == {"a": 1, "b": 1, "c": 0}, "c did not bid more than a"
    assert (played.tokens("a"), played.tokens("b"), played.hand("c")) == ({}, {}, ["monk"])
    assert [event.player for event in played.of("keep")] == ["c"]
    outbid = table(seat("a", {0: "abbess"}, tokens={"bell": 1}), seat("b", tokens={"bell": 2}))
    played = play(outbid, activate(0), bells(1), bells(2), RETURN_BID)
    assert (scrolls(played), played.tokens("a")) == ({"a": 0, "b": 2}, {"bell": 1})


def test_c6_a_player_without_a_scroll_may_leave_the_bid_spent():
    start = three(a=1, b=2)
    start["seats"][2]["hand"] = ["monk"]
    played = play(start, activate(0), bells(1), bells(2), bid(hand=["monk"]), LEAVE_BID)
    assert (scrolls(played)["c"], played.hand("c"), played.discards("c")) == (0, [], ["monk"])
    assert [event.player for event in played.of("leave")] == ["c"]
    assert not played.of("keep")


def test_c6_those_without_a_scroll_decide_in_turn_order_and_about_whole_bids():
    """A bid of nothing is no decision."""
    start = three(a=2, b=2, c=2)
    bids = (activate(0), bells(2), bells(1), bells(2))
    assert pending_decision(start, *bids) == ("return-bid", "b")
    assert pending_decision(start, *bids, LEAVE_BID) == ("return-bid", "c")
    played = play(start, *bids, LEAVE_BID, RETURN_BID)
    assert (played.tokens("b"), played.tokens("c")) == ({"bell": 1}, {"bell": 2})
    response = ask("legal-moves", {"state": start, "so_far": list(bids)})
    assert response["bids"] == {"a": 2, "b": 1, "c": 2}
    nothing = (activate(0), bells(2), bells(0), bells(0))
    assert play(start, *nothing).tokens("b") == {"bell": 2}


def test_c6_sources_are_given_up_and_challenges_checked_once_the_meditation_is_decided():
    """The second exhausted villager counts only if the outbid a leaves him spent."""
    village = {0: "abbess!", 1: "monk!", 4: "abbess"}
    own = with_cards(hard_work={"conditions": [{"type": "exhausted", "at_least": 3}]})
    for card in own["villagers"][1:3]:
        card["copies"] = 2
    start = table(
        seat("a", village | {5: "monk"}), seat("b", {}, tokens={"bell": 2}),
        catalogue=own, challenges=[{"challenge": "hard-work"}],
    )  # fmt: skip
    bids = (activate(4), bid(village=[5]), bells(2))
    position = ask("legal-moves", {"state": start, "so_far": list(bids)})["position"]
    assert position["challenges"] == [{"challenge": "hard-work"}]
    assert not position["seats"][0]["village"][3]["exhausted"]
    left = play(start, *bids, LEAVE_BID)
    assert left.types.index("challenge") < left.types.index("exhaust")
    returned = play(start, *bids, RETURN_BID)
    assert returned.types.index("exhaust") < returned.types.index("challenge")


def test_c6_the_cards_of_a_bid_that_is_taken_back_have_been_seen():
    """C6, C12: in the view of a player who did not know the hand, its cards are known now."""
    start = three(a=1)
    start["seats"][2]["hand"] = ["unknown", "unknown"]
    played = play(start, activate(0), bells(1), bells(0), bid(hand=["monk"]), RETURN_BID)
    assert sorted(played.hand("c")) == ["monk", "unknown"]


def test_c6_a_bid_counts_all_bells_and_gold_in_its_sources():
    start = table(
        seat("a", {0: "abbess", 1: "bell-ringer"}, hand="scholar monk", tokens={"gold": 1},
             buildings={"forge": 1}),
        seat("b"),
    )  # fmt: skip
    everything = bid(tokens={"gold": 1}, buildings={"forge": 1}, hand=["scholar"], village=[1])
    played = play(start, activate(0), everything, bells(0))
    assert played.of("bid")[0].count == 5
    assert (scrolls(played)["a"], played.tokens()) == (2, {})
    assert (played.buildings(), played.discards()) == ({"forge": (0, 1)}, ["scholar"])
    assert played.village() == {0: "abbess!", 1: "bell-ringer!"}


def test_c6_a_source_without_bell_or_gold_cannot_be_bid():
    start = three(a=1, b=1)
    start["seats"][1]["tokens"] = {"barley": 1}
    wrong = bid(tokens={"barley": 1})
    found = action_violations(start, activate(0), bells(1), wrong)
    assert found == {("/payment/tokens/barley", "no-bell")}


def test_c6_a_solo_bid_without_a_scroll_is_returned():
    start = table(seat("a", {0: "abbess"}, tokens={"bell": 13}), solo=True)
    returned = play(start, activate(0), bells(5), RETURN_BID)
    assert (scrolls(returned), returned.tokens()) == ({"a": 0}, {"bell": 13})
    spent = play(start, activate(0), bells(12))
    assert (scrolls(spent), spent.tokens()) == ({"a": 2}, {"bell": 1})


# C7 Penalties -------------------------------------------------------------------------------


def worship_table(own, others=None, *seats, reward=None, mover=None, **more):
    """Player a worships with the prophet; the only guardian has the given penalties and reward."""
    cards = with_cards(prophet={"actions": [{"effects": [{"type": "worship"}]}]})
    guardian = {"id": "g", "own": own, "others": others or {}, "reward": reward or {"scroll": 2}}
    cards["guardians"] = [guardian]
    return table(mover or worshipper(), *seats, catalogue=cards, **more)


def worshipper(village=None, **more):
    """Return the seat of a, with the prophet and other villagers."""
    return seat("a", {0: "prophet"} | (village or {}), **more)


REVEAL = (activate(0), draw("g"))
NO_POET = ["shepherd", "guide", "smith", "storyteller", "miller"]


def test_c7_each_item_is_given_or_costs_one_omen():
    mover = worshipper(hand="monk", tokens={"barley": 1})
    start = worship_table({"barley": 1, "card": 1}, mover=mover)
    assert pending_decision(start, *REVEAL) == ("penalty", "a")
    given = play(start, *REVEAL, give("barley", resource="barley"), give("card", card="monk"))
    assert (given.seat("a").omen, given.tokens(), given.discards()) == (0, {}, ["monk"])
    half = play(start, *REVEAL, suffer("barley"), give("card", card="monk"))
    assert (half.seat("a").omen, half.tokens()) == (-1, {"barley": 1})
    assert play(start, *REVEAL, suffer("barley"), suffer("card")).seat("a").omen == -2


def test_c7_others_pay_in_turn_order_before_the_reward():
    start = worship_table({}, {"any": 1}, seat("b"), seat("c"))
    assert pending_decision(start, *REVEAL) == ("penalty", "b")
    assert pending_decision(start, *REVEAL, suffer("any")) == ("penalty", "c")
    played = play(start, *REVEAL, suffer("any", player="b"), suffer("any", player="c"))
    assert [kind for kind in played.types if kind in ("suffer", "scrolls")][-1] == "scrolls"
    assert [each.omen for each in played.state.seats] == [0, -1, -1]


def test_c7_one_source_pays_all_fitting_resource_items_and_the_excess_is_lost():
    """Two barley on a card pay two items; for a single item, the second barley is lost."""
    mover = worshipper({1: "shepherd"}, hand="gardener")
    start = worship_table({"barley": 1, "any": 1}, mover=mover)
    played = play(start, *REVEAL, give("barley", cell=1))
    assert (played.seat("a").omen, played.tokens()) == (0, {})
    assert [item.label for item in played.of("give")[0].items] == ["barley", "any"]
    lost = worship_table({"barley": 1}, mover=mover)
    for given in ({"cell": 1}, {"card": "gardener"}):
        played = play(lost, *REVEAL, give("barley", **given))
        assert (played.seat("a").omen, played.tokens()) == (0, {})


def test_c7_a_card_given_for_a_card_item_pays_nothing_else():
    start = worship_table({"bell": 1, "card": 1}, mover=worshipper(hand="monk", buildings={}))
    as_card = (*REVEAL, suffer("bell"), give("card", card="monk"))
    assert play(start, *as_card).seat("a").omen == -1
    assert choices(start, *REVEAL, give("bell", card="monk")) == [suffer("card")]


def test_c7_a_villager_item_takes_a_face_up_villager_from_the_village():
    """A common goes under its pile, an own card to the discards; the acting villager stays."""
    start = worship_table({"villager": 2}, mover=worshipper({1: "guide", 2: "potter", 3: "nun!"}))
    assert choices(start, *REVEAL)[:-1] == [give("villager", cell=1), give("villager", cell=2)]
    played = play(start, *REVEAL, give("villager", cell=1), give("villager", cell=2))
    assert played.village() == {0: "prophet!", 3: "nun!"}
    assert played.discards() == ["potter"]
    assert played.ids(played.state.below.commons) == ["guide"]


def test_c7_a_building_item_returns_any_own_building_of_the_kind_to_the_board():
    stocks = {"farm": (1, 1), "temple": 1}
    start = worship_table({"farm": 1, "building": 1}, mover=worshipper(buildings=stocks))
    farms = [give("farm", building="farm", spent=spent) for spent in (False, True)]
    assert choices(start, *REVEAL) == [*farms, suffer("farm")]
    temple = give("building", building="temple", spent=False)
    assert play(start, *REVEAL, farms[1], temple).buildings() == {"farm": (1, 0)}


def test_c7_a_building_spent_for_a_resource_item_is_not_returned_for_a_building_item():
    own = {"any": 1, "building": 1}
    one = worship_table(own, mover=worshipper(buildings={"farm": 1}))
    spent = (*REVEAL, give("any", building="farm"))
    assert choices(one, *spent) == [suffer("building")]
    played = play(one, *spent, suffer("building"))
    assert (played.seat("a").omen, played.buildings()) == (-1, {"farm": (0, 1)})
    # A farm that was spent before can be returned.
    two = worship_table(own, mover=worshipper(buildings={"farm": (1, 1)}))
    returned = give("building", building="farm", spent=True)
    assert choices(two, *spent) == [returned, suffer("building")]
    assert play(two, *spent, returned).buildings() == {"farm": (0, 1)}


def test_c7_printed_omen_cannot_be_settled():
    start = worship_table({"omen": 2}, {"omen": 1}, mover=worshipper({1: "poet"}), row=NO_POET)
    played = play(start, *REVEAL)
    assert [each.omen for each in played.state.seats] == [-2, -1]
    assert played.village()[1] == "poet"


def test_c7_omen_beyond_the_end_of_the_track_becomes_tokens():
    start = worship_table({"any": 3}, mover=worshipper(omen=-4, buildings={}))
    played = play(start, *REVEAL, *(suffer("any"),) * 3)
    assert (played.seat("a").omen, played.seat("a").omen_tokens) == (-5, 2)


def test_c7_gold_pays_any_resource_item_and_only_gold_pays_a_gold_item():
    start = worship_table({"bell": 1, "gold": 1}, mover=worshipper(tokens={"gold": 2, "barley": 3}))
    gold = play(start, *REVEAL, give("bell", resource="gold"), give("gold", resource="gold"))
    assert gold.tokens() == {"barley": 3}
    bell = give("bell", resource="barley")
    assert action_violations(start, *REVEAL, bell) == {("", "not-to-give")}


def test_c7_items_are_answered_in_order():
    start = worship_table({"barley": 1, "card": 1}, mover=worshipper(hand="monk"))
    found = action_violations(start, *REVEAL, give("card", card="monk"))
    assert found == {("/item", "another-item")}


# C15 Settle ---------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["abbess", "high-abbot"])
def test_c15_a_villager_with_settle_and_a_bell_settles_one_item_and_pays_another(card):
    start = worship_table({"bell": 1, "building": 1}, mover=worshipper({1: card}, buildings={}))
    both = [settle("bell", 1), settle("bell", 1, settles="building")]
    assert [m for m in choices(start, *REVEAL) if m["type"] == "settle"] == both
    played = play(start, *REVEAL, both[1])
    assert (played.seat("a").omen, played.village()[1]) == (0, f"{card}!")
    assert play(start, *REVEAL, both[0], suffer("building")).seat("a").omen == -1
    without = play(start, *REVEAL, give("bell", cell=1), suffer("building"))
    assert (without.seat("a").omen, without.village()[1]) == (-1, f"{card}!")
    assert not without.of("settle")


def test_c15_a_settle_settles_exactly_one_item_of_any_kind():
    for item in ("card", "villager", "building", "any", "temple"):
        start = worship_table({item: 2}, mover=worshipper({1: "poet"}, buildings={}), row=NO_POET)
        played = play(start, *REVEAL, settle(item, 1), suffer(item))
        assert (played.seat("a").omen, played.village()[1]) == (-1, "poet!")


def test_c15_from_the_hand_the_abbess_is_just_a_bell():
    start = worship_table({"bell": 1, "building": 1}, mover=worshipper(hand="abbess", buildings={}))
    assert choices(start, *REVEAL) == [give("bell", card="abbess"), suffer("bell")]


def test_c15_an_acting_villager_settles_nothing():
    """C4, C15: the high abbot cannot settle the penalty of his own worship."""
    own = with_cards()
    own["guardians"] = [{"id": "g", "own": {"card": 1}, "others": {}, "reward": {}}]
    start = table(seat("a", {0: "high-abbot"}, tokens={"bowl": 1}), catalogue=own)
    actions = (activate(0), pay(tokens={"bowl": 1}), draw("g"))
    assert choices(start, *actions) == [suffer("card")]


# C8 The forest ------------------------------------------------------------------------------


THORN_CHILD = (draw("thorn-child"), *map(suffer, ("bowl", "card", "bowl")))
"""The forest card appears, and nobody gives anything."""


def test_c8_taking_exactly_the_last_juniper_reveals_a_forest_card_and_refills():
    start = table(seat("a", {0: "woodcutter"}), juniper=2)
    played = play(start, activate(0), *THORN_CHILD)
    assert (played.state.juniper, played.tokens()) == (6, {"juniper": 2})
    assert [each.omen for each in played.state.seats] == [-2, -1]
    assert scrolls(played) == {"a": 1, "b": 0}
    assert played.ids(played.state.below.forest) == ["thorn-child"]


def test_c8_the_forest_is_empty_only_until_the_forest_card_is_resolved():
    start = table(seat("a", {0: "woodcutter"}), juniper=2)
    taken = ask("legal-moves", {"state": start, "so_far": [activate(0)]})
    assert (taken["decision"], taken["position"]["juniper"]) == ("draw", 0)
    [endpoint] = [each for each in GAMES["snowcrest"].endpoints if each.name == "legal-moves"]
    assert endpoint.response_schema().validate(taken) == {}
    violations = response_violations("legal-moves", {"state": start | {"juniper": 0}})
    assert violations == {("/state/juniper", "out-of-range")}


def test_c8_the_rest_of_a_gain_is_taken_after_the_forest_card():
    start = table(seat("a", {0: "strong-woodcutter"}), juniper=1)
    played = play(start, activate(0), *THORN_CHILD)
    assert (played.state.juniper, played.tokens()) == (4, {"juniper": 3})
    kinds = [event.type for event in played.events if event.type in ("gain", "forest")]
    assert kinds == ["gain", "forest", "gain"]


def felling(card, juniper, reward, ids="f", **cards):
    """Return a state in which a villager takes juniper, and forest cards only give a reward."""
    own = with_cards(**cards)
    own["forest"] = [{"id": each, "own": {}, "others": {}, "reward": reward} for each in ids]
    return table(seat("a", {0: card}), juniper=juniper, catalogue=own)


def test_c8_a_large_gain_can_reveal_several_forest_cards():
    gain = {"type": "gain", "what": "juniper", "count": 9}
    gaining = {"actions": [{"effects": [gain]}]}
    start = felling("woodcutter", 2, {"scroll": 1}, ids="fg", woodcutter=gaining)
    played = play(start, activate(0), draw("f"), draw("g"))
    assert (scrolls(played)["a"], played.tokens(), played.state.juniper) == (2, {"juniper": 9}, 5)
    assert played.ids(played.state.below.forest) == ["f", "g"]


def test_c8_spent_juniper_does_not_return_to_the_forest():
    start = table(seat("a", {0: "builder"}, tokens={"juniper": 2}), juniper=4)
    built = {"type": "build", "building": "forge"}
    played = play(start, activate(0), pay(tokens={"juniper": 2}), built)
    assert played.state.juniper == 4


def test_c8_juniper_of_a_forest_reward_comes_from_the_refilled_forest():
    played = play(felling("woodcutter", 2, {"juniper": 1}), activate(0), draw("f"))
    assert (played.tokens(), played.state.juniper) == ({"juniper": 3}, 5)


def test_c8_juniper_chosen_as_a_forest_reward_comes_from_the_refilled_forest():
    """Three of any kind: juniper is taken after the refill, and reveals no second card."""
    chosen = [{"type": "gain", "resource": name} for name in ("juniper", "bell", "juniper")]
    played = play(felling("strong-woodcutter", 1, {"any": 3}), activate(0), draw("f"), *chosen)
    assert len(played.of("forest")) == 1
    assert (played.tokens(), played.state.juniper) == ({"bell": 1, "juniper": 5}, 2)
    kinds = [event.type for event in played.events if event.type in ("gain", "juniper")]
    assert kinds == ["gain", "gain", "juniper", "gain", "gain", "gain"]


def test_c8_juniper_chosen_as_a_guardians_reward_is_taken_at_once():
    start = worship_table({}, reward={"any": 1}, juniper=6)
    played = play(start, *REVEAL, {"type": "gain", "resource": "juniper"})
    assert (played.tokens(), played.state.juniper) == ({"juniper": 1}, 5)


def test_c12_known_forest_cards_come_in_order():
    own = with_cards()
    own["forest"] = own["forest"][:2]
    below = {"forest": ["moss-man", "juniper-mother"]}
    start = table(seat("a", {0: "woodcutter"}), juniper=2, catalogue=own, below=below)
    assert outcomes(start, activate(0)) == {"moss-man": 1}


# C9 Scrolls ---------------------------------------------------------------------------------


def test_c9_scrolls_beyond_the_supply_come_from_the_reserve():
    played = play(worship_table({}, reward={"scroll": 3}, supply=1), *REVEAL)
    assert (played.seat("a").scrolls, played.state.supply, played.state.ending) == (3, 0, True)
    assert played.of("last-round")
    assert (played.state.phase.label, played.state.turn) == ("turns", 1), "b still has a turn"


def test_c9_a_scroll_traded_back_does_not_cancel_the_end():
    start = table(seat("a"), seat("b", {0: "merchant"}, scrolls=1), turn="b", supply=0, ending=True)
    played = play(start, activate(0), {"type": "trade", "give": "scroll", "get": "barley"})
    assert (played.state.supply, played.state.ending) == (1, True)
    assert played.types[-1] == "end"


# The starter variant ------------------------------------------------------------------------


def test_starter_variant_worship_brings_two_scrolls_and_an_omen_to_all_others():
    start = table(seat("a", {0: "prophet"}), seat("b"), seat("c"), starter_variant=True)
    played = play(start, activate(0))
    assert scrolls(played) == {"a": 2, "b": 0, "c": 0}
    omen = [each.omen for each in played.state.seats]
    assert omen == [1, -1, -1], "the prophet also reduces a's omen by one"


def test_starter_variant_the_last_juniper_brings_a_scroll_and_an_omen_to_all_others():
    start = table(seat("a", {0: "strong-woodcutter"}), juniper=2, starter_variant=True)
    played = play(start, activate(0))
    assert (scrolls(played), played.state.juniper) == ({"a": 1, "b": 0}, 5)
    assert [each.omen for each in played.state.seats] == [0, -1]


def test_starter_variant_starters_are_not_replaced():
    start = table(seat("a", hand="potter", tokens={"barley": 2}), starter_variant=True)
    assert action_violations(start, play_card("potter", 0)) == {("/cell", "starter-stays")}
    cells = {m["cell"] for m in choices(start) if m.get("card") == "potter"}
    assert cells == {1, 3, 4, 5, 7}
