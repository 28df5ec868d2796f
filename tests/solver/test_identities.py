"""Identities between hints that hold for all numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from service.games.snow_time.rules.state import Move, State, Track
from service.solver.budget import WorkMeter
from service.solver.canonical import canonicalize
from service.solver.search.iterative_deepening import search_for_all_players
from tests import randomized
from tests.solver.scenarios import (
    NAMES,
    SUGGEST,
    Scenario,
    best_row,
    first,
    position,
    random_fruit,
    random_scenario,
    rendered_hint,
)

SEEDS = randomized.case_numbers(4, 12)
WITHIN = 1e-8


def random_duel(random: Random) -> State:
    """Two players with two seats each and few cards."""
    words = ["".join(random.sample("1234567", k=3)) + "h" for _ in range(4)]
    owners = random.choice(("aabb", "abab", "abba"))
    scores = tuple(random.randrange(30) for _ in words)
    return position(*words, scores=scores, fruit=random_fruit(random, 9), track=None, owners=owners)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_leads_of_two_players_are_opposite(seed: int):
    random = Random(seed)
    state = random_duel(random)
    for player in ("a", "b"):
        expected = rendered_hint(Scenario(state, player, "lead"))["expected_values"]
        print(seed, state, expected)
        assert expected["a"] == -expected["b"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_of_a_champion_is_the_mean_over_another_seats_cards(seed: int):
    """A choice without later decisions of the asker is linear in each opponent's mixture."""
    random = Random(seed)
    words = ["".join(random.sample("1234567", k=3)) + "h" for _ in range(3)]
    state = position(*words, fruit=random_fruit(random, 8), track=None)
    scenario = Scenario(state, "red", ("win", "points", "lead")[seed % 3])
    whole = rendered_hint(scenario)
    blue = state.seat("blue").hand
    parts = [rendered_hint(replace(scenario, weights={"blue": {Move(card): 1.0}})) for card in blue]
    print(seed, state)
    for card in state.seat("red").hand[:3]:
        move = f"red={card.label}"
        mean = sum(part["moves"][move]["value"] for part in parts) / len(parts)
        assert whole["moves"][move]["value"] == pytest.approx(mean, abs=WITHIN)


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
def test_the_value_of_a_watcher_is_the_mean_of_its_best_answers(objective: str):
    """Hints before and after the reveal must agree."""
    state = position("2467hw", "35hw", "46hb", scores=(3, 2, 6), fruit=(0, 1, 0, 2, 0, 1))
    before = rendered_hint(Scenario(state, "red", objective))["moves"]["red=watcher"]["value"]
    after = []
    for blue, green in product(state.seat("blue").hand, state.seat("green").hand):
        revealed = {"red": first("w"), "blue": Move(blue), "green": Move(green)}
        answer = rendered_hint(Scenario(state, "red", objective, revealed=revealed))
        assert answer["decision"] == "watcher"
        after.append(best_row(answer)["value"])
    assert before == pytest.approx(sum(after) / len(after), abs=WITHIN)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_value_of_a_healer_is_the_mean_of_its_best_sets(depth: int):
    """The same for the last decision: sets are chosen after the added cards."""
    track = Track(8, ())
    state = position("567h", "hwb", "h", scores=(3, 2, 6), fruit=(1, 2, 3, 4, 3, 2), track=track)
    scenario = Scenario(state, "red", "win", depth=depth)
    before = rendered_hint(scenario)["moves"]["red=healer"]["value"]
    healer, watcher, blizzard = first("h"), first("w"), first("b")
    chances = [(healer, 1 / 3), (blizzard, 1 / 3)]
    chances += [(watcher.adding(added.card), 1 / 6) for added in (healer, blizzard)]
    after = 0.0
    for blue, chance in chances:
        revealed = {"red": healer, "blue": blue, "green": healer}
        answer = rendered_hint(replace(scenario, revealed=revealed))
        assert answer["decision"] == "healer"
        after += chance * best_row(answer)["value"]
    assert before == pytest.approx(after, abs=WITHIN)


@pytest.mark.parametrize("seed", SEEDS)
def test_scores_far_from_the_end_and_bonuses_do_not_change_points(seed: int):
    random = Random(seed)
    words = ["".join(random.sample("1234567hwb", k=4)) + "h" for _ in range(3)]
    words = ["".join(dict.fromkeys(word)) for word in words]
    track = Track(200, ())
    here = position(*words, fruit=random_fruit(random, 9), track=track)
    scores = tuple(random.randrange(150) for _ in words)
    there = replace(here, seats=tuple(map(_with_score, here.seats, scores)))
    print(seed, here)
    for objective in ("points", "lead"):
        answers = [rendered_hint(Scenario(state, "red", objective)) for state in (here, there)]
        values = [
            {move: row["value"] for move, row in answer["moves"].items()} for answer in answers
        ]
        assert values[0] == pytest.approx(values[1], abs=WITHIN)


