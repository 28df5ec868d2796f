"""Hints do not depend on the order of seats, and a body gives the same bytes in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.operations.bodies import (
    FULL,
    MODELS,
    NAMES,
    OBJECTIVES,
    JsonObject,
    move_key,
    owners,
    random_body,
    response_text,
    suggest,
    suggest_body,
)
from tests.randomized import case_count, case_numbers

ROOT = Path(__file__).resolve().parents[2]


def seated(body: JsonObject, order: list[int]) -> JsonObject:
    """Return the body with its seats in another order."""
    seats = [body["state"]["seats"][place] for place in order]
    return body | {"state": body["state"] | {"seats": seats}}


def by_move(hint: JsonObject) -> dict[str, dict[str, float]]:
    """Return the strategies as probabilities by move, independent of the order of rows."""
    return {
        player: {move_key(row["move"]): row["probability"] for row in strategy}
        for player, strategy in hint["strategies"].items()
    }


def assert_order_does_not_matter(body: JsonObject, random: Random) -> None:
    hint = suggest(body)
    rows = by_move(hint)
    for _ in range(4):
        order = random.sample(range(len(body["state"]["seats"])), len(body["state"]["seats"]))
        print(order)
        again = suggest(seated(body, order))
        assert again | {"strategies": None} == hint | {"strategies": None}
        # Rounding: see the test of strategies below.
        within = 1.01e-9 if body["opponents"]["model"] == "uniform" else 0.0
        for player, strategy in by_move(again).items():
            assert strategy == pytest.approx(rows[player], abs=within, rel=0)


some_objectives = pytest.mark.parametrize("objective", OBJECTIVES[: case_count(1, 3)])
CASES = [("uniform", seed) for seed in case_numbers(9, 36)]
CASES += [(model, 100 + seed) for model in MODELS[:3] for seed in case_numbers(4, 14)]


@pytest.mark.parametrize(("model", "seed"), CASES)
def test_all_numbers_are_the_same_for_another_order_of_seats(model: str, seed: int):
    body = random_body(seed, model)
    print(seed, body)
    assert_order_does_not_matter(body, Random(seed))


@some_objectives
@pytest.mark.parametrize("model", MODELS)
def test_all_numbers_are_the_same_if_equal_seats_are_reordered(model: str, objective: str):
    hands = ("1234567hb", "36hw", "36hw", "36hw", "1234567hb")
    body = suggest_body(*hands, objective=objective, opponents={"model": model})
    for seed in range(2 if model == "uniform" else 1):
        assert_order_does_not_matter(body, Random(seed))


@some_objectives
@pytest.mark.parametrize("model", MODELS)
def test_all_numbers_are_the_same_if_the_seats_of_one_player_are_reordered(
    model: str, objective: str
):
    hands = ("36hw", "12345h", "36hw", "1357hb")
    body = suggest_body(*hands, owners="abab", objective=objective, scores=(3, 4, 3, 0))
    body["opponents"]["model"] = model
    for player in ("a", "b"):
        assert_order_does_not_matter(body | {"player": player}, Random(player))


@pytest.mark.parametrize("seed", case_numbers(4, 12))
@pytest.mark.parametrize("model", MODELS[:3])
def test_other_names_change_only_the_names_and_the_pick(model: str, seed: int):
    body = random_body(200 + seed, model)
    random = Random(seed)
    seats = dict(zip(NAMES, random.sample(("u", "v", "x", "y", "z"), 5), strict=True))
    shared = len(set(owners(body).values())) == 2
    players = {"a": "q", "b": "p"} if shared else seats
    renamed = with_names(body, seats, players)
    print(body, seats, players)
    before, after = suggest(body), suggest(renamed)
    assert after["search"] == before["search"]
    for field in ("win_shares", "expected_values"):
        # If equal shares do not fit nine decimals, one is larger; the names decide which.
        assert sorted(after[field].values()) == sorted(before[field].values())
        expected = {players[name]: number for name, number in before[field].items()}
        assert after[field] == pytest.approx(expected, abs=1.5e-9)
    original = {move_key(move_with(row["move"], seats)): row for row in before["moves"]}
    for row in after["moves"]:
        expected_row = original[move_key(row["move"])]
        for number in ("value", "loss", "probability", "points"):
            assert row[number] == expected_row[number], move_key(row["move"])
    strategies = by_move(after)
    for player, strategy in before["strategies"].items():
        expected = {move_key(move_with(row["move"], seats)): row["probability"] for row in strategy}
        assert strategies[players[player]] == expected


def with_names(body: JsonObject, seats: JsonObject, players: JsonObject) -> JsonObject:
    """Return the body with other names of seats and players."""
    renamed = json.loads(json.dumps(body))
    for seat in renamed["state"]["seats"]:
        if "player" in seat:
            seat["player"] = players[seat["player"]]
        seat["seat"] = seats[seat["seat"]]
    renamed["player"] = players[renamed["player"]]
    weights = renamed["opponents"].get("weights", {})
    renamed["opponents"] |= {"weights": move_with(weights, seats)} if weights else {}
    if renamed.get("revealed"):
        renamed["revealed"] = move_with(renamed["revealed"], seats)
    return renamed


def move_with(move: JsonObject, seats: JsonObject) -> JsonObject:
    """Return a joint move with other names of seats."""
    return {seats[name]: choice for name, choice in move.items()}


@pytest.mark.parametrize(
    ("hands", "shared", "players"),
    [
        (("1h", "123h", "12h", "123h", "5hwb"), "", NAMES),
        # Of six equally likely moves, four are rounded up to 0.166666667: the cards decide which.
        (("h", "1h", "h", "23h"), "abab", ("b",)),
    ],
)
def test_the_strategy_of_a_player_does_not_depend_on_the_order_of_seats(
    hands: tuple[str, ...], shared: str, players: tuple[str, ...]
):
    body = suggest_body(*hands, owners=shared)
    rows = by_move(suggest(body))
    for seed in range(4):
        order = Random(seed).sample(range(len(hands)), len(hands))
        again = by_move(suggest(seated(body, order)))
        assert all(again[player] == rows[player] for player in players)


def test_the_order_of_cards_and_bonuses_does_not_matter():
    bonuses = [{"space": space, "kind": "mana", "advance": 2} for space in (4, 2)]
    track = {"length": 20, "bonuses": bonuses}
    body = suggest_body("135hw", "246h", "35hb", scores=(1, 2, 3), track=track)
    reordered = json.loads(json.dumps(body))
    reordered["state"]["track"]["bonuses"].reverse()
    for seat in reordered["state"]["seats"]:
        seat["hand"].reverse()
    assert suggest(reordered) == suggest(body)


BODIES = [
    suggest_body(FULL, FULL, FULL, FULL, FULL),
    suggest_body("135hw", "246h", "35hb", "35hb", owners="abba", objective="lead"),
    suggest_body("7h", "hb", "h", depth=2, objective="points", nonce="x"),
    suggest_body(
        "135hw", "246h", "35hw", opponents={"model": "uniform", "weights": {"blue": {"2": 1}}}
    ),
    *(
        suggest_body(
            *hands, opponents={"model": model}, objective=objective, nonce="n", owners=shared
        )
        for model in MODELS[:3]
        for hands, shared in ((("1357hw", "1357hw", "2467hwb"), ""), (("35hw", "4hb") * 2, "aabb"))
        for objective in ("win", "lead")
    ),
    suggest_body(FULL, FULL, "24hw", "35hb", opponents={"model": "equilibrium"}, effort="quick"),
]


@pytest.mark.slow
def test_another_process_gives_the_same_bytes():
    script = (
        "import json, sys, time\n"
        "from service.games.registry import GAMES\n"
        "from service.operations.dispatch import execute\n"
        "game = GAMES['snow-time']\n"
        "[suggest] = [each for each in game.endpoints if each.name == 'suggest']\n"
        "for body in json.load(sys.stdin):\n"
        "    print(json.dumps(execute(game, suggest, body).document))\n"
    )
    here = [response_text("suggest", body) for body in BODIES]
    for hash_seed in ("1", "4242"):
        process = subprocess.run(
            [sys.executable, "-c", script],
            input=json.dumps(list(reversed(BODIES))),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        )
        assert process.stdout.splitlines() == list(reversed(here))
