"""Rulings C3 to C5 and C16 to C21: turns, payments, actions, rest, cards, set-up, limits."""

from fractions import Fraction

import pytest

from service.games.snowcrest.rules.setup import set_up
from tests.games.snowcrest.positions import (
    CORNERS,
    DECLINE,
    PASS,
    REST,
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
    seat,
    suffer,
    table,
    with_cards,
)

ROW_OF_THREE = {0: "farmer!", 1: "potter!", 2: "woodcutter!", 8: "acolyte"}


def of_type(moves, kind):
    return [move for move in moves if move["type"] == kind]


# C3 A turn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [(0, 1, 2), (3, 4, 5), (0, 3, 6), (2, 5, 8), (0, 4, 8), (2, 4, 6)])
def test_c3_three_exhausted_in_a_row_column_or_diagonal_force_a_rest(line):
    names = ("farmer!", "potter!", "woodcutter!")
    village = dict(zip(line, names, strict=True))
    awake = next(cell for cell in range(9) if cell not in line)
    start = table(seat("a", village | {awake: "builder"}))
    assert choices(start) == [REST]
    assert action_violations(start, activate(awake)) == {("/type", "rest-due")}


def test_c3_a_rest_is_not_possible_otherwise():
    start = table(seat("a", {0: "farmer!", 1: "potter!", 5: "woodcutter!", 8: "acolyte"}))
    assert of_type(choices(start), "rest") == []
    assert action_violations(start, REST) == {("/type", "no-rest-due")}


def test_c3_a_player_who_can_neither_activate_nor_play_passes():
    start = table(seat("a", {0: "farmer!", 5: "potter!"}, buildings={"farm": (0, 1)}))
    assert choices(start) == [PASS]
    assert play(start, PASS).types == ["pass"]
    assert action_violations(table(), PASS) == {("/type", "no-pass")}


def test_c3_a_face_up_villager_may_be_replaced_even_if_cells_are_free():
    start = table(seat("a", hand="potter", tokens={"barley": 2}))
    cells = {move["cell"] for move in choices(start) if move.get("card") == "potter"}
    assert cells == set(range(9))
    played = play(start, play_card("potter", 0), pay(tokens={"barley": 2}))
    assert played.village() == CORNERS | {0: "potter!"}
    assert played.discards() == ["farmer"]


def test_c3_an_exhausted_villager_cannot_be_replaced():
    start = table(seat("a", CORNERS | {0: "farmer!"}, hand="potter", tokens={"barley": 2}))
    assert action_violations(start, play_card("potter", 0)) == {("/cell", "cell-exhausted")}
    assert 0 not in {move["cell"] for move in choices(start) if move.get("card") == "potter"}


def test_c3_a_replaced_common_goes_under_its_pile_where_it_is_known():
    start = table(seat("a", {0: "guide"}, hand="potter", tokens={"barley": 2}))
    played = play(start, play_card("potter", 0), pay(tokens={"barley": 2}))
    assert played.ids(played.state.below.commons) == ["guide"]
    assert played.discards() == []


def test_c3_only_cards_of_hand_and_row_can_be_played():
    start = table(seat("a", hand="potter", tokens={"barley": 9}))
    assert action_violations(start, play_card("monk", 4)) == {("/card", "card-not-there")}
    assert action_violations(start, play_card("prophet", 4)) == {("/card", "card-not-there")}


# C4 Payments --------------------------------------------------------------------------------


def test_c4_no_source_of_a_payment_could_be_left_out():
    """For a cost of 4, 3 + 2 is legal and 3 + 2 + 1 is not."""
    own = with_cards(potter={"cost": 4}, gardener={"icons": {"barley": 3}})
    village = {0: "gardener", 1: "merchant"}
    one = seat("a", village, hand="potter", tokens={"barley": 1}, buildings={})
    start = table(one, catalogue=own)
    played = play(start, play_card("potter", 4), pay(village=[0, 1]))
    assert played.tokens() == {"barley": 1, "bowl": 2}
    more = pay(village=[0, 1], tokens={"barley": 1})
    assert action_violations(start, play_card("potter", 4), more) == {
        ("/payment/tokens/barley", "could-be-left-out"),
        ("/payment/village/1", "could-be-left-out"),
    }


