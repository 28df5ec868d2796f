"""The trees of one plan take the steps of a turn only once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from service.core.sequential import TurnQuestion
from service.games.snowcrest.engine import turn_steps
from service.games.snowcrest.engine.plain_tree import PlainTree
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.solver.search.turn_plan import solve_with_plan
from tests.games.snowcrest.positions import GAME, seat, state, table

SEARCH = SnowcrestTurns()


def last_turn_question() -> TurnQuestion:
    """Return a turn that may end the game, so that there is a rough tree."""
    tokens = {"barley": 2, "bell": 1, "bowl": 2, "gold": 1}
    rich = seat("b", tokens=tokens, buildings={"farm": 2, "forge": 1})
    document = table(seat("a", scrolls=2), rich, supply=0, ending=True, turn="b")
    play = GAME.begin(state(document)).play
    return TurnQuestion(play, GAME.pending(play), "b", "standard", None, None)


def test_each_choice_is_applied_once(monkeypatch):
    """The rough tree, the tree and those of the decisions after it repeated half of the steps."""
    applied: Counter[Any] = Counter()
    apply_choice = turn_steps.apply_choice

    def count(turn, action):
        applied[turn, action] += 1
        return apply_choice(turn, action)

    monkeypatch.setattr(turn_steps, "apply_choice", count)
    question = last_turn_question()
    tree = SEARCH.tree(question)
    assert isinstance(tree, PlainTree)
    assert SEARCH.rough_tree(question, tree) is not None
    applied.clear()
    assert len(solve_with_plan(SEARCH, question, None).plan) > 1
    assert len(applied) > 20
    assert set(applied.values()) == {1}


def test_steps_are_those_of_the_rules():
    question = last_turn_question()
    steps = turn_steps.TurnSteps()
    for choice in question.decision.choices["b"]:
        expected = turn_steps.apply_choice(question.play, choice).play
        assert steps.after(question.play, choice) == expected
        assert steps.after(question.play, choice) is steps.after(question.play, choice)
