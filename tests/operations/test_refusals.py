"""Refusals of suggest, and the defaults of absent fields."""

from __future__ import annotations

import time
from typing import Any

import pytest

from service.core.violations import COMPILING, OutOfTime, Overloaded
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.solver import canonical
from tests.operations.bodies import (
    DEFINITION,
    ENDPOINTS,
    MODELS,
    JsonObject,
    rejection_of,
    suggest,
    suggest_body,
    violations,
)

BODY = suggest_body("12hw", "3hb", "45h")
WEIGHTS = "/opponents/weights"
REVEALED: JsonObject = {
    "red": {"card": "watcher"},
    "blue": {"card": "3"},
    "green": {"card": "healer"},
}


def weighted(**weights: Any) -> JsonObject:
    return BODY | {"opponents": {"model": "uniform", "weights": weights}}


@pytest.mark.parametrize(
    ("weights", "violation"),
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
def test_weights_are_refused_by_seat_and_card(weights: JsonObject, violation: tuple[str, str]):
    path, code = violation
    assert (WEIGHTS + path, code) in violations(weighted(**weights))


def test_all_violations_of_weights_are_reported():
    reported = violations(weighted(red={"1": 1}, white={"1": 1}, blue={"4": 1}, green={"4": 0}))
    assert reported == {
        (WEIGHTS + "/red", "own-seat"),
        (WEIGHTS + "/white", "unknown-seat"),
        (WEIGHTS + "/blue/4", "card-not-in-hand"),
        (WEIGHTS + "/green", "all-zero-weights"),
    }


def test_the_players_own_other_seat_cannot_have_weights():
    body = suggest_body("1h", "2h", "3h", "4h", owners="abab")
    body["opponents"]["weights"] = {"green": {"3": 1}}
    assert violations(body) == {(WEIGHTS + "/green", "own-seat")}


def test_weights_and_revealed_cards_exclude_each_other():
    body = weighted(blue={"3": 1}) | {"revealed": REVEALED}
    assert violations(body) == {(WEIGHTS, "weights-with-revealed")}


def test_a_player_without_a_decision_is_refused():
    for player in ("blue", "green"):
        refusal = rejection_of(BODY | {"revealed": REVEALED, "player": player})
        assert refusal.code == "nothing-to-decide"
        assert [violation.path for violation in refusal.violations] == ["/player"]


def test_after_the_last_decision_every_player_is_refused():
    revealed = REVEALED | {
        "red": {"card": "watcher", "then": {"card": "1"}},
        "green": {"card": "healer", "recover": ["1"]},
    }
    for player in ("red", "blue", "green"):
        body = BODY | {"revealed": revealed, "player": player}
        assert rejection_of(body).code == "nothing-to-decide"


def test_a_healer_with_one_legal_recovery_has_nothing_to_decide():
    body = suggest_body("h", "3hb", "45h", player="red")
    body["revealed"] = {"red": {"card": "healer"}, "blue": {"card": "3"}, "green": {"card": "4"}}
    assert rejection_of(body).code == "nothing-to-decide"


def test_a_finished_game_is_refused_as_game_over():
    body = suggest_body("1h", "2h", "3h", scores=(30, 0, 0))
    assert rejection_of(body).code == "game-over"


def test_the_default_model_is_the_equilibrium():
    for weights in ({}, {"blue": {"3": 1}}):
        named = suggest(BODY | {"opponents": {"model": "equilibrium", "weights": weights}})
        assert named["search"]["method"] == "equilibrium"
        assert suggest(BODY | {"opponents": {"weights": weights}}) == named
    without_opponents = {name: value for name, value in BODY.items() if name != "opponents"}
    assert suggest(without_opponents) == suggest(BODY | {"opponents": {}})
    assert suggest(without_opponents) == suggest(BODY | {"opponents": {"model": "equilibrium"}})


def test_an_unknown_model_is_an_invalid_body():
    refusal = rejection_of(BODY | {"opponents": {"model": "minimax"}})
    assert refusal.code == "invalid-body"
    assert {violation.code for violation in refusal.violations} == {"unknown-word"}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("depth", [0, 4, 1.5, "2"]),
        ("deadline_ms", [9, 30_001]),
        ("effort", ["slow"]),
        ("objective", ["lose"]),
        ("nonce", ["", "x" * 129, "ä", "a\n"]),
        ("player", ["nobody"]),
    ],
)
def test_a_field_out_of_its_range_is_refused(field: str, values: list[Any]):
    for value in values:
        assert {path for path, _ in violations(BODY | {field: value})} == {"/" + field}


