"""Rejected bodies: every violation code of the game, its path, and all violations together."""

import pytest

from service.games.snowcrest.api.violation_codes import VIOLATION_CODES
from tests.games.changes import changed
from tests.games.snowcrest.positions import (
    CORNERS,
    activate,
    ask,
    bid,
    pay,
    play_card,
    response_violations,
    seat,
    table,
    with_cards,
)

BASE = table(
    seat("a", CORNERS | {4: "abbess"}, hand="monk nun", tokens={"barley": 2, "bell": 1}),
    seat("b", CORNERS | {4: "guide"}, hand="unknown unknown", discards="monk"),
    row=["merchant", "poet", "shepherd", "smith", "miller"],
    challenges=[{"challenge": "wide-fields"}],
    below={"guardians": ["snow-leopard"]},
)
TURN = [activate(0)]


def state_violations(*changes):
    return response_violations("resolve", {"state": changed(BASE, *changes), "moves": TURN})


STATE_VIOLATIONS = {
    "duplicate-player": ([("seats 1 player", "a")], "/state/seats/1/player"),
    "unknown-player": ([("turn", "c")], "/state/turn"),
    "unknown-card": ([("row 2", "yeti")], "/state/row/2"),
    "wrong-place": ([("seats 0 hand", ["merchant"])], "/state/seats/0/hand/0"),
    "too-many-cards": ([("seats 0 hand", ["abbess"])], "/state/seats/0"),
    "too-many-unknown": ([("seats 1 hand", ["unknown"] * 9)], "/state/seats/1/hand"),
    "cell-taken": ([("seats 0 village 4 cell", 0)], "/state/seats/0/village/4/cell"),
    "too-many-buildings": ([("seats 0 buildings farm up", 8), ("seats 0 buildings forge",
                            {"up": 1})], "/state/seats/0/buildings"),
    "too-much-juniper": ([("juniper", 7)], "/state/juniper"),
    "duplicate-challenge": (
        [("challenges", [{"challenge": "wide-fields"}] * 2)], "/state/challenges/1/challenge",
    ),
    "no-challenges": ([("starter_variant", True)], "/state/challenges"),
    "only-in-solo": ([("difficulty", 2)], "/state/difficulty"),
    "not-at-set-up": ([("phase", "set-up")], "/state/seats/0"),
    "round-is-over": ([("supply", 0)], "/state/turn"),
}  # fmt: skip


@pytest.mark.parametrize("code", STATE_VIOLATIONS)
def test_each_violation_of_a_state_names_its_path(code):
    changes, path = STATE_VIOLATIONS[code]
    assert (path, code) in state_violations(*changes)


def test_the_base_state_of_these_tests_is_legal():
    assert ask("resolve", {"state": BASE, "moves": TURN, "seed": 1})["game_over"] is False


def test_all_violations_are_reported_together():
    violations = state_violations(
        ("seats 1 player", "a"),
        ("turn", "c"),
        ("row 2", "yeti"),
        ("seats 0 hand", ["merchant", "snow-leopard", 7]),
        ("seats 0 omen", 6),
        ("below", {"forest": ["snow-leopard"]}),
        ("challenges 0 challenge", "chess"),
        ("challenges 0 by", "z"),
        ("seats 0 tokens", {"silver": 1}),
        ("surplus", 1),
    )
    assert violations == {
        ("/state/seats/1/player", "duplicate-player"),
        ("/state/turn", "unknown-player"),
        ("/state/row/2", "unknown-card"),
        ("/state/seats/0/hand/0", "wrong-place"),
        ("/state/seats/0/hand/1", "wrong-place"),
        ("/state/seats/0/hand/2", "not-a-string"),
        ("/state/seats/0/omen", "out-of-range"),
        ("/state/below/forest/0", "wrong-place"),
        ("/state/challenges/0/challenge", "unknown-card"),
        ("/state/challenges/0/by", "unknown-player"),
        ("/state/seats/0/tokens/silver", "unknown-word"),
        ("/state/surplus", "unknown-field"),
    }


def test_more_buildings_than_the_game_has_are_rejected():
    temples = {"temple": {"up": 6}}
    two = changed(BASE, *((f"seats {seat} buildings", temples) for seat in range(2)))["seats"]
    three = [*two, seat("c", {}, buildings={"temple": 6})]
    violations = state_violations(("seats", three), ("juniper", 9))
    assert violations == {("/state/seats", "too-many-buildings")}


def test_a_known_spirit_is_under_its_pile_only_once():
    violations = state_violations(("below guardians", ["snow-leopard", "snow-leopard"]))
    assert violations == {("/state/below/guardians", "too-many-cards")}


def test_a_solo_game_that_is_lost_is_over():
    body = {"state": table(seat("a"), solo=True, rests=4)}
    assert response_violations("legal-moves", body) == {("/state/rests", "too-many-rests")}


