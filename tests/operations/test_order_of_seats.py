"""The order of seats never matters, and the same body gives the same bytes everywhere."""

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
    Body,
    body,
    owners,
    random_body,
    spelled,
    suggest,
    text,
)
from tests.randomized import case_count, case_numbers

ROOT = Path(__file__).resolve().parents[2]


def seated(asked: Body, order: list[int]) -> Body:
    seats = [asked["state"]["seats"][place] for place in order]
    return asked | {"state": asked["state"] | {"seats": seats}}


def by_move(answer: Body) -> dict[str, dict[str, float]]:
    """The strategies with their rows under their moves, since rows go by deck order."""
    return {
        player: {spelled(row["move"]): row["probability"] for row in mixture}
        for player, mixture in answer["strategies"].items()
    }


def assert_order_does_not_matter(asked: Body, random: Random) -> None:
    answer = suggest(asked)
    rows = by_move(answer)
    for _ in range(4):
        order = random.sample(range(len(asked["state"]["seats"])), len(asked["state"]["seats"]))
        print(order)
        again = suggest(seated(asked, order))
        assert again | {"strategies": None} == answer | {"strategies": None}
        # To the last decimal: see the test of rows of two seats below.
        within = 1.01e-9 if asked["opponents"]["model"] == "uniform" else 0.0
        for player, found in by_move(again).items():
            assert found == pytest.approx(rows[player], abs=within, rel=0)


some_objectives = pytest.mark.parametrize("objective", OBJECTIVES[: case_count(1, 3)])
CASES = [("uniform", seed) for seed in case_numbers(9, 36)]
CASES += [(model, 100 + seed) for model in MODELS[:3] for seed in case_numbers(4, 14)]


@pytest.mark.parametrize(("model", "seed"), CASES)
def test_every_number_stays_when_seats_change_places(model: str, seed: int):
    asked = random_body(seed, model)
    print(seed, asked)
    assert_order_does_not_matter(asked, Random(seed))


@some_objectives
@pytest.mark.parametrize("model", MODELS)
def test_every_number_stays_when_equal_seats_change_places(model: str, objective: str):
    hands = ("1234567hb", "36hw", "36hw", "36hw", "1234567hb")
    asked = body(*hands, objective=objective, opponents={"model": model})
    for seed in range(2 if model == "uniform" else 1):
        assert_order_does_not_matter(asked, Random(seed))


@some_objectives
@pytest.mark.parametrize("model", MODELS)
def test_every_number_stays_when_the_seats_of_one_player_change_places(model: str, objective: str):
    hands = ("36hw", "12345h", "36hw", "1357hb")
    asked = body(*hands, owners="abab", objective=objective, scores=(3, 4, 3, 0))
    asked["opponents"]["model"] = model
    for player in ("a", "b"):
        assert_order_does_not_matter(asked | {"player": player}, Random(player))


# Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", case_numbers(4, 12))
@pytest.mark.parametrize("model", MODELS[:3])
def test_other_names_change_nothing_but_names_and_the_pick(model: str, seed: int):
    asked = random_body(200 + seed, model)
    random = Random(seed)
    seats = dict(zip(NAMES, random.sample(("u", "v", "x", "y", "z"), 5), strict=True))
    shared = len(set(owners(asked).values())) == 2
    players = {"a": "q", "b": "p"} if shared else seats
    renamed = with_names(asked, seats, players)
    print(asked, seats, players)
    before, after = suggest(asked), suggest(renamed)
    assert after["search"] == before["search"]
    for numbers in ("outlook", "expected"):
        assert after[numbers] == {
            players[name]: found for name, found in before[numbers].items()
        } or equal_players_swapped(asked, before[numbers], after[numbers], players)
    told = {spelled(move_with(found["move"], seats)): found for found in before["moves"]}
    for found in after["moves"]:
        there = told[spelled(found["move"])]
        for number in ("value", "loss", "probability"):
            assert found[number] == there[number], spelled(found["move"])
        assert found["points"] == there["points"]
    mixtures = by_move(after)
    for player, row in before["strategies"].items():
        expected = {spelled(move_with(r["move"], seats)): r["probability"] for r in row}
        assert mixtures[players[player]] == expected