def test_c4_four_kinds_of_sources_pay_together():
    """The played card does not pay for itself."""
    own = with_cards(potter={"cost": 4, "icons": {"barley": 1}})
    one = seat("a", {0: "shepherd"}, hand="potter officer", tokens={"gold": 1})
    start = table(one, catalogue=own)
    payment = pay(tokens={"gold": 1}, buildings={"farm": 1}, hand=["officer"], village=[0])
    assert action_violations(start, play_card("potter", 4), payment) == {
        (f"/payment/{place}", "could-be-left-out")
        for place in ("tokens/gold", "buildings/farm", "hand/0")
    }
    less = pay(tokens={"gold": 1}, hand=["officer"], village=[0])
    played = play(start, play_card("potter", 4), less)
    assert played.discards() == ["officer"]
    assert played.village() == {0: "shepherd!", 4: "potter!"}
    assert played.buildings() == {"farm": (1, 0)}
    with_itself = pay(buildings={"farm": 1}, hand=["potter"], village=[0])
    assert action_violations(start, play_card("potter", 4), with_itself) == {
        ("/payment/hand/0", "not-in-hand")
    }


def test_c4_a_villager_about_to_be_replaced_pays_nothing():
    start = table(seat("a", {0: "shepherd"}, hand="potter", buildings={}))
    cells = {move["cell"] for move in choices(start) if move.get("card") == "potter"}
    assert cells == set(range(1, 9))
    assert action_violations(start, play_card("potter", 0)) == {("/card", "cannot-pay")}


def test_c4_an_acting_villager_pays_nothing():
    """The priest shows a bowl but cannot pay with it while acting."""
    own = with_cards(priest={"actions": [{"pay": {"bowl": 1}, "effects": [{"type": "worship"}]}]})
    start = table(seat("a", {0: "priest", 1: "potter"}), catalogue=own)
    assert choices(start, activate(0)) == [pay(village=[1])]
    itself = action_violations(start, activate(0), pay(village=[0]))
    assert itself == {("/payment/village/0", "busy")}


def test_c4_gold_pays_for_anything_and_does_not_give_way_to_other_tokens():
    """A token may be worth more than gold at scoring or for a challenge."""
    start = table(seat("a", hand="potter", tokens={"barley": 2, "gold": 2}, buildings={}))
    assert choices(start, play_card("potter", 4)) == [
        pay(tokens={"barley": 2}),
        pay(tokens={"barley": 1, "gold": 1}),
        pay(tokens={"gold": 2}),
    ]
    assert play(start, play_card("potter", 4), pay(tokens={"gold": 2})).tokens()["barley"] == 2


def test_c4_payments_that_leave_a_bell_are_listed_although_the_list_is_cut():
    """The first hundreds of payments use the only bell, so no meditation could follow them (C5)."""
    meditation = {"pay": {"any": 8}, "effects": [{"type": "meditate"}]}
    start = table(
        seat("a", CORNERS | {4: "hermit"}, hand="potter mason priest officer",
             tokens={"bell": 1, "bowl": 5, "juniper": 5}, buildings={"farm": 2, "temple": 3}),
        catalogue=with_cards(hermit={"actions": [meditation]}),
    )  # fmt: skip
    response = ask("legal-moves", {"state": start, "so_far": [activate(4)]})
    assert response["truncated"] is True
    payments = [move["payment"] for move in response["moves"]["a"]]
    assert len(payments) > 100
    assert not any("bell" in each.get("tokens", {}) for each in payments)


