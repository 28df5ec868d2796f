"""The coach beside the board of Snow Time: nudge, shortlist, answer."""

from __future__ import annotations

import pytest
from marshmallow import RAISE
from playwright.sync_api import Request, Route

from service.games.registry import GAMES
from service.games.snow_time.api.hint_schema import ReasonParams
from tests.playground.visit import LAPTOP, PHONE, Visit, key

pytestmark = pytest.mark.browser

CARDS = GAMES["snow-time"].about["cards"]


def test_three_presses_lead_to_the_answer(visit: Visit) -> None:
    page = visit.open()
    asked: list[Request] = []
    page.on("request", lambda post: asked.append(post) if "/suggest" in post.url else None)
    page.click(key("roll"))
    page.click(key("coach-nudge"))
    page.wait_for_selector(".nudges")
    visit.settled()
    nudges = [nudge["text"] for nudge in visit.last("suggest")["nudges"]]
    assert page.locator(".nudges li").all_inner_texts() == nudges
    assert page.locator(".answer, .shortlist, .numbers").count() == 0
    page.click(key("coach-shortlist"))
    page.wait_for_selector(".shortlist")
    visit.settled()
    shortlist = visit.last("suggest")["shortlist"]
    names = [CARDS[each["red"]["card"]]["en"] for each in shortlist]
    assert page.locator(".shortlist li").all_inner_texts() == names
    page.click(key("coach-card"))
    page.wait_for_selector(".answer")
    visit.settled()
    hint = visit.last("suggest")
    # Each step had a nonce of its own, and the drawn card was missing on many shortlists.
    assert hint["pick"] in shortlist
    assert len({post.post_data_json["nonce"] for post in asked}) == 1 < len(asked)
    assert CARDS[hint["pick"]["red"]["card"]]["en"] in page.inner_text(".answer")
    assert page.locator(".coach .advice").count() == 1
    assert page.locator(".numbers .move").count() == 10
    assert not page.is_visible(".numbers .move")
    assert page.locator(".coach [data-key^=coach-]").count() == 0


@pytest.mark.parametrize("own", ["4", "healer"])
def test_the_tree_shows_who_probably_plays_what(visit: Visit, own: str) -> None:
    def recommend(route: Route) -> None:
        # The pick is drawn at random, and an own healer once took the place of another card.
        hint = route.fetch().json()
        [row] = [row for row in hint["moves"] if row["move"]["red"]["card"] == own]
        hint |= {"pick": row["move"], "pick_index": hint["moves"].index(row)}
        route.fulfill(json=hint)

    page = visit.open()
    page.click(key("roll"))
    page.route("**/suggest", recommend)
    page.click(key("ask-red"))
    page.wait_for_selector(".answer")
    hint = visit.last("suggest")
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

    def recommend_the_4(route: Route) -> None:
        hint = route.fetch().json()
        [row] = [row for row in hint["moves"] if row["move"]["red"]["card"] == "4"]
        hint |= {"pick": row["move"], "pick_index": hint["moves"].index(row)}
        row["reasons"] = [{"code": danger, "params": params, "text": "Blue fells your 4."}]
        route.fulfill(json=hint)

    page = visit.open()
    page.click(key("roll"))
    page.route("**/suggest", recommend_the_4)
    page.click(key("ask-red"))
    page.wait_for_selector(".answer")
    assert page.locator(f".tree .danger.{danger} text").all_text_contents() == ["35%"]
    assert page.locator(".tree .danger").count() == 1
    label = page.get_attribute(".tree svg", "aria-label") or ""
    assert label.endswith(" Blue fells your 4.")
    boxes = "all => all.map((each) => each.getBoundingClientRect().y)"
    [own] = page.locator(".tree .advised .seat").evaluate_all(boxes)
    [mark] = page.locator(".tree .danger path").evaluate_all(boxes)
    assert abs(own - mark) < 60, "the mark is at the champion"


@pytest.mark.parametrize("mode", ["play", "table"])
@pytest.mark.parametrize("visit", [PHONE, LAPTOP], indirect=True)
def test_the_board_and_the_hint_are_on_one_screen(visit: Visit, mode: str) -> None:
    page = visit.open()
    if mode == "table":
        page.click(key("table"))
        page.click(key("table-start"))
        page.click(key("die-2"))
        page.click(key("die-4"))
    else:
        page.click(key("roll"))
    page.click(key("ask-red"))
    page.wait_for_selector(".answer")
    visit.settled()
    boxes = page.locator(".scene .tree, .coach").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect())"
        ".map(({ top, bottom }) => [top, innerHeight - bottom])"
    )
    assert len(boxes) == 2
    assert min(distance for box in boxes for distance in box) >= 0


def test_a_hint_for_each_player_who_decides_here(visit: Visit) -> None:
    page = visit.open()
    page.click('[data-key="setup"] summary')
    page.select_option(key("setup-mine"), "-1")
    page.click(key("setup-start"))
    page.click(key("roll"))
    assert page.inner_text("#hint-title") == "A hint for whom?"
    page.click(key("ask-green"))
    page.wait_for_selector(".answer")
    assert page.inner_text("#hint-title") == "A hint for Green"
    page.click(key("ask-blue"))
    page.get_by_role("heading", name="A hint for Blue").wait_for()
