"""Ruling C2: every symbol of the sheet's list has a word, also those that no default card shows."""

import pytest

from service.core.languages import LANGUAGES
from service.games.snowcrest.catalogue.schema import (
    BUILDINGS,
    EFFECTS,
    GAIN_LABELS,
    ICONS,
    ITEMS,
    PAID,
    RESOURCES,
    REWARDS,
    CatalogueSchema,
    VillagerSchema,
)
from service.texts.catalogue import text
from tests.games.snowcrest.positions import (
    REST,
    SKIP,
    action_violations,
    activate,
    ask,
    choices,
    draw,
    give,
    pay,
    pending_decision,
    play,
    play_card,
    seat,
    settle,
    suffer,
    table,
    with_cards,
)

ROW_OF_THREE = {0: "farmer!", 1: "potter!", 2: "woodcutter!"}
RECRUIT = [{"effects": [{"type": "recruit"}]}]


PLACES = {
    "gain": GAIN_LABELS,
    "reward": REWARDS,
    "penalty": ITEMS,
    "cost": PAID,
    "icon": ICONS,
    "effect": tuple(EFFECTS),
    "villager": tuple(VillagerSchema().fields),
    "section": tuple(CatalogueSchema().fields),
}
"""Words of a catalogue by where they stand."""
EVERYWHERE = ("gain", "reward", "penalty", "cost", "icon")
SYMBOLS = {
    **{resource: dict.fromkeys(EVERYWHERE, resource) for resource in RESOURCES},
    "any resource": dict.fromkeys(EVERYWHERE, "any"),
    "take omen": dict.fromkeys(("gain", "reward", "penalty"), "omen"),
    "less omen": dict.fromkeys(("gain", "reward", "icon"), "less-omen"),
    "settle": {"villager": "settles"},
    "scroll": dict.fromkeys(("gain", "reward"), "scroll"),
    "draw a card": dict.fromkeys(("gain", "reward"), "card"),
    "discard a hand card": {"effect": "discard", "cost": "card", "penalty": "card"},
    "face-up villager": {"effect": "wake", "penalty": "villager"},
    "exhausted villager": {"effect": "exhaust", "penalty": "exhausted"},
    "starter": {"section": "starters"},
    **{kind: dict.fromkeys(("reward", "penalty", "cost"), kind) for kind in BUILDINGS},
    "any building": dict.fromkeys(("reward", "penalty", "cost"), "building"),
    "build": {"effect": "build"},
    "turn buildings up": {"effect": "turn-up"},
    "meditate": {"effect": "meditate"},
    "worship": {"effect": "worship"},
}
"""The symbols of the sheet's list, and their words by place."""


def test_c2_every_symbol_of_the_sheet_has_a_word():
    for symbol, words in SYMBOLS.items():
        assert all(word in PLACES[place] for place, word in words.items()), symbol


def demanding(own, *seats, reward=None, **cards):
    """Return a state in which player a worships with the prophet in cell 4."""
    catalogue = with_cards(**cards)
    catalogue["guardians"] = [{"id": "g", "own": own, "others": {}, "reward": reward or {}}]
    return table(*seats, catalogue=catalogue)


WORSHIP = (activate(4), draw("g"))


def build(building, **returned):
    return {"type": "build", "building": building, **returned}


# Starters with icons on their front (C16) ---------------------------------------------------


def test_c16_a_starter_yields_its_front_face_up_and_its_back_exhausted():
    both = with_cards(farmer={"icons": {"bell": 2}}, acolyte={"icons": {"bowl": 1}})
    start = table(seat("a", ROW_OF_THREE | {8: "acolyte"}), catalogue=both)
    assert play(start, REST).tokens() == {"barley": 2, "bowl": 1}, "back of 0 and 2, front of 8"


def test_c16_a_starter_pays_with_its_front_and_not_with_its_back():
    village = {0: "farmer", 2: "woodcutter", 8: "acolyte!"}
    one = seat("a", village, hand="potter", buildings={}, tokens={"barley": 1})
    start = table(one, catalogue=with_cards(farmer={"icons": {"barley": 1}}))
    assert choices(start, play_card("potter", 4)) == [pay(tokens={"barley": 1}, village=[0])]