@pytest.mark.parametrize("decision", ["pay", "redraw", "bid"])
def test_c4_a_list_that_is_cut_is_truncated(decision):
    """Hundreds of choices are listed; the others are legal too."""
    hand = "monk nun abbess potter gardener scholar mason priest officer"
    own = with_cards(
        scribe={"actions": [{"pay": {"any": 6}, "effects": [{"type": "gain", "what": "scroll"}]}]},
        smith={"actions": [{"effects": [{"type": "redraw"}]}]},
        hermit={"actions": [{"effects": [{"type": "meditate"}]}]},
    )
    villagers = {"pay": "scribe", "redraw": "smith", "bid": "hermit"}
    start = table(
        seat("a", {4: villagers[decision], 0: "bell-ringer", 1: "mystic", 2: "bell-founder"},
             hand=hand, tokens=dict.fromkeys(("barley", "bell", "bowl", "juniper", "gold"), 9),
             buildings={"farm": 2, "forge": 3, "temple": 3}),
        catalogue=own,
    )  # fmt: skip
    response = ask("legal-moves", {"state": start, "so_far": [activate(4)]})
    assert response["decision"] == decision
    assert response["truncated"] is True
    assert len(response["moves"]["a"]) > 150
    unlisted = {
        "pay": pay(buildings={"farm": 2, "forge": 3, "temple": 1}),
        "redraw": {"type": "redraw", "cards": hand.split()},
        "bid": bid(tokens={"gold": 9}),
    }[decision]
    assert unlisted not in response["moves"]["a"]
    after = ask("legal-moves", {"state": start, "so_far": [activate(4), unlisted]})
    assert (after["decision"], after.get("player")) != (decision, "a")


def test_c4_a_villager_about_to_be_replaced_bids_and_settles_nothing():
    """The bell ringer leaves before the monk comes, who gains the only bell."""
    start = table(seat("a", {4: "bell-ringer"}, hand="monk", tokens={"barley": 3}, buildings={}))
    actions = (play_card("monk", 4), pay(tokens={"barley": 3}))
    assert choices(start, *actions) == [bid(tokens={"bell": 1})]


def test_c4_a_payment_may_be_sent_with_the_card():
    start = table(seat("a", hand="potter", tokens={"barley": 2}, buildings={}))
    at_once = play(start, play_card("potter", 4, tokens={"barley": 2}))
    assert at_once == play(start, play_card("potter", 4), pay(tokens={"barley": 2}))
    less = play_card("potter", 4, tokens={"barley": 1})
    assert action_violations(start, less) == {("/payment", "too-little")}


def test_c4_missing_sources_cannot_pay():
    start = table(seat("a", CORNERS | {1: "shepherd!"}, hand="potter", tokens={"barley": 2}))
    payment = pay(tokens={"bell": 1}, buildings={"temple": 1}, hand=["monk"], village=[1, 4])
    assert action_violations(start, play_card("potter", 4), payment) == {
        ("/payment/tokens/bell", "not-owned"),
        ("/payment/buildings/temple", "not-owned"),
        ("/payment/hand/0", "not-in-hand"),
        ("/payment/village/0", "not-face-up"),
        ("/payment/village/1", "busy"),
    }


# C5 Actions ---------------------------------------------------------------------------------


def test_c5_actions_run_in_printed_order_and_then_the_villager_is_exhausted():
    played = play(table(seat("a", {0: "forester"})), activate(0), draw("monk"))
    assert played.types == ["activate", "gain", "draw", "exhaust"]
    assert played.village() == {0: "forester!"}


def test_c5_an_impossible_action_is_skipped_and_the_villager_still_exhausted():
    start = table(seat("a", CORNERS, tokens={"barley": 1}))
    assert choices(start, activate(6)) == [SKIP]
    played = play(start, activate(6), SKIP)
    assert played.types == ["activate", "skip", "exhaust"]
    assert played.village()[6] == "builder!"


