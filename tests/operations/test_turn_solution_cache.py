"""A searched turn is kept, and told to whoever asks about one that looks alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import COMPUTED, SingleFlight, WaitList
from service.games.registry import GAMES
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import UNCACHED, SolutionCache
from service.solver.search import turn_expectimax

Body = dict[str, Any]

ENTRY = GAMES["slopecrashers"]
[SUGGEST] = [verb for verb in ENTRY.endpoints if verb.name == "suggest"]
BODY: Body = {"state": SUGGEST.example["state"], "player": "anna", "tier": "quick"}
KEPT = "memory"


def kept(memory: Memory | None = None) -> SolutionCache:
    return SolutionCache(
        SingleFlight(Cache(Memory(1 << 20) if memory is None else memory), WaitList(0))
    )


def told(body: Body, solves: SolutionCache = UNCACHED) -> OperationResponse:
    return execute(ENTRY, SUGGEST, json.loads(json.dumps(body)), RequestContext(solutions=solves))


def layer(body: Body, solves: SolutionCache) -> str:
    took = told(body, solves).cost
    assert took is not None
    return took.layer


def renamed(body: Body) -> Body:
    text = json.dumps(body)
    for number, name in enumerate(("anna", "hugo", "nina", "vincent")):
        text = text.replace(f'"{name}"', f'"player-{number}"')
    found: Body = json.loads(text)
    return found


def test_a_kept_solve_tells_the_same_as_a_fresh_one():
    solves = kept()
    answers = [told(BODY, solves).document for _ in range(2)]
    assert answers == [told(BODY).document] * 2
    assert layer(BODY, solves) == KEPT


@pytest.mark.parametrize(
    ("name", "value"),
    [("chosen", {"type": "end"}), ("deadline_ms", 20_000), ("objective", "win")],
)
def test_what_a_search_does_not_depend_on_does_not_miss(name: str, value: object):
    solves = kept()
    assert layer(BODY, solves) == COMPUTED
    assert layer(BODY | {name: value}, solves) == KEPT


def test_names_and_what_cannot_be_seen_do_not_miss():
    solves = kept()
    told(BODY, solves)
    assert layer(renamed(BODY), solves) == KEPT
    state = json.loads(json.dumps(BODY["state"]))
    state["seats"][1]["gifts"] = ["unknown"]
    assert layer(BODY | {"state": state}, solves) == KEPT


@pytest.mark.parametrize(
    "change",
    [
        {"tier": "standard"},
        {"so_far": [{"type": "discard"}]},
        {"player": "hugo", "so_far": [{"type": "play", "gift": "rocket"}]},
    ],
)
def test_another_question_is_another_search(change: Body):
    solves = kept()
    told(BODY, solves)
    assert layer(BODY | change, solves) == COMPUTED


def test_another_position_is_another_search():
    solves = kept()
    told(BODY, solves)
    for path in ("lap", "row", "stung", "discards"):
        state = json.loads(json.dumps(BODY["state"]))
        if path == "discards":
            state["discards"] = ["chili"]
        else:
            state["seats"][3][path] = {"lap": 2, "row": 3, "stung": True}[path]
        assert layer(BODY | {"state": state}, solves) == COMPUTED, path


def test_what_is_kept_and_is_no_solve_is_made_anew():
    class Spoiling(Memory):
        def get(self, key: bytes) -> bytes | None:
            return None if super().get(key) is None else b"[1, 2]"

    solves = kept(Spoiling(1 << 20))
    first = told(BODY, solves).document
    again = told(BODY, solves)
    assert again.document == first
    assert again.cost is not None
    assert again.cost.layer == COMPUTED


def test_an_incomplete_search_is_not_kept(monkeypatch: pytest.MonkeyPatch):
    solves = kept()
    search = turn_expectimax.solve

    def hurried(game, question, stop_at):
        found = search(game, question, None)
        return turn_expectimax.TurnSolution(
            found.shares,
            found.errors,
            found.rounds,
            found.determinizations,
            False,
            False,
            found.nodes,
        )

    monkeypatch.setattr(turn_expectimax, "solve", hurried)
    assert not told(BODY, solves).complete
    monkeypatch.undo()
    assert layer(BODY, solves) == COMPUTED
