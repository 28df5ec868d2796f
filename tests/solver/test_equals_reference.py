"""The solver against the reference code, number by number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from service.games.snow_time.rules.state import Bonus, Kind, Move, Track
from tests.randomized import Properties, case_numbers, profile
from tests.solver.scenarios import (
    OBJECTIVES,
    Scenario,
    first,
    position,
    random_scenario,
    reference_outcomes,
    rendered_hint,
)
from tests.solver.search.reference_expectimax import KINDS, Outcome, Reference

SEEDS = case_numbers(12, 45)
properties = Properties()
WITHIN = 1e-9 + 1e-12
"""Numbers are rounded to nine decimals, and ties are made equal."""
SHARED_OUT = 1.6e-9
"""A share contains part of the rounding of the asker's share, and is rounded itself."""


def cards(**by_seat: str) -> dict[str, dict[Move, float]]:
    """Return weights for a uniform choice among some cards."""
    return {seat: {first(letter): 1.0 for letter in word} for seat, word in by_seat.items()}


SUPPLY_0, SUPPLY_1, SUPPLY_2 = (1, 2, 3, 4, 3, 2), (1, 2, 3, 3, 3, 2), (1, 2, 3, 3, 2, 2)
MANA_AT_5 = Track(6, (Bonus(5, Kind.MANA, 1),))
FRUIT_AT_5 = Track(6, (Bonus(5, Kind.FRUIT, 1),))
GERMAN = Track(30, (), optional_watcher=True, spared_champion=True)


def asked(
    *hands: str, player: str = "red", revealed: Any = None, weights: Any = None, **table: Any
) -> dict[str, Any]:
    """Return the fields of a scenario: two rounds if there is fruit, which has a small supply."""
    depth = 2 if sum(table.get("fruit", ())) > 12 else 1
    state = position(*hands, **{"track": None} | table)
    fields = {"state": state, "player": player, "depth": depth}
    return fields | {"revealed": revealed or {}, "weights": weights or {}}


BY_HAND: dict[str, dict[str, Any]] = {
    "three champions, one round": asked(
        "123h", "234h", "345h", fruit=(1, 0, 2, 0, 1, 0), player="blue"
    ),
    "watchers on both sides": asked("135hw", "24hw", "6h", fruit=(0, 1, 0, 0, 0, 1)),
    "an added blizzard against an added healer": asked(
        "1234567hwb", "hw", "hwb", "234567h", scores=(3, 5, 8, 2), player="green"
    ),
    "two seats with watcher and healer": asked(
        "234567hw", "hwb", "1234567h", "hw", owners="abab", player="a"
    ),
    "two seats at the end of the track": asked(
        *("1234567h", "1234567hw", "hwb", "hw"),
        owners="abba",
        scores=(5, 4, 5, 5),
        fruit=(0, 0, 1, 0, 1, 0),
        track=MANA_AT_5,
        player="b",
    ),
    "the end in sight, weights": asked(
        *("3h", "35hw", "24h"),
        scores=(5, 4, 5),
        track=MANA_AT_5,
        player="green",
        weights=cards(red="3", blue="5w"),
    ),
    "two rounds without supply": asked("h", "hb", "hb", fruit=SUPPLY_0),
    "two rounds, one token in supply": asked("hb", "hw", "h", fruit=SUPPLY_1, scores=(2, 1, 0)),
    "two rounds, two tokens in supply": asked(
        "hb", "hw", "hb", fruit=SUPPLY_2, player="blue", weights=cards(red="b", green="b")
    ),
    "two rounds, two tokens in supply, the end in sight": asked(
        *("h", "hw", "hb"),
        fruit=SUPPLY_2,
        scores=(5, 4, 5),
        track=FRUIT_AT_5,
        player="green",
        weights=cards(blue="h"),
    ),
    "two rounds, champions to take back": asked(
        "12h", "hb", "h", fruit=SUPPLY_0, weights=cards(blue="b")
    ),
    "two rounds from the healer on": asked(
        *("12h", "hb", "h"),
        fruit=SUPPLY_0,
        revealed={"red": first("h"), "blue": first("b"), "green": first("h")},
    ),
    "two rounds from the watcher on": asked(
        *("hb", "hwb", "hw"),
        fruit=SUPPLY_0,
        player="blue",
        revealed={"red": first("b"), "blue": first("w"), "green": first("w")},
    ),
    "two rounds, blizzard or not": asked("hwb", "hb", "h", fruit=SUPPLY_0, scores=(0, 3, 2)),
    "two rounds with the German options": asked("5hw", "hb", "h", fruit=SUPPLY_0, track=GERMAN),
    "two rounds of four": asked(
        "h", "hb", "hb", "h", fruit=SUPPLY_0, player="black", weights=cards(blue="b")
    ),
    "two rounds of five": asked(
        *["hb"] * 4, "h", fruit=SUPPLY_0, weights=cards(green="b", black="b", white="h")
    ),
    "two rounds of two with two seats each": asked(
        "hb", "hb", "hw", "h", owners="abab", fruit=SUPPLY_0, player="a", weights=cards(blue="b")
    ),
    "over in the first round or the second": asked(
        *("7h", "6hb", "5h"),
        scores=(4, 3, 4),
        fruit=SUPPLY_0,
        track=Track(5, ()),
        weights=cards(blue="6b", green="5"),
    ),
}

