"""Conformance of every game of turns with hints: the search budgets of its efforts."""

from itertools import pairwise

import pytest

from service.core.vocabulary import EFFORTS
from service.games.definition import SuggestTurn
from service.games.registry import GAMES

SUGGESTING = {
    name: endpoint
    for name, definition in GAMES.items()
    for endpoint in definition.endpoints
    if isinstance(endpoint, SuggestTurn)
}


LAYERS = range(4)
"""Numbers of events before a node."""


def widths(breadth):
    """Return the numbers of a breadth: ends and events per layer, determinizations, outcomes."""
    limits = [
        layers[depth] if depth < len(layers) else 0
        for layers in (breadth.ends, breadth.events)
        for depth in LAYERS
    ]
    return (*limits, breadth.determinizations, breadth.outcomes)


@pytest.mark.parametrize("name", SUGGESTING)
def test_efforts_and_breadths_increase(name):
    budgets = SUGGESTING[name].search_game.budgets
    assert tuple(budgets) == EFFORTS
    for smaller, larger in pairwise(budgets.values()):
        assert smaller.positions <= larger.positions
        assert smaller.rounds <= larger.rounds
        one, other = (widths(budget.breadths[-1]) for budget in (smaller, larger))
        assert one != other
        assert all(a <= b for a, b in zip(one, other, strict=True))
    for budget in budgets.values():
        for first, second in pairwise(budget.breadths):
            assert first.ends[0] <= second.ends[0]
            assert first.outcomes <= second.outcomes


def test_a_review_uses_the_evaluator_of_hints():
    for name, endpoint in SUGGESTING.items():
        [review] = [each for each in GAMES[name].endpoints if each.name == "review"]
        assert review.search_game.evaluator == endpoint.search_game.evaluator
