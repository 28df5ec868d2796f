"""Ruling C22 in the search: icons of any resource are gold that becomes another resource."""

from dataclasses import replace

import numpy as np
import pytest

from service.games.snowcrest.engine.chances import possible_hands
from service.games.snowcrest.engine.kernels.choices import answers, last_turn
from service.games.snowcrest.engine.kernels.choices.endings import MOST_HIDDEN, deal
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.turn_ends import has_small_turns
from service.games.snowcrest.rules.state import unseen_deck
from service.games.snowcrest.rules.turn import Turn
from tests.games.snowcrest.catalogues import parsed
from tests.games.snowcrest.engine.kernels.test_candidates import legal_by, listed_by, search_of
from tests.games.snowcrest.positions import (
    activate,
    bid,
    follow_actions,
    seat,
    state,
    table,
    with_cards,
)


def packed(start, *actions):
    """Return the packing of a position, and the turn after some actions."""
    turn = follow_actions(start, *actions).play if actions else Turn(state(start))
    return packing_of(turn.state.catalogue, len(turn.state.seats)), replace(turn, actions=())


def test_dealt_hands_show_how_many_icons_are_of_any_resource():
    """The unknown cards of b are two of three: with one, three and no such icon."""
    icons = {"nun": {"any": 1}, "monk": {"any": 3, "gold": 1}, "potter": {"gold": 2}}
    cards = with_cards(**{card: {"icons": shown} for card, shown in icons.items()})
    own = {card["id"] for card in cards["villagers"]} - icons.keys()
    other = seat("b", hand="unknown unknown", discards=" ".join(sorted(own)))
    packing, turn = packed(table(seat("a"), other, catalogue=cards))
    deals = np.zeros((40, 2, MOST_HIDDEN + 1, at.ICON_KINDS), np.int16)
    np.random.seed(1)
    deal(packing.pack(turn), packing.cards, deals)
    pairs = {(int(gold), int(any_)) for gold, any_ in deals[:, 1, 2, at.GOLD :]}
    assert pairs == {(5, 4), (3, 1), (6, 3)}


def test_hands_of_gold_and_of_icons_of_any_resource_are_followed_one_by_one():
    cards = with_cards(nun={"icons": {"any": 1}}, potter={"icons": {"gold": 1}})
    own = {card["id"] for card in cards["villagers"]} - {"nun", "potter", "scholar"}
    other = seat("b", hand="unknown", discards=" ".join(sorted(own)))
    packing, turn = packed(table(seat("a"), other, catalogue=cards))
    assert unseen_deck(turn.state, 1).total() == 3
    hands = possible_hands(packing.pack(turn), packing, 1)
    assert sorted(share for share, _ in hands) == pytest.approx([1 / 3, 2 / 3])


def test_a_last_turn_has_payments_with_gold_and_with_icons_of_any_resource():
    cost = {"effects": [{"type": "gain", "what": "less-omen"}], "pay": {"bowl": 1}}
    own = seat("a", {0: "nun", 4: "potter"}, tokens={"gold": 1}, buildings={})
    cards = with_cards(nun={"icons": {"any": 1}}, potter={"actions": [cost]})
    packing, turn = packed(table(own, catalogue=cards), activate(4))
    found, every = listed_by(search_of(packing), packing, turn)
    assert (len(found), every) == (2, last_turn.EVERY)
    assert {each.tobytes() for each in found} == legal_by(packing, turn).keys()


def test_c6_an_unknown_card_may_show_as_many_bells_as_a_catalogue_allows():
    cards = with_cards(nun={"icons": {"bell": 12, "gold": 12, "any": 12}})
    seats = (seat("a", {4: "monk"}, tokens={"bell": 30}), seat("b", hand="unknown", buildings={}))
    packing, turn = packed(table(*seats, catalogue=cards), activate(4), bid(tokens={"bell": 30}))
    search = search_of(packing)
    assert answers.answer_bid(packing.pack(turn), search) == pytest.approx(1 / 9)
    card = packing.catalogue.card_by_id["nun"]
    assert search.actions[0, at.PAYMENT + at.PAID_CARDS + card] == 1


def test_a_rest_with_many_icons_of_any_resource_is_a_large_turn():
    """Nine villagers may show them, and each icon is a choice."""
    small, large = (parsed(with_cards(nun={"icons": {"any": count}})) for count in (1, 2))
    assert has_small_turns(small)
    assert not has_small_turns(large)
