"""Documentation site in Chromium: accessibility, phones, search and copy buttons."""

from __future__ import annotations

import pytest

from tests.playground.visit import (
    NARROW,
    RULES_ABOUT_COLOURS,
    Visit,
    accessibility_failures,
)

pytestmark = pytest.mark.browser

ADDRESSES = (
    *("", "guide", "guide/round", "rules/slopecrashers", "rules/snow-time", "de/rules/snowcrest"),
    *("solver", "evaluators/snow-time"),
    *("operations", "api/", "api/schemas"),
)


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_documentation_is_accessible_and_fits_a_phone(visit: Visit) -> None:
    page = visit.page
    for address in ADDRESSES:
        page.emulate_media(color_scheme="light")
        page.goto(f"http://{visit.host}/docs/{address}")
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, address
        # Large pages repeat the same elements, and axe needs long for all of them.
        page.evaluate(
            "[...document.querySelectorAll('main > *')].slice(120).forEach(e => e.remove())"
        )
        assert accessibility_failures(page) == [], address
        light = page.evaluate("getComputedStyle(document.body).color")
        page.emulate_media(color_scheme="dark")
        assert page.evaluate("getComputedStyle(document.body).color") != light, address
        assert accessibility_failures(page, *RULES_ABOUT_COLOURS) == [], address


@pytest.mark.parametrize(
    "visit",
    [{"viewport": NARROW, "permissions": ["clipboard-read", "clipboard-write"]}],
    indirect=True,
)
def test_a_reader_on_a_phone_searches_copies_and_changes_the_page(visit: Visit) -> None:
    page = visit.page
    page.goto(f"http://{visit.host}/docs/guide")
    shown = page.locator(".code").nth(1)
    page.get_by_role("button", name="Copy").nth(1).click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == shown.inner_text().strip()

    page.keyboard.press("/")
    page.keyboard.type("watcher healer nonexistentword")
    page.get_by_text("No section has these words.").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.type("stream review")
    page.locator("#results a").first.wait_for()
    assert accessibility_failures(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/**#stream-a-review")

    page.get_by_role("button", name="Pages").click()
    assert accessibility_failures(page) == []
    page.get_by_role("link", name="Rules of Snowcrest").click()
    page.wait_for_url("**/docs/rules/snowcrest")
    assert not page.get_by_role("link", name="Rules of Snowcrest").is_visible()
    assert page.get_by_role("link", name="Play", exact=True).get_attribute("href") == "/#snowcrest"
