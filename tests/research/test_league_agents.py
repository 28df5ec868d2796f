from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from research.league.roster import SNOW_TIME_ROSTER, agent
from research.league.snow_time.agents import (
    GreedyAgent,
    ServiceAgent,
    SolutionCache,
    shared_solutions,
)
from research.league.snow_time.exploiter import Exploiter
from research.league.snow_time.play import initial_state, play

from service.games.snow_time.rules.state import Card, Move
from tests.research.positions import SHORT, position, question

pytestmark = pytest.mark.research

SPECS = [spec if spec != "tree" else "tree:iterations=100" for spec in SNOW_TIME_ROSTER]
TABLE_SIZES = [(3, 3), (4, 4), (5, 5), (4, 2)]


class LegalityChecker:
    """Plays like another agent and asserts that all its moves are legal."""

    def __init__(self, agent):
        self.agent = agent
        self.decisions = Counter()

    def choose(self, question, random):
        chosen = self.agent.choose(question, random)
        assert set(chosen) == set(question.actors)
        for actor, move in chosen.items():
            assert move in question.decision.choices[actor]
        self.decisions[question.decision.name] += 1
        return chosen


@pytest.mark.parametrize(("seats", "players"), TABLE_SIZES)
@pytest.mark.parametrize("spec", SPECS)
def test_an_agent_plays_legal_moves_through_a_whole_game(spec, seats, players):
    # Random opponents reach more kinds of positions.
    checker = LegalityChecker(agent(spec))
    first = initial_state(seats, players, SHORT if seats == 5 else None)
    others = {player: agent("random") for player in first.players[1:]}
    finished = play(first, {first.players[0]: checker, **others}, seed=3)
    assert checker.decisions["card"] == len(finished.positions) - 1
    assert sum(finished.shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_depends_on_its_seed_alone(spec):
    def play_game():
        agent.cache_clear()
        shared_solutions.cache_clear()
        first = initial_state(3, 3, SHORT)
        return play(first, dict.fromkeys(first.players, agent(spec)), seed=5)

    assert play_game() == play_game()


def test_the_greedy_agent_plays_the_best_response_to_uniform_opponents():
    # Level 6 has three fruit, no seat can strike it from above, and one seat may brawl there.
    state = position("36h", "56h", "4hw", fruit=(0, 0, 1, 0, 0, 3))
    assert GreedyAgent().choose(question(state, "a"), _Fixed(0)) == {"a": Move(Card.SIX)}


def test_a_level_1_agent_plays_the_published_level_1_strategy():
    state = position("1357h", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
    decision = question(state, "b")
    joint, profile = SolutionCache("level-1", "win", "standard").solve(decision)
    own = profile.strategies[joint.players.index("b")]
    random = _Fixed(0)
    ServiceAgent(model="level-1").choose(decision, random)
    assert list(random.weights) == own.tolist()


@pytest.mark.parametrize("player", ["a", "b", "c"])
def test_the_exploiter_plays_a_best_response_to_the_published_strategies(player):
    state = position("1357h", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
    decision = question(state, player)
    joint, profile = SolutionCache("equilibrium", "win", "standard").solve(decision)
    outcomes = joint.outcomes(joint.players.index(player), np.concatenate(profile.strategies))
    shares = outcomes[:, len(joint.players) + joint.players.index(player)]
    chosen = Exploiter().choose(decision, _Fixed(0))
    assert shares[joint.moves(joint.players.index(player)).index(chosen)] == pytest.approx(
        shares.max(), abs=1e-9
    )
    assert np.ptp(shares) > 0.001


@pytest.mark.parametrize(
    "spec", ["nobody", "greedy:effort=deep", "service:effort=best", "tree:iterations=many"]
)
def test_an_unknown_agent_or_setting_is_an_error(spec):
    with pytest.raises(ValueError, match=r"unknown agent|no setting|invalid value"):
        agent(spec)


class _Fixed:
    """A random generator that takes the option at an index and records the weights."""

    def __init__(self, index: int) -> None:
        self.index = index

    def choice(self, options):
        return options[self.index]

    def choices(self, options, weights):
        self.weights = weights
        return [options[self.index]]