def test_optional_fields_of_a_state_have_defaults():
    short = {
        "seats": [{"player": "a", "village": [{"cell": 0, "card": "farmer"}]}, {"player": "b"}],
        "turn": "a", "supply": 9, "juniper": 2,
        "row": ["merchant", "poet", "shepherd", "smith", "miller"],
    }  # fmt: skip
    resolved = ask("resolve", {"state": short, "moves": TURN, "seed": 1})["state"]
    assert resolved["phase"] == "turns"
    assert resolved["seats"][1] == {
        "player": "b", "tokens": {}, "scrolls": 0, "omen": 0, "omen_tokens": 0, "village": [],
        "buildings": {kind: {"up": 0, "spent": 0} for kind in ("farm", "forge", "temple")},
        "hand": [], "discards": [],
    }  # fmt: skip
    assert not {"catalogue", "difficulty", "rests", "starter_variant"} & set(resolved)


# Turns --------------------------------------------------------------------------------------

BELL = bid(tokens={"bell": 1})
TURN_VIOLATIONS = {
    "not-of-this-type": ([{"type": "rest", "cell": 1}], "/moves/0/cell"),
    "missing": ([{"type": "play", "card": "monk"}], "/moves/0/cell"),
    "unknown-card": ([play_card("yeti", 1)], "/moves/0/card"),
    "unknown-word": ([play_card("unknown", 1)], "/moves/0/card"),
    "wrong-place": ([play_card("snow-leopard", 1)], "/moves/0/card"),
    "unknown-player": ([{"type": "copy", "owner": "z", "cell": 1}], "/moves/0/owner"),
    "not-a-choice": ([{"type": "decline"}], "/moves/0/type"),
    "not-deciding": ([activate(0) | {"player": "b"}], "/moves/0"),
    "no-rest-due": ([{"type": "rest"}], "/moves/0/type"),
    "no-pass": ([{"type": "pass"}], "/moves/0/type"),
    "not-face-up": ([activate(1)], "/moves/0/cell"),
    "card-not-there": ([play_card("potter", 1)], "/moves/0/card"),
    "too-little": ([play_card("nun", 1), pay(tokens={"barley": 1})], "/moves/1/payment"),
    "could-be-left-out": (
        [play_card("nun", 1), pay(tokens={"barley": 2}, buildings={"farm": 1})],
        "/moves/1/payment/buildings/farm",
    ),
    "not-owned": ([play_card("nun", 1, tokens={"gold": 2})], "/moves/0/payment/tokens/gold"),
    "not-in-hand": ([play_card("nun", 1), pay(hand=["potter"])], "/moves/1/payment/hand/0"),
    "busy": ([play_card("nun", 1), pay(village=[1])], "/moves/1/payment/village/0"),
    "bids-nothing": ([activate(4), bid()], "/moves/1/payment"),
    "has-to-bid": ([activate(4), {"type": "skip"}], "/moves/1/type"),
    "no-bell": ([activate(4), BELL, bid(buildings={"farm": 1})], "/moves/2/payment/buildings/farm"),
    "impossible-draw": ([activate(0), {"type": "draw", "card": "monk"}], "/moves/1"),
    "open-decision": ([activate(4), BELL], "/moves/2"),
    "open-draw": ([activate(0)], "/moves/1"),
}


@pytest.mark.parametrize("code", TURN_VIOLATIONS)
def test_each_violation_of_a_turn_names_its_path(code):
    moves, path = TURN_VIOLATIONS[code]
    assert (path, code) in response_violations("resolve", {"state": BASE, "moves": moves})


def test_a_payment_for_a_free_card_is_rejected():
    state = BASE | {"catalogue": with_cards(nun={"cost": 0})}
    body = {"state": state, "moves": [play_card("nun", 1, tokens={"barley": 1})]}
    found = response_violations("resolve", body)
    assert found == {("/moves/0/payment", "could-be-left-out")}


def test_violations_of_turn_and_state_are_reported_together():
    body = {"state": changed(BASE, ("turn", "z")), "moves": [{"type": "rest", "cell": 1}]}
    turn, cell = ("/state/turn", "unknown-player"), ("/moves/0/cell", "not-of-this-type")
    assert response_violations("resolve", body) == {turn, cell}


ELSEWHERE = {
    "rest-due", "cell-exhausted", "starter-stays", "has-to-pay", "another-item", "not-to-give",
    "not-in-discards", "nothing-to-copy", "cannot-build", "cannot-trade", "not-in-solo",
    "prevents-the-action", "too-many-rests", "cannot-pay", "duplicate-id", "reserved-id",
    "duplicate-set", "never-met", "recruit-alone", "too-few-villagers", "endless-reward",
    "wrong-starters", "twice-in-deck", "no-decks", "deck-missing", "unknown-deck",
}  # fmt: skip
"""Tested with the rulings, in ``test_catalogue.py`` and in ``test_decks.py``."""


def test_every_violation_code_is_tested_here_or_with_the_rulings():
    assert set(VIOLATION_CODES) <= {*STATE_VIOLATIONS, *TURN_VIOLATIONS, *ELSEWHERE}