def test_c5_an_action_that_can_be_paid_must_be_paid():
    start = table(seat("a", CORNERS, tokens={"juniper": 2}))
    assert action_violations(start, activate(6), SKIP) == {("/type", "has-to-pay")}


@pytest.mark.parametrize("hand", ["monk", "unknown"])
def test_c5_nobody_has_to_pay_with_cards_from_the_hand(hand):
    own = {"hand": hand, "buildings": {"farm": (0, 1)}}
    start = effect_for_a_bell({"type": "turn-up"}, **own)
    assert {move["type"] for move in choices(start, activate(4))} == {"pay", "skip"}
    assert play(start, activate(4), SKIP).types == ["activate", "skip", "exhaust"]
    token = effect_for_a_bell({"type": "turn-up"}, **own, tokens={"bell": 1})
    assert action_violations(token, activate(4), SKIP) == {("/type", "has-to-pay")}


@pytest.mark.parametrize("hand", ["monk", "unknown"])
def test_c5_nobody_has_to_bid_with_cards_from_the_hand(hand):
    start = table(seat("a", {0: "abbess"}, hand=hand, buildings={}))
    assert {move["type"] for move in choices(start, activate(0))} == {"bid", "skip"}
    bells = table(seat("a", {0: "abbess"}, hand=hand, tokens={"bell": 1}, buildings={}))
    assert SKIP not in choices(bells, activate(0))
    assert action_violations(bells, activate(0), SKIP) == {("/type", "has-to-bid")}


def test_c5_all_possible_actions_are_carried_out():
    """There is nothing to turn up, but two bowls pay for a worship."""
    start = table(seat("a", tokens={"bowl": 2}))
    assert pending_decision(start, activate(8)) == ("pay", "a")


def test_c5_an_action_without_a_possible_effect_is_not_paid():
    """C5, C21: no farm is left to build."""
    own = seat("a", {0: "ploughwoman"}, tokens={"juniper": 1}, buildings={"farm": 5})
    start = table(own, *(seat(name, {}, buildings={"farm": 8}) for name in "bc"))
    assert "build" not in play(start, activate(0)).types


def test_c5_with_all_slots_full_a_building_is_returned_first():
    start = table(seat("a", tokens={"juniper": 2}, buildings={"farm": (6, 1), "forge": 1}))
    paid = (activate(6), pay(tokens={"juniper": 2}))
    returned = {(m["returned"]["building"], m["returned"]["spent"]) for m in choices(start, *paid)}
    assert returned == {("farm", False), ("farm", True), ("forge", False)}
    temple = {"type": "build", "building": "temple"}
    played = play(start, *paid, temple | {"returned": {"building": "farm", "spent": True}})
    assert played.buildings() == {"farm": (6, 0), "forge": (1, 0), "temple": (1, 0)}
    assert action_violations(start, *paid, temple) == {("", "cannot-build")}


def effect_for_a_bell(effect, **more):
    """Return a state in which the hermit asks a bell of a for an effect."""
    own = with_cards(hermit={"actions": [{"pay": {"bell": 1}, "effects": [effect]}]})
    return table(seat("a", {4: "hermit"}, **more), catalogue=own)


def test_c5_a_meditation_is_not_paid_for_if_no_bell_is_left_to_bid():
    meditate = {"type": "meditate"}
    start = effect_for_a_bell(meditate, tokens={"bell": 1})
    assert choices(start, activate(4)) == [SKIP]
    paid = action_violations(start, activate(4), pay(tokens={"bell": 1}))
    assert paid == {("/payment", "prevents-the-action")}
    assert play(start, activate(4), SKIP).tokens() == {"bell": 1}


def test_c5_a_payment_leaves_what_its_effect_needs():
    """The monk's bell or the token: one pays, the other is bid."""
    start = effect_for_a_bell({"type": "meditate"}, tokens={"bell": 1}, hand="monk")
    assert choices(start, activate(4)) == [pay(tokens={"bell": 1}), pay(hand=["monk"]), SKIP]
    assert choices(start, activate(4), pay(hand=["monk"])) == [bid(tokens={"bell": 1})]


