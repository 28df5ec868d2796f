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
    suggest,
    suggest_body,
    violations,
)

BODY = suggest_body("12hw", "3hb", "45h")
WEIGHTS = "/opponents/weights"


def weighted(**weights: Any) -> JsonObject:
    return BODY | {"opponents": {"model": "uniform", "weights": weights}}


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


def test_the_default_model_is_the_equilibrium():
    for weights in ({}, {"blue": {"3": 1}}):
        named = suggest(BODY | {"opponents": {"model": "equilibrium", "weights": weights}})
        assert named["search"]["method"] == "equilibrium"
        assert suggest(BODY | {"opponents": {"weights": weights}}) == named
    without_opponents = {name: value for name, value in BODY.items() if name != "opponents"}
    assert suggest(without_opponents) == suggest(BODY | {"opponents": {}})
    assert suggest(without_opponents) == suggest(BODY | {"opponents": {"model": "equilibrium"}})


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
    context = RequestContext(received=time.monotonic() + 3600)
    hint = execute(DEFINITION, ENDPOINTS["suggest"], body, context).document
    assert hint == suggest(BODY | {"opponents": {"model": model}})


def refuse_solves(monkeypatch: pytest.MonkeyPatch, times: int) -> list[str]:
    """Let the next solves need a kernel that is still compiled; return what was refused."""
    refused: list[str] = []
    solve = canonical.solve

    def refusing(*arguments: Any) -> Any:
        if len(refused) < times:
            refused.append(COMPILING)
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
    with pytest.raises(Overloaded, match=COMPILING):
        suggest(BODY | {"deadline_ms": 400})
    assert len(refused) > 2
