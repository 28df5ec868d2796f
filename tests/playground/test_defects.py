"""Single defects of the page: broken words, targets, tab stops, busy services, many games."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Route

from service.core.languages import LANGUAGES
from tests.playground.visit import (
    LAPTOP,
    NARROW,
    ON_ITS_SIDE,
    PHONE,
    TABLET,
    Visit,
    accessibility_failures,
    enter_json,
    key,
)

pytestmark = pytest.mark.browser

SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) {
    if (!hadRecentInput) window.shift += value;
  }
}).observe({ type: "layout-shift", buffered: true });
"""
BROKEN = """async (all, names) => {
  const { nameOf } = await import("/playground/snowcrest/village.js");
  const range = document.createRange();
  const lineOf = (text, at) => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return [...range.getClientRects()].at(-1)?.top;  // A hyphen before the letter has a box, too.
  };
  const broken = (text) => [...text.data.matchAll(/[^ \\u00ad-]+/g)].some(({ 0: word, index }) =>
    lineOf(text, index) !== lineOf(text, index + word.length - 1));
  const places = new Map(all.map((each) => {
    const { className, clientWidth } = each.parentElement;
    const [own, outer] = [each, each.parentElement].map((one) => getComputedStyle(one));
    const sizes = ["--size", "--beside"].map((name) => own.getPropertyValue(name));
    return [[className, clientWidth, outer.padding, ...sizes].join(), each];
  }));
  return [...places.values()].flatMap((each) => names.filter((name) => {
    const next = nameOf(name);
    each.replaceWith(next);
    each = next;
    return broken(each.firstChild);
  }).map((name) => `${name} in ${each.parentElement.className}, ${each.clientWidth} px`));
}"""
"""The names with a broken word, except at a hyphen, in each place of another kind or width."""
MESSAGES = """() => {
  window.messages = 0;
  new MutationObserver(() => {
    const all = [...document.querySelectorAll(".waiting")].filter((each) => each.checkVisibility());
    window.messages = Math.max(window.messages, all.length);
  }).observe(document.body, { childList: true });
}"""
"""Count how many messages about waiting lie over each other at most."""
GAMES = ("snow-time", "slopecrashers", "snowcrest")
SIZES = (NARROW, *(each["viewport"] for each in (PHONE, ON_ITS_SIDE, TABLET, LAPTOP)))
LONGEST = 15
"""How many names are tried, those with the longest words."""
SMALL_ON_ITS_SIDE: Any = {"width": 640, "height": 360}
"""All names are tried here, where most of them broke."""
MIN_TARGET, MIN_LETTERS = 44, 9
MAX_ELEMENTS = 1500


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_nothing_moves_while_a_page_loads(visit: Visit) -> None:
    """The footer moved through the window: 0.218 in a new game of Snowcrest."""
    page = visit.page
    page.add_init_script(SHIFTS)
    games = [f"#{game}{way}" for game in GAMES for way in ("", "/play")]
    for fragment in ("", *games):
        page.goto("about:blank")
        page.goto(f"http://{visit.host}/{fragment}")
        page.wait_for_selector(".front, .now[aria-busy=false]")
        page.wait_for_timeout(300)
        assert page.evaluate("window.shift") <= 0.05, fragment


@pytest.mark.parametrize("visit", [{"locale": "en"}, {"locale": "de"}], indirect=True)
def test_no_name_of_a_card_is_broken_within_a_word(visit: Visit) -> None:
    page = visit.open("#snowcrest")
    language = page.get_attribute("html", "lang")
    catalogue = visit.last("catalogues/default")
    names = [
        card["names"][language]
        for pile in ("commons", "starters", "villagers", "challenges")
        for card in catalogue[pile]
    ]
    names.sort(key=lambda name: -max(len(word) for word in name.split()))
    assert len(names) > 40

    def check(places: Locator) -> None:
        for size in (*SIZES, SMALL_ON_ITS_SIDE):
            page.set_viewport_size(size)
            tried = names if size is SMALL_ON_ITS_SIDE else names[:LONGEST]
            assert places.evaluate_all(BROKEN, tried) == [], size

    visit.settled()
    check(page.locator(".person strong"))
    visit.ask()
    check(page.locator(".person strong"))
    page.goto(f"http://{visit.host}/#snowcrest/table")
    page.click(key("under-way-1"))
    places = page.locator(".palette strong")
    places.first.wait_for()
    check(places)


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_tabs_and_undo_are_large_enough_for_a_thumb(visit: Visit) -> None:
    page = visit.open("#slopecrashers")
    visit.settled()
    heights = page.locator("header nav a, header select, .toolbar > button").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().height)"
    )
    assert len(heights) > 5
    assert min(heights) >= MIN_TARGET


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_cards_and_percentages_of_a_table_suit_a_phone(visit: Visit) -> None:
    """Cards were 28 pixels wide, and the percentages of the tree 7 pixels high."""
    page = visit.page
    page.goto(f"http://{visit.host}/#snow-time/table")
    page.click(key("table-start"))
    for die in (3, 5):
        page.click(key(f"die-{die}"))
    page.click(key("ask-red"))
    page.wait_for_selector(".answer")
    sizes = page.locator(".cell-card").evaluate_all(
        "all => all.map(each => Math.min(each.offsetWidth, each.offsetHeight))"
    )
    assert len(sizes) == 40
    assert min(sizes) >= MIN_TARGET
    heights = page.locator(".chance").evaluate_all(
        "all => all.map(each => each.getScreenCTM().a"
        " * parseFloat(getComputedStyle(each).fontSize))"
    )
    assert len(heights) > 5
    assert min(heights) >= MIN_LETTERS