def test_c5_cards_that_an_effect_needs_do_not_pay_for_it():
    """The last hand card cannot pay for a redraw, nor the last forge for a gain per forge."""
    start = effect_for_a_bell({"type": "redraw"}, hand="monk")
    assert choices(start, activate(4)) == [SKIP]
    start = effect_for_a_bell({"type": "redraw"}, hand="monk", tokens={"bell": 1})
    assert SKIP in choices(start, activate(4)), "only the hand makes a redraw possible"
    per_forge = {"type": "per-building", "building": "forge", "what": "gold"}
    start = effect_for_a_bell(per_forge, buildings={"forge": 1})
    assert choices(start, activate(4)) == [SKIP]
    start = effect_for_a_bell(per_forge, buildings={"forge": 2})
    assert choices(start, activate(4)) == [pay(buildings={"forge": 1})]


def test_c5_it_may_be_unknown_whether_a_bell_is_left():
    """C5, C12: the hand of a, seen by another player."""
    start = effect_for_a_bell({"type": "meditate"}, tokens={"bell": 1}, hand="unknown")
    assert {"type": "skip"} in choices(start, activate(4))
    assert pay(tokens={"bell": 1}) in choices(start, activate(4))


def test_c5_taking_a_card_back_may_be_declined():
    start = table(seat("a", {0: "nun"}, discards="monk"))
    assert choices(start, activate(0)) == [{"type": "take-back", "card": "monk"}, DECLINE]
    played = play(start, activate(0), DECLINE)
    assert (played.hand(), played.discards()) == ([], ["monk"])
    assert played.types == ["activate", "decline", "exhaust"]


# C16 Rest -----------------------------------------------------------------------------------


def test_c16_face_up_villagers_and_exhausted_starters_yield_what_they_show():
    """An exhausted potter and face-up starters yield nothing."""
    village = ROW_OF_THREE | {4: "monk", 7: "shepherd"}
    played = play(table(seat("a", village)), REST)
    assert played.tokens() == {"barley": 1 + 1 + 2, "bell": 1}


def test_c16_a_rest_turns_up_all_villagers_and_no_building():
    start = table(seat("a", ROW_OF_THREE | {3: "monk!"}, buildings={"farm": (0, 1)}))
    played = play(start, REST)
    assert not any(name.endswith("!") for name in played.village().values())
    assert played.buildings() == {"farm": (0, 1)}


def test_c16_juniper_is_taken_last_and_a_counted_icon_may_still_pay():
    """The mason's juniper is the last one; he pays the forest card and turns up with the others."""
    village = ROW_OF_THREE | {7: "mason", 5: "monk"}
    start = table(seat("a", village), juniper=1)
    forest = (REST, draw("hollow-tree"))
    assert pending_decision(start, *forest) == ("penalty", "a")
    pays = give("any", cell=7)
    assert pays in choices(start, *forest)
    played = play(start, *forest, pays, suffer("card"), suffer("barley", player="b"))
    assert played.village() == {cell: name.rstrip("!") for cell, name in village.items()}
    assert played.tokens() == {"barley": 2, "bell": 1, "juniper": 1}
    assert played.types.index("forest") > played.types.index("gain")
    assert played.state.juniper == 6


# C17 Scholar --------------------------------------------------------------------------------


def test_c17_the_scholar_copies_a_face_up_villager_of_another_player():
    start = table(seat("a", {4: "scholar"}), seat("b", {0: "potter", 1: "nun!", 2: "scholar"}))
    assert choices(start, activate(4)) == [{"type": "copy", "owner": "b", "cell": 0}]
    played = play(start, activate(4), {"type": "copy", "owner": "b", "cell": 0})
    assert played.tokens() == {"bowl": 2}
    assert (played.village(), played.village("b")[0]) == ({4: "scholar!"}, "potter")


