"""Questions, answers and examples of the rule sheet."""

import pytest

from service.games.snowcrest.catalogue.cards import (
    CardAction,
    Copy,
    Gain,
    GainKind,
    PenaltyItem,
    PerBuilding,
    Recruit,
    Redraw,
    TakeBack,
)
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.rules.payments.resources import Building
from tests.games.snowcrest.positions import (
    CORNERS,
    REST,
    RETURN_BID,
    action_violations,
    activate,
    bid,
    choices,
    draw,
    give,
    pay,
    play,
    play_card,
    seat,
    settle,
    suffer,
    table,
    with_cards,
)

EXHAUSTED_ROW = {0: "farmer!", 1: "potter!", 2: "woodcutter!"}


def penalty_table(own, mover):
    """Player a activates the prophet; the only guardian has a penalty for a and none for b."""
    cards = with_cards(prophet={"actions": [{"effects": [{"type": "worship"}]}]})
    cards["guardians"] = [{"id": "g", "own": own, "others": {}, "reward": {"scroll": 1}}]
    return table(
        mover, catalogue=cards, row=["shepherd", "guide", "smith", "storyteller", "miller"]
    )


REVEAL = (activate(0), draw("g"))


def test_neither_the_first_farm_nor_hand_cards_pay_at_the_set_up():
    seats = (seat("a", hand="scholar gardener"), seat("b", hand="scholar gardener"))
    start = table(*seats, phase="set-up")
    played = play(start, {"type": "found", "card": "scholar"})
    assert played.seat("a").omen == -3
    assert (played.buildings(), played.hand()) == ({"farm": (1, 0)}, ["gardener"])


def test_a_rest_needs_three_exhausted_villagers_in_a_row():
    start = table(seat("a", {0: "farmer!", 1: "potter!", 2: "woodcutter"}))
    assert action_violations(start, REST) == {("/type", "no-rest-due")}


def test_a_rest_turns_up_all_exhausted_villagers_not_only_those_of_the_row():
    played = play(table(seat("a", EXHAUSTED_ROW | {8: "acolyte!"})), REST)
    assert played.village() == {0: "farmer", 1: "potter", 2: "woodcutter", 8: "acolyte"}


def test_exhausted_starters_pay_nothing():
    start = table(seat("a", {0: "farmer!"}, hand="potter", buildings={}, tokens={"barley": 1}))
    assert action_violations(start, play_card("potter", 4)) == {("/card", "cannot-pay")}


def test_buildings_and_cards_pay_for_penalties_even_with_a_surplus():
    start = penalty_table({"barley": 1, "bell": 1}, seat("a", {0: "prophet"}, hand="gardener monk"))
    played = play(start, *REVEAL, give("barley", card="gardener"), give("bell", card="monk"))
    assert (played.seat("a").omen, played.tokens()) == (0, {}), "two barley for one item"
    played = play(start, *REVEAL, give("barley", building="farm"), suffer("bell"))
    assert played.buildings() == {"farm": (0, 1)}


def test_a_card_does_not_pay_a_resource_item_and_a_card_item_at_once():
    start = penalty_table(
        {"bell": 1, "card": 1}, seat("a", {0: "prophet"}, hand="monk", buildings={})
    )
    assert choices(start, *REVEAL, give("bell", card="monk")) == [suffer("card")]


def test_a_card_discarded_for_a_penalty_yields_no_resources():
    start = penalty_table({"card": 1}, seat("a", {0: "prophet"}, hand="monk"))
    assert play(start, *REVEAL, give("card", card="monk")).tokens() == {}


def test_a_player_may_take_omen_instead_of_giving_a_building():
    start = penalty_table({"building": 1}, seat("a", {0: "prophet"}))
    played = play(start, *REVEAL, suffer("building"))
    assert (played.buildings(), played.seat("a").omen) == ({"farm": (1, 0)}, -1)


def test_each_item_that_cannot_be_given_costs_one_omen():
    start = penalty_table({"juniper": 2, "card": 1}, seat("a", {0: "prophet"}))
    actions = (suffer("juniper"), suffer("juniper"), suffer("card"))
    assert play(start, *REVEAL, *actions).seat("a").omen == -3


