"""The trees of one plan take the steps of a turn only once, and find the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine import turn_steps
from service.games.snowcrest.engine.choices.candidates import candidate_actions
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.packed_tree import PackedTree
from service.games.snowcrest.engine.plain_tree import PlainTree
from service.games.snowcrest.engine.turn_tree import MAX_CELLS_PER_CARD, SnowcrestTurns
from service.solver.search.turn_plans import follow_plan, solve_with_plans
from tests.games.snowcrest.positions import GAME, seat, state, table

SEARCH = SnowcrestTurns()


class Alone(SnowcrestTurns):
    """The same without steps in common."""

    def tree(self, question, earlier=None):
        return super().tree(question)

    def rough_tree(self, question, tree):
        return super().rough_tree(question, super().tree(question))


def question(**more: Any) -> TurnQuestion:
    """Return the turn of a player who can pay for several decisions."""
    tokens = {"barley": 2, "gold": 1}
    rich = seat("b", tokens=tokens, buildings={"farm": 1})
    document = table(seat("a", scrolls=2), rich, turn="b", **more)
    play = GAME.begin(state(document)).play
    return TurnQuestion(play, GAME.pending(play), "b", "standard", None, None)


def last_turn() -> TurnQuestion:
    return question(supply=0, ending=True)


def test_each_choice_of_a_plan_is_applied_once(monkeypatch):
    applied: Counter[Any] = Counter()
    apply_choice = turn_steps.apply_choice

    def count(turn, action):
        applied[turn, action] += 1
        return apply_choice(turn, action)

    monkeypatch.setattr(turn_steps, "apply_choice", count)
    assert SEARCH.rough_tree(last_turn(), SEARCH.tree(last_turn())) is not None
    applied.clear()
    assert len(solve_with_plans(SEARCH, last_turn(), None).plans[0]) > 1
    assert len(applied) > 20
    assert set(applied.values()) == {1}


@pytest.mark.parametrize(("more", "steps"), [(-1, 1), (0, 2)])
def test_a_plan_ends_if_its_decisions_will_take_too_many_positions(more, steps, monkeypatch):
    """Three decisions with 300 ms each would be too slow for a hint; a choice of the next one is
    expected to take as many positions as one of this one."""
    asked = last_turn()
    expected = solve_with_plans(SEARCH, asked, None)
    [choices] = asked.decision.choices.values()
    [following] = follow_plan(GAME, asked, expected.plans[0][:1]).open.choices.values()
    both = expected.nodes + expected.nodes / len(choices) * len(following)
    limit = replace(SEARCH.budgets["standard"], planned=both + more)
    monkeypatch.setattr(SnowcrestTurns, "budgets", {"standard": limit})
    found = solve_with_plans(SEARCH, last_turn(), None)
    assert len(expected.plans[0]) == 2
    assert found.plans[0] == expected.plans[0][:steps]
    assert found.complete


class _Enough(Exception):
    pass


def test_a_search_with_the_plain_rules_can_be_stopped_at_any_position():
    """A single reach of a last turn may have a thousand positions."""
    asked = last_turn()
    nodes = [*map(SEARCH.tree(asked).after, asked.decision.choices["b"])]
    largest = max(nodes, key=lambda node: SEARCH.tree(asked).reach(node, 4, 4).positions)
    tree, counts = SEARCH.tree(asked), list[int]()

    def check(count):
        counts.append(count)
        if count == 7:
            raise _Enough

    tree.watch(check)
    with pytest.raises(_Enough):
        tree.reach(largest, 4, 4)
    assert counts == [*range(1, 8)]


@pytest.mark.parametrize("most", [turn_steps.MOST_STEPS, 40])
def test_trees_with_steps_in_common_find_the_same(most, monkeypatch):
    expected = solve_with_plans(Alone(), last_turn(), None)
    monkeypatch.setattr(turn_steps, "MOST_STEPS", most)
    assert solve_with_plans(SEARCH, last_turn(), None) == expected


def test_steps_are_those_of_the_rules():
    asked = last_turn()
    steps, compared = turn_steps.TurnSteps(default_evaluator()), 0
    for choice in asked.decision.choices["b"]:
        expected = turn_steps.apply_choice(asked.play, choice).play
        assert steps.after(asked.play, choice) == expected
        assert steps.after(asked.play, choice) is steps.after(asked.play, choice)
        model = default_evaluator().model(expected.state)
        for limit in (1, 2, 1) if isinstance(GAME.pending(expected), Decision) else ():
            compared += 1
            assert steps.candidates(expected, limit) == candidate_actions(expected, model, limit)
    assert compared > 9


def test_only_a_plain_tree_has_a_rough_one():
    asked = question(supply=20)
    tree = SEARCH.tree(asked)
    assert isinstance(tree, PackedTree)
    assert SEARCH.rough_tree(asked, tree) is None
    # A suitable turn has a plain tree if a position does not fit into a vector.
    steps = turn_steps.TurnSteps(default_evaluator())
    plain = PlainTree(asked, default_evaluator(), MAX_CELLS_PER_CARD["standard"], steps)
    assert SEARCH.rough_tree(asked, plain) is None
