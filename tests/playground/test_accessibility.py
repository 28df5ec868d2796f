"""Playground in Chromium: languages, themes, widths, accessibility and API keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from service.app import create_app
from service.config import Config
from service.texts.catalogue import texts
from tests.playground.visit import (
    NARROW,
    PHONE,
    RULES_ABOUT_COLOURS,
    Visit,
    accessibility_failures,
    key,
    open_tools,
    served,
    show_numbers,
    visiting,
)

pytestmark = pytest.mark.browser

LANGUAGE_OF_LOCALE = {
    "en-GB": "en",
    "fr-FR": "en",
    "de-AT": "de",
    "zh-CN": "zh-Hans",
    "zh-SG": "zh-Hans",
    "zh-TW": "zh-Hant",
    "zh-HK": "zh-Hant",
}
VIEWS = ("hint", "playback", "editing", "slopecrashers", "snowcrest")
MAX_TOP_OF_THE_BOARD = 190
KEY = "a-long-random-key-of-the-tests"


def show(visit: Visit, view: str) -> Page:
    """Open a view of the page with as much content as possible."""
    if view in ("slopecrashers", "snowcrest"):
        page = visit.open(f"#{view}")
        page.wait_for_selector(".choices button")
        page.click(key("finish"))
        page.wait_for_selector(".log li")
        visit.settled()
        page.click(key("ask"))
        page.wait_for_selector(".hint")
        return page
    page = visit.open()
    page.click('[data-key="setup"] summary')
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    if view == "hint":
        page.click('[data-key="asking"] summary')
        page.click(key("ask-red"))
        show_numbers(page)
    if view == "playback":
        page.locator(".hand button").nth(3).click()
        page.click(key("reveal"))
        visit.settled()
        while not page.locator(key("step")).count():
            page.locator(".hand button").first.click()
            page.click(key("reveal"))
            visit.settled()
        page.click(key("step"))
        page.click('[data-key="log"] summary')
    if view == "editing":
        visit.tolerated.append("422")
        open_tools(page)
        page.click(key("edit"))
        page.click(key("own-track"))
        page.click('[data-key="json-fold"] summary')
        page.fill(key("score-0"), "-1")
        page.click(key("apply"))
        page.wait_for_selector(".fault")
    return page


# Languages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("visit", "language"),
    [({"locale": locale}, language) for locale, language in LANGUAGE_OF_LOCALE.items()],
    indirect=["visit"],
)
def test_the_page_uses_the_language_of_the_browser(visit: Visit, language: str) -> None:
    messages = texts(language)
    page = visit.open()
    assert page.title() == messages["page.title"]["other"]
    assert page.get_attribute("html", "lang") == language
    assert page.inner_text(key("roll")) == messages["page.now.roll"]["other"]
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    sent = [request for request in visit.requests if "/v1/" in request.url]
    assert {request.headers["accept-language"] for request in sent} == {language}


@pytest.mark.parametrize("visit", [{"locale": "zh-TW"}], indirect=True)
def test_a_reader_can_switch_between_the_scripts_of_chinese(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    assert "治療師" in page.inner_text(".hand")
    options = page.locator(f"{key('language')} option").all_inner_texts()
    assert options == ["English", "Deutsch", "简体中文", "繁體中文"]
    page.select_option(key("language"), label="简体中文")
    page.get_by_role("heading", name="选一张牌").wait_for()
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert "治疗师" in page.inner_text(".hand")


def test_a_number_selects_the_plural_form_of_a_message(visit: Visit) -> None:
    page = visit.open()
    messages = page.evaluate(
        """async (languages) => {
            const { setLanguage, t } = await import("/playground/text.js");
            const messages = [];
            for (const language of languages) {
                await setLanguage(language);
                messages.push([0, 1, 2].map((count) => t("slopecrashers.movements", { count })));
            }
            return messages;
        }""",
        ["en", "de", "zh-Hans"],
    )
    assert messages == [
        ["0 movements left", "1 movement left", "2 movements left"],
        ["noch 0 Bewegungen", "noch 1 Bewegung", "noch 2 Bewegungen"],
        ["还能移动 0 次", "还能移动 1 次", "还能移动 2 次"],
    ]


def test_a_chosen_language_persists_and_changes_the_hint_but_not_the_game(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    visit.ask("ask-red")
    page.focus(key("language"))
    page.select_option(key("language"), "de")
    page.get_by_role("heading", name="Wähle eine Karte").wait_for()
    assert page.locator(".hint").count() == 0
    assert "Schneesturm" in page.inner_text(".hand")
    assert page.evaluate("document.activeElement.dataset.key") == "language"
    page.reload()
    page.get_by_role("heading", name="Wähle eine Karte").wait_for()


# Themes -------------------------------------------------------------------------------------------


def background_brightness(page: Page) -> int:
    """Return the red component of the background colour, from 0 to 255."""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return int(colour.removeprefix("rgb(").split(",")[0])


@pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True)
def test_the_theme_of_the_device_applies_until_another_is_chosen(visit: Visit) -> None:
    page = visit.open()
    assert background_brightness(page) < 64
    page.select_option(key("theme"), "light")
    assert background_brightness(page) > 192
    page.reload()
    page.wait_for_selector(key("roll"))
    assert background_brightness(page) > 192
    page.select_option(key("theme"), "auto")
    assert background_brightness(page) < 64


# Widths -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers", "snowcrest"])
@pytest.mark.parametrize("visit", [PHONE | {"locale": "de"}], indirect=True)
def test_the_board_begins_high_on_a_phone(visit: Visit, game: str) -> None:
    """The toolbar took up to four lines."""
    page = visit.open(f"#{game}")
    visit.settled()
    page.evaluate("scrollTo(0, 0)")
    board = page.locator(".tree, .course, .common").first.bounding_box()
    assert board
    assert board["y"] <= MAX_TOP_OF_THE_BOARD
    undo = page.locator(key("undo")).bounding_box()
    assert undo
    assert undo["x"] + undo["width"] <= PHONE["viewport"]["width"]
    # All of the toolbar can be reached, and what it opens has the full width.
    page.focus(f"{key('saved')} > summary")
    page.keyboard.press("Enter")
    width = page.locator(key("saved")).evaluate("each => each.offsetWidth")
    assert width >= 0.9 * PHONE["viewport"]["width"]


# Accessibility ------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("visit", [{"viewport": NARROW, "locale": "de"}, {}], indirect=True)
def test_every_view_is_accessible_and_fits_its_window(visit: Visit, view: str) -> None:
    page = show(visit, view)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    # Minimum target size: WCAG 2.2, 2.5.8.
    small = page.locator("main button:visible, main select:visible").evaluate_all(
        "all => all.filter(each => Math.min(...['width', 'height']"
        ".map(side => each.getBoundingClientRect()[side])) < 24).map(each => each.outerHTML)"
    )
    assert small == []
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert accessibility_failures(page) == []
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert accessibility_failures(page, *RULES_ABOUT_COLOURS) == []


def test_rolls_and_hints_are_announced(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    dice = visit.last("grow")["dice"]
    announcement = page.inner_text("#announcer")
    assert all(str(die) in announcement for die in dice)
    page.locator(".hand button").nth(2).click()
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    assert page.inner_text("#announcer") == "The hint is ready."
    assert page.evaluate("document.activeElement.id") == "hint-title"


# Keys ---------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(browser: Browser) -> Iterator[Visit]:
    """Run a service that requires an API key, in this process."""
    line = f"tests:{sha256(KEY.encode()).hexdigest()}"
    app = create_app(Config(log_level="CRITICAL", api_keys=line))
    with served(app) as host:
        yield from visiting(browser, host)


def test_the_page_asks_for_a_key_and_stores_it_only_for_the_tab(guarded: Visit) -> None:
    guarded.tolerated.append("401")
    page = guarded.page
    page.goto(f"http://{guarded.host}/#snow-time")
    page.wait_for_selector(".problem")
    assert "requires an API key" in page.inner_text(".problem")
    page.fill(key("key"), "a wrong one")
    page.click(key("key-use"))
    page.get_by_text("does not know this API key").wait_for()
    page.fill(key("key"), KEY)
    page.click(key("key-use"))
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    stored: Any = page.evaluate("[Object.values(localStorage), document.cookie, location.href]")
    assert KEY not in json.dumps(stored)
    assert page.evaluate("sessionStorage.getItem('api-key')") == KEY
    assert page.evaluate("[...document.querySelectorAll('script')].length") == 2
