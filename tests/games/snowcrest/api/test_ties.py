"""Hints among choices of equal value: they keep points, cards and resources."""

import pytest

from service.core.vocabulary import EFFORTS
from tests.games.snowcrest.positions import (
    DECLINE,
    RETURN_BID,
    activate,
    ask,
    bid,
    draw,
    give,
    pay,
    play_card,
    seat,
    table,
    with_cards,
)

DECIDED = ((0, 0.0), (60, 1.0))
"""Scrolls of c, and its share of the win."""


def decided(scrolls, village, **more):
    """Return the last turn of c, who has won or lost already."""
    catalogue = more.pop("catalogue", None)
    return table(
        seat("a", scrolls=30, tokens={"bell": 2}),
        seat("c", village, scrolls=scrolls, **more),
        turn="c", supply=0, ending=True, **({"catalogue": catalogue} if catalogue else {}),
    )  # fmt: skip


def hint(document, *so_far, **more):
    body = {"state": document, "player": "c", "effort": "quick", "so_far": list(so_far)}
    return ask("suggest", body | more)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(("scrolls", "share"), [(1, 0.0), (60, 1.0)])
def test_no_scroll_is_traded_away_at_equal_value(effort, scrolls, share):
    start = decided(scrolls, {4: "merchant", 6: "builder"}, buildings={})
    response = hint(start, activate(4), effort=effort)
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == DECLINE
    assert response["advice"]["code"] == "decided"


@pytest.mark.parametrize(("scrolls", "share"), DECIDED)
def test_a_scroll_is_taken_at_equal_value(scrolls, share):
    start = decided(scrolls, {4: "merchant", 6: "builder"}, tokens={"barley": 5}, buildings={})
    response = hint(start, activate(4))
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == {"type": "trade", "give": "barley", "get": "scroll"}


@pytest.mark.parametrize(("scrolls", "share"), DECIDED)
def test_tokens_pay_rather_than_cards_at_equal_value(scrolls, share):
    start = decided(scrolls, {}, hand="potter gardener", tokens={"barley": 2}, buildings={})
    response = hint(start, play_card("potter", 4))
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == pay(tokens={"barley": 2})


@pytest.mark.parametrize(("scrolls", "share"), DECIDED)
def test_an_omen_is_avoided_at_equal_value(scrolls, share):
    cards = with_cards(prophet={"actions": [{"effects": [{"type": "worship"}]}]})
    cards["guardians"] = [{"id": "g", "own": {"any": 1}, "others": {}, "reward": {"gold": 1}}]
    start = decided(scrolls, {4: "prophet"}, hand="monk", buildings={"farm": 1}, catalogue=cards)
    response = hint(start, activate(4), draw("g"))
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == give("any", building="farm")


@pytest.mark.parametrize(("scrolls", "share"), DECIDED)
def test_a_bid_without_a_scroll_is_taken_back_at_equal_value(scrolls, share):
    start = decided(scrolls, {4: "abbess"}, tokens={"bell": 1})
    outbid = (activate(4), bid(tokens={"bell": 1}), bid("a", tokens={"bell": 2}))
    response = hint(start, *outbid)
    assert {each["value"] for each in response["moves"]} == {share}
    assert response["pick"] == RETURN_BID
