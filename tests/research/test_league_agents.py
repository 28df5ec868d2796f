from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from league.roster import ROSTER, agent
from league.snow_time.agents import Exploiter, GreedyAgent, SolutionCache, SolvingAgent, solves
from league.snow_time.play import play, start

from service.games.snow_time.rules.state import Card, Move
from tests.research.positions import SHORT, position, question

pytestmark = pytest.mark.research

SPECS = [spec if spec != "tree" else "tree:iterations=100" for spec in ROSTER]
TABLES = [(3, 3), (4, 4), (5, 5), (4, 2)]


class Judge:
    """Lets another agent play, and insists on legal moves of all who decide."""

    def __init__(self, agent):
        self.agent = agent
        self.decided = Counter()

    def choose(self, question, random):
        chosen = self.agent.choose(question, random)
        assert set(chosen) == set(question.actors)
        for actor, move in chosen.items():
            assert move in question.decision.choices[actor]
        self.decided[question.decision.name] += 1
        return chosen


@pytest.mark.parametrize(("seats", "players"), TABLES)
@pytest.mark.parametrize("spec", SPECS)
def test_an_agent_plays_legal_moves_through_a_whole_game(spec, seats, players):
    # The others bring variety.
    judge, first = Judge(agent(spec)), start(seats, players, SHORT if seats == 5 else None)
    others = {player: agent("random") for player in first.players[1:]}
    played = play(first, {first.players[0]: judge, **others}, seed=3)
    assert judge.decided["card"] == len(played.positions) - 1
    assert sum(played.shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_depends_on_its_seed_alone(spec):
    def whole():
        agent.cache_clear()
        solves.cache_clear()
        first = start(3, 3, SHORT)
        return play(first, dict.fromkeys(first.players, agent(spec)), seed=5)

    assert whole() == whole()


def test_the_greedy_agent_plays_what_gains_most_against_even_choices():
    # Three fruit lie on level 6, nobody comes from above, and one may brawl there.
    state = position("36h", "56h", "4hw", fruit=(0, 0, 1, 0, 0, 3))
    assert GreedyAgent().choose(question(state, "a"), _Fixed(0)) == {"a": Move(Card.SIX)}


def test_greedy_twins_share_a_search_and_draw_ties_on_their_own():
    state = position("17h", "17h", "17h")
    agent, random = GreedyAgent(), _Fixed(0)
    both = [agent.choose(question(state, player), random)[player] for player in "ab"]
    assert both[0] == both[1]
    assert len(agent._found) == 1


def test_a_level_one_agent_plays_the_strategy_that_the_service_says_it_has():
    state = position("1357h", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
    asked = question(state, "b")
    joint, play_of_all = SolutionCache("level-1", "win", "standard").of(asked)
    own = play_of_all.strategies[joint.players.index("b")]
    random = _Fixed(0)
    SolvingAgent(model="level-1").choose(asked, random)
    assert random.weights == own.tolist()


@pytest.mark.parametrize("player", ["a", "b", "c"])
def test_the_exploiter_plays_the_best_answer_to_the_published_strategies(player):
    state = position("1357h", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
    asked = question(state, player)
    solves = SolutionCache("equilibrium", "win", "standard")
    joint, play_of_all = solves.of(asked)
    found = joint.outcomes(joint.players.index(player), np.concatenate(play_of_all.strategies))
    shares = found[:, len(joint.players) + joint.players.index(player)]
    chosen = Exploiter().choose(asked, _Fixed(0))
    assert shares[joint.moves(joint.players.index(player)).index(chosen)] == pytest.approx(
        shares.max(), abs=1e-9
    )
    assert np.ptp(shares) > 0.001


@pytest.mark.parametrize(
    "spec", ["nobody", "greedy:tier=deep", "service:tier=best", "tree:iterations=many"]
)
def test_an_agent_that_nobody_knows_is_refused(spec):
    with pytest.raises(ValueError, match=r"no agent|no setting|no good"):
        agent(spec)


class _Fixed:
    """In place of a random generator: takes what stands at a place, and keeps the weights."""

    def __init__(self, place: int) -> None:
        self.place = place

    def choice(self, options):
        return options[self.place]

    def choices(self, options, weights):
        self.weights = weights
        return [options[self.place]]
