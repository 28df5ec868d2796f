"""Documentation site in Chromium: accessibility and width on a phone, in both themes."""

from __future__ import annotations

import pytest

from tests.playground.visit import NARROW, RULES_ABOUT_COLOURS, Visit, accessibility_failures

pytestmark = pytest.mark.browser

ADDRESSES = ("", "guide", "rules/slopecrashers", "solver", "evaluators/snow-time", "operations")


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_documentation_is_accessible_and_fits_a_phone(visit: Visit) -> None:
    page = visit.page
    for address in ADDRESSES:
        page.emulate_media(color_scheme="light")
        page.goto(f"http://{visit.host}/docs/{address}")
        assert accessibility_failures(page) == [], address
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, address
        light = page.evaluate("getComputedStyle(document.body).color")
        page.emulate_media(color_scheme="dark")
        assert page.evaluate("getComputedStyle(document.body).color") != light, address
        assert accessibility_failures(page, *RULES_ABOUT_COLOURS) == [], address
