"""Models of opponents: what their strategies promise, checked on printed numbers."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pytest

from service.operations.catalogue import game
from tests.operations.bodies import (
    ENTRY,
    FULL,
    MODELS,
    OBJECTIVES,
    Body,
    body,
    owners,
    random_body,
    spelled,
    suggest,
)
from tests.randomized import case_numbers

SOLVED = ("equilibrium", "quantal", "level-1")
every_solved = pytest.mark.parametrize("model", SOLVED)
every_objective = pytest.mark.parametrize("objective", OBJECTIVES)


def seeds(count: int) -> Any:
    return pytest.mark.parametrize("seed", case_numbers(-(-count // 6), count))


def position(seed: int, seats: int = 0, shared: bool = False, **more: Any) -> Body:
    """A question at the card decision of a likely position."""
    random = Random(f"model {seed}")
    count = 4 if shared else seats or random.randint(3, 5)
    hands = []
    for _ in range(count):
        champions = random.sample("1234567", k=random.randint(2, 7))
        hands.append("".join([*champions, "h", *random.sample("wb", k=random.randint(0, 2))]))
    start = random.randint(0, 26)
    return body(
        *hands,
        scores=tuple(min(29, start + random.randint(0, 5)) for _ in hands),
        fruit=[random.randint(0, 2) for _ in range(6)],
        owners=random.choice(("aabb", "abab")) if shared else "",
        **more,
    )


def by(model: str, asked: Body, **more: Any) -> Body:
    """The answer under a model."""
    return suggest(asked | {"opponents": {"model": model} | more})


def row(mixture: list[Body]) -> dict[str, float]:
    return {spelled(entry["move"]): entry["probability"] for entry in mixture}


def players(asked: Body) -> list[str]:
    return list(dict.fromkeys(owners(asked).values()))


def precision(objective: str) -> float:
    """As published."""
    found: float = game(ENTRY)["quantal_precision"][objective]
    return found


def responses(values: dict[str, float], objective: str) -> dict[str, float]:
    """Probabilities proportional to exp(precision * value)."""
    best = max(values.values())
    weights = {m: math.exp(precision(objective) * (v - best)) for m, v in values.items()}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def values_of(answer: Body) -> dict[str, float]:
    return {spelled(found["move"]): found["value"] for found in answer["moves"]}


# Who asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
@seeds(12)
def test_whoever_asks_is_told_the_same_of_everybody(model: str, seed: int):
    asked = position(seed, shared=seed % 3 == 2, objective=OBJECTIVES[seed % 2])
    answers = [by(model, asked | {"player": player}) for player in players(asked)]
    for answer in answers:
        del answer["search"]["exact"]  # Of the values that this answer states.
    for told in ("strategies", "outlook", "expected", "search"):
        assert all(answer[told] == answers[0][told] for answer in answers), told


@seeds(6)
def test_under_level_1_whoever_asks_is_told_the_same_of_the_others(seed: int):
    asked = position(seed)
    answers = {player: by("level-1", asked | {"player": player}) for player in players(asked)}
    for player in players(asked):
        rows = [answer["strategies"][player] for p, answer in answers.items() if p != player]
        assert all(found == rows[0] for found in rows)


# Quantal responses ----------------------------------------------------------------------------


@every_objective
@seeds(5)
def test_a_quantal_row_is_the_response_to_the_printed_strategies(seed: int, objective: str):
    """Values in the answer are against the printed strategies of the others."""
    asked = position(seed, shared=seed == 4, objective=objective)
    residual = 0.0
    for player in players(asked):
        answer = by("quantal", asked | {"player": player})
        expected = responses(values_of(answer), objective)
        found = row(answer["strategies"][player])
        off = max(abs(found.get(move, 0.0) - chance) for move, chance in expected.items())
        assert off <= answer["search"]["residual"] + 1e-9 * (1 + precision(objective))
        residual = max(residual, off)
    assert residual == pytest.approx(
        answer["search"]["residual"], abs=1e-9 * (1 + precision(objective))
    )


@every_objective
@seeds(6)
def test_hardly_anything_is_left_to_a_quantal_equilibrium(seed: int, objective: str):
    assert by("quantal", position(seed, objective=objective))["search"]["residual"] <= 1e-8


@every_objective
@seeds(5)
def test_a_level_1_row_is_the_response_to_that_players_own_uniform_values(
    seed: int, objective: str
):
    asked = position(seed, shared=seed == 4, objective=objective)
    first, *others = players(asked)
    answer = by("level-1", asked | {"player": first})
    for player in others:
        values = values_of(by("uniform", asked | {"player": player}))
        expected = responses(values, objective)
        found = row(answer["strategies"][player])
        assert {move: found.get(move, 0.0) for move in expected} == pytest.approx(
            expected, abs=1e-9 * (2 + precision(objective))
        )


@every_objective
def test_at_the_watcher_decision_level_1_responds_to_uniform_watchers(objective: str):
    revealed = {"red": {"card": "watcher"}, "blue": {"card": "watcher"}, "green": {"card": "4"}}
    asked = body("135hw", "246hw", "47h", objective=objective, revealed=revealed)
    answer = by("level-1", asked)
    expected = responses(values_of(by("uniform", asked | {"player": "blue"})), objective)
    assert row(answer["strategies"]["blue"]) == pytest.approx(expected, abs=1e-7)
    assert answer["strategies"]["green"] == []


@pytest.mark.parametrize("model", ["quantal", "level-1"])
@every_objective
def test_a_worse_move_is_played_more_rarely(model: str, objective: str):
    asked = body("1357hw", "246hb", "35h", "47hw", objective=objective)
    base = "quantal" if model == "quantal" else "uniform"
    for player in players(asked)[1:]:
        worth = values_of(by(base, asked | {"player": player}))
        chances = row(by(model, asked)["strategies"][player])
        ranked = sorted(worth, key=lambda move: -worth[move])
        found = [chances.get(move, 0.0) for move in ranked]
        assert found == sorted(found, reverse=True)


# Equal seats ----------------------------------------------------------------------------------


@every_solved
@every_objective
def test_equal_seats_have_equal_strategies(model: str, objective: str):
    asked = body("1357hw", "246hb", "246hb", "246hb", "1357hw", objective=objective)
    answer = by(model, asked | {"player": "blue"})

    def cards(player: str) -> list[tuple[str, float]]:
        mixture = answer["strategies"][player]
        return [(entry["move"][player]["card"], entry["probability"]) for entry in mixture]

    assert cards("green") == cards("black")
    assert cards("red") == cards("white")
    if model != "level-1":
        assert cards("blue") == cards("green")
        assert answer["expected"]["blue"] == pytest.approx(answer["expected"]["green"], abs=1e-9)


@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
@pytest.mark.parametrize("third", ["257hwb", "36hw", "h"])
def test_equal_watchers_who_may_meet_expect_the_same(model: str, third: str):
    asked = body("134567h", third, "2467hb", FULL, FULL, scores=(4, 5, 3, 3, 3))
    asked["state"]["fruit"] = [2, 0, 1, 1, 0, 0]
    answers = [by(model, asked | {"player": player}) for player in ("black", "white")]
    outlook = answers[0]["outlook"]
    assert outlook["black"] == pytest.approx(outlook["white"], abs=1.1e-9)
    black, white = (
        [(list(found["move"].values()), found["value"]) for found in answer["moves"]]
        for answer in answers
    )
    assert black == white


@every_solved
@every_objective
@pytest.mark.parametrize("shared", ["aabb", "abab"])
def test_two_equal_seats_of_a_player_play_each_card_equally_often(
    model: str, objective: str, shared: str
):
    hands = {"a": "357hw", "b": "246hb"}
    asked = body(*(hands[owner] for owner in shared), owners=shared, objective=objective)
    first, second = [seat for seat, owner in owners(asked).items() if owner == "b"]

    def by_cards(entries: list[Body], number: str) -> dict[tuple[str, str], float]:
        return {
            (entry["move"][first]["card"], entry["move"][second]["card"]): entry[number]
            for entry in entries
        }

    chances = by_cards(by(model, asked)["strategies"]["b"], "probability")
    assert all(chances[other, one] == chance for (one, other), chance in chances.items())
    values = by_cards(by(model, asked | {"player": "b"})["moves"], "value")
    assert all(values[other, one] == value for (one, other), value in values.items())


@every_objective
def test_players_with_the_same_two_hands_play_alike(objective: str):
    asked = body("357hw", "357hw", "24hb", "24hb", owners="abab", objective=objective)
    answer = by("equilibrium", asked)

    def chances(one: str, other: str, player: str) -> dict[tuple[str, str], float]:
        return {
            (entry["move"][one]["card"], entry["move"][other]["card"]): entry["probability"]
            for entry in answer["strategies"][player]
        }

    assert chances("red", "green", "a") == chances("blue", "black", "b")
    if objective == "win":
        assert answer["outlook"] == {"a": 0.5, "b": 0.5}


# Weights --------------------------------------------------------------------------------------


@every_solved
@every_objective
def test_only_proportions_of_weights_matter_to_any_model(model: str, objective: str):
    weights = {"blue": {"2": 1, "4": 3}, "green": {"3": 0.5, "watcher": 0.25, "healer": 0.25}}
    asked = body("135hw", "246h", "35hw", "57hb", objective=objective)
    answer = by(model, asked, weights=weights)
    assert row(answer["strategies"]["blue"]) == {
        spelled({"blue": {"card": "2"}}): 0.25,
        spelled({"blue": {"card": "4"}}): 0.75,
    }
    for factor in (3, 1024, 1e-3, 1e5):
        scaled = {
            seat: {card: weight * factor for card, weight in given.items()}
            for seat, given in weights.items()
        }
        again = by(model, asked, weights=scaled)
        for player in ("blue", "green"):
            assert again["strategies"][player] == answer["strategies"][player]
        for number in ("outlook", "expected"):
            assert again[number] == pytest.approx(answer[number], abs=1e-3)


@every_solved
def test_weights_of_one_seat_leave_the_players_other_seat_its_choice(model: str):
    asked = body("135h", "246h", "35hb", "57hw", owners="abab", objective="points")
    answer = by(model, asked, weights={"blue": {"2": 1, "healer": 3}})
    marginals: dict[str, dict[str, float]] = {"blue": {}, "black": {}}
    for entry in answer["strategies"]["b"]:
        for seat, chances in marginals.items():
            card = entry["move"][seat]["card"]
            chances[card] = chances.get(card, 0.0) + entry["probability"]
    assert marginals["blue"] == pytest.approx({"2": 0.25, "healer": 0.75}, abs=2e-8)
    for entry in answer["strategies"]["b"]:
        one, other = entry["move"]["blue"]["card"], entry["move"]["black"]["card"]
        expected = marginals["blue"][one] * marginals["black"][other]
        assert entry["probability"] == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize("model", ["equilibrium", "quantal", "level-1"])
def test_everybody_else_answers_those_who_are_weighted(model: str):
    """Who is sure to play a 3 is struck by those who hold a 4 and were even before."""
    asked = body("4h", "37h", "14h", objective="points", fruit=[0] * 6)
    struck = by(model, asked, weights={"blue": {"3": 1}})
    alone = by(model, asked, weights={"blue": {"7": 1}})
    for answer, better in ((struck, 2.0), (alone, 1.0)):
        assert max(values_of(answer).values()) <= better
    assert values_of(struck) != values_of(alone)


@pytest.mark.parametrize("model", MODELS)
def test_if_all_others_are_weighted_every_model_is_the_same(model: str):
    weights = {"blue": {"2": 1, "4": 3}, "green": {"3": 2, "healer": 1}}
    asked = body("135h", "246h", "35h", objective="lead")
    answer, plain = (by(name, asked, weights=weights) for name in (model, "uniform"))
    assert values_of(answer) == pytest.approx(values_of(plain), abs=2e-9)
    for player in ("blue", "green"):
        assert row(answer["strategies"][player]) == pytest.approx(
            row(plain["strategies"][player]), abs=1e-9
        )


# How well strategies are solved ---------------------------------------------------------------


@every_solved
@seeds(12)
def test_who_alone_is_left_to_choose_takes_the_best(model: str, seed: int):
    asked = position(seed, 4, objective="points")
    weights = {
        seat["seat"]: {card: 1 + place % 3 for place, card in enumerate(seat["hand"])}
        for seat in asked["state"]["seats"]
        if seat.get("player", seat["seat"]) != asked["player"]
    }
    answer = suggest(asked | {"opponents": {"model": model, "weights": weights}})
    assert [entry["probability"] for entry in answer["strategies"][asked["player"]]] == [1.0]
    assert answer["pick"] == answer["best"]
    assert answer["moves"][0]["probability"] == 1.0
    assert (answer["search"]["gap"] or 0.0) <= 2e-9


def test_one_position_in_thousands_takes_two_players_more_work():
    hands = ("1234567hb", "1234567hw", "7hb", "1234567hb")
    asked = body(*hands, owners="abba", scores=(28, 24, 28, 28), fruit=[1, 1, 0, 0, 1, 2])
    assert by("equilibrium", asked)["search"]["gap"] <= 0.001


def test_in_the_two_player_variant_hardly_a_thousandth_is_gained_by_leaving():
    gaps = {}
    for seed in range(40):
        asked = position(seed, shared=True)
        gaps[seed] = by("equilibrium", asked)["search"]["gap"]
    print(sorted(gaps.items(), key=lambda entry: -entry[1])[:5])
    assert max(gaps.values()) <= 0.001


@pytest.mark.parametrize(
    ("objective", "median", "tenth"),
    [("win", 0.002, 0.01), ("lead", 0.02, 0.1), ("points", 0.02, 0.1)],
)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_among_three_and_more_little_is_gained_by_leaving(
    seats: int, objective: str, median: float, tenth: float
):
    gaps = [
        by("equilibrium", position(seed, seats, objective=objective))["search"]["gap"]
        for seed in range(20)
    ]
    print(sorted(gaps))
    assert np.median(gaps) <= median
    assert np.quantile(gaps, 0.9) <= tenth


@every_solved
@seeds(4)
def test_a_longer_track_far_from_the_end_changes_shares_slightly(model: str, seed: int):
    asked = position(seed, 3 + seed % 3)
    for seat in asked["state"]["seats"]:
        seat["score"] = min(seat["score"], 6)
    answers = []
    for length in (150, 151):
        asked["state"]["track"] = {"length": length, "bonuses": []}
        answers.append(by(model, asked))
    for player, share in answers[0]["outlook"].items():
        assert answers[1]["outlook"][player] == pytest.approx(share, abs=0.005)


@every_solved
def test_a_round_that_ends_the_game_in_any_case_is_exact(model: str):
    track = {"length": 5, "bonuses": []}
    asked = body("4h", "5h", "h", scores=(4, 4, 0), fruit=[1] * 6, track=track)
    sure = by(model, asked, weights={"blue": {"5": 1}})
    assert sure["search"]["exact"] is True
    assert set(values_of(sure).values()) == {0.0}, "the 5 strikes or stands alone, and wins"
    asked = body("4h", "5h", "h", scores=(0, 0, 0), fruit=[1] * 6, track=track)
    assert by(model, asked)["search"]["exact"] is False


def test_random_questions_are_the_same_from_call_to_call():
    for seed in range(6):
        asked = random_body(300 + seed, MODELS[seed % 3])
        assert suggest(asked) == suggest(asked)


def test_a_full_table_of_five_is_answered_by_every_model():
    asked = body(*[FULL] * 5, tier="quick")
    for model in MODELS:
        answer = by(model, asked)
        assert len(answer["moves"]) == 10
        assert answer["search"]["method"] == ("expectimax" if model == "uniform" else model)


@pytest.mark.parametrize("objective", ["points", "lead"])
def test_two_rounds_of_watchers_alone_are_answered(objective: str):
    """Settled profiles have no cell of their own, where the next round's gains are supposed."""
    asked = body("hw", "hw", "hw", scores=(3, 4, 5), objective=objective, depth=2)
    asked["opponents"] = {"model": "equilibrium"}
    asked["state"]["fruit"] = [15, 0, 0, 0, 0, 0]
    assert suggest(asked)["search"]["depth"] == 2