def test_c15_a_starter_may_settle():
    village = {0: "farmer", 4: "prophet"}
    start = demanding({"card": 1}, seat("a", village), farmer={"settles": True})
    assert choices(start, *WORSHIP) == [settle("card", 0), suffer("card")]


# A recruiter in an own deck (C18) -----------------------------------------------------------


def test_c18_a_recruiter_of_the_own_deck_goes_to_the_discards():
    cards = with_cards(potter={"actions": RECRUIT})
    start = table(seat("a", {4: "potter"}, hand="gardener"), catalogue=cards)
    played = play(start, activate(4), {"type": "recruit", "card": "gardener"})
    assert played.village() == {4: "gardener!"}
    assert played.discards() == ["potter"]
    assert played.state.below.commons == ()


FREE_RECRUITER = with_cards(potter={"actions": RECRUIT, "cost": 0})


def test_c18_a_recruiter_of_the_own_deck_is_exhausted_without_acting_when_she_enters():
    start = table(seat("a", {0: "farmer"}, hand="potter"), catalogue=FREE_RECRUITER)
    assert play(start, play_card("potter", 4)).village() == {0: "farmer", 4: "potter!"}


def test_c20_a_recruiter_in_the_centre_is_face_up_after_the_set_up():
    seats = (seat("a", hand="potter monk nun"), seat("b", hand="monk nun priest"))
    start = table(*seats, catalogue=FREE_RECRUITER, phase="set-up")
    assert play(start, {"type": "found", "card": "potter"}).village()[4] == "potter"


# Buildings as rewards (C2) ------------------------------------------------------------------


def test_c2_a_reward_of_buildings_is_built_from_the_board():
    start = demanding({}, seat("a", {4: "prophet"}), reward={"farm": 2, "temple": 1})
    played = play(start, *WORSHIP)
    assert played.buildings() == {"farm": (3, 0), "temple": (1, 0)}
    assert [event.building for event in played.of("build")] == [0, 0, 2]


def test_c2_for_a_building_of_any_kind_the_player_chooses_one():
    start = demanding({}, seat("a", {4: "prophet"}), reward={"building": 1, "gold": 1})
    assert choices(start, *WORSHIP) == [build(kind) for kind in ("farm", "forge", "temple")]
    played = play(start, *WORSHIP, build("forge"))
    assert (played.buildings(), played.tokens()) == ({"farm": (1, 0), "forge": (1, 0)}, {"gold": 1})
    assert played.ids(played.state.below.guardians) == ["g"], "after the reward"


def test_c21_a_full_row_returns_a_building_first_and_an_empty_board_gives_none():
    eight = seat("a", {4: "prophet"}, buildings={"farm": 4, "forge": (3, 1)})
    start = demanding({}, eight, reward={"temple": 1})
    assert choices(start, *WORSHIP) == [
        build("temple", returned={"building": kind, "spent": spent})
        for kind, spent in (("farm", False), ("forge", False), ("forge", True))
    ]
    others = (seat(name, {}, buildings={"temple": 8}) for name in "bc")
    none_left = demanding({}, seat("a", {4: "prophet"}), *others, reward={"temple": 1})
    assert [event.action for event in play(none_left, *WORSHIP).of("skip")] == ["build"]


# An exhausted villager as a penalty item (C7) -----------------------------------------------


def test_c7_an_exhausted_villager_is_given_from_the_village():
    """A common goes under its pile, an own card to the discards."""
    village = {0: "guide!", 1: "potter!", 2: "nun", 4: "prophet"}
    start = demanding({"exhausted": 2}, seat("a", village))
    given = [give("exhausted", cell=0), give("exhausted", cell=1)]
    assert choices(start, *WORSHIP) == [*given, suffer("exhausted")]
    played = play(start, *WORSHIP, *given)
    assert played.village() == {2: "nun", 4: "prophet!"}
    assert (played.discards(), played.seat("a").omen) == (["potter"], 1), "the prophet reduces it"
    assert played.ids(played.state.below.commons) == ["guide"]


