"""The league's learner plays the service's hints, and the exploiter knows what it will do."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from research.league.roster import agent
from research.league.running.cells import (
    MIXED_TABLE,
    Cell,
    ablation_cells,
    learned_cells,
    parse_cells,
    schedule,
)
from research.league.snow_time.agents import SOLVER_GAME, ServiceAgent, owners
from research.league.snow_time.exploiter import Exploiter
from research.league.snow_time.learned_agent import LearnedAgent, learn
from research.league.snow_time.play import initial_state, play

from service.core.hints import Question
from service.operations.learned_hint import Learner
from service.operations.solution_cache import UNCACHED
from service.solver.opponents.refinement import TableBeliefs
from tests.games.snow_time.positions import DEFINITION
from tests.research.positions import position, question
from tests.solver.scenarios import SUGGEST

pytestmark = pytest.mark.research

STATE = position("1357h", "246hb", "17hw", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))


class Listener:
    """Plays like another agent and keeps the questions."""

    def __init__(self, agent) -> None:
        self.agent, self.questions = agent, []

    def choose(self, question, random):
        self.questions.append(question)
        return self.agent.choose(question, random)


@pytest.fixture(scope="module")
def asked() -> list[Question]:
    """The questions of a learner in a game of four."""
    listener = Listener(LearnedAgent())
    others = dict.fromkeys("bcd", agent("round-solver"))
    play(initial_state(4, 4), {"a": listener, **others}, seed=2)
    return listener.questions


def by_move(strategy):
    return {frozenset(move.items()): p for move, p in strategy if p > 0.0}


def test_the_history_has_all_rounds_so_far_and_the_decisions_of_this_one(asked):
    cards = [own for own in asked if own.decision.name == "card"]
    for number, own in enumerate(cards):
        assert len(own.history) == number
        assert all(past[0].decision.name == "card" for past in own.history)
        assert all(set(past[0].choices) == set("abcd") for past in own.history)
    later = [own for own in asked if own.decision.name != "card"]
    assert later
    for own in later:
        assert own.history[-1][0].position == own.position
        assert own.revealed.keys() == set("abcd")


def test_a_learner_plays_the_hints_of_the_service(asked):
    for own in (asked[0], asked[3], asked[-1], next(q for q in asked if q.revealed)):
        learner = Learner(DEFINITION, SUGGEST, UNCACHED, None)
        hint = learner.hint(replace(own, model="learned"))
        published = {frozenset(move.items()): p for move, p in hint.strategies["a"]}
        assert by_move(LearnedAgent().strategy(own)) == published


def test_without_a_history_it_plays_the_equilibrium():
    own = question(STATE, "b")
    assert by_move(LearnedAgent().strategy(own)) == pytest.approx(
        by_move(ServiceAgent().strategy(own)), abs=1e-6
    )


def test_beliefs_grow_with_the_game_as_if_computed_at_once(asked):
    learner, last = LearnedAgent(), asked[-1]
    for own in asked:
        learner.strategy(own)
    whole = TableBeliefs.start(SOLVER_GAME.style_library, "bcd")
    for past in last.history:
        whole = learn(whole, past, owners(last))
    grown = learner._table(last, last.history)
    assert grown.library == whole.library
    for player in "bcd":
        own, other = grown.by_player[player], whole.by_player[player]
        assert own.evidence == other.evidence
        assert own.weights.tolist() == other.weights.tolist()


def test_a_learner_of_no_rounds_trusts_the_prior():
    own = question(STATE, "a")
    trusting = by_move(LearnedAgent(rounds=0).strategy(own))
    assert trusting != by_move(LearnedAgent().strategy(own))


def test_an_unsafe_learner_plays_one_move(asked):
    for own in asked[2:6]:
        assert len(by_move(LearnedAgent(safe=False).strategy(own))) == 1


class Sure:
    """A player whose one move is public."""

    def strategy(self, question):
        [actor] = question.actors
        first, *rest = question.decision.choices[actor]
        return [({actor: first}, 1.0), *(({actor: move}, 0.0) for move in rest)]


def test_the_exploiter_answers_the_strategies_at_its_table():
    own = question(STATE, "a")
    others = {"b": Sure(), "c": Sure()}
    informed, uninformed = Exploiter().at_table(others), Exploiter()
    stage_game = SOLVER_GAME.stage_game(own)
    moves = stage_game.moves(stage_game.players.index("b"))
    assert informed._strategy(own, "b", moves).tolist() == [1.0] + [0.0] * (len(moves) - 1)
    assert uninformed._strategy(own, "b", moves).max() < 1.0


def test_a_pretender_imitates_for_some_rounds(asked):
    pretender, imitated = agent("pretender:rounds=3"), agent("round-solver")
    early = [own for own in asked if len(own.history) - bool(own.revealed) < 3]
    assert early
    for own in early:
        chosen = pretender.choose(own, Random(4))
        assert chosen == imitated.choose(own, Random(4))
    late = [own for own in asked if own not in early]
    assert any(pretender.choose(own, Random(4)) != imitated.choose(own, Random(4)) for own in late)


def test_several_agents_sit_behind_the_odd_player_in_turn():
    games = list(schedule(Cell("greedy", "learned+service+random", 4), 4, 1))
    assert [game.specs for game in games] == [
        ["greedy", "learned", "service", "random"],
        ["random", "greedy", "learned", "service"],
        ["service", "random", "greedy", "learned"],
        ["learned", "service", "random", "greedy"],
    ]


def test_a_mixed_table_is_drawn_once_for_each_group():
    games = list(schedule(Cell("learned", "mixed", 4), 400, 1))
    drawn = [[spec for spec in game.specs if spec != "learned"] for game in games]
    tables = [tuple(sorted(own)) for own in drawn]
    assert all(set(tables[4 * group : 4 * group + 4]) == {tables[4 * group]} for group in range(9))
    assert {spec for own in drawn for spec in own} == set(MIXED_TABLE)


def test_the_sets_of_cells_can_be_named():
    cells = parse_cells(["learned", "ablation"])
    assert {cell.name for cell in cells} == {
        cell.name for cell in (*learned_cells(), *ablation_cells())
    }
    for cell in learned_cells():
        if cell.odd == "learned":
            assert parse_cells([cell.name]) == [cell]
