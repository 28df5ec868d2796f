"""Opponent models: the properties of their strategies, checked on rendered responses."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from service.operations.catalogue import game
from tests.operations.bodies import (
    DEFINITION,
    FULL,
    MODELS,
    OBJECTIVES,
    JsonObject,
    move_key,
    owners,
    shown,
    suggest,
    suggest_body,
)
from tests.randomized import case_numbers

SOLVED = ("equilibrium", "quantal", "level-1")
every_solved = pytest.mark.parametrize("model", SOLVED)
every_objective = pytest.mark.parametrize("objective", OBJECTIVES)


def seeds(count: int) -> Any:
    return pytest.mark.parametrize("seed", case_numbers(-(-count // 6), count))


def position(seed: int, seats: int = 0, shared: bool = False, **more: Any) -> JsonObject:
    """Return a hint request at the card decision of a realistic random position."""
    random = Random(f"model {seed}")
    count = 4 if shared else seats or random.randint(3, 5)
    hands = []
    for _ in range(count):
        champions = random.sample("1234567", k=random.randint(2, 7))
        hands.append("".join([*champions, "h", *random.sample("wb", k=random.randint(0, 2))]))
    start = random.randint(0, 26)
    return suggest_body(
        *hands,
        scores=tuple(min(29, start + random.randint(0, 5)) for _ in hands),
        fruit=[random.randint(0, 2) for _ in range(6)],
        owners=random.choice(("aabb", "abab")) if shared else "",
        **more,
    )


def suggest_with(model: str, body: JsonObject, **more: Any) -> JsonObject:
    """Return the hint for an opponent model."""
    return suggest(body | {"opponents": {"model": model} | more})


def row(strategy: list[JsonObject]) -> dict[str, float]:
    """Return a rendered strategy as probabilities by move."""
    return {move_key(entry["move"]): entry["probability"] for entry in strategy}


def players(body: JsonObject) -> list[str]:
    return list(dict.fromkeys(owners(body).values()))


def precision(objective: str) -> float:
    """Return the published quantal precision of an objective."""
    value: float = game(DEFINITION)["quantal_precision"][objective]
    return value


def logit_response(values: dict[str, float], objective: str) -> dict[str, float]:
    """Return the logit response: probabilities proportional to exp(precision * value)."""
    best = max(values.values())
    weights = {m: math.exp(precision(objective) * (v - best)) for m, v in values.items()}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def values_of(hint: JsonObject) -> dict[str, float]:
    return {move_key(entry["move"]): entry["value"] for entry in hint["moves"]}


# Quantal responses ----------------------------------------------------------------------------


@every_objective
@seeds(5)
def test_a_quantal_strategy_is_the_logit_response_to_the_rendered_strategies(
    seed: int, objective: str
):
    """The values in the response are computed against the rendered strategies of the others."""
    body = position(seed, shared=seed == 4, objective=objective)
    largest = 0.0
    for player in players(body):
        hint = suggest_with("quantal", body | {"player": player})
        expected = logit_response(values_of(hint), objective)
        actual = row(hint["strategies"][player])
        difference = max(abs(actual.get(move, 0.0) - chance) for move, chance in expected.items())
        largest = max(largest, difference)
    residual = hint["search"]["quantal_residual"]
    assert largest == pytest.approx(residual, abs=1e-9 * (1 + precision(objective)))
    assert residual <= 1e-8


@every_objective
@seeds(5)
def test_a_level_1_strategy_is_the_logit_response_to_uniform_values(seed: int, objective: str):
    body = position(seed, shared=seed == 4, objective=objective)
    first, *others = players(body)
    hint = suggest_with("level-1", body | {"player": first})
    for player in others:
        values = values_of(suggest_with("uniform", body | {"player": player}))
        expected = logit_response(values, objective)
        actual = row(hint["strategies"][player])
        assert {move: actual.get(move, 0.0) for move in expected} == pytest.approx(
            expected, abs=1e-9 * (2 + precision(objective))
        )


@every_objective
def test_at_the_watcher_decision_level_1_responds_to_uniform_watchers(objective: str):
    revealed = shown("ww4")
    body = suggest_body("135hw", "246hw", "47h", objective=objective, revealed=revealed)
    hint = suggest_with("level-1", body)
    uniform = values_of(suggest_with("uniform", body | {"player": "blue"}))
    expected = logit_response(uniform, objective)
    assert row(hint["strategies"]["blue"]) == pytest.approx(expected, abs=1e-7)
    assert hint["strategies"]["green"] == []


# Equal seats ----------------------------------------------------------------------------------


@every_solved
@every_objective
def test_equal_seats_have_equal_strategies(model: str, objective: str):
    body = suggest_body("1357hw", "246hb", "246hb", "246hb", "1357hw", objective=objective)
    hint = suggest_with(model, body | {"player": "blue"})

    def cards(player: str) -> list[tuple[str, float]]:
        strategy = hint["strategies"][player]
        return [(entry["move"][player]["card"], entry["probability"]) for entry in strategy]

    assert cards("green") == cards("black")
    assert cards("red") == cards("white")
    if model != "level-1":
        assert cards("blue") == cards("green")
        blue, green = (hint["expected_values"][name] for name in ("blue", "green"))
        assert blue == pytest.approx(green, abs=1e-9)


@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
@pytest.mark.parametrize("third", ["257hwb", "36hw", "h"])
def test_equal_players_who_may_both_watch_have_equal_values(model: str, third: str):
    body = suggest_body("134567h", third, "2467hb", FULL, FULL, scores=(4, 5, 3, 3, 3))
    body["state"]["fruit"] = [2, 0, 1, 1, 0, 0]
    hints = [suggest_with(model, body | {"player": player}) for player in ("black", "white")]
    shares = hints[0]["win_shares"]
    assert shares["black"] == pytest.approx(shares["white"], abs=1.1e-9)
    black, white = (
        [(list(entry["move"].values()), entry["value"]) for entry in hint["moves"]]
        for hint in hints
    )
    assert black == white


# Weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
@every_objective
def test_scaled_weights_give_the_same_strategies_for_every_model(model: str, objective: str):
    weights = {"blue": {"2": 1, "4": 3}, "green": {"3": 0.5, "watcher": 0.25, "healer": 0.25}}
    body = suggest_body("135hw", "246h", "35hw", "57hb", objective=objective)
    hint = suggest_with(model, body, weights=weights)
    assert row(hint["strategies"]["blue"]) == {
        move_key({"blue": {"card": "2"}}): 0.25,
        move_key({"blue": {"card": "4"}}): 0.75,
    }
    for factor in (3, 1024, 1e-3, 1e5):
        scaled = {
            seat: {card: weight * factor for card, weight in of_seat.items()}
            for seat, of_seat in weights.items()
        }
        again = suggest_with(model, body, weights=scaled)
        if model == "uniform":
            assert again == hint
        for player in ("blue", "green"):
            assert again["strategies"][player] == hint["strategies"][player]
        for number in ("win_shares", "expected_values"):
            assert again[number] == pytest.approx(hint[number], abs=1e-3)


@every_solved
def test_weights_of_one_seat_do_not_fix_the_players_other_seat(model: str):
    body = suggest_body("135h", "246h", "35hb", "57hw", owners="abab", objective="points")
    hint = suggest_with(model, body, weights={"blue": {"2": 1, "healer": 3}})
    marginals: dict[str, dict[str, float]] = {"blue": {}, "black": {}}
    for entry in hint["strategies"]["b"]:
        for seat, chances in marginals.items():
            card = entry["move"][seat]["card"]
            chances[card] = chances.get(card, 0.0) + entry["probability"]
    assert marginals["blue"] == pytest.approx({"2": 0.25, "healer": 0.75}, abs=2e-8)
    for entry in hint["strategies"]["b"]:
        blue, black = entry["move"]["blue"]["card"], entry["move"]["black"]["card"]
        expected = marginals["blue"][blue] * marginals["black"][black]
        assert entry["probability"] == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize("model", ["equilibrium", "quantal", "level-1"])
def test_other_players_respond_to_weighted_seats(model: str):
    """A seat that surely plays the 3 is struck by the seats that hold the 4."""
    body = suggest_body("4h", "37h", "14h", objective="points", fruit=[0] * 6)
    struck, alone = (suggest_with(model, body, weights={"blue": {card: 1}}) for card in "37")
    assert max(values_of(struck).values()) <= 2.0
    assert max(values_of(alone).values()) <= 1.0
    assert values_of(struck) != values_of(alone)


@pytest.mark.parametrize("model", MODELS)
def test_if_all_opponents_have_weights_the_model_does_not_matter(model: str):
    weights = {"blue": {"2": 1, "4": 3}, "green": {"3": 2, "healer": 1}}
    body = suggest_body("135h", "246h", "35h", objective="lead")
    hint, plain = (suggest_with(name, body, weights=weights) for name in (model, "uniform"))
    assert values_of(hint) == pytest.approx(values_of(plain), abs=2e-9)
    for player in ("blue", "green"):
        assert row(hint["strategies"][player]) == pytest.approx(
            row(plain["strategies"][player]), abs=1e-9
        )


# Accuracy of the solution ---------------------------------------------------------------------


@every_solved
@seeds(12)
def test_the_only_player_without_weights_plays_the_best_move(model: str, seed: int):
    body = position(seed, 4, objective="points")
    weights = {
        seat["seat"]: {card: 1 + place % 3 for place, card in enumerate(seat["hand"])}
        for seat in body["state"]["seats"]
        if seat.get("player", seat["seat"]) != body["player"]
    }
    hint = suggest(body | {"opponents": {"model": model, "weights": weights}})
    assert [entry["probability"] for entry in hint["strategies"][body["player"]]] == [1.0]
    first = hint["moves"][0]
    assert hint["pick"] == first["move"]
    assert (first["probability"], first["loss"]) == (1.0, 0.0)
    assert hint["search"].get("epsilon", 0.0) <= 2e-9


def test_a_rare_hard_two_player_position_is_solved_accurately():
    hands = ("1234567hb", "1234567hw", "7hb", "1234567hb")
    body = suggest_body(*hands, owners="abba", scores=(28, 24, 28, 28), fruit=[1, 1, 0, 0, 1, 2])
    assert suggest_with("equilibrium", body)["search"]["epsilon"] <= 0.001


def test_in_the_two_player_variant_epsilon_is_at_most_a_thousandth():
    epsilons = {}
    for seed in range(40):
        body = position(seed, shared=True)
        epsilons[seed] = suggest_with("equilibrium", body)["search"]["epsilon"]
    print(sorted(epsilons.items(), key=lambda entry: -entry[1])[:5])
    assert max(epsilons.values()) <= 0.001


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "median", "ninth_decile"),
    [("win", 0.002, 0.01), ("lead", 0.02, 0.1), ("points", 0.02, 0.1)],
)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_with_three_or_more_players_epsilon_is_small(
    seats: int, objective: str, median: float, ninth_decile: float
):
    epsilons = [
        suggest_with("equilibrium", position(seed, seats, objective=objective))["search"]["epsilon"]
        for seed in range(20)
    ]
    print(sorted(epsilons))
    assert np.median(epsilons) <= median
    assert np.quantile(epsilons, 0.9) <= ninth_decile


def test_the_likeliest_move_within_epsilon_of_the_highest_value_is_recommended_first():
    """Where epsilon is positive, the first move is not always the one with the highest value."""
    losses = []
    for seed, seats, objective in ((12, 4, "lead"), (7, 4, "win"), (13, 5, "lead"), (6, 5, "win")):
        body = position(seed, seats, objective=objective, effort="quick")
        hint = suggest_with("equilibrium", body)
        first, epsilon = hint["moves"][0], hint["search"]["epsilon"]
        near = [row["probability"] for row in hint["moves"] if row["loss"] <= epsilon]
        assert first["loss"] <= epsilon
        assert first["probability"] == max(near) > 0.0
        losses.append(first["loss"])
    print(losses)
    assert max(losses) > 0.0


@every_solved
@seeds(4)
def test_one_more_space_far_from_the_end_changes_win_shares_slightly(model: str, seed: int):
    body = position(seed, 3 + seed % 3)
    for seat in body["state"]["seats"]:
        seat["score"] = min(seat["score"], 6)
    hints = []
    for length in (150, 151):
        body["state"]["track"] = {"length": length, "bonuses": []}
        hints.append(suggest_with(model, body)["win_shares"])
    assert hints[1] == pytest.approx(hints[0], abs=0.005)


@every_solved
def test_a_round_that_certainly_ends_the_game_is_solved_exactly(model: str):
    track = {"length": 5, "bonuses": []}
    body = suggest_body("4h", "5h", "h", scores=(4, 4, 0), fruit=[1] * 6, track=track)
    sure = suggest_with(model, body, weights={"blue": {"5": 1}})
    assert sure["search"]["exact"] is True
    assert set(values_of(sure).values()) == {0.0}, "blue's 5 always wins"
    body = suggest_body("4h", "5h", "h", scores=(0, 0, 0), fruit=[1] * 6, track=track)
    assert suggest_with(model, body)["search"]["exact"] is False


@pytest.mark.parametrize("objective", ["points", "lead"])
def test_two_rounds_with_only_watchers_and_healers_are_solved(objective: str):
    """Regression: profiles solved as subgames have no cell for the values of the next round."""
    body = suggest_body("hw", "hw", "hw", scores=(3, 4, 5), objective=objective, depth=2)
    body["opponents"] = {"model": "equilibrium"}
    body["state"]["fruit"] = [15, 0, 0, 0, 0, 0]
    assert suggest(body)["search"]["depth"] == 2