def test_c7_a_villager_exhausted_for_one_item_is_not_given_for_another():
    """One villager paid a resource, and another one settled a card."""
    village = {0: "potter", 1: "poet", 4: "prophet"}
    start = demanding({"any": 1, "card": 1, "exhausted": 1}, seat("a", village))
    paid = (*WORSHIP, give("any", cell=0), settle("card", 1))
    assert choices(start, *paid) == [suffer("exhausted")]
    before = demanding({"any": 1, "exhausted": 1}, seat("a", village | {2: "nun!"}))
    left = [give("exhausted", cell=2), settle("exhausted", 1), suffer("exhausted")]
    assert choices(before, *WORSHIP, give("any", cell=0)) == left


# Turning a villager up, and exhausting one (C2) ---------------------------------------------


def with_effect(kind, **more):
    """Return the default catalogue in which the potter has one effect."""
    return with_cards(potter={"actions": [{"effects": [{"type": kind}], **more}]})


def test_c2_one_exhausted_villager_is_turned_up_and_does_not_act():
    village = {0: "nun!", 1: "farmer!", 2: "monk", 4: "potter"}
    start = table(seat("a", village), catalogue=with_effect("wake"))
    assert choices(start, activate(4)) == [{"type": "wake", "cell": 0}, {"type": "wake", "cell": 1}]
    played = play(start, activate(4), {"type": "wake", "cell": 1})
    assert played.village() == {0: "nun!", 1: "farmer", 2: "monk", 4: "potter!"}
    assert played.types == ["activate", "wake", "exhaust"]


def test_c2_one_other_face_up_villager_is_exhausted():
    village = {0: "nun!", 1: "farmer", 2: "monk", 4: "potter"}
    start = table(seat("a", village), catalogue=with_effect("exhaust"))
    tired = {"type": "exhaust", "cell": 2}
    assert choices(start, activate(4)) == [{"type": "exhaust", "cell": 1}, tired]
    played = play(start, activate(4), tired)
    assert played.village() == {0: "nun!", 1: "farmer", 2: "monk!", 4: "potter!"}
    assert [event.cell for event in played.of("exhaust")] == [2, 4]


@pytest.mark.parametrize(("kind", "other"), [("wake", "nun"), ("exhaust", "nun!")])
def test_c5_without_such_a_villager_the_effect_is_skipped(kind, other):
    start = table(seat("a", {0: other, 4: "potter"}), catalogue=with_effect(kind))
    assert [event.action for event in play(start, activate(4)).of("skip")] == [kind]


def test_c5_a_payment_leaves_a_villager_to_exhaust():
    """The nun may not pay if she is the only one to be exhausted afterwards."""
    cost = with_effect("exhaust", pay={"bell": 1})
    alone = table(seat("a", {0: "nun", 4: "potter"}, buildings={}), catalogue=cost)
    assert choices(alone, activate(4)) == [SKIP]
    two = table(seat("a", {0: "nun", 1: "monk", 4: "potter"}, buildings={}), catalogue=cost)
    assert choices(two, activate(4)) == [pay(village=[0]), pay(village=[1])]
    assert choices(two, activate(4), pay(village=[0])) == [{"type": "exhaust", "cell": 1}]


def test_c2_villagers_who_turn_each_other_up_end_every_turn():
    """Turning up starts no action; each turn exhausts the one who acts."""
    mutual = with_cards(
        potter={"actions": [{"effects": [{"type": "wake"}] * 6}] * 6},
        nun={"actions": [{"effects": [{"type": "wake"}]}]},
    )
    start = table(seat("a", {0: "nun!", 1: "monk!", 4: "potter"}), catalogue=mutual)
    wakes = [{"type": "wake", "cell": cell} for cell in (0, 1)]
    played = play(start, activate(4), *wakes)
    assert played.village() == {0: "nun", 1: "monk", 4: "potter!"}
    assert len(played.of("skip")) == 34


# Discarding a hand card (C2, C5) ------------------------------------------------------------


