"""Ruling C22: an icon of any resource pays what gold pays, and becomes an ordinary token."""

import pytest
from jsonschema import Draft202012Validator

from service.core.languages import LANGUAGES
from service.games.snowcrest.catalogue.rendering import render_catalogue
from service.games.snowcrest.catalogue.schema import json_schema
from service.games.snowcrest.rules.scoring import scores, winners
from tests.games.snowcrest.catalogues import parsed
from tests.games.snowcrest.positions import (
    REST,
    SKIP,
    action_violations,
    activate,
    ask,
    bid,
    choices,
    draw,
    give,
    pay,
    pending_decision,
    play,
    play_card,
    seat,
    settle,
    state,
    suffer,
    table,
    with_cards,
)

ANY = {"icons": {"any": 1}}
PLAIN = ["barley", "bell", "bowl", "juniper"]
ROW_OF_THREE = {0: "farmer!", 1: "nun!", 2: "woodcutter!"}


def gain(resource):
    return {"type": "gain", "resource": resource}


def with_any(**more):
    """Return the default catalogue in which the nun shows an icon of any resource."""
    return with_cards(**({"nun": ANY} | more))


def paying(village, *, hand="", tokens=None, **cost):
    """Return a state in which the potter may pay a cost for a gold."""
    action = {"effects": [{"type": "gain", "what": "gold"}], "pay": cost}
    own = seat("a", {4: "potter"} | village, hand=hand, tokens=tokens, buildings={})
    return table(own, catalogue=with_any(potter={"actions": [action]}))


def demanding(own, *seats, **cards):
    """Return a state in which player a worships with the prophet in cell 4."""
    catalogue = with_any(**cards)
    catalogue["guardians"] = [{"id": "g", "own": own, "others": {}, "reward": {}}]
    return table(*seats, catalogue=catalogue)


WORSHIP = (activate(4), draw("g"))


# The catalogue (C2) -------------------------------------------------------------------------


def test_c22_a_catalogue_is_the_same_document_after_parsing():
    """Gold icons on the same card stay gold icons."""
    document = with_cards(
        nun={"icons": {"bell": 1, "gold": 2, "any": 3, "less-omen": 1}}, farmer=ANY, shepherd=ANY
    )
    assert Draft202012Validator(json_schema()).is_valid(document)
    catalogue = parsed(document)
    [nun] = (each for each in render_catalogue(catalogue)["villagers"] if each["id"] == "nun")
    assert nun["icons"] == {"bell": 1, "gold": 2, "any": 3, "less-omen": 1}
    assert parsed(render_catalogue(catalogue)) == catalogue
    gold = with_cards(nun={"icons": {"bell": 1, "gold": 5, "less-omen": 1}}, farmer=ANY)
    assert parsed(gold) != catalogue


# Payments (C4), bids (C6) and penalties (C7, C15) -------------------------------------------


@pytest.mark.parametrize("resource", [*PLAIN, "gold", "any"])
def test_c22_it_pays_one_resource_of_every_kind(resource):
    start = paying({0: "nun"}, **{resource: 1})
    assert choices(start, activate(4)) == [pay(village=[0])]
    assert play(start, activate(4), pay(village=[0])).village()[0] == "nun!"
    assert choices(paying({0: "nun"}, **{resource: 2}), activate(4)) == [SKIP], "only one"


def test_c22_it_pays_for_a_villager_from_the_village_and_from_the_hand():
    own = seat("a", {0: "nun"}, hand="nun potter", buildings={})
    start = table(own, catalogue=with_any(potter={"cost": 2}, nun={"copies": 2} | ANY))
    assert choices(start, play_card("potter", 4)) == [pay(village=[0], hand=["nun"])]


def test_c4_a_payment_with_a_superfluous_icon_of_any_resource_is_refused():
    start = paying({0: "nun"}, tokens={"bowl": 1}, bowl=1)
    both = pay(village=[0], tokens={"bowl": 1})
    assert choices(start, activate(4)) == [pay(tokens={"bowl": 1}), pay(village=[0])]
    found = action_violations(start, activate(4), both)
    assert {code for _, code in found} == {"could-be-left-out"}


def test_c22_it_counts_as_a_bell_in_a_bid():
    other = seat("b", {0: "nun"}, hand="nun", buildings={})
    cards = with_any(nun={"copies": 2} | ANY)
    start = table(seat("a", {0: "nun", 4: "monk"}, buildings={}), other, catalogue=cards)
    assert bid(village=[0]) in choices(start, activate(4))
    answers = choices(start, activate(4), bid(village=[0]))
    assert [each["payment"] for each in answers] == [
        {}, {"village": [0]}, {"hand": ["nun"]}, {"hand": ["nun"], "village": [0]},
    ]  # fmt: skip
    both = bid("b", village=[0], hand=["nun"])
    played = play(start, activate(4), bid(village=[0]), both, {"type": "return-bid"})
    assert (played.seat("a").scrolls, played.seat("b").scrolls) == (0, 2)