LONG = {
    "two rounds with the German options",
    "watchers on both sides",
    "two rounds, one token in supply",
    "two rounds, two tokens in supply",
    "two rounds, two tokens in supply, the end in sight",
}
"""The reference code takes seconds for these."""


def cases() -> Iterator[Any]:
    """Yield positions by hand with every objective (long ones: with one), and random ones."""
    for number, name in enumerate(BY_HAND):
        for objective in OBJECTIVES:
            if name in LONG and objective != OBJECTIVES[number % 3] and profile() != "nightly":
                continue
            default = name not in LONG and objective == OBJECTIVES[number % 3]
            marks = [] if default else [pytest.mark.slow]
            yield pytest.param(f"{name} | {objective}", marks=marks, id=f"{name} | {objective}")
    for seed in SEEDS:
        yield f"seed {seed}"


@cache
def solve_case(case: str) -> tuple[Scenario, dict[str, Any], dict[str, Outcome]]:
    """Return the scenario, the rendered hint and the reference outcome of every move."""
    name, _, objective = case.partition(" | ")
    if objective:
        scenario = Scenario(objective=objective, **BY_HAND[name])
    else:
        scenario = random_scenario(int(name.removeprefix("seed ")))
    return scenario, rendered_hint(scenario), reference_outcomes(scenario)


def case_data(case: str) -> tuple[Scenario, dict[str, Any], dict[str, Outcome]]:
    scenario, answer, outcomes = solve_case(case)
    print(case, scenario)
    return scenario, answer, outcomes


def value(scenario: Scenario, outcome: Outcome, player: str) -> float:
    return Reference(player, scenario.objective).value(outcome)


@properties
def the_solver_lists_the_moves_and_values_of_the_reference(case: str):
    scenario, answer, outcomes = case_data(case)
    assert answer["search"]["depth"] == scenario.depth
    assert answer["moves"].keys() == outcomes.keys()
    for move, outcome in outcomes.items():
        expected = value(scenario, outcome, scenario.player)
        assert answer["moves"][move]["value"] == pytest.approx(expected, abs=WITHIN), move


@properties
def the_best_move_of_the_reference_comes_first(case: str):
    scenario, answer, outcomes = case_data(case)
    values = {move: value(scenario, outcome, scenario.player) for move, outcome in outcomes.items()}
    best = max(values.values())
    tied = [move for move, own in values.items() if own > best - 1e-9]
    first = next(iter(answer["moves"]))
    assert first == max(tied, key=kept)
    deck = [first, *(move for move in outcomes if move != first)]
    printed = [(-row["value"], deck.index(move)) for move, row in answer["moves"].items()]
    assert printed == sorted(printed)


def kept(move: str) -> int:
    """Return the champions taken back, minus seven for each card that can be played only once."""
    taken = sum(len(cards.split(",")) for cards in re.findall(r":([\d,]+)", move))
    return taken - 7 * (move.count("watcher") + move.count("blizzard"))


@properties
def points_are_those_of_the_reference(case: str):
    _, answer, outcomes = case_data(case)
    for move, outcome in outcomes.items():
        expected = {kind: outcome["points", kind] for kind in KINDS}
        assert answer["moves"][move]["points"] == pytest.approx(expected, abs=WITHIN), move


@properties
def survival_is_that_of_the_reference(case: str):
    scenario, answer, outcomes = case_data(case)
    for move, outcome in outcomes.items():
        expected = {
            seat.name: outcome["survived", seat.name] / outcome["played", seat.name]
            for seat in scenario.state.seats_of(scenario.player)
            if outcome["played", seat.name]
        }
        assert answer["moves"][move]["survival"] == pytest.approx(expected, abs=WITHIN), move


@properties
def win_shares_and_expected_values_are_those_of_the_reference(case: str):
    scenario, answer, outcomes = case_data(case)
    best = outcomes[next(iter(answer["moves"]))]
    for player in scenario.state.players:
        assert answer["win_shares"][player] == pytest.approx(best["share", player], abs=SHARED_OUT)
        expected = value(scenario, best, player)
        assert answer["expected_values"][player] == pytest.approx(expected, abs=SHARED_OUT)


@properties
def win_shares_are_exact_if_every_leaf_is_a_finished_game(case: str):
    scenario, answer, outcomes = case_data(case)
    estimated = any(outcome["estimated", ""] for outcome in outcomes.values())
    assert answer["search"]["exact"] == (scenario.objective != "win" or not estimated)


@pytest.mark.slow
def test_the_random_positions_cover_all_kinds():
    """Otherwise agreement would prove less than it seems."""
    scenarios = [random_scenario(seed) for seed in range(45)]
    assert {len(scenario.state.seats) for scenario in scenarios} == {3, 4, 5}
    assert {scenario.decision.name for scenario in scenarios} == {"card", "watcher", "healer"}
    assert any(len(scenario.question.actors) == 2 for scenario in scenarios)
    assert any(scenario.weights for scenario in scenarios)
    assert any(scenario.state.track is None for scenario in scenarios)
    assert any(len(scenario.state.players) == 2 for scenario in scenarios)
    ended = [
        reference_outcomes(scenario) for scenario in scenarios if scenario.decision.name == "card"
    ]
    assert any(0 < own["estimated", ""] < 1 for moves in ended for own in moves.values())


@pytest.mark.parametrize("case", list(cases()))
def test_the_solver_agrees_with_the_reference(case: str):
    properties.check(case)
