"""Watchers who meet: their games are solved wherever the final strategies lead."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from service.core.hints import Question
from service.games.snow_time.rules.state import Move
from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.subgames import reachable_open_profiles, solve_open_subgames
from service.solver.search.strategy_profile import SolveContext, solve_round
from tests import randomized
from tests.solver.matrix_games import epsilons, table_of
from tests.solver.scenarios import SUGGEST, Scenario, owners_of, position

SEED = randomized.seed(11)
FULL = "1234567hwb"


def asked(
    hands: tuple[str, ...],
    scores: tuple[int, ...],
    fruit: tuple[int, ...],
    objective: str,
    owners: str = "",
    model: str = "equilibrium",
) -> Question[object, Move]:
    state = position(*hands, scores=scores, fruit=fruit, track=None, owners=owners)
    question = Scenario(state, state.players[0], objective, effort="standard").question
    return replace(question, model=model)


def played(question):
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
    return asked(hands, scores, tuple(random.randint(0, 2) for _ in range(6)), objective)


@pytest.mark.parametrize("objective", ["win", "points", "lead"])
@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_no_chance_is_lost_where_one_watcher_meets_two(objective: str, model: str):
    """A player's one watcher meets both of the other's, who has the same two hands."""
    hands = ("24hw", "356hwb", "24hw", "356hwb")
    joint, play = played(
        asked(hands, (10, 11, 10, 11), (0, 0, 3, 1, 2, 0), objective, owners="aabb", model=model)
    )
    sizes = [joint.successors(profile) for profile in range(joint.payoffs.shape[1])]
    assert any(len(reached) > 1 for reached in sizes)
    for reached in sizes:
        assert sum(chance for chance, _ in reached) == pytest.approx(1.0, abs=1e-9)
    table = table_of(joint)
    # Equals are worth the same with places exchanged, meetings of unequal numbers included.
    assert np.abs(table[0] - table[1].T).max() < 1e-9
    assert play.epsilon == pytest.approx(max(epsilons(table, play.strategies)), abs=1e-12)


@pytest.mark.parametrize(("seats", "objective"), [(3, "win"), (3, "lead"), (4, "win"), (4, "lead")])
@pytest.mark.parametrize("seed", range(6))
def test_every_meeting_that_strategies_lead_to_is_solved_before_their_gap_is_told(
    seats: int, seed: int, objective: str
):
    joint, play = played(random_question(seed, seats, objective))
    assert play.subgames_solved
    assert not len(reachable_open_profiles(joint, play.strategies)[0])
    assert play.epsilon == pytest.approx(max(epsilons(table_of(joint), play.strategies)), abs=1e-12)


def test_meetings_over_the_tiers_work_are_owned_up(monkeypatch: pytest.MonkeyPatch):
    few = replace(EQUILIBRIUM_BUDGETS["standard"], subgame_entries=200, subgame_passes=1)
    monkeypatch.setitem(EQUILIBRIUM_BUDGETS, "standard", few)
    owned_up = 0
    for seed in range(8):
        joint, play = played(random_question(seed, 4, "win"))
        assert play.subgames_solved == (not len(reachable_open_profiles(joint, play.strategies)[0]))
        owned_up += not play.subgames_solved
    assert owned_up > 0


def test_meetings_are_solved_as_games(monkeypatch: pytest.MonkeyPatch):
    """Nobody gains by another addition, wherever watchers meet."""
    joint = SUGGEST.search_game.stage_game(random_question(1, 3, "win"))
    effort, solved = EQUILIBRIUM_BUDGETS["deep"], []
    fold_in = joint.set_subgame_solutions

    def settling(found, strategies):
        solved.extend(
            (found.payoffs[place][found.deciding[place]], found.sizes, own)
            for place, own in enumerate(strategies)
        )
        fold_in(found, strategies)

    monkeypatch.setattr(joint, "set_subgame_solutions", settling)
    everything = joint.open_profiles()[0]
    even = [np.full(count, 1.0 / count) for count in joint.counts]
    assert (solve_open_subgames(joint, even, effort, WorkMeter(None)) == everything).all()
    assert not len(joint.open_profiles()[0])
    for payoffs, sizes, own in solved:
        table = payoffs.reshape(len(sizes), *sizes)
        mixtures = np.split(own, np.cumsum(sizes)[:-1])
        assert max(epsilons(table, mixtures)) <= 1e-3 * float(table.max() - table.min()) + 1e-3