def test_c17_copy_recruit_and_villagers_without_actions_cannot_be_copied():
    start = table(seat("a", {4: "scholar"}), seat("b", {0: "scholar", 1: "recruiter", 2: "poet"}))
    assert play(start, activate(4)).types == ["activate", "skip", "exhaust"]


def test_c17_a_copied_action_uses_the_own_face_up_farms_and_spends_none():
    stocks = {"farm": (2, 1), "forge": 1}
    other = seat("b", {0: "gardener"}, buildings={"farm": 5})
    start = table(seat("a", {4: "scholar"}, buildings=stocks), other)
    played = play(start, activate(4), {"type": "copy", "owner": "b", "cell": 0})
    assert played.tokens() == {"barley": 4}
    assert played.buildings() == {"farm": (2, 1), "forge": (1, 0)}


def test_c17_an_exhausted_or_missing_villager_cannot_be_copied():
    start = table(seat("a", {4: "scholar"}), seat("b", {0: "potter", 1: "nun!"}))
    for cell in (1, 8):
        action = {"type": "copy", "owner": "b", "cell": cell}
        assert action_violations(start, activate(4), action) == {("", "nothing-to-copy")}


def test_c13_the_solo_scholar_copies_the_row_and_the_common_goes_under_the_pile():
    start = table(seat("a", {4: "scholar"}), solo=True)
    cards = [move["card"] for move in choices(start, activate(4))]
    assert cards == ["shepherd", "guide", "storyteller", "miller"]
    played = play(start, activate(4), {"type": "copy", "card": "miller"}, draw("prospector"))
    assert played.tokens() == {"barley": 4}
    assert played.ids(played.state.below.commons) == ["miller"]
    row = ["shepherd", "guide", "poet", "storyteller", "prospector"]
    assert played.ids(played.state.row) == row


# C18 Recruiter ------------------------------------------------------------------------------


def test_c18_the_recruiter_leaves_before_a_new_villager_acts_at_no_cost():
    """The new villager comes from hand or row, takes the same cell, and is then exhausted."""
    start = table(seat("a", {4: "recruiter"}, hand="potter", buildings={}))
    cards = [move["card"] for move in choices(start, activate(4))]
    assert cards == ["potter", "shepherd", "guide", "poet", "storyteller", "miller"]
    played = play(start, activate(4), {"type": "recruit", "card": "potter"})
    assert (played.village(), played.tokens()) == ({4: "potter!"}, {"bowl": 2})
    assert played.ids(played.state.below.commons) == ["recruiter"]
    assert played.hand() == []


def test_c18_a_recruiter_who_enters_is_exhausted_without_acting():
    row = ["recruiter", "guide", "poet", "storyteller", "miller"]
    start = table(seat("a", {}, tokens={"barley": 2}), row=row)
    played = play(start, play_card("recruiter", 4), pay(tokens={"barley": 2}), draw("prospector"))
    assert played.village() == {4: "recruiter!"}
    assert "recruit" not in played.types


def test_c18_the_row_is_filled_at_the_end_of_the_turn():
    start, gain = table(seat("a", {}, tokens={"barley": 1})), {"type": "gain", "resource": "bell"}
    played = play(
        start, play_card("guide", 4), pay(tokens={"barley": 1}), gain, gain, draw("smith")
    )
    assert played.types[-1] == "row"
    assert played.ids(played.state.row) == ["shepherd", "poet", "storyteller", "miller", "smith"]


def test_c18_an_empty_pile_leaves_the_row_short():
    own = with_cards()
    own["commons"] = [card for card in own["commons"] if card["id"] in ("guide", "poet")]
    start = table(seat("a", {}, tokens={"barley": 1}), row=["guide", "poet"], catalogue=own)
    gain = {"type": "gain", "resource": "bell"}
    played = play(start, play_card("guide", 4), pay(tokens={"barley": 1}), gain, gain, seed=None)
    assert played.ids(played.state.row) == ["poet"]