@pytest.mark.parametrize(
    ("chosen", "violation"),
    [
        ({"blue": {"card": "3"}, "red": {"card": "1"}}, ("/chosen/blue", "not-deciding")),
        ({"red": {"card": "7"}}, ("/chosen/red/card", "card-not-in-hand")),
        ({"red": {"card": "watcher", "then": {"card": "1"}}}, ("/chosen/red", "not-a-choice")),
    ],
)
def test_a_choice_that_cannot_be_graded_is_refused(chosen: JsonObject, violation: tuple[str, str]):
    assert violation in violations(BODY | {"chosen": chosen})


def test_a_choice_must_include_every_deciding_own_seat():
    body = suggest_body("1h", "2h", "3h", "4h", owners="abab", chosen={"red": {"card": "1"}})
    assert ("/chosen/green", "move-missing") in violations(body)


def test_defaults_and_empty_objects_equal_absent_fields():
    with_defaults = BODY | {"objective": "win", "effort": "standard", "depth": 1}
    with_defaults |= {"revealed": {}, "chosen": {}}
    with_defaults["opponents"] = {"model": "uniform", "weights": {}}
    assert suggest(with_defaults) == suggest(BODY)
    assert suggest(weighted(blue={})) == suggest(BODY)


@pytest.mark.parametrize("model", MODELS)
def test_the_deadline_counts_from_receipt_of_the_request(model: str):
    body = BODY | {"deadline_ms": 10, "opponents": {"model": model}}
    long_ago = time.monotonic() - 1
    with pytest.raises(OutOfTime):
        execute(DEFINITION, ENDPOINTS["suggest"], body, RequestContext(received=long_ago))
    in_an_hour = time.monotonic() + 3600
    hint = execute(
        DEFINITION, ENDPOINTS["suggest"], body, RequestContext(received=in_an_hour)
    ).document
    assert hint == suggest(BODY | {"opponents": {"model": model}})


def refuse_solves(monkeypatch: pytest.MonkeyPatch, times: int) -> list[float]:
    """Let the next solves need a kernel that is still compiled; return the times of their calls."""
    refused: list[float] = []
    solve = canonical.solve

    def refusing(*arguments: Any) -> Any:
        if len(refused) < times:
            refused.append(time.monotonic())
            raise Overloaded(COMPILING)
        return solve(*arguments)

    monkeypatch.setattr(canonical, "solve", refusing)
    monkeypatch.setattr("service.operations.context.COMPILING_POLL_S", 0.05)
    return refused


def test_a_request_waits_for_its_kernels(monkeypatch: pytest.MonkeyPatch):
    refused = refuse_solves(monkeypatch, times=2)
    assert suggest(BODY) == execute(DEFINITION, ENDPOINTS["suggest"], BODY).document
    assert len(refused) == 2


def test_a_request_waits_for_its_kernels_until_its_deadline(monkeypatch: pytest.MonkeyPatch):
    refused = refuse_solves(monkeypatch, times=1_000)
    start = time.monotonic()
    with pytest.raises(Overloaded, match=COMPILING):
        suggest(BODY | {"deadline_ms": 400})
    assert time.monotonic() - start < 5.0
    assert len(refused) > 2
