"""Bids that are not searched, because they resemble others (C6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.core.game import Decision
from service.core.sequential import SimilarNode
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.engine import plain_tree
from service.games.snowcrest.engine.choices.bids import beats, deciding_seat
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
TOLERANCE = 1e-6
"""If the others are likely to answer in one way, the estimate has no error at the end of a turn."""


def bid_question(
    *,
    is_active: bool = False,
    is_last: bool = False,
    hand: str = "monk abbess scholar",
    **more: Any,
) -> TurnQuestion[Any, Any]:
    """Return a decision with many bids, in the own meditation or in that of another player.

    Args:
        is_active: whether it is the own one.
        is_last: whether it is in the last seat.
        hand: of the player.
        more: of the state.
    """
    rich = {"tokens": {"bell": 3, "gold": 3}, "hand": hand}
    meditating = {"village": {**CORNERS, 4: "hermit"}}
    if is_active:
        start = table(seat("a", **rich, **meditating), seat("b"), **more)
        return question_after(start, activate(4))
    own, other = seat("b", **rich), seat("a", tokens={"bell": 2}, **meditating)
    start = table(*((own, other) if is_last else (other, own)), **more) | {"turn": "a"}
    return question_after(start, activate(4), bid(tokens={"bell": 2}))


def question_after(start: Any, *actions: Any) -> TurnQuestion[Any, Any]:
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


@pytest.fixture(name="search_all")
def fixture_search_all(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what lets all bids be searched."""
    efforts = dict.fromkeys(plain_tree.SEARCHED_BIDS, 1_000)
    return lambda: monkeypatch.setattr(plain_tree, "SEARCHED_BIDS", efforts)


def test_of_many_bids_some_are_searched_and_the_others_resemble_them(search_all):
    """A hint about 128 bids took 0.3 seconds, most of them for bids that nobody would make."""
    question = bid_question()
    bids = [each for each in choices_of(question) if each.payment != NO_PAYMENT]
    higher = {
        each for each in bids if beats(question.play, deciding_seat(question.play), each.payment)
    }
    similar, estimated = similar_choices(question), values(question)
    assert len(higher) > 100
    assert len(similar) == len(bids) - 2 * SEARCHED
    assert len(higher & similar.keys()) == len(higher) - SEARCHED
    search_all()
    assert not similar_choices(question)
    searched = values(question)
    assert max(estimated, key=estimated.__getitem__) == max(searched, key=searched.__getitem__)
    assert estimated == pytest.approx(searched, abs=TOLERANCE)


def test_a_lower_bid_may_be_left_if_that_is_better(search_all):
    """Exhausted villagers meet a challenge; all lower bids were valued as if taken back."""
    exhausted = {0: "farmer!", 1: "potter!", 2: "woodcutter!", 6: "builder!", 8: "acolyte!"}
    own = seat("b", {**exhausted, 4: "bell-ringer"}, hand="monk abbess scholar nun",
               tokens={"bell": 2, "gold": 2}, buildings={"forge": 2})  # fmt: skip
    other = seat("a", {**CORNERS, 4: "hermit"}, tokens={"bell": 9, "gold": 5})
    start = table(own, other, challenges=[{"challenge": "hard-work"}]) | {"turn": "a"}
    question = question_after(start, activate(4), bid(tokens={"bell": 9, "gold": 5}))
    assert similar_choices(question)
    estimated = values(question)
    search_all()
    searched = values(question)
    best = max(searched, key=searched.__getitem__)
    assert best.payment != NO_PAYMENT
    assert estimated[best] == searched[best] == max(estimated.values())


def test_a_bid_in_a_meditation_that_ends_the_game_is_searched():
    """What is paid decides majorities: the hint paid a forge and lost a game that 2 gold win."""
    own = seat("b", hand="monk abbess scholar", buildings={"farm": 1, "forge": 2}, scrolls=10,
               tokens={"barley": 2, "bell": 1, "bowl": 1, "gold": 3})  # fmt: skip
    other = seat("a", {**CORNERS, 4: "hermit"}, scrolls=10,
                 tokens={"barley": 1, "bell": 4, "bowl": 3, "gold": 4})  # fmt: skip
    start = table(own, other, supply=2) | {"turn": "a"}
    question = question_after(start, activate(4), bid(tokens={"bell": 1}))
    assert max(values(question).values()) == 1.0


def test_a_bid_that_is_graded_is_searched():
    question = bid_question()
    chosen = next(iter(similar_choices(question)))
    assert chosen not in similar_choices(replace(question, chosen=chosen))


@pytest.mark.parametrize(
    "question",
    [
        # The others answer to the bid of the active player.
        bid_question(is_active=True),
        # The last turn, the last turn if scrolls run out, and a last round that begins.
        bid_question(is_last=True, supply=0, ending=True),
        bid_question(is_last=True, supply=5),
        bid_question(supply=2),
        # A bid shows unknown cards.
        bid_question(hand="unknown monk abbess scholar"),
    ],
)
def test_bids_that_may_differ_otherwise_are_searched(question):
    assert len(choices_of(question)) > 100
    assert not similar_choices(question)
