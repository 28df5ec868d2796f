"""The coach beside the board of Snow Time: nudge, shortlist, answer."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import RAISE
from playwright.sync_api import Route

from service.games.registry import GAMES
from service.games.snow_time.api.hint_schema import ReasonParams
from tests.playground.visit import LAPTOP, PHONE, Visit, key, out_of_view, start_game

pytestmark = pytest.mark.browser

CARDS = GAMES["snow-time"].about["cards"]


def test_three_presses_lead_to_the_answer(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("coach-nudge"))
    page.wait_for_selector(".nudges")
    nudges = [nudge["text"] for nudge in visit.last("suggest")["nudges"]]
    assert page.locator(".nudges li").all_inner_texts() == nudges
    assert page.locator(".answer, .shortlist, .numbers").count() == 0
    page.click(key("coach-shortlist"))
    page.wait_for_selector(".shortlist")
    shortlist = visit.last("suggest")["shortlist"]
    names = [CARDS[each["red"]["card"]]["en"] for each in shortlist]
    assert page.locator(".shortlist li").all_inner_texts() == names
    hint = visit.ask("coach-card")
    # Each step had a nonce of its own, and the drawn card was missing on many shortlists.
    assert hint["pick"] in shortlist
    asked = visit.sent("suggest")
    assert len({body["nonce"] for body in asked}) == 1 < len(asked)
    assert CARDS[hint["pick"]["red"]["card"]]["en"] in page.inner_text(".answer")
    assert page.locator(".coach .advice").count() == 1
    assert page.locator(".numbers .move").count() == 10
    assert not page.is_visible(".numbers .move")
    assert page.locator(".coach [data-key^=coach-]").count() == 0


def recommend(route: Route, card: str, **changes: Any) -> None:
    """Answer with a hint that recommends a card, whose move has some changes."""
    hint = route.fetch().json()
    [row] = [row for row in hint["moves"] if row["move"]["red"]["card"] == card]
    row |= changes
    route.fulfill(json=hint | {"pick": row["move"], "pick_index": hint["moves"].index(row)})


@pytest.mark.parametrize("own", ["4", "healer"])
def test_the_tree_shows_who_probably_plays_what(visit: Visit, own: str) -> None:
    # The pick is drawn at random, and an own healer once took the place of another card.
    page = visit.open()
    page.click(key("roll"))
    page.route("**/suggest", lambda route: recommend(route, own))
    hint = visit.ask("ask-red")
    likely = {
        (player, each["move"][player]["card"]): each["probability"]
        for player, mixture in hint["strategies"].items()
        for each in mixture
        if player != "red"
    }
    others = ".tree .ghost:not(.landing) .chance"
    shown = sorted(page.locator(others).all_text_contents())
    expected = [f"{100 * chance:.0f}%" for chance in likely.values() if chance >= 0.05]
    assert shown == sorted(expected)
    label = page.get_attribute(".tree svg", "aria-label") or ""
    assert label.count("perhaps") == len(expected)
    assert page.locator(".tree .advised").count() == own.isdecimal()
    # Healers, watchers and blizzards are not on the tree, but below it.
    specials = {card for _, card in likely if not card.isdecimal()}
    for card in specials:
        assert page.locator(f".tree .mark.{card}").count() > 0

    # A chosen card shows how likely it comes back, and what lies there.
    page.click(key("choose-red-0"))
    [row] = [each for each in hint["moves"] if each["move"]["red"]["card"] == "1"]
    landing = page.locator(".tree .landing").last
    chance = f"{100 * row['survival']['red']:.0f}%"
    assert landing.locator(".chance").text_content() == chance
    label = page.get_attribute(".tree svg", "aria-label") or ""
    assert f"Red here, comes back with {chance}" in label


@pytest.mark.parametrize(
    ("danger", "card"), [("struck", "5"), ("brawl", "4"), ("buried", "blizzard")]
)
def test_the_tree_shows_the_danger_of_the_recommended_card(
    visit: Visit, danger: str, card: str
) -> None:
    params = {"seat": "red", "own": "4", "other": "blue", "card": card, "chance": 0.352}
    # The page once drew a danger from parameters that no hint had any more.
    assert ReasonParams(unknown=RAISE).validate(params) == {}

    reasons = [{"code": danger, "params": params, "text": "Blue fells your 4."}]
    page = visit.open()
    page.click(key("roll"))
    page.route("**/suggest", lambda route: recommend(route, "4", reasons=reasons))
    visit.ask("ask-red")
    assert page.locator(f".tree .danger.{danger} text").all_text_contents() == ["35%"]
    assert page.locator(".tree .danger").count() == 1
    label = page.get_attribute(".tree svg", "aria-label") or ""
    assert label.endswith(" Blue fells your 4.")
    boxes = "all => all.map((each) => each.getBoundingClientRect().y)"
    [own] = page.locator(".tree .advised .seat").evaluate_all(boxes)
    [mark] = page.locator(".tree .danger path").evaluate_all(boxes)
    assert abs(own - mark) < 60, "the mark is at the champion"


@pytest.mark.parametrize("visit", [PHONE, LAPTOP], indirect=True)
def test_the_board_of_a_table_and_the_hint_are_on_one_screen(visit: Visit) -> None:
    page = visit.open()
    for button in ("table", "table-start", "die-2", "die-4"):
        page.click(key(button))
    visit.ask("ask-red")
    assert page.locator(".scene .tree, .coach").count() == 2
    assert out_of_view(page, ".scene .tree, .coach") == []


def test_a_hint_for_each_player_who_decides_here(visit: Visit) -> None:
    page = visit.open()
    start_game(page, mine=-1)
    page.click(key("roll"))
    assert page.inner_text("#hint-title") == "A hint for whom?"
    visit.ask("ask-green")
    assert page.inner_text("#hint-title") == "A hint for Green"
    page.click(key("ask-blue"))
    page.get_by_role("heading", name="A hint for Blue").wait_for()
