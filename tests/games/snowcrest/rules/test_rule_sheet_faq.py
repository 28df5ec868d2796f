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
    RETURN_BID,
    activate,
    bid,
    draw,
    pay,
    play,
    play_card,
    seat,
    suffer,
    table,
    with_cards,
)


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


def test_the_poet_does_nothing_when_played():
    start = table(seat("a", {}, tokens={"barley": 2}))
    played = play(start, play_card("poet", 4), pay(tokens={"barley": 2}), draw("smith"))
    assert played.types == ["play", "pay", "exhaust", "row"]


# Examples of the rule sheet -------------------------------------------------------------------


def test_example_1_three_barley_and_a_farm_pay_for_a_card_of_four():
    start = table(seat("a", {}, tokens={"barley": 3}, buildings={"farm": 2}),
                 row=["strong-woodcutter", "guide", "poet", "smith", "miller"])  # fmt: skip
    payment = pay(tokens={"barley": 3}, buildings={"farm": 1})
    played = play(start, play_card("strong-woodcutter", 4), payment, draw("baker"))
    assert (played.tokens(), played.buildings()) == ({"juniper": 3}, {"farm": (1, 1)})


def test_example_2_a_forge_and_a_card_of_two_bells_outbid_two_bells():
    seats = (
        seat("a", {0: "abbess"}, tokens={"bell": 2}),
        seat("b", hand="monk", buildings={"forge": 1}),
    )
    start = table(*seats, catalogue=with_cards(monk={"icons": {"bell": 2}}))
    bids = (bid(tokens={"bell": 2}), bid(hand=["monk"], buildings={"forge": 1}))
    played = play(start, activate(0), *bids, RETURN_BID)
    assert (played.seat("b").scrolls, played.tokens("b")) == (2, {}), "three bells, no tokens"
    assert (played.buildings("b"), played.discards("b")) == ({"forge": (0, 1)}, ["monk"])


# Cards named in the rule sheet ----------------------------------------------------------------


def villager(name):
    return DEFAULT_CATALOGUE.villagers[DEFAULT_CATALOGUE.card_by_id[name]]


def test_c1_the_default_catalogue_has_every_card_named_in_the_rule_sheet():
    """The officer and the nun do what the sheet says and nothing else."""
    effects = {
        "officer": Redraw(), "recruiter": Recruit(), "scholar": Copy(), "nun": TakeBack(),
        "gardener": PerBuilding(Building.FARM, Gain(GainKind.BARLEY, 2)),
    }  # fmt: skip
    for name, effect in effects.items():
        assert villager(name).actions == (CardAction((effect,)),), name
    others = "merchant poet abbess high-abbot mystic enlightened-mystic strong-woodcutter"
    assert set(others.split()) <= set(DEFAULT_CATALOGUE.ids)
    assert villager("poet").actions == ()
    assert villager("strong-woodcutter").cost == 4
    assert [villager(name).settles for name in ("poet", "abbess", "high-abbot")] == [True] * 3
    assert not villager("mystic").in_solo
    assert not villager("enlightened-mystic").in_solo


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