def _with_score(seat: Any, score: int) -> Any:
    return replace(seat, score=score)


@pytest.mark.parametrize("seed", range(18))
def test_renaming_seats_and_players_changes_only_names(seed: int):
    random = Random(seed)
    scenario = random_scenario(seed, 800)
    seats = dict(zip(NAMES, random.sample(["u", "v", "x", "y", "z"], k=5), strict=True))
    players = {"a": "q", "b": "p"} if len(scenario.state.players) == 2 else seats
    print(seed, scenario, seats, players)
    renamed = replace(
        scenario,
        state=replace(
            scenario.state,
            seats=tuple(
                replace(seat, name=seats[seat.name], player=players[seat.player])
                for seat in scenario.state.seats
            ),
        ),
        player=players[scenario.player],
        revealed=_keys(scenario.revealed, seats),
        weights=_keys(scenario.weights, seats),
    )
    before, after = rendered_hint(scenario), rendered_hint(renamed)
    assert after["search"] == before["search"]
    for numbers in ("win_shares", "expected_values"):
        assert after[numbers] == pytest.approx(_keys(before[numbers], players), abs=1.01e-9)
    values = sorted(row["value"] for row in before["moves"].values())
    assert sorted(row["value"] for row in after["moves"].values()) == pytest.approx(
        values, abs=1.01e-9
    )
    row = {
        tuple(sorted((seat, str(move)) for seat, move in one["move"].items())): one["value"]
        for one in after["moves"].values()
    }
    for one in before["moves"].values():
        key = tuple(sorted((seats[seat], str(move)) for seat, move in one["move"].items()))
        assert row[key] == pytest.approx(one["value"], abs=1.01e-9)


def _keys(named: Mapping[str, Any], new: Mapping[str, str]) -> dict[str, Any]:
    return {new[name]: content for name, content in named.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deeper_search_never_lowers_the_askers_points(seed: int):
    """In the second round every first move gains what its best card gains, at least 0."""
    random = Random(seed)
    words = (random.choice(("7h", "hwb", "h")), "hb", "h")
    state = position(*words, fruit=random_fruit(random, 14), track=Track(60, ()))
    one, two = (rendered_hint(Scenario(state, "red", "points", depth)) for depth in (1, 2))
    print(seed, state)
    assert two["search"]["depth"] == 2
    for move, row in one["moves"].items():
        assert two["moves"][move]["value"] >= row["value"] - 1e-9
        assert two["moves"][move]["points"] == pytest.approx(row["points"], abs=1e-9)


def test_a_small_share_is_as_precise_as_its_rounding():
    """The best choice is computed for each of 105,000 reveals; none is too rare.

    The healer's value is the mean of its values against each pair of cards of two opponents, as
    its sets are chosen after all cards are revealed.  Red is far behind; its share is a few
    millionths.
    """
    full = "1234567hwb"
    state = position(
        "12h", full, full, full, full, scores=(26, 56, 56, 56, 56), track=Track(60, ())
    )
    scenario = Scenario(state, "red", "win")
    whole = rendered_hint(scenario)["moves"]["red=healer"]["value"]
    parts = []
    for blue, green in product(state.seat("blue").hand, repeat=2):
        weights = {"blue": {Move(blue): 1.0}, "green": {Move(green): 1.0}}
        answer = rendered_hint(replace(scenario, weights=weights))
        parts.append(answer["moves"]["red=healer"]["value"])
    assert whole == pytest.approx(sum(parts) / len(parts), abs=1.5e-9)


@pytest.mark.parametrize("objective", ["win", "points"])
@pytest.mark.parametrize("model", ["level-1", "quantal", "equilibrium"])
@pytest.mark.parametrize("owners", ["", "aabb"])
def test_equal_players_have_equal_outcomes_with_their_roles_exchanged(
    owners: str, model: str, objective: str
):
    """The search computes the outcomes of one of them only."""
    words = ["35hw", "46hb", "35hw", "46hb"]
    state = position(*words, fruit=(0, 0, 1, 0, 2, 0), owners=owners)
    question = Scenario(state, owners[:1] or NAMES[0], objective).question
    canonical = canonicalize(SUGGEST.search_game, replace(question, model=model))
    solution, stage_game, profile = search_for_all_players(
        SUGGEST.search_game, canonical.question, canonical.owners, WorkMeter(None)
    )
    together = np.concatenate(profile.strategies)
    assert len(set(stage_game.symmetry_classes)) == 2 - bool(owners)
    for player, (outcomes, parts) in enumerate(zip(solution.outcomes, solution.parts, strict=True)):
        own, split = stage_game.outcomes(player, together), stage_game.parts(player, together)
        np.testing.assert_allclose(outcomes, own, rtol=0, atol=1e-12)
        np.testing.assert_allclose(parts, split, rtol=0, atol=1e-12)