@pytest.mark.parametrize("item", [*PLAIN, "gold", "any"])
def test_c22_it_pays_one_resource_item_of_every_kind(item):
    start = demanding({item: 2}, seat("a", {0: "nun", 4: "prophet"}, buildings={}))
    assert choices(start, *WORSHIP) == [give(item, cell=0), suffer(item)]
    assert choices(start, *WORSHIP, give(item, cell=0)) == [suffer(item)]


@pytest.mark.parametrize("item", ["card", "villager", "building"])
def test_c22_it_pays_no_card_villager_or_building(item):
    start = demanding({item: 1}, seat("a", {0: "nun", 4: "prophet"}, buildings={}))
    given = [give("villager", cell=0)] if item == "villager" else []
    assert choices(start, *WORSHIP) == [*given, suffer(item)]


def test_c22_other_icons_of_the_villager_pay_their_own_items_first():
    own = seat("a", {0: "nun", 4: "prophet"}, buildings={})
    start = demanding({"barley": 1, "bell": 1, "any": 1}, own, nun={"icons": {"any": 2, "bell": 1}})
    assert play(start, *WORSHIP, give("barley", cell=0)).seat("a").omen == 1, "of the prophet"


def test_c22_a_villager_who_settles_pays_one_more_item_with_it():
    own = seat("a", {0: "nun", 4: "prophet"}, buildings={})
    start = demanding({"bowl": 1, "card": 1}, own, nun={"settles": True} | ANY)
    assert settle("bowl", 0, settles="card") in choices(start, *WORSHIP)
    played = play(start, *WORSHIP, settle("bowl", 0, settles="card"))
    assert not played.of("suffer")


def test_c22_omen_is_not_paid_with_it():
    own = seat("a", {0: "nun", 4: "prophet"}, buildings={})
    played = play(demanding({"omen": 2}, own), *WORSHIP)
    assert (played.seat("a").omen, played.village()[0]) == (-1, "nun")


# A rest (C16) -------------------------------------------------------------------------------


def resting(forest=6, **icons):
    """Return a state with a rest due, in which the potter is face up and shows icons."""
    cards = with_any(potter={"icons": icons})
    cards["forest"] = [{"id": "f", "own": {"any": 1}, "others": {}, "reward": {"scroll": 1}}]
    own = seat("a", ROW_OF_THREE | {4: "potter"}, buildings={})
    return table(own, catalogue=cards, juniper=forest)


def test_c22_at_a_rest_the_player_chooses_an_ordinary_resource_for_each():
    """An exhausted villager shows nothing, and gold stays gold."""
    start = resting(any=2, gold=1)
    assert pending_decision(start, REST) == ("gain", "a")
    assert choices(start, REST) == [gain(each) for each in PLAIN]
    played = play(start, REST, gain("bowl"), gain("barley"))
    assert played.tokens() == {"barley": 3, "bowl": 1, "gold": 1}, "two from the starters"
    assert played.village()[1] == "nun"


def test_c22_juniper_is_taken_last_at_a_rest():
    """The printed one empties the forest, so the forest card comes after the choice."""
    start = resting(1, any=1, juniper=1)
    played = play(start, REST, gain("bell"), give("any", cell=4))
    assert played.types[:5] == ["rest", "gain", "gain", "gain", "forest"]
    assert played.tokens() == {"barley": 2, "bell": 1, "juniper": 1}


def test_c8_juniper_that_a_player_chooses_at_a_rest_comes_from_the_forest():
    played = play(resting(1, any=1, bowl=1), REST, gain("juniper"), suffer("any"))
    assert played.types[:5] == ["rest", "gain", "gain", "gain", "forest"]
    assert played.tokens() == {"barley": 2, "bowl": 1, "juniper": 1}


# The end (C11) ------------------------------------------------------------------------------


def ended(*tokens, icons=(1, 0), hand=False):
    """Return a finished game of players with tokens, and with icons of any resource."""
    cards, seats = with_cards(nun={"icons": {"any": max(icons)}}), []
    for name, own, shown in zip("abc", tokens, icons, strict=False):
        where = {"hand": "nun"} if shown and hand else {}
        village = {0: "nun"} if shown and not hand else {}
        seats.append(seat(name, village, tokens=own, buildings={}, **where))
    return state(table(*seats, phase="over", catalogue=cards))


def at_the_end(*tokens, **more):
    return scores(ended(*tokens, **more))