# C19 Officer and draws ----------------------------------------------------------------------


def test_c19_the_officer_discards_first_and_draws_the_same_number():
    start = table(seat("a", {4: "officer"}, hand="monk nun"))
    options = [move["cards"] for move in choices(start, activate(4))]
    assert options == [[], ["monk"], ["nun"], ["nun", "monk"]]
    action = {"type": "redraw", "cards": ["monk", "nun"]}
    played = play(start, activate(4), action, draw("potter"), draw("abbess"))
    assert played.types == ["activate", "discard", "discard", "draw", "draw", "exhaust"]
    assert (played.hand(), played.discards()) == (["abbess", "potter"], ["nun", "monk"])
    assert play(start, activate(4), action | {"cards": []}).hand() == ["nun", "monk"]
    wrong = action_violations(start, activate(4), action | {"cards": ["mason"]})
    assert wrong == {("/cards", "not-in-hand")}


def test_c19_an_empty_pile_is_reshuffled_with_the_cards_just_discarded():
    """One card is left for a draw of two; the second one comes from the discards."""
    discards = "abbess priest potter gardener mason"
    start = table(seat("a", CORNERS | {4: "officer"}, hand="monk nun", discards=discards))
    actions = (activate(4), {"type": "redraw", "cards": ["monk", "nun"]})
    assert outcomes(start, *actions) == {"scholar": 1}
    shares = outcomes(start, *actions, draw("scholar"))
    assert shares == dict.fromkeys(("nun", "monk", *discards.split()), Fraction(1, 7))
    played = play(start, *actions, draw("scholar"), draw("nun"))
    assert (played.hand(), played.discards()) == (["nun", "scholar"], [])


@pytest.mark.parametrize(("hand", "left"), [("monk nun", []), ("monk", ["nun"])])
def test_c19_drawing_stops_when_nothing_is_left(hand, left):
    """The other cards are in hand or village; the storyteller draws two."""
    village = CORNERS | {4: "officer", 5: "storyteller"}
    start = table(
        seat("a", village, hand=f"{hand} abbess priest potter gardener mason scholar"),
        row=["shepherd", "guide", "poet", "miller", "smith"],
    )
    played = play(start, activate(5), *map(draw, left))
    assert played.types == ["activate", "draw" if left else "skip", "exhaust"]


# C20 Set-up ---------------------------------------------------------------------------------


def test_c20_start_barley_is_3_to_6_in_turn_order():
    assert [each.tokens[0] for each in set_up("abcd", 1).seats] == [3, 4, 5, 6]


def place_first(card):
    return {"type": "found", "card": card}


AT_SET_UP = table(
    seat("a", hand="scholar gardener nun", tokens={"barley": 2}),
    seat("b", hand="monk potter nun", tokens={"barley": 4}),
    phase="set-up",
)


def test_c20_barley_tokens_pay_first_and_each_missing_one_costs_an_omen():
    played = play(AT_SET_UP, place_first("scholar"))
    assert (played.tokens(), played.seat("a").omen) == ({}, -1)
    assert played.village()[4] == "scholar", "face up, without acting"
    assert played.hand() == ["nun", "gardener"]
    assert played.buildings() == {"farm": (1, 0)}, "only barley tokens pay"


def test_c20_each_player_places_a_villager_and_then_the_first_turn_begins():
    assert {move["card"] for move in choices(AT_SET_UP)} == {"scholar", "gardener", "nun"}
    after_a = ask("resolve", {"state": AT_SET_UP, "moves": [place_first("gardener")]})["state"]
    assert (after_a["turn"], after_a["phase"]) == ("b", "set-up")
    after_b = ask("resolve", {"state": after_a, "moves": [place_first("monk")]})["state"]
    assert (after_b["turn"], after_b["phase"]) == ("a", "turns")
    assert action_violations(AT_SET_UP, place_first("monk")) == {("/card", "card-not-there")}


