"""The board of Slopecrashers in Chromium: taps on spaces, gifts as cards, and the editor."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.playground.visit import (
    NARROW,
    PHONE,
    Visit,
    accessibility_failures,
    key,
    open_tools,
    start_game,
    stored_games,
)

pytestmark = pytest.mark.browser


def open_game(visit: Visit) -> Page:
    page = visit.open("#slopecrashers")
    page.wait_for_selector(".touch.lit")
    return page


def so_far(visit: Visit) -> list[Any]:
    actions: list[Any] = visit.sent("legal-moves")[-1]["so_far"]
    return actions


def newest_start(page: Page) -> Any:
    return max(stored_games(page), key=lambda each: each["saved"])["start"]


def apply_on_a_narrow_page(visit: Visit) -> None:
    """Close the editor, which is accessible and as narrow as the page."""
    page = visit.page
    assert accessibility_failures(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.click(key("apply"))
    page.wait_for_selector(".course-editor", state="detached")
    visit.settled()


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_course_is_built_and_played_by_taps(visit: Visit) -> None:
    page = open_game(visit)
    assert page.locator(".touch.lit").count() == len(visit.last("legal-moves")["moves"]["Anna"])

    # Build a position: gifts on the start row, one piece less, Hugo on the course.
    open_tools(page)
    page.click(key("edit"))
    for lane in range(4):
        page.click(key("tool-gift"))
        page.click(key(f"space-0-{lane}"))
    removed = visit.last("new")["state"]["course"][-1]
    page.click(key(f"piece-{removed}"))
    page.click(key("tool-plain"))
    page.click(key("space-4-1"))
    page.click(key("tool-Hugo"))
    page.click(key("space-4-1"))
    page.click(key("tool-snowman"))
    page.click(key("space-4-2"))
    page.click(f"{key('add-Hugo')} > summary")
    page.click(key("add-Hugo-unknown"))
    page.click(key("add-Hugo-rocket"))
    apply_on_a_narrow_page(visit)
    start = newest_start(page)
    assert removed not in start["course"]
    assert start["pieces"][start["course"][0]][0] == ["gift"] * 4
    hugo = start["seats"][1]
    assert (hugo["lap"], hugo["row"], hugo["lane"]) == (1, 4, 1)
    assert hugo["gifts"] == ["rocket", "unknown"]
    assert [(each["row"], each["lane"]) for each in start["snowmen"]] == [(4, 2)]
    assert page.locator(".racer").nth(1).locator(".gift-card").count() == 2

    # A tap on a lit space is the choice; a hidden gift is a tap as well.
    page.locator(".touch.lit").nth(2).click()
    assert so_far(visit) == [{"type": "place", "lane": 2}]
    page.click(key("draw-unknown"))
    assert so_far(visit)[1:] == [{"type": "draw", "card": "unknown"}]
    page.wait_for_selector(".touch.lit")
    page.locator(".touch.lit").first.click()
    assert so_far(visit)[2]["type"] in ("step", "play")

    # The browser remembers the pieces for the next game.
    start_game(page)
    assert visit.last("new")["state"]["pieces"] == start["pieces"]


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_pieces_of_an_own_set_lie_as_they_are_put(visit: Visit) -> None:
    page = open_game(visit)
    course = visit.last("new")["state"]["course"]
    first, second = course[:2]
    open_tools(page)
    page.click(key("edit"))
    page.click(f"{key('edit-layout')} > summary")

    # The first piece is turned round, and has a gift and boost on its last printed space.
    page.click(key("tool-gift-boost"))
    page.click(key("space-0-0"))
    page.click(key(f"reversed-{first}"))
    assert page.get_attribute(key(f"reversed-{first}"), "aria-pressed") == "true"
    assert "Gift and boost" in str(page.get_attribute(key("space-4-3"), "aria-label"))
    page.click(key("space-0-0"))
    # The second piece is narrower, longer, and begins in another lane; Hugo's space is gone.
    page.click(key("tool-plain"))
    page.click(key("space-5-0"))
    page.click(key("tool-Hugo"))
    page.click(key("space-5-0"))
    for name in ("lanes-less", "offset-more", "offset-more", "rows-more"):
        page.click(key(f"{name}-{second}"))
    assert page.locator(key("space-5-0")).count() == 0
    assert page.locator(key("space-10-4")).count() == 1
    apply_on_a_narrow_page(visit)

    start = newest_start(page)
    assert (start["reversed"], start["offsets"]) == ([first], {second: 2})
    printed = start["pieces"]
    assert printed[first][0][0] == printed[first][-1][-1] == "gift-boost"
    assert [len(row) for row in printed[second]] == [3] * 6
    assert "lap" not in start["seats"][1]
    # The course has six rows with three spaces, which begin in lane C.
    drawn = page.locator(".piece").nth(1)
    assert drawn.locator(".ground").count() == 18
    page.locator(".touch.lit").first.click()
    assert so_far(visit)[0]["type"] == "place"


def test_pieces_lie_at_a_table_as_at_the_last_one(visit: Visit) -> None:
    page = open_game(visit)
    page.click(key("table"))
    page.click(f"{key('edit-layout')} > summary")
    page.click(key("reversed-fir"))
    page.click(key("offset-more-pine"))
    assert page.locator(key("lanes-less-pine")).count() == 0
    page.click(key("table-start"))
    visit.settled()
    state = visit.last("new")["state"]
    assert (state["reversed"], state["offsets"]) == (["fir"], {"pine": 1})


def token(page: Page) -> tuple[float, float]:
    """Return where the first player stands on the course, in pixels."""
    # Taps scroll the page.
    x, y = page.evaluate(
        """() => {
            const [token, slope] = [".slope .token", ".slope"].map((each) =>
                document.querySelector(each).getBoundingClientRect());
            return [token.x - slope.x, token.y - slope.y];
        }"""
    )
    return x, y


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_the_course_leads_downhill_and_left_is_on_the_left(visit: Visit) -> None:
    page = open_game(visit)
    lanes = page.locator(".touch.lit").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().x)"
    )
    assert lanes == sorted(lanes)
    page.locator(".touch.lit").nth(2).click()
    visit.settled()
    page.locator(key("draw-random")).or_(page.locator(".touch.lit")).first.wait_for()
    player = token(page)
    moves = visit.last("legal-moves")["moves"]["Anna"]
    assert {"left", "forward"} <= {each.get("direction") for each in moves}
    for name in ("Step left", "Step forward"):
        page.get_by_role("button", name=name, exact=True).click()
        visit.settled()
        there = token(page)
        assert there[0] < player[0] - 20 if name == "Step left" else there[1] > player[1] + 20
        page.click(key("undo"))
        visit.settled()


def test_the_planned_turn_is_one_path_with_numbered_stops(visit: Visit) -> None:
    page = open_game(visit)
    plan = visit.ask()["plan"]
    stops = [each for each in plan if each["type"] in ("place", "step")]
    assert len(stops) > 1
    numbers = page.locator(".plan .stop text").all_text_contents()
    assert numbers == [str(count + 1) for count in range(len(stops))]
    assert page.locator(".plan .end").count() == page.locator(".plan .flag").count() == 1
    page.click(key("take-pick"))
    visit.settled()
    assert page.locator(".plan").count() == 0


def test_players_differ_by_letters_and_outline(visit: Visit) -> None:
    page = open_game(visit)
    start_game(page, 4, Anna="Anna", Hugo="Anton", Mila="Alma", Paul="Bo")
    visit.settled()
    badges = page.locator(".racer .badge")
    assert badges.all_inner_texts() == ["Ann", "Ant", "Al", "B"]
    shapes = badges.evaluate_all(
        "all => all.map(getComputedStyle).map(each => [each.clipPath, each.borderRadius].join())"
    )
    assert len(set(shapes)) == 4