def test_c2_a_hand_card_is_discarded_and_gives_nothing():
    start = table(seat("a", {4: "potter"}, hand="monk nun"), catalogue=with_effect("discard"))
    cards = [{"type": "discard", "card": card} for card in ("nun", "monk")]
    assert choices(start, activate(4)) == [*cards, SKIP]
    played = play(start, activate(4), cards[1])
    assert (played.hand(), played.discards(), played.tokens()) == (["nun"], ["monk"], {})
    assert [event.rule for event in played.of("discard")] == ["C5"]


@pytest.mark.parametrize("hand", ["monk", ""])
def test_c5_discarding_may_be_skipped_since_only_the_hand_makes_it_possible(hand):
    start = table(seat("a", {4: "potter"}, hand=hand), catalogue=with_effect("discard"))
    played = play(start, activate(4), SKIP)
    assert played.hand() == hand.split()
    assert [event.action for event in played.of("skip")] == ["discard"]


def test_c12_an_unknown_card_may_be_discarded():
    start = table(seat("a", {4: "potter"}, hand="unknown"), catalogue=with_effect("discard"))
    played = play(start, activate(4), {"type": "discard", "card": "monk"})
    assert (played.hand(), played.discards()) == ([], ["monk"])


# Less omen as an icon (C16) -----------------------------------------------------------------


def test_c16_a_rest_counts_less_omen_of_face_up_villagers():
    """It pays nothing, and an exhausted villager does not show it."""
    icons = {"icons": {"less-omen": 2, "bowl": 1}}
    shown = with_cards(nun=icons, potter=icons, abbess={"icons": {"less-omen": 1}})
    village = {0: "potter!", 1: "farmer!", 2: "woodcutter!", 4: "nun", 8: "abbess"}
    start = table(seat("a", village, omen=-4), catalogue=shown)
    played = play(start, REST)
    assert (played.seat("a").omen, played.tokens()) == (-1, {"barley": 2, "bowl": 1})
    at_the_end = table(seat("a", village, omen=4), catalogue=shown)
    assert play(at_the_end, REST).seat("a").omen == 5


def test_c4_less_omen_pays_nothing():
    own, icons = seat("a", {1: "nun", 4: "prophet"}, buildings={}), {"icons": {"less-omen": 1}}
    start = demanding({"any": 1}, own, nun=icons)
    assert choices(start, *WORSHIP) == [suffer("any")]


# Hand cards and buildings as costs (C2, C4, C5) ---------------------------------------------


def paying(seat_of_a, effect, **cost):
    """Return a state in which the potter has an action with a cost."""
    cards = with_cards(potter={"actions": [{"effects": [effect], "pay": cost}]})
    return table(seat_of_a, catalogue=cards)


GOLD = {"type": "gain", "what": "gold"}


def test_c2_a_hand_card_is_paid_and_pays_nothing_else():
    start = paying(seat("a", {4: "potter"}, hand="monk nun", buildings={}), GOLD, bell=1, card=1)
    assert choices(start, activate(4)) == [pay(hand=["nun"]), pay(hand=["monk"]), SKIP]
    bell = (activate(4), pay(hand=["nun"]))
    assert pending_decision(start, *bell) == ("give", "a")
    assert choices(start, *bell) == [give("card", card="monk")]
    played = play(start, *bell, give("card", card="monk"))
    assert (played.hand(), played.discards(), played.tokens()) == ([], ["nun", "monk"], {"gold": 1})
    assert [event.rule for event in played.of("give")] == ["C4"]


def test_c5_a_cost_of_a_hand_card_may_be_skipped_and_too_few_cards_pay_nothing():
    start = paying(seat("a", {4: "potter"}, hand="monk"), GOLD, card=1)
    assert choices(start, activate(4)) == [pay(), SKIP]
    played = play(start, activate(4), pay(), give("card", card="monk"))
    assert played.types == ["activate", "give", "gain", "exhaust"]
    short = paying(seat("a", {4: "potter"}, hand="monk"), GOLD, card=2)
    assert choices(short, activate(4)) == [SKIP]


