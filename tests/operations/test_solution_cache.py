"""One solve for the whole table: kept, and told to whoever asks as if it were solved again."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.operations.solution_cache import SolutionCache
from service.solver import canonical
from tests import randomized
from tests.operations.bodies import (
    FULL,
    MODELS,
    NAMES,
    OBJECTIVES,
    Body,
    body,
    legal_moves,
    owners,
    random_body,
    text,
)

ROOMY = 1 << 24
SOLVED = MODELS[:3]
HANDS = ("1357hw", "246hb", "17hw", "35hwb")


class RecordingAgent(Memory):
    """A cache that tells which keys were put."""

    def __init__(self) -> None:
        super().__init__(ROOMY)
        self.puts: list[bytes] = []

    def put(self, key: bytes, value: bytes) -> None:
        self.puts.append(key)
        super().put(key, value)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The model of every solve that is made."""
    found: list[str] = []
    find = canonical.solve

    def counted(game, asked, stop_at=None):
        found.append(asked.question.model)
        return find(game, asked, stop_at)

    monkeypatch.setattr(canonical, "solve", counted)
    return found


def kept(memory: Memory | None = None) -> SolutionCache:
    return SolutionCache(
        SingleFlight(Cache(Memory(ROOMY) if memory is None else memory), WaitList(0))
    )


def everybody(asked: Body) -> list[Body]:
    """The question of each player who has something to decide."""
    deciding = {owners(asked)[seat] for seat in legal_moves(asked)["moves"]}
    return [asked | {"player": player} for player in sorted(deciding)]


def by(model: str, **more: object) -> Body:
    return body(*HANDS, opponents={"model": model}, **more)


# The same bytes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", randomized.case_numbers(8, 24))
def test_a_kept_solve_tells_each_asker_the_bytes_of_a_fresh_one(model: str, seed: int):
    asked = random_body(500 + seed, model)
    print(asked)
    solves = kept()
    weights = asked["opponents"].get("weights", {})
    for question in everybody(asked):
        if any(owners(asked)[seat] == question["player"] for seat in weights):
            continue
        fresh = text("suggest", question)
        assert [text("suggest", question, solves) for _ in range(2)] == [fresh, fresh]


@pytest.mark.parametrize("model", MODELS)
def test_a_kept_solve_serves_seats_in_another_order_under_other_names(model: str):
    solves = kept()
    text("suggest", by(model, scores=(3, 5, 5, 2)), solves)
    for seed in range(6):
        random = Random(seed)
        names = random.sample(["u", "v", "x", "y"], 4)
        asked = by(model, scores=(3, 5, 5, 2), nonce=str(seed))
        for seat, name in zip(asked["state"]["seats"], names, strict=True):
            seat["seat"] = name
        random.shuffle(asked["state"]["seats"])
        asked["player"] = random.choice(names)
        assert text("suggest", asked, solves) == text("suggest", asked)


# How many solves --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", SOLVED)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_solve_answers_every_player(model: str, objective: str, made: list[str]):
    solves = kept()
    for question in everybody(by(model, objective=objective)):
        text("suggest", question, solves)
    assert made == [model]


def test_one_solve_answers_both_players_with_two_seats(made: list[str]):
    solves = kept()
    asked = body(*HANDS, owners="abab", opponents={"model": "equilibrium"})
    for question in everybody(asked):
        text("suggest", question, solves)
    assert made == ["equilibrium"]


def test_one_solve_answers_all_watchers(made: list[str]):
    solves = kept()
    asked = by("equilibrium")
    told = ("watcher", "4", "watcher", "healer")
    asked["revealed"] = {name: {"card": card} for name, card in zip(NAMES[:4], told, strict=True)}
    assert len(everybody(asked)) == 2
    for question in everybody(asked):
        text("suggest", question, solves)
    assert made == ["equilibrium"]


def test_what_no_solve_depends_on_needs_no_other(made: list[str]):
    solves = kept()
    for more in (
        {},
        {"nonce": "1"},
        {"nonce": "2"},
        {"chosen": {"red": {"card": "3"}}},
        {"deadline_ms": 30_000},
        {"depth": 1, "tier": "standard", "objective": "win"},
    ):
        text("suggest", by("equilibrium") | more, solves)
    turned = by("equilibrium")
    turned["state"]["seats"].reverse()
    text("suggest", turned, solves)
    assert len(made) == 1


