"""Bids that are not searched, because they resemble others (C6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.core.game import Decision
from service.core.sequential import SimilarNode, TurnQuestion
from service.games.snowcrest.engine import plain_tree
from service.games.snowcrest.engine.choices.bids import beats
from service.games.snowcrest.engine.turn_tree import TURN_BUDGETS
from service.games.snowcrest.rules.actions import NO_PAYMENT
from service.solver.search.turn_search import TurnSearch
from tests.games.snowcrest.engine.plain_parts import plain_tree as tree_of
from tests.games.snowcrest.positions import (
    CORNERS,
    GAME,
    activate,
    bid,
    follow_actions,
    seat,
    table,
)

SEARCHED = 12
"""Bids that gain something, and as many others."""
TOLERANCE = 0.05
"""For bids of five things too many; in 5,000 decisions of played games, it was at most 0.025."""


def bid_question(*, is_active: bool = False, is_last: bool = False) -> TurnQuestion[Any, Any]:
    """Return a decision with many bids, in the own meditation or in that of another player.

    Args:
        is_active: whether it is the own one.
        is_last: whether the game ends with the turn.
    """
    rich = {"tokens": {"bell": 3, "gold": 3}, "hand": "monk abbess scholar"}
    meditating = {"village": {**CORNERS, 4: "hermit"}}
    if is_active:
        seats = [seat("a", **rich, **meditating), seat("b")]
        actions = [activate(4)]
    else:
        seats = [seat("b", **rich), seat("a", tokens={"bell": 2}, **meditating)]
        actions = [activate(4), bid(tokens={"bell": 2})]
    ending = {"supply": 0, "ending": True} if is_last else {}
    start = table(*seats, **ending) | {"turn": "a"}
    play = follow_actions(start, *actions).play
    node = GAME.pending(play)
    assert isinstance(node, Decision)
    [player] = node.choices
    return TurnQuestion(play, node, player, "standard", None, None)


def choices_of(question: TurnQuestion[Any, Any]) -> list[Any]:
    [choices] = question.decision.choices.values()
    return [*choices]


def similar_choices(question: TurnQuestion[Any, Any]) -> dict[Any, SimilarNode]:
    tree = tree_of(question)
    nodes = {choice: tree.after(choice) for choice in choices_of(question)}
    return {choice: node for choice, node in nodes.items() if isinstance(node, SimilarNode)}


def values(question: TurnQuestion[Any, Any]) -> dict[Any, float]:
    """Return the values at the end of the turn."""
    budget = replace(TURN_BUDGETS["standard"], rounds=0, lines=())
    search = TurnSearch(tree_of(question), budget, None)
    choices = choices_of(question)
    return {
        choice: value.mean for choice, value in zip(choices, search.values_of(choices), strict=True)
    }


def test_of_many_bids_some_are_searched_and_the_others_resemble_them(monkeypatch):
    """A hint about 128 bids took 0.3 seconds, most of them for bids that nobody would make."""
    question = bid_question()
    bids = [each for each in choices_of(question) if each.payment != NO_PAYMENT]
    higher = {each for each in bids if beats(question.play, 0, each.payment)}
    similar, estimated = similar_choices(question), values(question)
    assert len(higher) > 100
    assert len(similar) == len(bids) - 2 * SEARCHED
    assert len(higher & similar.keys()) == len(higher) - SEARCHED
    monkeypatch.setattr(plain_tree, "BIDS_PER_CELL", len(bids))
    assert not similar_choices(question)
    searched = values(question)
    assert max(estimated, key=estimated.__getitem__) == max(searched, key=searched.__getitem__)
    for choice, value in estimated.items():
        assert value == pytest.approx(searched[choice], abs=TOLERANCE if choice in similar else 0)


def test_bids_that_gain_nothing_are_worth_the_same():
    question = bid_question()
    lower = {
        value
        for choice, value in values(question).items()
        if choice.payment != NO_PAYMENT and not beats(question.play, 0, choice.payment)
    }
    assert len(lower) == 1


@pytest.mark.parametrize(
    "question",
    # The others answer to the bid of the active player, and the last turn is followed exactly.
    [bid_question(is_active=True), bid_question(is_last=True)],
)
def test_bids_that_may_differ_otherwise_are_searched(question):
    assert len(choices_of(question)) > 100
    assert not similar_choices(question)