# C21 Limits ---------------------------------------------------------------------------------


def test_c21_a_kind_of_building_that_is_used_up_cannot_be_built():
    """All 21 farms are in the villages."""
    own = seat("a", tokens={"juniper": 2}, buildings={"farm": 5})
    start = table(own, *(seat(name, buildings={"farm": 8}) for name in "bc"))
    built = choices(start, activate(6), pay(tokens={"juniper": 2}))
    assert [move["building"] for move in built] == ["forge", "temple"]


def test_c21_less_omen_moves_the_marker_despite_tokens_and_never_beyond_5():
    start = table(seat("a", {0: "herbalist"}, omen=-5, omen_tokens=2))
    played = play(start, activate(0))
    assert (played.seat("a").omen, played.seat("a").omen_tokens) == (-3, 2)
    start = table(seat("a", {0: "herbalist"}, omen=4))
    assert play(start, activate(0)).seat("a").omen == 5


def test_c21_a_new_building_is_face_up():
    start = table(seat("a", tokens={"juniper": 2}, buildings={"farm": (0, 1)}))
    farm = {"type": "build", "building": "farm"}
    played = play(start, activate(6), pay(tokens={"juniper": 2}), farm)
    assert played.buildings() == {"farm": (1, 1)}


# The merchant and the nun -------------------------------------------------------------------


def test_the_merchant_may_trade_one_set_for_another():
    start = table(seat("a", {0: "merchant"}, tokens={"barley": 5}, scrolls=1))
    pairs = (
        ("barley", "juniper"),
        ("barley", "scroll"),
        ("scroll", "barley"),
        ("scroll", "juniper"),
    )
    trades = [{"type": "trade", "give": given, "get": gained} for given, gained in pairs]
    assert choices(start, activate(0)) == [*trades, DECLINE]
    for trade, supply, rule in ((trades[1], 19, "C9"), (trades[0], 20, "C5")):
        played = play(start, activate(0), trade, pay(tokens={"barley": 5}))
        assert (played.state.supply, played.of("trade")[0].rule) == (supply, rule)
    assert play(start, activate(0), DECLINE).types == ["activate", "decline", "exhaust"]
    juniper = {"type": "trade", "give": "juniper", "get": "scroll"}
    assert action_violations(start, activate(0), juniper) == {("", "cannot-trade")}


def test_the_nun_takes_a_card_from_the_own_discards():
    start = table(seat("a", {0: "nun"}, discards="monk potter"))
    assert [m.get("card") for m in choices(start, activate(0))] == ["monk", "potter", None]
    played = play(start, activate(0), {"type": "take-back", "card": "potter"})
    assert (played.hand(), played.discards()) == (["potter"], ["monk"])
    assert played.types == ["activate", "take-back", "exhaust"], "nothing else"
    wrong = {"type": "take-back", "card": "nun"}
    assert action_violations(start, activate(0), wrong) == {("/card", "not-in-discards")}
    without = play(table(seat("a", {0: "nun"})), activate(0))
    assert (without.types, without.village()) == (["activate", "skip", "exhaust"], {0: "nun!"})


def test_a_gain_of_any_kind_is_chosen_one_by_one():
    """C2: gold is not one of the kinds."""
    row = ["shepherd", "smith", "poet", "storyteller", "miller"]
    start = table(seat("a", {0: "guide"}), row=row)
    kinds = [{"type": "gain", "resource": kind} for kind in ("barley", "bell", "bowl", "juniper")]
    assert choices(start, activate(0)) == choices(start, activate(0), kinds[1]) == kinds
    assert play(start, activate(0), *kinds[1:3]).tokens() == {"bell": 1, "bowl": 1}
