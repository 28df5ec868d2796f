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


#: Numbers of events before a node.
LAYERS = range(4)


def widths(budget):
    """Return the widest breadth: ends and events per layer, determinizations and outcomes."""
    widest = budget.breadths[-1]
    followed = [
        layers[depth] if depth < len(layers) else 0
        for layers in (widest.ends, widest.events)
        for depth in LAYERS
    ]
    return (*followed, widest.determinizations, widest.outcomes)


@pytest.fixture(params=SUGGESTING)
def budgets(request):
    return SUGGESTING[request.param].search_game.budgets


def test_every_effort_has_a_budget(budgets):
    assert tuple(budgets) == EFFORTS


def test_efforts_are_ordered_by_their_budgets(budgets):
    quick, standard, deep = (budgets[effort] for effort in EFFORTS)
    assert quick.positions <= standard.positions <= deep.positions
    assert quick.rounds <= standard.rounds <= deep.rounds
    for smaller, larger in pairwise((quick, standard, deep)):
        assert widths(smaller) != widths(larger)
        assert all(a <= b for a, b in zip(widths(smaller), widths(larger), strict=True))


def test_breadths_increase(budgets):
    for budget in budgets.values():
        ends = [breadth.ends[0] for breadth in budget.breadths]
        assert ends == sorted(ends)
        outcomes = [breadth.outcomes for breadth in budget.breadths]
        assert outcomes == sorted(outcomes)


def test_a_review_uses_the_evaluator_of_hints():
    for name, endpoint in SUGGESTING.items():
        [review] = [each for each in GAMES[name].endpoints if each.name == "review"]
        assert review.search_game.evaluator == endpoint.search_game.evaluator
