"""The solution cache: one solution serves all players, with the bytes of a fresh computation."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from service.cache.memory import Memory
from service.solver import canonical
from tests import randomized
from tests.operations.bodies import (
    FULL,
    MODELS,
    NAMES,
    OBJECTIVES,
    JsonObject,
    legal_moves,
    owners,
    random_body,
    response_text,
    shown,
    suggest_body,
)
from tests.operations.caches import LARGE, cached_solutions

SOLVED = MODELS[:3]
HANDS = ("1357hw", "246hb", "17hw", "35hwb")


class RecordingMemory(Memory):
    """A memory cache that records the keys of all writes."""

    def __init__(self) -> None:
        super().__init__(LARGE)
        self.puts: list[bytes] = []

    def put(self, key: bytes, value: bytes) -> None:
        self.puts.append(key)
        super().put(key, value)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The opponent models of all solutions computed so far."""
    models: list[str] = []
    solve = canonical.solve

    def recording(game, question, stop_at=None):
        models.append(question.question.model)
        return solve(game, question, stop_at)

    monkeypatch.setattr(canonical, "solve", recording)
    return models


def for_each_player(body: JsonObject) -> list[JsonObject]:
    """Return the hint request of each deciding player."""
    deciding = {owners(body)[seat] for seat in legal_moves(body)["moves"]}
    return [body | {"player": player} for player in sorted(deciding)]


def with_model(model: str, **more: object) -> JsonObject:
    return suggest_body(*HANDS, opponents={"model": model}, **more)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", randomized.case_numbers(8, 24))
def test_a_cached_solution_gives_each_player_the_bytes_of_a_fresh_one(model: str, seed: int):
    body = random_body(500 + seed, model)
    print(body)
    cache = cached_solutions()
    weights = body["opponents"].get("weights", {})
    for player_body in for_each_player(body):
        if any(owners(body)[seat] == player_body["player"] for seat in weights):
            continue
        fresh = response_text("suggest", player_body)
        assert [response_text("suggest", player_body, cache) for _ in range(2)] == [fresh, fresh]


@pytest.mark.parametrize("model", MODELS)
def test_a_cached_solution_serves_other_orders_and_names_of_seats(model: str):
    cache = cached_solutions()
    response_text("suggest", with_model(model, scores=(3, 5, 5, 2)), cache)
    for seed in range(6):
        random = Random(seed)
        names = random.sample(["u", "v", "x", "y"], 4)
        body = with_model(model, scores=(3, 5, 5, 2), nonce=str(seed))
        for seat, name in zip(body["state"]["seats"], names, strict=True):
            seat["seat"] = name
        random.shuffle(body["state"]["seats"])
        body["player"] = random.choice(names)
        assert response_text("suggest", body, cache) == response_text("suggest", body)


@pytest.mark.parametrize("model", SOLVED)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_solution_serves_every_player(model: str, objective: str, computed: list[str]):
    cache = cached_solutions()
    for player_body in for_each_player(with_model(model, objective=objective)):
        response_text("suggest", player_body, cache)
    assert computed == [model]


@pytest.mark.parametrize(
    "body",
    [
        suggest_body(*HANDS, owners="abab", opponents={"model": "equilibrium"}),
        with_model("equilibrium", revealed=shown("w4wh")),
    ],
    ids=["two seats each", "watchers"],
)
def test_one_solution_serves_both_deciding_players(body: JsonObject, computed: list[str]):
    cache = cached_solutions()
    deciding = for_each_player(body)
    assert len(deciding) == 2
    for player_body in deciding:
        response_text("suggest", player_body, cache)
    assert computed == ["equilibrium"]


def test_fields_that_do_not_affect_the_solution_cause_no_cache_miss(computed: list[str]):
    cache = cached_solutions()
    for more in (
        {},
        {"nonce": "1"},
        {"nonce": "2"},
        {"chosen": {"red": {"card": "3"}}},
        {"deadline_ms": 30_000},
        {"depth": 1, "effort": "standard", "objective": "win"},
    ):
        response_text("suggest", with_model("equilibrium") | more, cache)
    reordered = with_model("equilibrium")
    reordered["state"]["seats"].reverse()
    response_text("suggest", reordered, cache)
    assert len(computed) == 1


def distinct_bodies() -> list[JsonObject]:
    """Return hint requests of which no two can share a solution.

    tests/conformance/test_keys.py changes each field of a question; these also differ by player.
    """
    scores = (3, 5, 4, 2)
    base = with_model("equilibrium", scores=scores)
    uniform = base | {"opponents": {"model": "uniform"}}
    healing = base | {"revealed": shown("hhhh")}
    weights = [{"blue": {"2": 1, "4": 1}}, {"green": {"1": 1, "7": 1}}, {"blue": {"2": 1, "4": 3}}]
    return [
        *(base, uniform, healing),
        *(body | {"player": "blue"} for body in (uniform, healing)),
        *(base | {"opponents": {"model": "equilibrium", "weights": own}} for own in weights),
        *(
            base | suggest_body(*HANDS, owners=shared, scores=scores, opponents=base["opponents"])
            for shared in ("aabb", "abab")
        ),
    ]


def test_requests_with_different_solutions_never_share_a_cache_entry():
    """All requests use one cache and still get the response of a fresh computation."""
    memory, bodies = RecordingMemory(), distinct_bodies()
    cache = cached_solutions(memory)
    for body in bodies:
        assert response_text("suggest", body, cache) == response_text("suggest", body)
    assert len(set(memory.puts)) == len(memory.puts) == len(bodies)


def test_with_one_deciding_player_each_requesting_player_has_an_own_solution(computed: list[str]):
    """With quantal opponents, a player who decides alone plays exactly only in its own hint."""
    cache = cached_solutions()
    body = suggest_body("1357hw", "h", "h", opponents={"model": "quantal"})
    for player in NAMES[:3]:
        player_body = body | {"player": player}
        assert response_text("suggest", player_body, cache) == response_text("suggest", player_body)


def test_a_solution_with_hundreds_of_moves_fits_into_the_cache():
    """One player takes champions back with two healers, in 22 ways each."""
    memory = RecordingMemory()
    hands = ("12456h", "1h", "6h", "3hw")
    body = suggest_body(*hands, owners="aabb", opponents={"model": "equilibrium"}, player="b")
    body["revealed"] = shown("h1hh")
    response_text("suggest", body, cached_solutions(memory))
    assert memory.puts, "the solution was cached"


def test_an_incomplete_solution_is_not_cached(monkeypatch: pytest.MonkeyPatch):
    solve = canonical.solve

    def stopped(game, question, stop_at=None):
        return replace(solve(game, question, stop_at), complete=False)

    monkeypatch.setattr(canonical, "solve", stopped)
    memory = RecordingMemory()
    hint = json.loads(response_text("suggest", with_model("equilibrium"), cached_solutions(memory)))
    assert (hint["search"]["complete"], memory.puts) == (False, [])


def test_a_cached_solution_is_returned_for_any_deadline():
    cache = cached_solutions()
    body = suggest_body(FULL, FULL, FULL, FULL, FULL, opponents={"model": "equilibrium"})
    whole = response_text("suggest", body, cache)
    assert response_text("suggest", body | {"deadline_ms": 10}, cache) == whole
