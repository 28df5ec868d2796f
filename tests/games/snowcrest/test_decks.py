"""C1 and C2: a deck of its own for each colour, through whole games."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from golden.turns import random_turn

from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE_DOCUMENT
from service.games.snowcrest.catalogue.rendering import render_catalogue
from tests import randomized
from tests.games.snowcrest.catalogues import parsed, with_decks
from tests.games.snowcrest.positions import ask, response_violations

COLOURS = ("red", "blue", "green", "yellow")
SEATS = [{"player": f"p-{colour}", "deck": colour} for colour in COLOURS]
CATALOGUE = with_decks(DEFAULT_CATALOGUE_DOCUMENT, Random(7), COLOURS)
GAMES = randomized.case_numbers(2, 10)


def own_cards(seat: dict[str, Any], own: set[str]) -> Counter[str]:
    """Return the cards of decks in the places of a seat, by the document alone."""
    residents = (each["card"] for each in seat["village"])
    return Counter(card for card in (*seat["hand"], *seat["discards"], *residents) if card in own)


def test_c2_a_catalogue_with_decks_is_rendered_as_given():
    assert render_catalogue(parsed(CATALOGUE))["decks"] == CATALOGUE["decks"]


def test_c2_each_seat_begins_with_the_starters_and_a_hand_of_its_deck():
    state = ask("new", {"seats": SEATS, "seed": 1, "catalogue": CATALOGUE})["state"]
    for seat in state["seats"]:
        deck = CATALOGUE["decks"][seat["deck"]]
        assert {each["card"] for each in seat["village"]} == set(deck[:4])
        assert len(seat["hand"]) == 3
        assert set(seat["hand"]) <= set(deck[4:])


@pytest.mark.parametrize("seed", GAMES)
def test_c2_no_card_ever_leaves_its_deck(seed):
    """A replay that counts the cards in the documents, and nothing else."""
    random, every = Random(seed), (*CATALOGUE["starters"], *CATALOGUE["villagers"])
    copies = {card["id"]: card.get("copies", 1) for card in every}
    decks = {
        name: Counter({each: copies[each] for each in ids})
        for name, ids in CATALOGUE["decks"].items()
    }
    state = ask("new", {"seats": SEATS, "seed": seed, "catalogue": CATALOGUE})["state"]
    turns = 0
    while state["phase"] != "over" and turns < 200:
        moves = random_turn("snowcrest", random, state)
        state, turns = ask("resolve", {"state": state, "moves": moves})["state"], turns + 1
        for seat, first in zip(state["seats"], SEATS, strict=True):
            assert seat["deck"] == first["deck"]
            assert not own_cards(seat, set(copies)) - decks[seat["deck"]]
    assert turns > 20


def test_c2_a_hint_names_cards_of_the_own_deck_only():
    state = ask("new", {"seats": SEATS, "seed": 3, "catalogue": CATALOGUE})["state"]
    random = Random(3)
    for _ in range(6):
        moves = random_turn("snowcrest", random, state)
        state = ask("resolve", {"state": state, "moves": moves})["state"]
    mover = next(seat for seat in state["seats"] if seat["player"] == state["turn"])
    hint = ask("suggest", {"state": state, "player": state["turn"], "effort": "quick"})
    own = {card["id"] for card in (*CATALOGUE["starters"], *CATALOGUE["villagers"])}
    named = {move["move"].get("card") for move in hint["moves"]} & own
    assert named <= set(CATALOGUE["decks"][mover["deck"]])


def with_red(deck):
    return {"catalogue": CATALOGUE | {"decks": CATALOGUE["decks"] | {"red": deck}}}


RED = CATALOGUE["decks"]["red"]
FAULTS = {
    "deck-missing": ({"seats": [SEATS[0], {"player": "b"}]}, "/seats/1/deck"),
    "unknown-deck": ({"seats": [SEATS[0], {"player": "b", "deck": "pink"}]}, "/seats/1/deck"),
    "wrong-starters": (with_red(RED[1:]), "/catalogue/decks/red"),
    "unknown-card": (with_red([*RED, "merchant"]), "/catalogue/decks/red/"),
    "twice-in-deck": (with_red([*RED, RED[0]]), "/catalogue/decks/red/"),
    "too-few-villagers": (with_red(RED[:5]), "/catalogue/decks/red"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_c2_a_fault_of_decks_has_its_place(code):
    change, place = FAULTS[code]
    body = {"seats": SEATS, "seed": 1, "catalogue": CATALOGUE} | change
    found = response_violations("new", body)
    assert any(path.startswith(place) and each == code for path, each in found)


def test_c2_without_decks_there_are_four_starters():
    without = {name: each for name, each in CATALOGUE.items() if name != "decks"}
    found = response_violations("new", {"seats": SEATS, "seed": 1, "catalogue": without})
    assert ("/catalogue/starters", "wrong-starters") in found


def test_c2_a_seat_names_no_deck_of_a_catalogue_without_decks():
    body = {"seats": [{"player": "a", "deck": "red"}, {"player": "b"}], "seed": 1}
    assert response_violations("new", body) == {("/seats/0/deck", "no-decks")}


def test_c12_a_card_of_another_deck_is_refused():
    state = ask("new", {"seats": SEATS, "seed": 1, "catalogue": CATALOGUE})["state"]
    red, blue = state["seats"][:2]
    red["village"][0]["card"] = blue["village"][0]["card"]
    found = response_violations("legal-moves", {"state": state})
    assert ("/state/seats/0", "too-many-cards") in found