def test_c2_a_building_is_paid_by_returning_it_spent_or_not():
    start = paying(seat("a", {4: "potter"}, buildings={"farm": (1, 1)}), GOLD, building=1)
    assert choices(start, activate(4)) == [pay()], "buildings are public, so it is compulsory"
    farms = [give("building", building="farm", spent=spent) for spent in (False, True)]
    assert choices(start, activate(4), pay()) == farms
    assert play(start, activate(4), pay(), farms[1]).buildings() == {"farm": (1, 0)}
    assert action_violations(start, activate(4), pay(), SKIP) == {("/type", "not-a-choice")}


def test_c7_a_building_spent_for_the_resources_of_a_cost_is_not_also_returned():
    one = paying(seat("a", {4: "potter"}), GOLD, barley=1, farm=1)
    assert choices(one, activate(4)) == [SKIP]
    two = paying(seat("a", {4: "potter"}, buildings={"farm": 2}), GOLD, barley=1, farm=1)
    paid = (activate(4), pay(buildings={"farm": 1}))
    left = give("farm", building="farm", spent=False)
    assert choices(two, *paid) == [left]
    assert play(two, *paid, left).buildings() == {"farm": (0, 1)}


def test_c5_what_an_effect_needs_is_not_given_for_its_cost():
    """A bell to bid, a face-up building to count."""
    meditate = paying(seat("a", {4: "potter"}, hand="monk priest"), {"type": "meditate"}, card=1)
    assert choices(meditate, activate(4), pay()) == [give("card", card="priest")]
    per_farm = {"type": "per-building", "building": "farm", "what": "gold"}
    start = paying(seat("a", {4: "potter"}, buildings={"farm": (1, 1)}), per_farm, building=1)
    spent = give("building", building="farm", spent=True)
    assert choices(start, activate(4), pay()) == [spent]
    alone = paying(seat("a", {4: "potter"}, buildings={"farm": 1}), per_farm, building=1)
    assert choices(alone, activate(4)) == [SKIP]


def test_c10_no_challenge_is_claimed_between_the_parts_of_a_cost():
    """With one bell less and both cards, the hand has two cards before the second part."""
    start = paying(seat("a", {4: "potter"}, hand="monk nun priest"), GOLD, bell=1, card=1)
    condition = {"type": "hand", "at_least": 2, "at_most": 2}
    start["catalogue"]["challenges"][0]["conditions"] = [condition]
    start["challenges"] = [{"challenge": start["catalogue"]["challenges"][0]["id"]}]
    paid = (activate(4), pay(hand=["nun"]), give("card", card="priest"))
    assert not play(start, *paid).of("challenge")


# Hints and words ----------------------------------------------------------------------------

TURNS = {
    "wake": [table(seat("a", {0: "nun!", 1: "monk!", 4: "potter"}), catalogue=with_effect("wake"))],
    "exhaust": [
        table(seat("a", {0: "nun", 1: "monk", 4: "potter"}), catalogue=with_effect("exhaust"))
    ],
    "discard": [table(seat("a", {4: "potter"}, hand="monk nun"), catalogue=with_effect("discard"))],
    "give": [
        paying(seat("a", {4: "potter"}, buildings={"farm": 1, "forge": 1}), GOLD, building=1),
        pay(),
    ],
    "build": [demanding({}, seat("a", {4: "prophet"}), reward={"building": 1}), draw("g")],
    "penalty": [demanding({"exhausted": 1}, seat("a", {0: "nun!", 4: "prophet"})), draw("g")],
}
"""Positions in which the potter or the prophet acts, and what follows up to each decision."""


@pytest.mark.parametrize("decision", TURNS)
def test_each_new_decision_has_a_hint_and_words_in_every_language(decision):
    start, *after = TURNS[decision]
    so_far = [activate(4), *after]
    assert pending_decision(start, *so_far) == (decision, "a")
    body, said = {"state": start, "player": "a", "so_far": so_far, "effort": "quick"}, set()
    for language in LANGUAGES:
        hint = ask("suggest", body, language)
        assert len(hint["moves"]) >= 2
        said |= {hint["advice"]["text"], text(f"page.snowcrest.decision.{decision}", language)}
    assert len(said) == 2 * len(LANGUAGES), "no text is missing in a language"