def resources(score):
    return dict(zip([*PLAIN, "gold"], score.resources, strict=True))


@pytest.mark.parametrize("hand", [False, True])
def test_c22_at_the_end_it_becomes_what_makes_a_majority(hand):
    """Bowls lack two, barley lacks one; a bell alone would be a majority, too, but comes later."""
    own, other = {"barley": 2, "bowl": 2}, {"barley": 2, "bowl": 4, "juniper": 3, "bell": 2}
    score, _ = at_the_end(own, other | {"barley": 3}, hand=hand)
    assert resources(score) == {"barley": 3, "bell": 0, "bowl": 2, "juniper": 0, "gold": 0}
    assert score.majorities == (1, 0, 0, 0, 0)


def test_c22_at_the_end_it_is_no_gold():
    score, other = at_the_end({"gold": 1}, {"gold": 1})
    assert (score.resources[4], score.majorities[4], other.majorities[4]) == (1, 1, 1)
    assert (score.resources[0], score.majorities[0]) == (1, 1)


def test_c22_several_icons_make_the_cheapest_majorities_first():
    """Three are enough for barley, which lacks one, and bells, which lack two."""
    own, others = {"barley": 1, "bell": 1}, {"barley": 2, "bell": 3, "bowl": 9, "juniper": 9}
    score, _ = at_the_end(own, others, icons=(3, 0))
    assert resources(score) == {"barley": 2, "bell": 3, "bowl": 0, "juniper": 0, "gold": 0}
    score, _ = at_the_end(own, others, icons=(2, 0))
    assert score.majorities == (1, 0, 0, 0, 0)


def test_c22_an_icon_that_makes_no_majority_ends_a_tie():
    others = {"barley": 2, "bell": 5, "bowl": 5, "juniper": 5}
    score, other = at_the_end({"barley": 2}, others)
    assert resources(score)["barley"] == 3
    assert (score.majorities[0], other.majorities[0]) == (1, 0)
    two = others | {"bell": 2}
    score, other = at_the_end({"barley": 2, "bell": 2, "bowl": 1}, two, icons=(3, 0))
    assert resources(score) == {"barley": 4, "bell": 3, "bowl": 1, "juniper": 0, "gold": 0}
    assert other.majorities[:2] == (0, 0)


def test_c22_an_icon_does_not_secure_what_nobody_else_has():
    """One barley is a majority, and no tie; the icon went there, and the tie in juniper stayed."""
    score, other = at_the_end({"barley": 1, "juniper": 3}, {"juniper": 3, "bell": 9, "bowl": 9})
    assert (score.resources[3], score.majorities[3], other.majorities[3]) == (4, 1, 0)


def test_c22_the_players_choose_in_turn_order():
    """The second player sees what the first one has, and catches up."""
    one, other = at_the_end({}, {"bell": 1, "bowl": 1, "juniper": 1}, icons=(1, 1))
    assert (one.resources[0], other.resources[0]) == (1, 1)


def test_c22_each_counts_one_token_in_a_tie():
    position = ended({"barley": 2}, {"bell": 1, "gold": 1})
    assert [(each.points, sum(each.resources)) for each in scores(position)] == [(2, 3), (2, 2)]
    assert winners(position) == ("a",)


# Hints --------------------------------------------------------------------------------------


def hint(start, *so_far, language="en"):
    body = {"state": start, "player": "a", "so_far": list(so_far), "effort": "quick"}
    return ask("suggest", body, language)


def test_c22_a_hint_chooses_the_resource_of_a_rest():
    said = set()
    for language in LANGUAGES:
        answer = hint(resting(any=1), REST, language=language)
        assert sorted(each["move"]["resource"] for each in answer["moves"]) == PLAIN
        said.add(answer["advice"]["text"])
    assert len(said) == len(LANGUAGES)


def test_c22_in_the_last_turn_a_hint_knows_what_the_icon_will_be():
    """Gold ties with b, an icon of any resource with nobody: the game depends on what pays."""
    cost = {"effects": [{"type": "gain", "what": "less-omen"}], "pay": {"bell": 1}}
    tokens = dict.fromkeys(PLAIN, 3) | {"gold": 1}
    start = table(
        seat("b", {}, tokens=tokens, buildings={}, scrolls=5),
        seat("a", {0: "nun", 4: "monk"}, tokens={"gold": 1}, buildings={}, scrolls=9),
        turn="a", supply=0, ending=True, catalogue=with_any(monk={"actions": [cost], "icons": {}}),
    )  # fmt: skip
    rows = hint(start, activate(4))["moves"]
    values = [(each["move"]["payment"], each["value"]) for each in rows]
    assert values == [({"village": [0]}, 1.0), ({"tokens": {"gold": 1}}, 0.0)]
