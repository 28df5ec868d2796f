"""Subgames of several watchers: they are solved wherever the final strategies lead."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from service.core.hints import Question
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.subgames import reachable_open_profiles, solve_open_subgames
from service.solver.search.strategy_profile import SolveContext, solve_round
from tests import randomized
from tests.solver.matrix_games import epsilons, table_of
from tests.solver.scenarios import SUGGEST, Scenario, owners_of, position

SEED = randomized.seed(11)


def question_of(state: State, objective: str, model: str = "equilibrium") -> Question[State, Move]:
    asked = Scenario(state, state.players[0], objective, effort="standard", model=model)
    return asked.question


def solve(question):
    context = SolveContext(SUGGEST.search_game, owners_of(question.position), WorkMeter(None))
    return solve_round(context, question, question.player)


def random_question(seed: int, seats: int, objective: str):
    random = Random(f"{SEED} {seed} {seats}")
    print(f"{SEED=} {seed=} {seats=}")
    hands = tuple(
        "".join([*random.sample("1234567", k=random.randint(2, 7)), "hw", random.choice(("", "b"))])
        for _ in range(seats)
    )
    start = random.randint(0, 24)
    scores = tuple(start + random.randint(0, 5) for _ in hands)
    fruit = tuple(random.randint(0, 2) for _ in range(6))
    return question_of(position(*hands, scores=scores, fruit=fruit, track=None), objective)


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_probabilities_sum_to_one_if_one_watcher_meets_two(objective: str, model: str):
    """One watcher of a player meets two of the other player, who has equal hands."""
    hands = ("24hw", "356hwb", "24hw", "356hwb")
    scores, fruit = (10, 11, 10, 11), (0, 0, 3, 1, 2, 0)
    state = position(*hands, scores=scores, fruit=fruit, track=None, owners="aabb")
    stage_game, profile = solve(question_of(state, objective, model))
    sizes = [stage_game.successors(profile) for profile in range(stage_game.payoffs.shape[1])]
    assert any(len(successors) > 1 for successors in sizes)
    for successors in sizes:
        assert sum(chance for chance, _ in successors) == pytest.approx(1.0, abs=1e-9)
    table = table_of(stage_game)
    # Symmetric players have equal payoffs after an exchange, also with unequal numbers of watchers.
    assert np.abs(table[0] - table[1].T).max() < 1e-9
    assert profile.epsilon == pytest.approx(max(epsilons(table, profile.strategies)), abs=1e-12)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("objective", ["win", "lead"])
@pytest.mark.parametrize("seed", range(6))
def test_every_reachable_subgame_is_solved_before_epsilon_is_measured(
    seats: int, seed: int, objective: str
):
    stage_game, profile = solve(random_question(seed, seats, objective))
    assert profile.subgames_solved
    assert not len(reachable_open_profiles(stage_game, profile.strategies)[0])
    largest = max(epsilons(table_of(stage_game), profile.strategies))
    assert profile.epsilon == pytest.approx(largest, abs=1e-12)


def test_subgames_beyond_the_budget_are_reported_as_unsolved(monkeypatch: pytest.MonkeyPatch):
    few = replace(EQUILIBRIUM_BUDGET, subgame_entries=200, subgame_passes=1)
    monkeypatch.setattr("service.solver.search.strategy_profile.EQUILIBRIUM_BUDGET", few)
    unsolved = 0
    for seed in range(8):
        stage_game, profile = solve(random_question(seed, 4, "win"))
        assert profile.subgames_solved == (
            not len(reachable_open_profiles(stage_game, profile.strategies)[0])
        )
        unsolved += not profile.subgames_solved
    assert unsolved > 0


def test_solutions_of_subgames_have_a_small_epsilon(monkeypatch: pytest.MonkeyPatch):
    """No watcher gains much by another addition."""
    stage_game = SUGGEST.search_game.stage_game(random_question(1, 3, "win"))
    budget, solved = EQUILIBRIUM_BUDGET, []
    fold_in = stage_game.set_subgame_solutions

    def record(subgames, strategies):
        solved.extend(
            (subgames.payoffs[place][subgames.deciding[place]], subgames.sizes, own)
            for place, own in enumerate(strategies)
        )
        fold_in(subgames, strategies)

    monkeypatch.setattr(stage_game, "set_subgame_solutions", record)
    everything = stage_game.open_profiles()[0]
    even = [np.full(count, 1.0 / count) for count in stage_game.counts]
    assert (solve_open_subgames(stage_game, even, budget, WorkMeter(None)) == everything).all()
    assert not len(stage_game.open_profiles()[0])
    for payoffs, sizes, own in solved:
        table = payoffs.reshape(len(sizes), *sizes)
        mixtures = np.split(own, np.cumsum(sizes)[:-1])
        assert max(epsilons(table, mixtures)) <= 1e-3 * float(table.max() - table.min()) + 1e-3
