"""What suggest refuses, and what an absent field means."""

from __future__ import annotations

import time
from typing import Any

import pytest

from service.core.violations import OutOfTime
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from tests.operations.bodies import ENTRY, MODELS, VERBS, Body, body, faults, refused, suggest

ASKED = body("12hw", "3hb", "45h")
WEIGHTS = "/opponents/weights"
REVEALED: Body = {
    "red": {"card": "watcher"},
    "blue": {"card": "3"},
    "green": {"card": "healer"},
}


def weighted(**weights: Any) -> Body:
    return ASKED | {"opponents": {"model": "uniform", "weights": weights}}


@pytest.mark.parametrize(
    ("weights", "fault"),
    [
        ({"red": {"1": 1}}, ("/red", "own-seat")),
        ({"white": {"1": 1}}, ("/white", "unknown-seat")),
        ({"blue": {"4": 1}}, ("/blue/4", "card-not-in-hand")),
        ({"blue": {"4": 0, "3": 1}}, ("/blue/4", "card-not-in-hand")),
        ({"blue": {"3": 0, "healer": 0.0}}, ("/blue", "all-zero-weights")),
        ({"blue": {"3": -1}}, ("/blue/3", "out-of-range")),
        ({"blue": {"3": "1"}}, ("/blue/3", "not-a-number")),
        ({"blue": {"3": True}}, ("/blue/3", "not-a-number")),
        ({"blue": {"8": 1}}, ("/blue/8", "unknown-word")),
    ],
)
def test_weights_are_refused_by_seat_and_card(weights: Body, fault: tuple[str, str]):
    path, code = fault
    assert (WEIGHTS + path, code) in faults(weighted(**weights))


def test_every_fault_of_weights_is_reported():
    found = faults(weighted(red={"1": 1}, white={"1": 1}, blue={"4": 1}, green={"4": 0}))
    assert found == {
        (WEIGHTS + "/red", "own-seat"),
        (WEIGHTS + "/white", "unknown-seat"),
        (WEIGHTS + "/blue/4", "card-not-in-hand"),
        (WEIGHTS + "/green", "all-zero-weights"),
    }


def test_the_other_seat_of_the_asker_cannot_be_weighted():
    asked = body("1h", "2h", "3h", "4h", owners="abab")
    asked["opponents"]["weights"] = {"green": {"3": 1}}
    assert faults(asked) == {(WEIGHTS + "/green", "own-seat")}


def test_weights_and_revealed_cards_exclude_each_other():
    asked = weighted(blue={"3": 1}) | {"revealed": REVEALED}
    assert faults(asked) == {(WEIGHTS, "weights-with-revealed")}


def test_who_has_nothing_to_decide_is_told_so():
    for player in ("blue", "green"):
        refusal = refused(ASKED | {"revealed": REVEALED, "player": player})
        assert refusal.code == "nothing-to-decide"
        assert [fault.path for fault in refusal.faults] == ["/player"]


def test_after_the_last_decision_nobody_has_anything_to_decide():
    revealed = REVEALED | {
        "red": {"card": "watcher", "then": {"card": "1"}},
        "green": {"card": "healer", "recover": ["1"]},
    }
    for player in ("red", "blue", "green"):
        asked = ASKED | {"revealed": revealed, "player": player}
        assert refused(asked).code == "nothing-to-decide"


def test_a_healer_with_one_legal_set_has_nothing_to_decide():
    asked = body("h", "3hb", "45h", player="red")
    asked["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "3"}, "green": {"card": "4"}}
    assert refused(asked).code == "nothing-to-decide"


def test_a_finished_game_is_over():
    asked = body("1h", "2h", "3h", scores=(30, 0, 0))
    assert refused(asked).code == "game-over"


def test_the_model_is_the_equilibrium_if_none_is_named():
    for weights in ({}, {"blue": {"3": 1}}):
        named = suggest(ASKED | {"opponents": {"model": "equilibrium", "weights": weights}})
        assert named["search"]["method"] == "equilibrium"
        assert suggest(ASKED | {"opponents": {"weights": weights}}) == named
    unsaid = {name: told for name, told in ASKED.items() if name != "opponents"}
    assert suggest(unsaid) == suggest(ASKED | {"opponents": {}})
    assert suggest(unsaid) == suggest(ASKED | {"opponents": {"model": "equilibrium"}})


def test_an_unknown_model_is_a_bad_body():
    refusal = refused(ASKED | {"opponents": {"model": "minimax"}})
    assert refusal.code == "invalid-body"
    assert {fault.code for fault in refusal.faults} == {"unknown-word"}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("depth", [0, 4, 1.5, "2"]),
        ("deadline_ms", [9, 30_001]),
        ("tier", ["slow"]),
        ("objective", ["lose"]),
        ("nonce", ["", "x" * 129, "ä", "a\n"]),
        ("player", ["nobody"]),
    ],
)
def test_a_field_out_of_its_range_is_refused(field: str, values: list[Any]):
    for value in values:
        assert {path for path, _ in faults(ASKED | {field: value})} == {"/" + field}


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        ({"blue": {"card": "3"}, "red": {"card": "1"}}, ("/chosen/blue", "not-deciding")),
        ({"red": {"card": "7"}}, ("/chosen/red/card", "card-not-in-hand")),
        ({"red": {"card": "watcher", "then": {"card": "1"}}}, ("/chosen/red", "not-a-choice")),
    ],
)
def test_a_choice_that_cannot_be_graded_is_refused(chosen: Body, fault: tuple[str, str]):
    assert fault in faults(ASKED | {"chosen": chosen})


def test_a_choice_names_every_own_seat_that_decides():
    asked = body("1h", "2h", "3h", "4h", owners="abab", chosen={"red": {"card": "1"}})
    assert ("/chosen/green", "move-missing") in faults(asked)


def test_defaults_and_empty_objects_are_as_if_left_out():
    spelled_out = ASKED | {"objective": "win", "tier": "standard", "depth": 1}
    spelled_out |= {"revealed": {}, "chosen": {}}
    spelled_out["opponents"] = {"model": "uniform", "weights": {}}
    assert suggest(spelled_out) == suggest(ASKED)
    assert suggest(weighted(blue={})) == suggest(ASKED)


@pytest.mark.parametrize("model", MODELS)
def test_the_deadline_counts_from_receipt(model: str):
    asked = ASKED | {"deadline_ms": 10, "opponents": {"model": model}}
    received_long_ago = time.monotonic() - 1
    with pytest.raises(OutOfTime):
        execute(ENTRY, VERBS["suggest"], asked, RequestContext(received=received_long_ago))
    far_from_over = time.monotonic() + 3600
    found = execute(ENTRY, VERBS["suggest"], asked, RequestContext(received=far_from_over)).document
    assert found == suggest(ASKED | {"opponents": {"model": model}})
