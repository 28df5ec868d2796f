"""Hints among choices of equal value: they keep points, cards and resources."""

import pytest

from service.core.vocabulary import EFFORTS
from tests.games.snowcrest.positions import (
    DECLINE,
    RETURN_BID,
    activate,
    bid,
    draw,
    give,
    hint,
    pay,
    play_card,
    seat,
    table,
    with_cards,
)


def decided(scrolls, village, catalogue=None, **more):
    """Return the last turn of c, who has won or lost already."""
    seats = (seat("a", scrolls=30, tokens={"bell": 2}), seat("c", village, scrolls=scrolls, **more))
    own = {"catalogue": catalogue} if catalogue else {}
    return table(*seats, turn="c", supply=0, ending=True, **own)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(("scrolls", "share"), [(1, 0.0), (60, 1.0)])
def test_no_scroll_is_traded_away_at_equal_value(effort, scrolls, share):
    start = decided(scrolls, {4: "merchant", 6: "builder"}, buildings={})
    response = hint(start, "c", activate(4), effort=effort)
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == DECLINE
    assert response["advice"]["code"] == "decided"


WORSHIP = with_cards(prophet={"actions": [{"effects": [{"type": "worship"}]}]}) | {
    "guardians": [{"id": "g", "own": {"any": 1}, "others": {}, "reward": {"gold": 1}}]
}
CASES = {
    "a scroll is taken": (
        ({4: "merchant", 6: "builder"}, {"tokens": {"barley": 5}, "buildings": {}}),
        (activate(4),),
        {"type": "trade", "give": "barley", "get": "scroll"},
    ),
    "tokens pay rather than cards": (
        ({}, {"hand": "potter gardener", "tokens": {"barley": 2}, "buildings": {}}),
        (play_card("potter", 4),),
        pay(tokens={"barley": 2}),
    ),
    "an omen is avoided": (
        ({4: "prophet"}, {"hand": "monk", "buildings": {"farm": 1}, "catalogue": WORSHIP}),
        (activate(4), draw("g")),
        give("any", building="farm"),
    ),
    "a bid without a scroll is taken back": (
        ({4: "abbess"}, {"tokens": {"bell": 1}}),
        (activate(4), bid(tokens={"bell": 1}), bid("a", tokens={"bell": 2})),
        RETURN_BID,
    ),
}


@pytest.mark.parametrize(("scrolls", "share"), [(0, 0.0), (60, 1.0)])
@pytest.mark.parametrize("case", CASES)
def test_at_equal_value(case, scrolls, share):
    (village, more), so_far, pick = CASES[case]
    response = hint(decided(scrolls, village, **more), "c", *so_far)
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == pick
