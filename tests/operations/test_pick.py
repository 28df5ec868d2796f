"""The pick: drawn from the asker's printed row, by position, player and nonce alone."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import exp
from typing import Any

import pytest

from tests.operations.bodies import (
    MODELS,
    OBJECTIVES,
    Body,
    body,
    faults,
    legal_moves,
    spelled,
    suggest,
)

MIXED = ("equilibrium", "quantal")
TABLE = body("357hw", "246hb", "135h", "47hw", fruit=[2, 0, 1, 0, 2, 1])


def by(model: str, asked: Body = TABLE, **more: Any) -> Body:
    return suggest(asked | {"opponents": {"model": model}} | more)


def interval(answer: Body) -> tuple[float, float]:
    """Where the pick lies if the rows of the asker are laid end to end, in deck order."""
    end = 0.0
    for entry in answer["strategies"][answer["player"]]:
        start, end = end, end + entry["probability"]
        if spelled(entry["move"]) == spelled(answer["pick"]):
            return start, end
    raise AssertionError("the pick is none of the row")


@pytest.mark.parametrize("model", MIXED)
def test_the_same_question_gets_the_same_pick_and_many_nonces_get_several(model: str):
    asked = body("357hw", "357hw", "357hw")
    picks = [spelled(by(model, asked, nonce=f"n{number}")["pick"]) for number in range(25)]
    again = [spelled(by(model, asked, nonce=f"n{number}")["pick"]) for number in range(25)]
    assert picks == again
    assert len(set(picks)) > 1


@pytest.mark.slow
def test_over_many_nonces_the_pick_follows_the_printed_row():
    """Chi-square over the moves played; beyond 20 less than once in a thousand for up to 6."""
    many = 600
    asked = body("35h", "46h", "35h", objective="points", fruit=[0, 0, 2, 0, 2, 1])
    row = by("quantal", asked)["strategies"]["red"]
    chances = {spelled(entry["move"]): entry["probability"] for entry in row}
    found = Counter(
        spelled(by("quantal", asked, nonce=f"{number}")["pick"]) for number in range(many)
    )
    assert found.keys() <= chances.keys()
    assert 2 <= len(chances) <= 6
    square = sum(
        (found[move] - many * chance) ** 2 / (many * chance) for move, chance in chances.items()
    )
    assert square < 20


@pytest.mark.slow
def test_the_pick_depends_on_neither_tier_nor_objective_nor_model_nor_choice():
    """Whatever the row, the same point of it is drawn: the intervals have one in common."""
    chosen = {"red": {"card": "3"}}
    for number in range(12):
        intervals = [
            interval(by(model, objective=objective, tier=tier, nonce=f"n{number}"))
            for model, objective, tier in product(MODELS, OBJECTIVES, ("quick", "standard"))
        ]
        intervals.append(interval(by("quantal", chosen=chosen, nonce=f"n{number}")))
        assert max(start for start, _ in intervals) <= min(end for _, end in intervals) + 1e-9


@pytest.mark.slow
def test_the_pick_does_not_depend_on_how_far_is_looked_ahead():
    asked = body("3h", "24h", "2h", objective="points", fruit=[2, 3, 2, 3, 2, 3])
    for number in range(6):
        one, two = (
            interval(by("quantal", asked, depth=depth, nonce=f"{number}")) for depth in (1, 2)
        )
        assert max(one[0], two[0]) <= min(one[1], two[1]) + 1e-9


def test_equal_players_at_one_table_draw_for_themselves():
    """Three with the same strategy do not all pick the same card."""
    asked = body("357hw", "357hw", "357hw", objective="points")
    same = 0
    for number in range(30):
        picks = {
            by("quantal", asked, player=name, nonce=f"n{number}")["pick"][name]["card"]
            for name in ("red", "blue", "green")
        }
        same += len(picks) == 1
    assert same < 15


def test_the_same_strategy_in_another_position_draws_for_itself():
    """Far from the end scores do not matter to points, so that strategies are the same."""
    track = {"length": 200, "bonuses": []}
    tables = [
        body("357h", "357h", "357h", objective="points", scores=scores, track=track)
        for scores in ((0, 0, 0), (50, 50, 50))
    ]
    rows = [by("quantal", asked)["strategies"] for asked in tables]
    assert rows[0] == rows[1]
    picks = [
        [spelled(by("quantal", asked, nonce=f"n{number}")["pick"]) for number in range(20)]
        for asked in tables
    ]
    assert picks[0] != picks[1]


def test_who_sits_where_is_of_no_account_to_the_pick():
    turned = TABLE | {"state": TABLE["state"] | {"seats": TABLE["state"]["seats"][::-1]}}
    for number in range(10):
        assert by("quantal", turned, nonce=f"{number}") == by("quantal", nonce=f"{number}") | {
            "strategies": by("quantal", turned)["strategies"]
        }


# Where one player is left to decide -------------------------------------------------------------

LONE_WATCHER = body(
    "2345hw", "3hb", "1h", fruit=[0] * 6,
    revealed={"red": {"card": "watcher"}, "blue": {"card": "healer"}, "green": {"card": "1"}},
)  # fmt: skip
TIED_WATCHER = body(
    "3457hw", "3hb", "1h", fruit=[0] * 6,
    revealed={"red": {"card": "watcher"}, "blue": {"card": "healer"}, "green": {"card": "healer"}},
)  # fmt: skip
LONE_HEALER = body(
    "34h", "35hb", "1h",
    revealed={"red": {"card": "healer"}, "blue": {"card": "3"}, "green": {"card": "1"}},
)  # fmt: skip
LONE = {
    "a watcher": LONE_WATCHER,
    "a watcher with several best cards": TIED_WATCHER,
    "a healer": LONE_HEALER,
}


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("lone", LONE)
def test_who_is_left_to_decide_alone_plays_the_best(lone: str, model: str, objective: str):
    asked = LONE[lone]
    assert len(legal_moves(asked)["moves"]) == 1
    for number in range(4):
        answer = by(model, asked, objective=objective, nonce=f"n{number}")
        assert answer["pick"] == answer["best"]
        assert answer["strategies"]["red"] == [{"move": answer["best"], "probability": 1.0}]


# Whose healer has no choice -----------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_a_healer_without_a_choice_is_no_part_of_anybodys_move(model: str):
    """All seven of red come back (R4) and green decides alone; of the others only black does."""
    healing = {seat: {"card": "healer"} for seat in ("red", "blue", "green", "black")}
    asked = body("h", "1234567h", "35h", "2h", owners="abab", revealed=healing)
    answer = by(model, asked, chosen={"green": {"card": "healer", "recover": ["1"]}})
    assert answer["best"].keys() == {"green"}
    assert answer["grade"]["move"] == {"green": {"card": "healer", "recover": ["1"]}}
    assert all(entry["move"].keys() == {"black"} for entry in answer["strategies"]["b"])


@pytest.mark.parametrize("model", MODELS)
def test_a_player_whose_healer_has_no_choice_has_an_empty_row(model: str):
    healing = {seat: {"card": "healer"} for seat in ("red", "blue", "green")}
    answer = by(model, body("35h", "1234567h", "2h", revealed=healing))
    assert answer["strategies"]["blue"] == []
    assert answer["strategies"]["green"] != []


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_healers_are_told_the_same_whoever_asks(model: str, objective: str):
    healing = {seat: {"card": "healer"} for seat in ("red", "blue", "green")}
    asked = body("35h", "1245h", "2h", revealed=healing, objective=objective)
    answers = [by(model, asked | {"player": player}) for player in ("red", "blue", "green")]
    for told in ("strategies", "outlook", "expected"):
        assert all(answer[told] == answers[0][told] for answer in answers), told


# Opponents who can be beaten ------------------------------------------------------------------


@pytest.mark.slow
def test_a_pick_at_a_temperature_is_drawn_by_the_printed_losses():
    """Chi-square over five moves; beyond 18.5 less than once in a thousand."""
    many, temperature = 600, 0.7
    asked = body("35hw", "46h", "35h", objective="points", fruit=[0, 0, 2, 0, 2, 1])
    losses = {spelled(row["move"]): row["loss"] for row in by("quantal", asked)["moves"]}
    weights = {move: exp(-loss / temperature) for move, loss in losses.items()}
    found = Counter(
        spelled(by("quantal", asked, nonce=f"{number}", temperature=temperature)["pick"])
        for number in range(many)
    )
    expected = {move: many * weight / sum(weights.values()) for move, weight in weights.items()}
    assert min(expected.values()) > 5
    square = sum((found[move] - count) ** 2 / count for move, count in expected.items())
    assert square < 18.5


@pytest.mark.parametrize("model", MODELS)
def test_a_temperature_changes_the_pick_alone(model: str):
    hot = by(model, nonce="n", temperature=1000)
    cold = by(model, nonce="n")
    assert {**hot, "pick": None} == {**cold, "pick": None}


def test_at_the_least_temperature_what_is_best_is_picked():
    asked = body("357hw", "246hb", "135h", "47hw", objective="points", fruit=[2, 0, 1, 0, 2, 1])
    for number in range(20):
        found = by("uniform", asked, nonce=f"{number}", temperature=0.001)
        assert found["pick"] == found["best"]
    assert len({spelled(by("uniform", asked, nonce=f"{n}")["pick"]) for n in range(20)}) == 1
    warm = {spelled(by("uniform", asked, nonce=f"{n}", temperature=10)["pick"]) for n in range(60)}
    assert len(warm) == 5


@pytest.mark.parametrize(
    ("temperature", "code"),
    [(0, "out-of-range"), (-1, "out-of-range"), (1001, "out-of-range"), ("1", "not-a-number")],
)
def test_a_temperature_is_a_positive_number(temperature: object, code: str):
    assert faults(TABLE | {"temperature": temperature}) == {("/temperature", code)}
