"""The pick: drawn from the player's rendered strategy; the seed is position, player and nonce."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp
from typing import Any

import pytest

from tests.operations.bodies import (
    MODELS,
    OBJECTIVES,
    JsonObject,
    legal_moves,
    move_key,
    shown,
    suggest,
    suggest_body,
    violations,
)

MIXED = ("equilibrium", "quantal")
TABLE = suggest_body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])


def suggest_with(model: str, body: JsonObject = TABLE, **more: Any) -> JsonObject:
    return suggest(body | {"opponents": {"model": model}} | more)


def interval(hint: JsonObject) -> tuple[float, float]:
    """Return the interval of the pick in the cumulative distribution, in deck order."""
    end = 0.0
    for entry in hint["strategies"][hint["player"]]:
        start, end = end, end + entry["probability"]
        if move_key(entry["move"]) == move_key(hint["pick"]):
            return start, end
    raise AssertionError("the pick is not in the strategy")


@pytest.mark.parametrize("model", MIXED)
def test_a_repeated_request_gets_the_same_pick_and_other_nonces_get_others(model: str):
    body = suggest_body("357hw", "357hw", "357hw")
    picks = picks_of(model, body, 25)
    assert picks == picks_of(model, body, 25)
    assert len(set(picks)) > 1


def picks_of(model: str, body: JsonObject, nonces: int, **more: Any) -> list[str]:
    """Return the picks for so many nonces."""
    return [
        move_key(suggest_with(model, body, nonce=f"n{number}", **more)["pick"])
        for number in range(nonces)
    ]


@pytest.mark.slow
def test_the_random_number_does_not_depend_on_effort_objective_model_or_choice():
    """The picks of all strategies come from one random number: their intervals intersect."""
    chosen = {"red": {"card": "3"}}
    for number in range(12):
        intervals = [
            interval(suggest_with(model, objective=objective, effort=effort, nonce=f"n{number}"))
            for model, objective, effort in product(MODELS, OBJECTIVES, ("quick", "standard"))
        ]
        intervals.append(interval(suggest_with("quantal", chosen=chosen, nonce=f"n{number}")))
        assert max(start for start, _ in intervals) <= min(end for _, end in intervals) + 1e-9


@pytest.mark.slow
def test_the_random_number_does_not_depend_on_the_depth():
    body = suggest_body("3h", "24h", "2h", objective="points", fruit=[2, 3, 2, 3, 2, 3])
    for number in range(6):
        first, second = (
            interval(suggest_with("quantal", body, depth=depth, nonce=f"{number}"))
            for depth in (1, 2)
        )
        assert max(first[0], second[0]) <= min(first[1], second[1]) + 1e-9


def test_equal_players_in_one_game_draw_independently():
    """Three players with the same strategy often pick different cards."""
    body = suggest_body("357hw", "357hw", "357hw", objective="points")
    same = 0
    for number in range(30):
        picks = {
            suggest_with("quantal", body, player=name, nonce=f"n{number}")["pick"][name]["card"]
            for name in ("red", "blue", "green")
        }
        same += len(picks) == 1
    assert same < 15


def test_the_same_strategy_in_another_position_draws_independently():
    """Far from the end of the track, scores do not affect the strategies for points."""
    track = {"length": 200, "bonuses": []}
    tables = [
        suggest_body("357h", "357h", "357h", objective="points", scores=scores, track=track)
        for scores in ((0, 0, 0), (50, 50, 50))
    ]
    rows = [suggest_with("quantal", body)["strategies"] for body in tables]
    assert rows[0] == rows[1]
    picks = [picks_of("quantal", body, 20) for body in tables]
    assert picks[0] != picks[1]


def test_the_order_of_seats_does_not_affect_the_pick():
    reversed_seats = TABLE | {"state": TABLE["state"] | {"seats": TABLE["state"]["seats"][::-1]}}
    for number in range(10):
        assert suggest_with("quantal", reversed_seats, nonce=f"{number}") == suggest_with(
            "quantal", nonce=f"{number}"
        ) | {"strategies": suggest_with("quantal", reversed_seats)["strategies"]}


NO_FRUIT = {"fruit": [0] * 6}
SINGLE_DECISIONS = {
    "a watcher": suggest_body("2345hw", "3hb", "1h", revealed=shown("wh1"), **NO_FRUIT),
    "a watcher with several best cards": suggest_body(
        "3457hw", "3hb", "1h", revealed=shown("whh"), **NO_FRUIT
    ),
    "a healer": suggest_body("34h", "35hb", "1h", revealed=shown("h31")),
}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("decision", SINGLE_DECISIONS)
def test_a_player_who_decides_alone_plays_the_best_move(decision: str, model: str, objective: str):
    body = SINGLE_DECISIONS[decision]
    assert len(legal_moves(body)["moves"]) == 1
    for number in range(4):
        hint = suggest_with(model, body, objective=objective, nonce=f"n{number}")
        first = hint["moves"][0]
        assert first["loss"] == 0.0
        assert (hint["pick"], hint["pick_index"]) == (first["move"], 0)
        assert hint["strategies"]["red"] == [{"move": first["move"], "probability": 1.0}]


@pytest.mark.parametrize("model", MODELS)
def test_r4_a_healer_without_a_choice_is_not_part_of_a_move(model: str):
    """Red recovers all seven champions (R4) and blue none, so that only green and black decide."""
    hands = ("h", "1234567h", "35h", "2h")
    body = suggest_body(*hands, owners="abab", revealed=shown("hhhh"))
    hint = suggest_with(model, body, chosen={"green": {"card": "healer", "recover": ["1"]}})
    assert all(row["move"].keys() == {"green"} for row in hint["moves"])
    assert hint["grade"]["move"] == {"green": {"card": "healer", "recover": ["1"]}}
    assert all(entry["move"].keys() == {"black"} for entry in hint["strategies"]["b"])


@pytest.mark.parametrize("model", MODELS)
def test_a_player_whose_healer_has_no_choice_has_an_empty_strategy(model: str):
    hint = suggest_with(model, suggest_body("35h", "1234567h", "2h", revealed=shown("hhh")))
    assert hint["strategies"]["blue"] == []
    assert hint["strategies"]["green"] != []


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_hints_for_all_healers_agree_on_strategies_and_values(model: str, objective: str):
    body = suggest_body("35h", "1245h", "2h", revealed=shown("hhh"), objective=objective)
    hints = [suggest_with(model, body | {"player": player}) for player in ("red", "blue", "green")]
    for name in ("strategies", "win_shares", "expected_values"):
        assert all(hint[name] == hints[0][name] for hint in hints), name


@pytest.mark.slow
def test_with_a_temperature_the_pick_follows_the_softmax_of_the_losses():
    """Chi-square test over five moves: a value above 18.5 has a probability below 0.001."""
    trials, temperature = 600, 0.7
    body = suggest_body("35hw", "46h", "35h", objective="points", fruit=[0, 0, 2, 0, 2, 1])
    losses = {move_key(row["move"]): row["loss"] for row in suggest_with("quantal", body)["moves"]}
    weights = {move: exp(-loss / temperature) for move, loss in losses.items()}
    counts = Counter(picks_of("quantal", body, trials, temperature=temperature))
    expected = {move: trials * weight / sum(weights.values()) for move, weight in weights.items()}
    assert min(expected.values()) > 5
    chi_square = sum((counts[move] - count) ** 2 / count for move, count in expected.items())
    assert chi_square < 18.5


@pytest.mark.parametrize("model", MODELS)
def test_a_temperature_changes_only_the_pick(model: str):
    hot = suggest_with(model, nonce="n", temperature=1000)
    cold = suggest_with(model, nonce="n")
    assert without_pick(hot) == without_pick(cold)


def without_pick(hint: JsonObject) -> JsonObject:
    """Return a hint without its headline and all that names the pick or compares with it."""
    compared = ("comparison", "reasons")
    moves = [{k: v for k, v in row.items() if k not in compared} for row in hint["moves"]]
    return hint | {"pick": None, "pick_index": None, "moves": moves, "advice": None}


def test_at_the_lowest_temperature_the_best_move_is_picked():
    body = suggest_body(
        "357hw", "246hb", "135h", "47hw", objective="points", fruit=[2, 0, 1, 0, 2, 1]
    )
    for number in range(20):
        hint = suggest_with("uniform", body, nonce=f"{number}", temperature=0.001)
        assert hint["moves"][hint["pick_index"]]["loss"] == 0.0
        assert hint["pick"] == hint["moves"][0]["move"]
    assert len(set(picks_of("uniform", body, 20))) == 1
    assert len(set(picks_of("uniform", body, 60, temperature=10))) == 5


@pytest.mark.parametrize(
    ("temperature", "code"),
    [(0, "out-of-range"), (-1, "out-of-range"), (1001, "out-of-range"), ("1", "not-a-number")],
)
def test_a_temperature_must_be_a_positive_number(temperature: object, code: str):
    assert violations(TABLE | {"temperature": temperature}) == {("/temperature", code)}
