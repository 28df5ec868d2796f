"""Arguments for the choices of a turn: which ones, in which order, and their sentences."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.core.advice import CLEAR, EQUAL, FORCED, UNCERTAIN, WON
from service.core.comparison import Comparison
from service.core.game import Decision
from service.core.hints import Reason
from service.core.sequential import (
    OTHERS,
    PAYS_OFF,
    RESULT,
    SEARCH_MEASURES,
    ChoiceValue,
    TurnHint,
    TurnPlan,
    TurnQuestion,
)
from service.games.common.reason_texts import with_impact
from service.games.common.turns.arguments import Arguments
from service.games.common.turns.part_arguments import ODDS, SAME, UNSURE
from service.games.common.turns.reasons import advise
from service.games.slopecrashers.api.reasons import ARGUMENTS, EXPLAINER
from service.games.slopecrashers.engine import turn_tree as slopecrashers
from service.games.snowcrest.api.reasons import ARGUMENTS as SNOWCREST
from service.games.snowcrest.api.reasons import EXPLAINER as CREST_EXPLAINER
from service.games.snowcrest.engine import turn_tree as snowcrest


def value(
    parts: dict[str, float], measures: dict[str, float] | None = None, error: float = 0.0
) -> ChoiceValue[str]:
    difference = sum(parts.values())
    return ChoiceValue(
        choice="own",
        value=0.5,
        loss=max(0.0, -difference),
        error=error,
        shares={},
        comparison=Comparison("other", difference, parts),
        measures=measures or {},
        difference_error=error,
    )


def codes(arguments: Arguments, own: ChoiceValue[str], *, best: bool) -> list[str]:
    return [reason.code for reason in arguments.of(own, ("b", "c"), best=best)]


def sentences(own: ChoiceValue[str], *, best: bool, language: str = "en") -> list[str]:
    return EXPLAINER.sentences(ARGUMENTS.of(own, ("b", "c"), best=best), language)


def test_the_best_choice_has_its_advantages_first_and_then_the_largest_cost() -> None:
    parts = {"progress": 0.02, "gifts": -0.01, "next-turn": 0.05, "others": -0.02}
    assert codes(ARGUMENTS, value(parts), best=True) == ["next-turn", "progress", "others"]


def test_a_certain_win_is_the_only_argument_for_a_choice() -> None:
    """The hint said "you are more likely to win soon", and the movements that another one saves."""
    parts = {"result": 0.3, "progress": 0.1, "next-turn": -0.05}
    sure = replace(value(parts), value=1.0, bounds=(1.0, 1.0))
    assert codes(ARGUMENTS, sure, best=True) == ["wins"]
    assert sentences(sure, best=True) == ["You are certain to win (+35%)."]
    for unproven in (0.999, 1.0):
        almost = replace(sure, value=unproven, bounds=(0.0, 1.0))
        assert codes(ARGUMENTS, almost, best=True) == ["result", "progress", "next-turn"]


def test_an_exception_begins_with_a_capital_letter_whatever_the_name() -> None:
    own = value({"gifts": 0.02, "others": -0.05}, {"gifts": 1.0, "rival-1": -1.0})
    assert sentences(own, best=False)[1].startswith("But b ")


def test_another_choice_has_its_largest_advantage_first_and_then_what_it_costs() -> None:
    parts = {"progress": 0.01, "gifts": 0.03, "next-turn": -0.02, "others": -0.06}
    assert codes(ARGUMENTS, value(parts), best=False) == ["gifts", "others", "next-turn"]


def test_at_most_three_arguments() -> None:
    parts = {"progress": 0.01, "gifts": 0.02, "next-turn": 0.03, "others": 0.04}
    assert len(codes(ARGUMENTS, value(parts), best=True)) == 3
    negative = {part: -share for part, share in parts.items()}
    assert codes(ARGUMENTS, value(negative), best=False) == ["others", "next-turn", "gifts"]


def test_small_parts_are_no_argument_unless_there_is_no_larger_one() -> None:
    assert codes(ARGUMENTS, value({"progress": 0.2, "gifts": 0.015}), best=True) == ["progress"]
    small = value({"gifts": 0.001}, {"gifts": 1.0})
    assert codes(ARGUMENTS, small, best=True) == ["gifts"]


def test_a_choice_that_comes_to_the_same_says_so() -> None:
    assert sentences(value({}), best=False) == ["It makes no difference."]


def test_own_harm_is_named_before_larger_costs_of_the_best_choice() -> None:
    parts = {"progress": 0.2, "gifts": -0.06, "next-turn": -0.04}
    harmed = value(parts, {"misses-turn": 1.0})
    assert codes(ARGUMENTS, harmed, best=True) == ["progress", "misses-turn"]
    assert codes(ARGUMENTS, value(parts), best=True) == ["progress", "gifts"]
    omen = {"points": 0.2, "resources": -0.06, "omen": -0.04}
    assert codes(SNOWCREST, value(omen), best=True) == ["points", "omen"]


def test_advantages_that_outweigh_own_harm_are_named_even_if_they_are_vague() -> None:
    parts = {"villagers": 0.045, "hand": 0.015, "majorities": 0.009, "omen": -0.045}
    own = value(parts, {"hand": 1.0, "omen": -1.0})
    assert codes(SNOWCREST, own, best=True) == ["hand", "villagers", "omen"]


def test_harm_that_the_other_choice_does_is_an_advantage() -> None:
    own = value({"next-turn": 0.04}, {"stung": -1.0})
    assert sentences(own, best=True) == ["Your next turn begins with two movements (+4%)."]


def test_a_count_explains_a_part_only_if_it_points_the_same_way() -> None:
    more = value({"gifts": 0.02}, {"gifts": 1.0})
    assert sentences(more, best=True) == ["1 more gift (+2%)."]
    fewer = value({"gifts": 0.02}, {"gifts": -1.0})
    assert sentences(fewer, best=True) == ["Better gifts in your stack (+2%)."]
    hardly = value({"gifts": 0.02}, {"gifts": 0.01})
    assert sentences(hardly, best=True) == ["Better gifts in your stack (+2%)."]


def test_counts_have_one_decimal_and_shares_whole_per_cent() -> None:
    own = value({"progress": -0.0342117}, {"movements": -1.6824})
    assert sentences(own, best=False) == ["About 1.7 movements further back (\N{MINUS SIGN}3%)."]
    assert sentences(own, best=False, language="de") == [
        "Etwa 1,7 Bewegungen weiter hinten (\N{MINUS SIGN}3\u00a0%)."
    ]


def test_the_other_player_who_changes_most_is_named() -> None:
    measures = {"rival-1": 0.4, "rival-2": 2.0}
    assert sentences(value({"others": 0.05}, measures), best=True) == ["c falls back (+5%)."]
    ahead = {"rival-1": -0.4, "rival-2": 2.0}
    assert sentences(value({"others": -0.05}, ahead), best=False) == [
        "b gets ahead (\N{MINUS SIGN}5%)."
    ]


def test_nobody_is_named_who_moves_in_the_other_direction() -> None:
    """Met in Snowcrest: shares are not linear, so the part and the means can disagree."""
    ahead = {"rival-1": -0.4, "rival-2": 0.0}
    [reason] = ARGUMENTS.of(value({"others": 0.05}, ahead), ("b", "c"), best=True)
    assert reason == Reason("others", {"share": 0.05})
    assert sentences(value({"others": 0.05}, ahead), best=True) == [
        "Better chances against the others (+5%)."
    ]
    back = {"rival-1": 0.4, "rival-2": 0.1}
    assert sentences(value({"others": -0.05}, back), best=False) == [
        "Worse chances against the others (\N{MINUS SIGN}5%)."
    ]


def test_a_cost_after_a_gain_is_an_exception() -> None:
    own = value({"progress": 0.03, "gifts": -0.006}, {"gifts": -0.7})
    assert sentences(own, best=True) == [
        "A better place on the course (+3%).",
        "But about 0.7 fewer gifts (\N{MINUS SIGN}1%).",
    ]


def test_a_pick_has_an_argument_for_it_and_no_cost_alone() -> None:
    """Snowcrest said only "Downside: 1 card fewer in your hand." about its pick."""
    even = value({"hand": -0.001, "points": 0.0009}, {"later-points": 0.2})
    assert codes(SNOWCREST, even, best=True) == ["points", "hand"]
    worse = value({"hand": -0.001}, {"hand": -1.0})
    assert codes(SNOWCREST, worse, best=True) == ["same"]
    assert codes(SNOWCREST, worse, best=False) == ["hand"]


def test_arguments_that_say_what_changes_come_before_vague_ones() -> None:
    own = value({"next-turn": 0.05, "gifts": 0.02}, {"gifts": 1.0})
    assert codes(ARGUMENTS, own, best=True) == ["gifts", "next-turn"]
    faster = value({"next-turn": 0.05, "gifts": 0.02}, {"gifts": 1.0, "next-movements": 0.74})
    assert sentences(faster, best=True)[0] == "About 0.7 more movements next turn (+5%)."


def test_a_resource_is_named_if_the_number_of_resources_explains_nothing() -> None:
    own = value({"resources": 0.03}, {"resources": 0.0, "gold": 1.0, "bell": -1.0})
    [reason] = SNOWCREST.of(own, ("b",), best=True)
    assert reason == Reason("resources", {"share": 0.03, "count": 1.0, "kind": "gold"})
    assert CREST_EXPLAINER.sentences([reason], "en") == ["1 gold more (+3%)."]
    assert CREST_EXPLAINER.sentences([reason], "de") == ["1 Gold mehr (+3\u00a0%)."]
    lost = value({"resources": -0.03}, {"resources": 0.0, "gold": 1.0, "bell": -2.0})
    assert CREST_EXPLAINER.sentences(SNOWCREST.of(lost, ("b",), best=False), "en") == [
        "2 prayer bells less (\N{MINUS SIGN}3%)."
    ]


@pytest.mark.parametrize(
    ("part", "measures", "sentence"),
    [
        ("points", {"scrolls": 0.0, "later-points": 0.7}, "About 0.7 points more later"),
        ("omen", {"omen": 0.0, "later-omen": 2.0}, "2 omen less later"),
        ("buildings", {"buildings": 0.0, "temple": 1.0, "farm": -1.0}, "1 temple more"),
        ("buildings", {"buildings": 0.0, "face-up": 2.0}, "2 face-up buildings more"),
        ("hand", {"hand": 0.0, "held-villager-build": 1.0, "held-villager-gold": -1.0},
         "More in hand: 1 villager who builds"),
        ("actions", {"ready-villager-worship": 1.0}, "More for next turn: 1 villager who worships"),
        ("actions", {"available-bowl": 2.0}, "More for next turn: 2 offering bowls"),
        ("majorities", {"available-barley": 1.0, "available-gold": -1.0},
         "More for majorities: 1 barley"),
        ("result", {"later-lead": 2.0}, "2 points better off by the end"),
        ("result", {"later-lead": -2.0}, "You are more likely to win soon"),
        ("result", {"later-lead": 0.3}, "About 0.3 points better off by the end"),
        ("result", {"later-lead": 0.02}, "You are more likely to win soon"),
        ("result", {"later-lead": 8e4}, "You are more likely to win soon"),
        ("actions", {"available-bowl": 0.4}, "Stronger actions next turn"),
        ("actions", {"later-worship-twice": 1.0, "available-bowl": 0.6},
         "More for next turn: about 0.6 offering bowls"),
        ("actions", {"later-worship-twice": 1.0, "available-bowl": 0.4},
         "More later on: 1 chance to worship twice"),
        ("villagers", {"paid-barley": 1.0, "villager-build": -1.0},
         "More in village: 1 barley to pay"),
        ("villagers", {"ready-villager-card": 1.0, "rest-sooner": 1.0},
         "More in village: 1 ready villager who draws cards"),
        ("villagers", {"later-villagers": 0.7}, "More later on: about 0.7 villagers"),
        ("villagers", {"later-villagers": 0.3}, "More later on: about 0.3 villagers"),
        ("villagers", {"later-villagers": 0.3, "later-room": 0.6},
         "More later on: about 0.6 cells to exhaust before a rest"),
        ("villagers", {"later-villagers": -0.3, "later-room": -0.6}, "A stronger village"),
        ("villagers", {"later-villagers": 0.04}, "A stronger village"),
        ("resources", {"later-gold": 0.4, "later-barley": 0.2}, "About 0.4 gold more later"),
        ("resources", {"resources": 1.0, "later-gold": 2.0}, "1 more resource"),
        ("resources", {"later-gold": -0.4}, "Better resources"),
        ("majorities", {"later-majorities": 0.2}, "About 0.2 majorities of resources more later"),
        ("hand", {"later-hand": 1.0, "later-villagers": 2.0}, "More later on: 1 hand card"),
        ("hand", {"later-hand": 2e5, "held-villager-build": 0.5},
         "More in hand: about 0.5 villagers who build"),
        ("phase", {"supply": 2.0}, "A better end: 2 more scrolls left"),
        ("phase", {"supply": -0.7}, "A better end: about 0.7 fewer scrolls left"),
        ("phase", {"supply": 0.04}, "The game ends at a better time"),
        ("phase", {}, "The game ends at a better time"),
    ],
)  # fmt: skip
def test_something_that_a_player_can_check_is_named(
    part: str, measures: dict[str, float], sentence: str
) -> None:
    """The hints said "better cards in your hand", "stronger actions next turn" and the like."""
    own = value({part: 0.03}, measures)
    assert CREST_EXPLAINER.sentences(SNOWCREST.of(own, ("b",), best=True), "en") == [
        f"{sentence} (+3%)."
    ]


@pytest.mark.parametrize(
    ("measures", "share", "sentence"),
    [
        ({"won": 0.9, "lost": 0.1}, 0.3, "About 90 more wins soon per 100 games (+30%)."),
        ({"won": 0.1, "lost": 0.35}, 0.3, "About 35 fewer losses soon per 100 games (+30%)."),
        ({"won": -0.2}, -0.2, "About 20 fewer wins soon per 100 games (\N{MINUS SIGN}20%)."),
        ({"lost": -0.2}, -0.2, "About 20 more losses soon per 100 games (\N{MINUS SIGN}20%)."),
        ({"lost": 1.0}, 0.1, "You almost certainly do not lose soon (+10%)."),
        ({"won": 0.999999}, 0.5, "You almost certainly win soon (+50%)."),
        ({"won": 0.99}, 0.5, "About 99 more wins soon per 100 games (+50%)."),
        ({"won": -1.0}, -0.5, "You almost certainly do not win soon (\N{MINUS SIGN}50%)."),
        ({"lost": -1.0}, -0.5, "You almost certainly lose soon (\N{MINUS SIGN}50%)."),
        ({"won": 0.25, "lost": 0.25 + 1e-12}, 0.03,
         "About 25 more wins soon per 100 games (+3%)."),
        ({"won": 0.004}, 0.03, "You are more likely to win soon (+3%)."),
        ({"won": 0.6}, 0.02, "You win sooner (+2%)."),
        ({"won": -1.0}, -0.02, "You win later (\N{MINUS SIGN}2%)."),
        ({"lost": 0.6}, 0.02, "You lose later (+2%)."),
        ({"lost": -0.6}, -0.02, "You lose sooner (\N{MINUS SIGN}2%)."),
    ],
)  # fmt: skip
def test_games_that_end_soon_are_counted(
    measures: dict[str, float], share: float, sentence: str
) -> None:
    """The hint said "you are more likely to win soon" where the other choice lost at once."""
    own = value({"result": share}, measures)
    for explainer, arguments in ((EXPLAINER, ARGUMENTS), (CREST_EXPLAINER, SNOWCREST)):
        reasons = arguments.of(own, ("b",), best=share > 0.0)
        assert explainer.sentences(reasons, "en") == [sentence]


def test_games_that_end_soon_make_no_difference_between_equal_choices() -> None:
    own = value({"result": 0.001}, {"won": 1.0})
    assert codes(ARGUMENTS, own, best=True) == ["same"]
    sure = replace(value({"result": 2e-9}, {"won": 1.0}), value=0.9999996)
    assert codes(ARGUMENTS, sure, best=True) == ["same"]
    [other] = ARGUMENTS.of(value({"result": -0.001}, {"won": -1.0}), ("b",), best=False)
    assert other == Reason("result", {"share": -0.001})


def test_a_win_that_is_nearly_certain_is_the_only_argument() -> None:
    """The hint said "You win soon. But fewer gift fields on the way."."""
    parts = {"result": 0.3, "progress": 0.1, "next-turn": -0.05}
    almost = replace(value(parts, {"won": 0.9999995}), value=0.999999)
    assert sentences(almost, best=True) == ["You almost certainly win soon (+30%)."]
    likely = replace(almost, value=0.99)
    assert codes(ARGUMENTS, likely, best=True) == ["result", "progress", "next-turn"]
    # The other choice is nearly as sure to win, but not soon: the hint said "Better gifts".
    sooner = replace(value({"result": 7e-5, "gifts": 0.011}, {"won": 0.9999992}), value=0.9999992)
    assert sentences(sooner, best=True) == ["You win sooner."]
    # It wins soon in some deals only: the hint said "Better chances against the others".
    mostly = replace(value({"result": 0.0008, "others": 0.019}, {"won": 0.826}), value=0.9999997)
    assert sentences(mostly, best=True) == ["You win sooner."]
    hardly = replace(mostly, measures={"won": 0.4})
    assert codes(ARGUMENTS, hardly, best=True) == ["others"]
    # Neither wins nor losses change by 1 of 100: the result says nothing.
    small = replace(
        value({"result": 0.0075}, {"won": 0.004, "lost": 0.008, "pays-off": 0.5}), value=0.99995
    )
    assert codes(ARGUMENTS, small, best=True) == ["result", "odds"]
    # The other one does not win so often.
    rather = replace(value({"result": 0.05, "gifts": 0.25}, {"won": 1.0}), value=0.999999)
    assert codes(ARGUMENTS, rather, best=True) == ["result", "gifts"]


@pytest.mark.parametrize(
    ("part", "measures", "gain", "loss"),
    [
        ("progress", {"gift-fields": 2.0}, "More on the way: 2 gift fields",
         "Fewer on the way: 2 gift fields"),
        ("progress", {"way": -0.3}, "A shorter way, counting gift fields",
         "A longer way, counting gift fields"),
        ("progress", {"movements": 1.0, "gift-fields": 2.0}, "1 movement further ahead",
         "1 movement further back"),
        ("gifts", {"gift-chili": 0.9, "gift-spring": -0.2}, "More in your stack: about 0.9 chilis",
         "Fewer in your stack: about 0.9 chilis"),
        ("gifts", {"gifts": -1.0, "gift-magnet": -1.0, "gifts-worth": 1.0},
         "More in your stack: 1 movement in gifts", "Fewer in your stack: 1 movement in gifts"),
        ("next-turn", {"next-gifts": 1.0, "next-rival-1": 2.0}, "More next turn: 1 gift",
         "Less next turn: 1 gift"),
        ("next-turn", {"snowmen": -2.0, "next-gifts": 1.0}, "Snowmen slow you down less",
         "Snowmen slow you down more"),
        # Both choices wait, at different costs: the hint said "A better next turn".
        ("next-turn", {"waits": -0.02, "next-rival-1": 2.0}, "Waiting costs you less",
         "Waiting costs you something: the others can wait, too"),
        # Waiting is only a third of the part: the hint said "Waiting gains nothing".
        ("next-turn", {"waits": -0.01, "next-rival-1": 2.0}, "Your next turn sets b back more",
         "Your next turn sets b back less"),
        ("next-turn", {"next-rival-1": -1.0, "next-rival-2": 0.2, "next-gifts-worth": 2.0},
         "Your next turn sets c back more", "Your next turn sets c back less"),
        ("next-turn", {"next-rival-1": 0.05, "next-gifts-worth": 0.6, "later-gift-fields": 1.0},
         "More next turn: about 0.6 movements in gifts",
         "Less next turn: about 0.6 movements in gifts"),
        ("next-turn", {"next-rival-1": 0.05, "later-gift-fields": 1.0},
         "More on the way after your next turn: 1 gift field",
         "Fewer on the way after your next turn: 1 gift field"),
        ("next-turn", {"next-rival-1": 0.05}, "A better next turn", "A worse next turn"),
    ],
)  # fmt: skip
def test_what_a_place_or_the_next_turn_brings_is_named(
    part: str, measures: dict[str, float], gain: str, loss: str
) -> None:
    """The hint said "a better place on the course" for a way with two more gift fields."""
    assert sentences(value({part: 0.03}, measures), best=True)[0] == f"{gain} (+3%)."
    opposite = {name: -count for name, count in measures.items()}
    [worse] = sentences(value({part: -0.03}, opposite), best=False)
    assert worse == f"{loss} (\N{MINUS SIGN}3%)."


def test_the_end_of_the_game_comes_at_a_worse_time_with_more_or_fewer_scrolls_left() -> None:
    """The hint said "fewer scrolls left" for every loss."""
    for supply, amount in ((2.0, "2 more scrolls left"), (-2.0, "2 fewer scrolls left")):
        worse = value({"phase": -0.03}, {"supply": supply})
        assert CREST_EXPLAINER.sentences(SNOWCREST.of(worse, ("b",), best=False), "en") == [
            f"A worse end: {amount} (\N{MINUS SIGN}3%)."
        ]


@pytest.mark.parametrize(
    ("parts", "measures", "gain", "loss"),
    [
        ({"villagers": 0.02}, {"ready-card-2": 1.0, "ready-card-1": -1.0},
         "A stronger village with Guide ready", "A weaker village without Guide ready"),
        ({"villagers": 0.02}, {"village-card-1": 1.0, "village-card-2": -1.0},
         "A stronger village with Poet", "A weaker village without Poet"),
        # A villager who is replaced is not ready either, but gone.
        ({"villagers": 0.02}, {"village-card-1": -1.0, "ready-card-1": -1.0},
         "A stronger village without Poet", "A weaker village with Poet"),
        ({"villagers": 0.02}, {"ready-card-1": -1.0}, "A stronger village", "A weaker village"),
        ({"villagers": 0.02}, {"ready-card-2": 0.4}, "A stronger village", "A weaker village"),
        ({"hand": 0.02}, {"held-card-1": 0.7}, "Better cards in your hand with Poet",
         "Worse cards in your hand without Poet"),
        ({"hand": 0.02}, {"held-card-2": -1.0, "ready-card-1": 1.0},
         "Better cards in your hand without Guide", "Worse cards in your hand with Guide"),
        ({"hand": 0.02}, {"held-card-1": 1.0, "held-villager-settle": 1.0},
         "More in hand: 1 villager who settles penalties",
         "Fewer in hand: 1 villager who settles penalties"),
    ],
)  # fmt: skip
def test_a_card_is_named_if_no_kind_explains_a_village_or_a_hand(
    parts: dict[str, float], measures: dict[str, float], gain: str, loss: str
) -> None:
    """The hint said only "a stronger village" for a payment with one of two villagers."""
    cards = {"poet": "Poet", "guide": "Guide"}
    opposite = {name: -count for name, count in measures.items()}
    for own, best, sentence in (
        (value(parts, measures), True, f"{gain} (+2%)."),
        (value(dict.fromkeys(parts, -0.02), opposite), False, f"{loss} (\N{MINUS SIGN}2%)."),
    ):
        reasons = SNOWCREST.of(own, ("b",), best=best, cards=tuple(cards))
        assert CREST_EXPLAINER.sentences(reasons, "en", card_names=cards) == [sentence]


@pytest.mark.parametrize(
    ("part", "measures", "languages"),
    [
        ("villagers", {"village-card-1": -1.0, "ready-card-1": -1.0}, {
            "en": "A weaker village without Poet (\N{MINUS SIGN}2%).",
            "de": "Ein schwächeres Dorf: Dichterin ist nicht dabei (\N{MINUS SIGN}2\u00a0%).",
        }),
        ("villagers", {"ready-card-1": -1.0}, {
            "en": "A weaker village without Poet ready (\N{MINUS SIGN}2%).",
            "de": "Ein schwächeres Dorf: Dichterin ist nicht bereit (\N{MINUS SIGN}2\u00a0%).",
        }),
    ],
)  # fmt: skip
def test_a_replaced_villager_is_missed_and_not_only_not_ready(
    part: str, measures: dict[str, float], languages: dict[str, str]
) -> None:
    """The hint said "Glockengießer ist nicht bereit" of a villager who had been replaced."""
    names = {"en": "Poet", "de": "Dichterin"}
    reasons = SNOWCREST.of(value({part: -0.02}, measures), ("b",), best=False, cards=("poet",))
    for language, sentence in languages.items():
        cards = {"poet": names[language]}
        assert CREST_EXPLAINER.sentences(reasons, language, card_names=cards) == [sentence]


def test_a_pick_with_vague_advantages_has_a_small_one_that_says_what_changes() -> None:
    """The hint said only "A stronger village." although the player also kept a card."""
    own = value({"villagers": 0.02, "hand": 0.003}, {"hand": 1.0})
    assert CREST_EXPLAINER.sentences(SNOWCREST.of(own, ("b",), best=True), "en") == [
        "1 more hand card.",
        "A stronger village (+2%).",
    ]
    assert codes(SNOWCREST, own, best=False) == ["villagers"]
    smaller = value({"villagers": 0.02, "hand": 0.001}, {"hand": 1.0})
    assert codes(SNOWCREST, smaller, best=True) == ["villagers"]
    parts = {"others": 0.03, "actions": 0.02, "villagers": 0.01, "hand": 0.004, "points": -0.01}
    full = value(parts, {"hand": 1.0})
    assert codes(SNOWCREST, full, best=True) == ["hand", "others", "actions"]
    cost = value(
        {"villagers": 0.03, "resources": 0.004, "hand": -0.02}, {"resources": 1.0, "hand": -1.0}
    )
    assert codes(SNOWCREST, cost, best=True) == ["resources", "villagers", "hand"]
    soon = value({"result": 0.02, "hand": 0.003}, {"hand": 1.0})
    assert codes(SNOWCREST, soon, best=True) == ["result", "hand"]


def test_a_pick_that_is_hardly_better_in_a_vague_way_makes_no_difference() -> None:
    """The hint said "The game ends at a better time." for a difference of 0.0001."""
    hardly = value({"phase": 0.0001})
    assert codes(SNOWCREST, hardly, best=True) == ["same"]
    assert codes(SNOWCREST, hardly, best=False) == ["phase"]
    assert codes(SNOWCREST, value({"phase": 0.0001}, error=0.1), best=True) == ["phase"]
    assert codes(SNOWCREST, value({"phase": 0.01}), best=True) == ["phase"]


def test_fractions_explain_a_pick_if_nothing_else_does() -> None:
    """One of a thousand picks of Snowcrest had vague reasons only, such as "Better resources"."""
    parts = {"resources": 0.03, "hand": 0.02, "omen": -0.01}
    later = {"later-gold": 0.4, "later-hand": 0.2}

    def texts(measures: dict[str, float], *, best: bool) -> list[str]:
        reasons = SNOWCREST.of(value(parts, measures), ("b",), best=best)
        return CREST_EXPLAINER.sentences(reasons, "en")[:2]

    assert texts(later, best=True) == [
        "About 0.4 gold more later (+3%).",
        "More later on: about 0.2 hand cards (+2%).",
    ]
    assert texts(later | {"hand": 1.0}, best=True) == [
        "1 more hand card (+2%).",
        "Better resources (+3%).",
    ]
    assert texts(later, best=False)[0] == "Better resources (+3%)."
    # Hidden cards hide the difference.
    unsure = replace(value(parts, later), difference_error=0.2)
    reasons = SNOWCREST.of(unsure, ("b",), best=True)
    assert CREST_EXPLAINER.sentences(reasons, "en")[0] == "About 0.4 gold more later (+3%)."
    hidden = value({"resources": 0.004}, {"later-gold": 0.4}, error=0.2)
    assert SNOWCREST.of(hidden, ("b",), best=True)[0].params["kind"] == "later-gold"
    even = value({"resources": 0.0007}, {"later-gold": 0.06})
    assert codes(SNOWCREST, even, best=True) == ["same"]


def test_small_delays_and_ways_explain_a_part_if_nothing_else_does() -> None:
    """Three of 54,666 picks had only "A better next turn": snowmen cost 0.36 movements less."""
    fewer = value({"next-turn": 0.008, "others": -0.002}, {"snowmen": -0.36})
    assert sentences(fewer, best=True) == ["Snowmen slow you down less (+1%)."]
    delayed = value({"next-turn": -0.008}, {"snowmen": 0.36})
    assert codes(ARGUMENTS, delayed, best=False) == ["snowmen"]
    hardly = value({"next-turn": 0.008}, {"snowmen": -0.05})
    assert codes(ARGUMENTS, hardly, best=True) == ["next-turn"]
    ahead = value({"next-turn": 0.008}, {"snowmen": -0.36, "next-movements": 0.2})
    assert codes(ARGUMENTS, ahead, best=True) == ["next-turn"]
    # Snowcrest: less than half a cell explains nothing, as before.
    later = value({"villagers": 0.02}, {"rest-sooner": -0.2})
    assert codes(SNOWCREST, later, best=True) == ["villagers"]


def test_a_long_shot_says_how_often_it_pays_off() -> None:
    """On average b gets ahead; the only reason was "Better chances against the others (+5%)"."""
    measures = {"rival-1": -2.4, "pays-off": 0.21}
    shot = value({"others": 0.046, "progress": -0.0007}, measures)
    assert sentences(shot, best=True) == [
        "Better chances against the others (+5%).", "It pays off in about 2 of 10 cases.",
    ]  # fmt: skip
    for often, text in ((1.0, "almost all"), (0.97, "about 9 of 10"), (0.04, "less than 1 of 10")):
        paid = value({"others": 0.046}, {"pays-off": often})
        assert sentences(paid, best=True)[1] == f"It pays off in {text} cases."
    named = value({"others": 0.046}, {"rival-1": 2.4, "pays-off": 0.21})
    assert sentences(named, best=True) == ["b falls back (+5%)."]
    worse = value({"others": -0.046}, {"pays-off": -0.21})
    assert codes(ARGUMENTS, worse, best=False) == ["others"]
    # Hidden cards hide any difference, and nothing speaks for the choice.
    assert codes(ARGUMENTS, value({}, {"pays-off": 0.2}, error=0.3), best=True) == ["unsure"]


def test_what_pays_off_comes_before_the_costs() -> None:
    """A cost makes room for it, or the smallest gain; own harm and the largest gain stay."""
    odds = {"pays-off": 0.3}
    parts = {"others": 0.05, "progress": 0.04, "gifts": -0.03}
    assert codes(ARGUMENTS, value(parts, odds), best=True) == ["others", "progress", "odds"]
    harm = {"others": 0.05, "progress": 0.04, "next-turn": -0.03}
    stung = odds | {"stung": 1.0}
    assert codes(ARGUMENTS, value(harm, stung), best=True) == ["others", "odds", "stung"]
    assert sentences(value(harm, stung), best=True)[2].startswith("But your next turn begins with")
    # Wins come first, whatever their size.
    wins = value({"result": 0.063, "resources": 0.2585, "omen": -0.2565}, odds)
    assert codes(SNOWCREST, wins, best=True) == ["resources", "odds", "omen"]
    uncertain = value({"others": 0.03, "gifts": -0.02}, odds, error=0.06)
    assert codes(ARGUMENTS, uncertain, best=True) == ["others", "odds"]
    harmed = value({"others": 0.03, "next-turn": -0.02}, stung, error=0.06)
    assert codes(ARGUMENTS, harmed, best=True) == ["others", "odds", "stung"]


def test_a_cost_alone_makes_no_difference() -> None:
    """A pick had "A better next turn. But 2 fewer gifts.", and equal values."""
    even = value({"next-turn": 1e-5, "gifts": -1e-5}, {"gifts": -2.0})
    assert codes(ARGUMENTS, even, best=True) == ["same"]
    # The hint said "You are more likely to win soon. But more omen to come.".
    harmed = value({"result": 2e-4, "omen": -1e-4})
    assert codes(SNOWCREST, harmed, best=True) == ["same"]
    assert codes(SNOWCREST, value({"result": 0.03, "omen": -0.028}), best=True) == [
        "result", "omen",
    ]  # fmt: skip


def test_own_harm_stays_beside_vague_advantages() -> None:
    """The smaller one makes room for an argument that says what changes."""
    parts = {"villagers": 0.03, "buildings": 0.02, "hand": 0.004, "omen": -0.01}
    assert codes(SNOWCREST, value(parts), best=True) == ["villagers", "buildings", "omen"]
    named = codes(SNOWCREST, value(parts, {"hand": 1.0}), best=True)
    assert named == ["hand", "villagers", "omen"]
    hardly = value({"villagers": 0.03, "omen": -0.028})
    assert codes(SNOWCREST, hardly, best=True) == ["villagers", "omen"]


def test_small_costs_that_outweigh_a_gain_together_are_not_left_out() -> None:
    """The only argument of a worse choice was "1 point more later (+1%)"."""
    parts = {"points": 0.008, "hand": -0.0045, "actions": -0.0045, "villagers": -0.0045}
    worse = value(parts, {"later-points": 1.0})
    assert codes(SNOWCREST, worse, best=False) == ["hand"]


SMALL, LARGE = st.floats(-0.01, 0.01), st.floats(-0.3, 0.3)
SHARES = (SMALL | SMALL | LARGE).map(lambda share: round(share, 4)).filter(bool)
GAMES = {
    "slopecrashers": (
        ARGUMENTS,
        (*slopecrashers.SlopecrashersTurns.measures, *SEARCH_MEASURES),
    ),
    "snowcrest": (SNOWCREST, (*snowcrest.SnowcrestTurns.measures, *SEARCH_MEASURES)),
}


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_arguments_agree_with_the_difference(game: str, data: st.DataObject) -> None:
    arguments, measures = GAMES[game]
    codes_of_parts = sorted(
        {*arguments.counted, *arguments.kinds, *arguments.either, OTHERS, RESULT}
    )
    parts = data.draw(st.dictionaries(st.sampled_from(codes_of_parts), SHARES))
    counts = data.draw(st.dictionaries(st.sampled_from(measures), st.floats(-3.0, 3.0)))
    own = value(parts, counts, error=data.draw(st.sampled_from([0.0, 0.02])))
    difference = own.comparison.difference if own.comparison else 0.0
    best = difference > 0.0
    own = replace(own, value=data.draw(st.sampled_from([0.5, 0.95, 0.99995])))
    reasons = arguments.of(own, ("b", "c"), best=best)
    shares = [reason.params["share"] for reason in reasons if "share" in reason.params]
    harms = {*arguments.warned, *(harm for own in arguments.harms.values() for harm in own)}
    harms |= set(arguments.causes.values())
    harmed = harms & {reason.code for reason in reasons if reason.params.get("share", 0.0) < 0.0}
    beside_odds = {ODDS, UNSURE} <= {reason.code for reason in reasons} and bool(harmed)
    assert 1 <= len(reasons) <= 3 + beside_odds
    if abs(difference) > 0.005:
        assert shares
        assert harmed or sum(shares) * difference > 0.0
    if best and shares:
        assert shares[0] > 0.0
    if best and difference > 0.005 and own.measures.get(PAYS_OFF, 0.0) > 0.0:
        gains = [reason for reason in reasons if reason.params.get("share", 1.0) > 0.0]
        named = [each for each in gains if each.code not in (SAME, UNSURE)]
        assert any(map(arguments.names_change, named))


def test_the_end_is_only_counted_if_nothing_but_the_result_differs() -> None:
    """In games that go on, the points so far were called those of the end."""
    over, open_ = ({"result": 0.3, "omen": omen} for omen in (0.001, 0.1))
    counted = [
        SNOWCREST.of(value(each, {"later-lead": 2.0}), ("b",), best=True) for each in (over, open_)
    ]
    assert ["count" in of_result.params for of_result, *_ in counted] == [True, False]


def test_an_uncertain_comparison_says_so() -> None:
    """A headline says so, too; so reasons say it only if there is nothing else to say."""
    own = value({"progress": 0.02}, error=0.06)
    assert codes(ARGUMENTS, own, best=True) == ["progress"]
    nothing = value({}, error=0.06)
    assert sentences(nothing, best=True) == ["This is uncertain, by about 6%."]
    sure = value({"progress": 0.04}, error=0.06)
    assert codes(ARGUMENTS, sure, best=True) == ["progress"]


def test_a_difference_of_nothing_with_a_large_error_is_uncertain() -> None:
    """The reasons were "It makes no difference", and that hidden cards make it uncertain."""
    assert codes(ARGUMENTS, value({}, error=0.3), best=True) == ["unsure"]
    assert codes(ARGUMENTS, value({}, error=0.001), best=True) == ["same"]


@pytest.mark.parametrize(
    ("share", "error", "impact"),
    [
        (0.098, 0.06, " (+10%)"),
        (0.04, 0.06, ""),
        (0.006, 0.0, " (+1%)"),
        (0.004, 0.0, ""),
        (-0.23, 0.03, " (\N{MINUS SIGN}25%)"),
    ],
)
def test_an_impact_is_rounded_to_its_error_and_left_out_below_it(
    share: float, error: float, impact: str
):
    """A part of 9.8% had no number beside others of "20%"."""
    assert with_impact("more gifts", share, "en", error) == f"more gifts{impact}"


def test_no_text_is_more_precise_than_its_sample():
    own = value({"progress": 0.144, "gifts": -0.02}, error=0.03)
    reasons = ARGUMENTS.of(own, ("b", "c"), best=True)
    texts = EXPLAINER.sentences(reasons, "en", error=0.03)
    assert "(+15%)" in texts[0]
    assert "%" not in texts[1]


@pytest.mark.parametrize(
    ("part", "text"), [("points", "More points to come"), ("omen", "Less omen to come")]
)
def test_what_is_equal_at_the_end_of_the_turn_is_not_said_to_change_now(part: str, text: str):
    """Values are those of positions two rounds later; "more points now" was said without any."""
    reasons = SNOWCREST.of(value({part: 0.05}), ("b", "c"), best=True)
    assert CREST_EXPLAINER.sentences(reasons, "en") == [f"{text} (+5%)."]


def test_an_estimate_of_nothing_is_not_said_to_be_lost():
    estimated = hint(1e-6, 0.0)
    advice = advise(estimated)
    assert headline(estimated, advice) == ("Move 0. You have almost no chance left.")
    proven = with_bounds(estimated, (0.0, 0.0))
    assert headline(proven, advise(proven)) == "You cannot win any more."


def test_an_estimate_of_a_certain_win_is_not_said_to_be_sure():
    """It was false in 10 of 574 decided hints."""
    estimated = hint(0.9999995, 0.9999995)
    advice = advise(estimated)
    assert headline(estimated, advice) == ("Move 0. You almost certainly win.")
    proven = with_bounds(estimated, (1.0, 1.0))
    assert headline(proven, advise(proven)) == "You win, whatever you choose."


def headline(own: TurnHint[Any], advice: Reason, *plan: int) -> str:
    """Return a headline; choices are named by their numbers, and position 9 has other names."""
    explainer: Any = replace(EXPLAINER, label=lambda asked, each, _: f"Move {asked.play + each}")
    chosen = plan or (0,)
    following = TurnPlan(chosen, [0] * len(chosen), 9, None)
    question: Any = TurnQuestion(9, Decision("turn", {}), "a", "quick", None, None)
    text: str = explainer.headline(question, own, following, advice, "en")
    return text


def with_bounds(own: TurnHint[Any], bounds: tuple[float, float]) -> TurnHint[Any]:
    return replace(own, choices=[replace(each, bounds=bounds) for each in own.choices])


def hint(*values: float, error: float = 0.0) -> TurnHint[Any]:
    choices = [
        ChoiceValue(place, each, values[0] - each, error, {}, difference_error=error)
        for place, each in enumerate(values)
    ]
    return TurnHint(choices, None, {}, "", 1, 1, False, True, 1)


@pytest.mark.parametrize(
    ("shares", "error", "advice"),
    [
        ((0.4,), 0.0, Reason(FORCED, {})),
        ((0.4, 0.3, 0.2), 0.0, Reason(CLEAR, {"margin": 0.1})),
        ((0.4, 0.398, 0.3), 0.0, Reason(EQUAL, {"choices": [0, 1], "spread": 0.002})),
        ((0.4, 0.38), 0.03, Reason(UNCERTAIN, {"choices": [0, 1], "error": 0.03})),
    ],
)
def test_the_headline_says_how_clear_the_case_is(
    shares: tuple[float, ...], error: float, advice: Reason
) -> None:
    assert advise(hint(*shares, error=error)) == advice


@pytest.mark.parametrize(
    ("advice", "text"),
    [
        (Reason(CLEAR, {"margin": 0.1}), "Move 0: much better than anything else."),
        (Reason(CLEAR, {"margin": 0.09}), "Move 0: better than anything else."),
        (Reason(CLEAR, {"margin": 0.006}), "Move 0: slightly better than the rest."),
        (Reason(CLEAR, {"margin": 0.1, "result": WON}), "Move 0: a sure win."),
        (
            Reason(EQUAL, {"choices": [0, 1, 2], "spread": 0.002}),
            "Move 0. Other choices are about as good.",
        ),
        (
            Reason(EQUAL, {"choices": [0, 1], "spread": 0.0}),
            "Move 0. Other choices are just as good.",
        ),
        (
            Reason(EQUAL, {"choices": [0, 1], "spread": 0.0, "result": WON}),
            "Move 0: a sure win. Other choices win, too.",
        ),
        (
            Reason(UNCERTAIN, {"choices": [0, 1], "error": 0.03}),
            "Move 0: probably best, but other choices may be as good.",
        ),
    ],
)
def test_the_sentence_of_a_headline_names_the_pick(advice: Reason, text: str) -> None:
    assert headline(hint(0.4, 0.4, 0.4), advice) == text


def test_a_headline_names_the_whole_plan() -> None:
    clear = Reason(CLEAR, {"margin": 0.05})
    assert headline(hint(0.4, 0.35), clear, 1, 1, 2, 3).startswith(
        "Move 1 2 times, move 2, then move 3: better"
    )
    assert headline(hint(0.4, 0.35), clear, 1, 2).startswith("Move 1, then move 2: better")


def test_choices_with_the_same_value_have_no_costs() -> None:
    """Parts that cancel out said "costs less than 1%" under "All choices are equally good."."""
    level = replace(value({"progress": 0.01, "gifts": -0.01}), value=0.4)
    decided = replace(hint(0.4, 0.4), choices=[level, level])
    reasons = EXPLAINER.reasons(decided, "a", ("a", "b"))
    assert reasons == [[Reason("same", {})]] * 2
