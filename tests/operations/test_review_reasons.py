"""Reviews explain errors: what went wrong, what the best choice does, and both plans."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from golden.asking import ask
from golden.turns import random_turn

from service.core.languages import LANGUAGES
from tests.operations.bodies import seats, shown

Body = dict[str, Any]
ERRORS = ("inaccuracy", "mistake", "blunder")
TURNS = 8


def random_game(game: str) -> Body:
    """Return a review of the first turns of players who move at random."""
    random = Random(5)
    seats = [{"player": player} for player in ("anna", "ben", "cleo")]
    state = start = ask(game, "new", {"seats": seats, "seed": 5})["state"]
    turns = []
    for _ in range(TURNS):
        turns.append(random_turn(game, random, state))
        state = ask(game, "resolve", {"state": state, "moves": turns[-1]})["state"]
    return {"state": start, "turns": turns, "effort": "quick"}


@pytest.mark.parametrize("game", ["slopecrashers", "snowcrest"])
def test_an_error_in_a_turn_is_explained_and_its_plans_can_be_drawn(game: str) -> None:
    body = random_game(game)
    review = ask(game, "review", body)
    explained = 0
    for decision in review["decisions"]:
        parts = {"reasons", "best_reasons", "plan", "best_plan"} & decision.keys()
        if decision["class"] not in ERRORS:
            assert not parts
            continue
        assert decision["plan"][0] == decision["move"]
        assert decision["best_plan"][0] == decision["best"]
        explained += bool(decision["reasons"] or decision["best_reasons"])
    assert explained >= 3


@pytest.mark.parametrize("game", ["slopecrashers", "snowcrest"])
def test_what_recurs_is_a_habit(game: str) -> None:
    review = ask(game, "review", random_game(game))
    for player, account in review["players"].items():
        counts = Counter(
            reason["code"]
            for decision in review["decisions"]
            if decision["player"] == player
            for reason in decision.get("reasons", ())
        )
        expected = {code: count for code, count in counts.items() if count >= 3}
        assert {each["code"]: each["count"] for each in account.get("habits", ())} == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mistake_in_a_round_is_explained(language: str) -> None:
    moves = shown("265")
    state = {
        "seats": seats("246h", "36h", "35h", scores=(25, 24, 22)),
        "fruit": [0, 1, 2, 0, 0, 1],
    }
    body = {"state": state, "rounds": [{"dice": [2, 5], "moves": moves}]}
    decisions = ask("snow-time", "review", body, language)["decisions"]
    errors = [each for each in decisions if each["class"] in ERRORS]
    assert errors
    for each in decisions:
        assert ("reasons" in each) == ("best_reasons" in each) == (each in errors)
    reasons = [why for each in errors for why in (*each["reasons"], *each["best_reasons"])]
    assert reasons
    assert all(why["text"] for why in reasons)