def equal_players_swapped(asked: Body, before: Body, after: Body, players: Body) -> bool:
    """Of equal shares that do not fit nine decimals, one is a unit more: whose, names settle."""
    pairs = [(before[name], after[players[name]]) for name in before]
    return sorted(before.values()) == sorted(after.values()) and all(
        abs(one - other) < 1.5e-9 for one, other in pairs
    )


def with_names(asked: Body, seats: Body, players: Body) -> Body:
    renamed = json.loads(json.dumps(asked))
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


def move_with(move: Body, seats: Body) -> Body:
    return {seats[name]: told for name, told in move.items()}


# Rows -----------------------------------------------------------------------------------------


def test_rows_of_a_player_with_one_seat_do_not_depend_on_the_order_of_seats():
    asked = body("1h", "123h", "12h", "123h", "5hwb")
    rows = by_move(suggest(asked))
    for seed in range(4):
        assert by_move(suggest(seated(asked, Random(seed).sample(range(5), 5)))) == rows


def test_rows_of_a_player_with_two_seats_do_not_depend_on_the_order_of_seats():
    """Of six even joint moves four are printed 0.166666667; which, is settled by content."""
    asked = body("h", "1h", "h", "23h", owners="abab")
    rows = [by_move(suggest(seated(asked, order)))["b"] for order in ([0, 1, 2, 3], [0, 3, 2, 1])]
    assert rows[0] == rows[1]


def test_the_order_of_cards_and_bonuses_does_not_matter():
    track = {
        "length": 20,
        "bonuses": [
            {"space": 4, "kind": "mana", "advance": 2},
            {"space": 2, "kind": "fight", "advance": 1},
        ],
    }
    asked = body("135hw", "246h", "35hb", scores=(1, 2, 3), track=track)
    turned = json.loads(json.dumps(asked))
    turned["state"]["track"]["bonuses"].reverse()
    for seat in turned["state"]["seats"]:
        seat["hand"].reverse()
    assert suggest(turned) == suggest(asked)


BODIES = [
    body(FULL, FULL, FULL, FULL, FULL),
    body("135hw", "246h", "35hb", "35hb", owners="abba", objective="lead"),
    body("7h", "hb", "h", depth=2, objective="points", nonce="x"),
    body("135hw", "246h", "35hw", opponents={"model": "uniform", "weights": {"blue": {"2": 1}}}),
    *(
        body(*hands, opponents={"model": model}, objective=objective, nonce="n", owners=shared)
        for model in MODELS[:3]
        for hands, shared in ((("1357hw", "1357hw", "2467hwb"), ""), (("35hw", "4hb") * 2, "aabb"))
        for objective in ("win", "lead")
    ),
    body(FULL, FULL, "24hw", "35hb", opponents={"model": "equilibrium"}, tier="quick"),
]


def test_the_same_body_twice_gives_the_same_bytes():
    for asked in BODIES:
        assert text("suggest", asked) == text("suggest", asked)


@pytest.mark.slow
def test_another_process_gives_the_same_bytes():
    script = (
        "import json, sys, time\n"
        "from service.games.registry import GAMES\n"
        "from service.operations.dispatch import execute\n"
        "entry = GAMES['snow-time']\n"
        "[verb] = [verb for verb in entry.endpoints if verb.name == 'suggest']\n"
        "for asked in json.load(sys.stdin):\n"
        "    print(json.dumps(execute(entry, verb, asked).document))\n"
    )
    here = [text("suggest", asked) for asked in BODIES]
    for hash_seed in ("1", "4242"):
        found = subprocess.run(
            [sys.executable, "-c", script],
            input=json.dumps(list(reversed(BODIES))),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        )
        assert found.stdout.splitlines() == list(reversed(here))