def test_the_nun_with_no_discards_is_only_exhausted():
    cards = with_cards(nun={"actions": [{"effects": [{"type": "take-back"}]}]})
    played = play(table(seat("a", {0: "nun"}), catalogue=cards), activate(0))
    assert (played.types, played.village()) == (["activate", "skip", "exhaust"], {0: "nun!"})


@pytest.mark.parametrize(
    ("give_", "get", "before", "after"),
    [
        ("barley", "juniper", {"barley": 5}, ({"juniper": 3}, 1)),
        ("barley", "scroll", {"barley": 5}, ({}, 2)),
        ("juniper", "scroll", {"juniper": 3}, ({}, 2)),
        ("juniper", "barley", {"juniper": 3}, ({"barley": 5}, 1)),
        ("scroll", "juniper", {}, ({"juniper": 3}, 0)),
        ("scroll", "barley", {}, ({"barley": 5}, 0)),
    ],
)
def test_the_merchant_makes_one_trade_of_six(give_, get, before, after):
    start = table(seat("a", {0: "merchant"}, tokens=before, scrolls=1))
    paid = () if give_ == "scroll" else (pay(tokens=before),)
    played = play(start, activate(0), {"type": "trade", "give": give_, "get": get}, *paid)
    assert (played.tokens(), played.seat("a").scrolls) == after


def test_the_merchants_juniper_comes_from_the_forest_and_may_reveal_a_forest_card():
    start = table(seat("a", {0: "merchant"}, scrolls=1), juniper=2)
    actions = (activate(0), {"type": "trade", "give": "scroll", "get": "juniper"})
    played = play(start, *actions, draw("thorn-child"), *map(suffer, ("bowl", "card", "bowl")))
    assert (played.tokens(), played.state.juniper) == ({"juniper": 3}, 5)


def test_the_poet_does_nothing_when_played_and_settles_later():
    start = table(seat("a", {}, tokens={"barley": 2}))
    played = play(start, play_card("poet", 4), pay(tokens={"barley": 2}), draw("smith"))
    assert played.types == ["play", "pay", "exhaust", "row"]
    later = penalty_table({"card": 1}, seat("a", {0: "prophet", 4: "poet"}))
    assert play(later, *REVEAL, settle("card", 4)).seat("a").omen == 0


@pytest.mark.parametrize("card", ["abbess", "high-abbot"])
def test_the_abbess_and_the_high_abbot_settle_and_pay_with_their_bell(card):
    start = penalty_table({"any": 1, "card": 1}, seat("a", {0: "prophet", 4: card}))
    assert play(start, *REVEAL, settle("any", 4, settles="card")).seat("a").omen == 0


def test_the_officer_draws_as_many_as_he_discards_and_shuffles_for_it():
    rest = "nun monk abbess priest potter gardener scholar"
    start = table(seat("a", CORNERS | {4: "officer"}, hand="mason", discards=rest))
    action = {"type": "redraw", "cards": ["mason"]}
    played = play(start, activate(4), action, draw("nun"))
    assert "shuffle" in played.types
    assert played.hand() == ["nun"], "one card for one, and no more"


def test_the_recruiter_acts_in_a_later_turn_and_needs_no_barley():
    start = table(seat("a", {4: "recruiter"}, hand="scholar", buildings={}))
    played = play(start, activate(4), {"type": "recruit", "card": "scholar"},
                  {"type": "copy", "owner": "b", "cell": 2})  # fmt: skip
    assert played.village() == {4: "scholar!"}
    assert played.tokens() == {"juniper": 2}


def test_the_gardener_gains_two_barley_per_face_up_farm_and_spends_none():
    start = table(seat("a", {0: "gardener"}, buildings={"farm": (2, 1), "forge": 1}))
    played = play(start, activate(0))
    assert played.tokens() == {"barley": 4}
    assert played.buildings() == {"farm": (2, 1), "forge": (1, 0)}


def test_only_the_scholar_is_exhausted():
    start = table(seat("a", {4: "scholar"}), seat("b", {0: "potter"}))
    played = play(start, activate(4), {"type": "copy", "owner": "b", "cell": 0})
    assert (played.village(), played.village("b")) == ({4: "scholar!"}, {0: "potter"})