@pytest.mark.parametrize("visit", [ON_ITS_SIDE | {"locale": "de"}], indirect=True)
def test_the_header_is_one_row_on_a_phone_held_sideways(visit: Visit) -> None:
    page = visit.open("#snowcrest")
    boxes = page.locator("header a, header select").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect())"
        ".map(({ top, bottom }) => (top + bottom) / 2)"
    )
    assert max(boxes) - min(boxes) <= 4


def test_the_course_editor_says_where_the_start_and_the_goal_are(visit: Visit) -> None:
    page = visit.page
    page.goto(f"http://{visit.host}/#slopecrashers/table")
    page.click(key("under-way-1"))
    page.wait_for_selector(".course-editor")
    signs = page.locator(".piece-grid > .small").all_inner_texts()
    assert signs[0] == "↓ Start"
    assert signs[1:3] == ["↓ 2", "↓ 3"]
    assert signs[-1] == "Goal"


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers"])
def test_the_names_of_buttons_contain_what_is_seen(visit: Visit, game: str) -> None:
    """Who says what stands on a button presses it (WCAG 2.5.3)."""
    page = visit.page
    page.goto(f"http://{visit.host}/#{game}/table")
    page.wait_for_selector(".table-setup")
    assert accessibility_failures(page, "label-content-name-mismatch") == []


def test_the_cards_of_a_hand_are_one_tab_stop(visit: Visit) -> None:
    page = visit.open("#snow-time")
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    page.focus(key("choose-red-0"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.get_attribute(key("choose-red-2"), "aria-pressed") == "true"
    hands = page.locator(".hand").count()
    for _ in range(hands):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.key") == "reveal"


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_after_a_countdown(visit: Visit, status: int) -> None:
    visit.tolerated.append(str(status))
    page = visit.open("#slopecrashers")
    answers: list[int] = []

    def busy_once(route: Route) -> None:
        answers.append(status)
        if len(answers) > 1:
            route.continue_()
            return
        code = "quota-exceeded" if status == 429 else "overloaded"
        headers = {"Retry-After": "2", "Content-Type": "application/problem+json"}
        route.fulfill(status=status, headers=headers, body=json.dumps({"code": code}))

    page.route("**/suggest", busy_once)
    page.evaluate(MESSAGES)
    page.click(key("ask"))
    page.wait_for_selector(".waiting")
    assert "Trying again in 2 seconds." in page.inner_text(".waiting")
    page.get_by_text("Trying again in 1 second.", exact=False).first.wait_for()
    page.wait_for_selector(".answer")
    assert page.locator(".waiting").count() == 0
    assert page.evaluate("messages") == 1
    assert len(answers) == 2


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers"])
def test_json_that_is_no_position_is_refused_with_a_reason(visit: Visit, game: str) -> None:
    page = visit.open(f"#{game}")
    for text, reason in (("null", "it must be an object"), ("{oops", "not valid JSON")):
        enter_json(page, text)
        assert reason in page.inner_text(f"{key('json-fold')} [role=status]")


STORE = """(count) => {
  const start = { seats: [{ seat: "red" }], fruit: [] };
  for (let each = 0; each < count; each += 1) {
    const id = each.toString(16).padStart(32, "0");
    const text = JSON.stringify({ id, game: "snow-time", start, steps: [] });
    localStorage.setItem(`game:${id}`, text);
  }
}"""


def test_many_saved_games_are_listed_page_by_page(visit: Visit) -> None:
    """2,000 games built 4,003 elements, at every change of the page."""
    page = visit.open("#slopecrashers")
    page.evaluate(STORE, 2000)
    page.click(f"{key('saved')} > summary")
    page.wait_for_selector(".saved li")
    assert page.locator(".saved li").count() == 20
    assert page.locator("main *").count() <= MAX_ELEMENTS
    page.click(key("saved-more"))
    assert page.locator(".saved li").count() == 40
    assert "1960 more games" in page.inner_text(key("saved-more"))
    assert page.evaluate("document.activeElement.closest('li') !== null")


def test_numbers_have_a_minus_sign(visit: Visit) -> None:
    page = visit.open()
    shown = page.evaluate(
        """async (languages) => {
            const { number, percent, setLanguage, t } = await import("/playground/text.js");
            const shown = [];
            for (const language of languages) {
                await setLanguage(language);
                shown.push(number(-1.5), percent(-0.25), t("snowcrest.points", { count: -3 }));
            }
            return shown;
        }""",
        list(LANGUAGES),
    )
    assert all("−" in each and "-" not in each for each in shown)


def test_chinese_sentences_follow_each_other_without_a_space(visit: Visit) -> None:
    page = visit.open()
    joined = page.evaluate(
        """async () => {
            const { sentences, setLanguage } = await import("/playground/text.js");
            await setLanguage("zh-Hans");
            return sentences(["你拿到水果。", null, "你领先。"]);
        }"""
    )
    assert joined == "你拿到水果。你领先。"
