"""Documentation site in Chromium: accessibility and width on a phone, in both themes."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.playground.visit import NARROW, Visit

pytestmark = pytest.mark.browser

ADDRESSES = ("", "guide", "rules/slopecrashers", "solver", "evaluators/snow-time", "operations")
ON_A_PHONE = [{"viewport": NARROW, "color_scheme": theme} for theme in ("light", "dark")]


@pytest.mark.parametrize("visit", ON_A_PHONE, indirect=True, ids=["light", "dark"])
def test_the_documentation_is_accessible_and_fits_a_phone(visit: Visit) -> None:
    page = visit.page
    for address in ADDRESSES:
        page.goto(f"http://{visit.host}/docs/{address}")
        result = Axe().run(page)
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")

        assert result.violations_count == 0, (address, result.generate_report())
        assert overflow <= 0, address
