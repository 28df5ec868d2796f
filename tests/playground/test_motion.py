"""Motion in Chromium: what moves, at which speed, and nothing for those who want no motion."""

from __future__ import annotations

import pytest

from tests.playground.test_snow_time import choose, open_strike
from tests.playground.visit import Visit, accessibility_failures, key

pytestmark = pytest.mark.browser

RUNNING = "document.getAnimations().map(each => each.animationName ?? 'glide')"


@pytest.mark.parametrize("visit", [{"reduced_motion": "no-preference"}], indirect=True)
def test_a_round_is_shown_in_motion_at_a_chosen_speed(visit: Visit) -> None:
    page = open_strike(visit)
    for seat, card in (("red", "Champion 6"), ("blue", "Champion 5"), ("green", "Champion 4")):
        choose(page, seat, card)
    page.click(key("reveal"))
    visit.settled()
    page.select_option(key("speed"), "slow")
    events = [each["type"] for each in visit.last("resolve")["events"]]
    seen: dict[str, set[str]] = {}
    for place, event in enumerate(events):
        if place:
            page.click(key("step"))
        seen.setdefault(event, set()).update(page.evaluate(RUNNING))
    assert "turns" in seen["reveal"]
    assert {"falls", "glide"} <= seen["strike"]
    assert {"flies", "glide"} <= seen["fruit"]
    assert accessibility_failures(page) == []
    assert page.get_attribute(".game", "data-speed") == "slow"

    # Everything stands still for those who ask their device for that.
    page.emulate_media(reduced_motion="reduce")
    for _ in events[1:]:
        page.click(key("back"))
    for _ in events[1:]:
        page.click(key("step"))
        assert page.evaluate(RUNNING) == []
    for _ in events[1:]:
        page.click(key("back"))
    page.click(key("skip-round"))
    assert page.locator(key("step")).is_disabled()
    page.reload()
    assert page.evaluate("localStorage.getItem('speed')") == "slow"