def different() -> list[Body]:
    """Questions of which no two may share a solve."""
    base = by("equilibrium", scores=(3, 5, 4, 2))
    state = base["state"]
    rich = [dict(seat, score=seat["score"] + 1) for seat in state["seats"]]
    poor = [dict(seat, hand=[c for c in seat["hand"] if c != "7"]) for seat in state["seats"]]
    revealed = {name: {"card": "watcher"} for name in ("red", "green", "black")}
    healing = {name: {"card": "healer"} for name in NAMES[:4]}
    weights = {"blue": {"2": 1, "4": 1}}
    return [
        base,
        *(base | {"opponents": {"model": model}} for model in MODELS[1:]),
        *(base | {"objective": objective} for objective in OBJECTIVES[1:]),
        *(base | {"tier": tier} for tier in ("quick", "deep")),
        base | {"depth": 2},
        base | {"state": state | {"seats": rich}},
        base | {"state": state | {"seats": poor}},
        base | {"state": state | {"fruit": [1, 0, 2, 0, 1, 0]}},
        base | {"state": state | {"track": {"length": 40, "bonuses": []}}},
        base
        | {
            "state": state
            | {"track": {"length": 40, "bonuses": [{"space": 9, "kind": "mana", "advance": 1}]}}
        },
        base | {"opponents": {"model": "equilibrium", "weights": weights}},
        base | {"opponents": {"model": "equilibrium", "weights": {"green": {"1": 1, "7": 1}}}},
        base | {"opponents": {"model": "equilibrium", "weights": {"blue": {"2": 1, "4": 3}}}},
        base | {"revealed": revealed | {"blue": {"card": "2"}}},
        base | {"revealed": revealed | {"blue": {"card": "4"}}},
        base | {"revealed": healing},
        base | {"revealed": healing, "player": "blue"},
        base | {"opponents": {"model": "uniform"}, "player": "blue"},
        base | {"state": body(*HANDS, owners="aabb", scores=(3, 5, 4, 2))["state"], "player": "a"},
        base | {"state": body(*HANDS, owners="abab", scores=(3, 5, 4, 2))["state"], "player": "a"},
    ]


def test_questions_that_differ_in_what_matters_never_share_a_solve():
    """All in one cache: each is answered as it would be alone."""
    store = RecordingAgent()
    solves = kept(store)
    for question in different():
        assert text("suggest", question, solves) == text("suggest", question)
    assert len(set(store.puts)) == len(store.puts) == len(different())


def test_where_one_player_alone_is_left_to_decide_each_asker_has_its_own(made: list[str]):
    """Under quantal play whoever asks does not err when alone, but errs when another asks."""
    solves = kept()
    asked = body("1357hw", "h", "h", opponents={"model": "quantal"})
    for player in NAMES[:3]:
        question = asked | {"player": player}
        assert text("suggest", question, solves) == text("suggest", question)


# What is not kept -------------------------------------------------------------------------------


def test_an_incomplete_solve_is_never_kept(monkeypatch: pytest.MonkeyPatch):
    find = canonical.solve

    def stopped(game, asked, stop_at=None):
        return replace(find(game, asked, stop_at), complete=False)

    monkeypatch.setattr(canonical, "solve", stopped)
    store = RecordingAgent()
    found = json.loads(text("suggest", by("equilibrium"), kept(store)))
    assert (found["search"]["complete"], store.puts) == (False, [])


def test_a_kept_solve_is_told_however_short_the_deadline():
    solves = kept()
    asked = body(FULL, FULL, FULL, FULL, FULL, opponents={"model": "equilibrium"})
    whole = text("suggest", asked, solves)
    assert text("suggest", asked | {"deadline_ms": 10}, solves) == whole


@pytest.mark.parametrize("junk", [b"", b"junk", bytes(1000)])
def test_junk_in_the_cache_is_a_miss(junk: bytes):
    store = RecordingAgent()
    solves = kept(store)
    whole = text("suggest", by("equilibrium"), solves)
    store.put(store.puts[0], junk)
    assert text("suggest", by("equilibrium"), solves) == whole
