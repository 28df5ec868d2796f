"""What every game in turns has to keep that gives hints: how much work its tiers are."""

import pytest

from service.games.entry import SuggestTurn
from service.games.hint_shape import TIERS
from service.games.registry import GAMES

SUGGESTING = {
    name: verb
    for name, entry in GAMES.items()
    for verb in entry.verbs
    if isinstance(verb, SuggestTurn)
}


@pytest.fixture(params=SUGGESTING)
def efforts(request):
    return SUGGESTING[request.param].turns.efforts


def test_every_tier_has_its_work(efforts):
    assert tuple(efforts) == TIERS


def test_tiers_are_ordered_by_their_work(efforts):
    quick, standard, deep = (efforts[tier] for tier in TIERS)
    assert quick.positions < standard.positions < deep.positions
    widest = [effort.breadths[-1].worlds for effort in (quick, standard, deep)]
    assert widest == sorted(set(widest))


def test_breadths_go_from_narrow_to_wide(efforts):
    for effort in efforts.values():
        ends = [breadth.ends[0] for breadth in effort.breadths]
        assert ends == sorted(ends)
        outcomes = [breadth.outcomes for breadth in effort.breadths]
        assert outcomes == sorted(outcomes)


def test_a_review_searches_as_a_hint_does():
    for name, verb in SUGGESTING.items():
        [review] = [each for each in GAMES[name].verbs if each.name == "review"]
        assert review.turns.evaluator == verb.turns.evaluator
