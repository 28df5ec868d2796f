"""What every game in turns has to keep that gives hints: how much work its tiers are."""

from itertools import pairwise

import pytest

from service.core.vocabulary import EFFORTS
from service.games.definition import SuggestTurn
from service.games.registry import GAMES

SUGGESTING = {
    name: verb
    for name, entry in GAMES.items()
    for verb in entry.endpoints
    if isinstance(verb, SuggestTurn)
}


#: Numbers of events that lie before a node.
LAYERS = range(4)


def widths(effort):
    """How many ends and events are followed in each layer, worlds and outcomes, at the widest."""
    widest = effort.breadths[-1]
    followed = [
        layers[depth] if depth < len(layers) else 0
        for layers in (widest.ends, widest.events)
        for depth in LAYERS
    ]
    return (*followed, widest.determinizations, widest.outcomes)


@pytest.fixture(params=SUGGESTING)
def budgets(request):
    return SUGGESTING[request.param].search_game.budgets


def test_every_tier_has_its_work(budgets):
    assert tuple(budgets) == EFFORTS


def test_tiers_are_ordered_by_their_work(budgets):
    quick, standard, deep = (budgets[tier] for tier in EFFORTS)
    assert quick.positions <= standard.positions <= deep.positions
    assert quick.rounds <= standard.rounds <= deep.rounds
    for less, more in pairwise((quick, standard, deep)):
        assert widths(less) != widths(more)
        assert all(a <= b for a, b in zip(widths(less), widths(more), strict=True))


def test_breadths_go_from_narrow_to_wide(budgets):
    for effort in budgets.values():
        ends = [breadth.ends[0] for breadth in effort.breadths]
        assert ends == sorted(ends)
        outcomes = [breadth.outcomes for breadth in effort.breadths]
        assert outcomes == sorted(outcomes)


def test_a_review_searches_as_a_hint_does():
    for name, verb in SUGGESTING.items():
        [review] = [each for each in GAMES[name].endpoints if each.name == "review"]
        assert review.search_game.evaluator == verb.search_game.evaluator
