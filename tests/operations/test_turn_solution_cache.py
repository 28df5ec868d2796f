"""The solution cache for turns: a searched turn is cached and serves equivalent requests."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from service.cache.single_flight import COMPUTED
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, Solutions
from service.solver.search import turn_plans
from tests.operations.caches import cached_solutions as new_cache
from tests.rich_requests import RICH

JsonObject = dict[str, Any]

DEFINITION = GAMES["slopecrashers"]
ENDPOINTS = {endpoint.name: endpoint for endpoint in DEFINITION.endpoints}
SUGGEST = ENDPOINTS["suggest"]
BODY: JsonObject = {
    "state": RICH["slopecrashers"]["resolve"]["state"],
    "player": "anna",
    "effort": "quick",
}
CACHED = "memory"


def suggest(body: JsonObject, cache: Solutions = UNCACHED) -> OperationResponse:
    return execute(
        DEFINITION, SUGGEST, json.loads(json.dumps(body)), RequestContext(solutions=cache)
    )


def layer(body: JsonObject, cache: Solutions) -> str:
    """Return the cache layer that served the solution."""
    response = suggest(body, cache)
    assert response.layer is not None
    return response.layer


def renamed(body: JsonObject) -> JsonObject:
    """Return the body with other player names."""
    text = json.dumps(body)
    for number, name in enumerate(("anna", "hugo", "nina", "vincent")):
        text = text.replace(f'"{name}"', f'"player-{number}"')
    result: JsonObject = json.loads(text)
    return result


def test_a_cached_solution_gives_the_response_of_a_fresh_one():
    cache = new_cache()
    documents = [suggest(BODY, cache).document for _ in range(2)]
    assert documents == [suggest(BODY).document] * 2
    assert layer(BODY, cache) == CACHED


def test_fields_that_do_not_affect_the_search_cause_no_cache_miss():
    cache = new_cache()
    assert layer(BODY, cache) == COMPUTED
    assert layer(BODY | {"deadline_ms": 20_000, "objective": "win"}, cache) == CACHED


def test_a_chosen_move_that_is_not_planned_is_searched_once():
    """Its plan explains it; the recommended move has its plan already."""
    cache = new_cache()
    hint = suggest(BODY, cache).document
    assert layer(BODY | {"chosen": hint["pick"]}, cache) == CACHED
    last = BODY | {"chosen": hint["moves"][-1]["move"]}
    assert [layer(last, cache) for _ in range(2)] == [COMPUTED, CACHED]


def test_names_and_hidden_gifts_cause_no_cache_miss():
    cache = new_cache()
    suggest(BODY, cache)
    assert layer(renamed(BODY), cache) == CACHED
    state = json.loads(json.dumps(BODY["state"]))
    state["seats"][1]["gifts"] = ["unknown"]
    assert layer(BODY | {"state": state}, cache) == CACHED


def test_an_incomplete_search_is_not_cached(monkeypatch: pytest.MonkeyPatch):
    cache = new_cache()
    search = turn_plans.solve

    def interrupted(game, question, stop_at, tree, **options):
        solved = search(game, question, None, tree, **options)
        return replace(solved, exact=False, complete=False)

    monkeypatch.setattr(turn_plans, "solve", interrupted)
    assert not suggest(BODY, cache).complete
    monkeypatch.undo()
    assert layer(BODY, cache) == COMPUTED