# Examples of the rule sheet -------------------------------------------------------------------


def test_example_1_three_barley_and_a_farm_pay_for_a_card_of_four():
    start = table(seat("a", {}, tokens={"barley": 3}, buildings={"farm": 2}),
                 row=["strong-woodcutter", "guide", "poet", "smith", "miller"])  # fmt: skip
    payment = pay(tokens={"barley": 3}, buildings={"farm": 1})
    played = play(start, play_card("strong-woodcutter", 4), payment, draw("baker"))
    assert (played.tokens(), played.buildings()) == ({"juniper": 3}, {"farm": (1, 1)})


def test_example_2_a_forge_and_a_card_of_two_bells_outbid_two_bells():
    cards = with_cards(monk={"icons": {"bell": 2}})
    start = table(
        seat("a", {0: "abbess"}, tokens={"bell": 2}),
        seat("b", hand="monk", buildings={"forge": 1}),
        catalogue=cards,
    )
    bids = (bid(tokens={"bell": 2}), bid(hand=["monk"], buildings={"forge": 1}))
    actions = (activate(0), *bids, RETURN_BID)
    played = play(start, *actions)
    assert (played.seat("b").scrolls, played.tokens("b")) == (2, {}), "three bells, no tokens"
    assert played.buildings("b") == {"forge": (0, 1)}
    assert played.discards("b") == ["monk"]


# Cards named in the rule sheet ----------------------------------------------------------------


def villager(name):
    return DEFAULT_CATALOGUE.villagers[DEFAULT_CATALOGUE.card_by_id[name]]


def test_the_default_catalogue_has_every_card_named_in_the_rule_sheet():
    names = {
        "merchant", "poet", "abbess", "high-abbot", "officer", "recruiter", "gardener", "scholar",
        "nun", "mystic", "enlightened-mystic", "strong-woodcutter",
    }  # fmt: skip
    assert names <= set(DEFAULT_CATALOGUE.ids)
    assert villager("strong-woodcutter").cost == 4
    assert [villager(name).settles for name in ("poet", "abbess", "high-abbot")] == [True] * 3
    assert villager("poet").actions == ()
    assert villager("gardener").actions == (
        CardAction((PerBuilding(Building.FARM, Gain(GainKind.BARLEY, 2)),)),
    )
    assert villager("scholar").actions == (CardAction((Copy(),)),)
    assert villager("recruiter").actions == (CardAction((Recruit(),)),)
    assert not villager("mystic").in_solo
    assert not villager("enlightened-mystic").in_solo


def test_the_officer_and_the_nun_do_what_the_sheet_says_and_nothing_else():
    """Ruling C1."""
    assert villager("officer").actions == (CardAction((Redraw(),)),)
    assert villager("nun").actions == (CardAction((TakeBack(),)),)


def test_forest_cards_follow_the_pattern_of_the_sheet():
    """C1: cards and resources of the player, one resource of the others, a scroll as reward."""
    for card in DEFAULT_CATALOGUE.forest:
        kinds = {item.is_resource or item is PenaltyItem.CARD for item in card.own.items}
        assert kinds == {True}, card.id
        assert any(item.is_resource for item in card.own.items), card.id
        assert PenaltyItem.CARD in card.own.items, card.id
        [other] = card.others.items
        assert other.is_resource, card.id
        assert (card.own.omen, card.others.omen) == (0, 0), card.id
        assert card.reward == (Gain(GainKind.SCROLL, 1),), card.id


def test_the_default_catalogue_has_the_example_forest_card_and_guardian():
    forest = next(each for each in DEFAULT_CATALOGUE.forest if each.id == "juniper-mother")
    assert [item.label for item in forest.own.items] == ["barley", "card"]
    assert [item.label for item in forest.others.items] == ["any"]
    assert forest.reward == (Gain(GainKind.SCROLL, 1),)
    guardian = next(each for each in DEFAULT_CATALOGUE.guardians if each.id == "mountain-king")
    assert [item.label for item in guardian.own.items] == ["any", "any", "building", "building"]
    assert [item.label for item in guardian.others.items] == ["card", "villager"]
    assert guardian.reward == (Gain(GainKind.SCROLL, 2), Gain(GainKind.CARD, 3))
