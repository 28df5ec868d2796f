"""Errors and the focus on the page: at the field, in the reader's language, never out of view."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.playground.visit import (
    NARROW,
    ON_ITS_SIDE,
    PHONE,
    Visit,
    enter_json,
    key,
    open_json,
    open_tools,
    out_of_view,
    show_numbers,
    start_game,
)

pytestmark = pytest.mark.browser


def fault_of(page: Page, name: str) -> str:
    """Return the message that describes a field."""
    described = page.get_attribute(key(name), "aria-describedby")
    return page.inner_text(f"#{described}") if described else ""


@pytest.mark.parametrize("visit", [{"locale": "de"}], indirect=True)
def test_the_faults_of_a_position_are_at_its_fields(visit: Visit) -> None:
    visit.tolerated.append("422")
    page = visit.open()
    open_tools(page)
    page.click(key("edit"))
    page.fill(key("score-0"), "31")
    page.fill(key("fruit-0"), "16")
    page.fill(key("fruit-1"), "")
    page.click(key("toggle-2-healer"))
    page.click(key("apply"))
    page.wait_for_selector(".fault")
    assert fault_of(page, "score-0") == "So lang ist die Leiste nicht."
    assert fault_of(page, "fruit-0") == "Diese Zahl ist zu klein oder zu groß."
    assert fault_of(page, "fruit-1") == "Trag eine Zahl ein."
    hand = page.locator("fieldset", has=page.locator(key("toggle-2-healer"))).locator(".fault")
    assert hand.inner_text() == "Der Heiler ist immer auf der Hand."
    shown = page.inner_text(".problem")
    assert "Bei jeder steht, warum." in shown
    assert "/state" not in page.inner_text("main")
    assert page.evaluate("document.activeElement.dataset.key") == "score-0"
    # The editor stays open with its content; a message goes with its fault.
    assert page.input_value(key("score-0")) == "31"
    page.fill(key("score-0"), "3")
    assert fault_of(page, "score-0") == ""
    page.click(key("toggle-2-healer"))
    assert hand.count() == 0
    page.fill(key("fruit-1"), "0")
    assert page.locator(".problem").count() == 1
    page.fill(key("fruit-0"), "0")
    assert page.locator(".problem, .fault").count() == 0
    page.click(key("apply"))
    page.wait_for_selector(".editor", state="detached")


@pytest.mark.parametrize(
    ("game", "seat", "name"),
    [
        ("slopecrashers", {"player": "Anna", "name": "Zoë", "lap": 99}, "Zoë: "),
        ("snowcrest", {"player": "Anna", "name": "Zoë", "scrolls": -1}, "Zoë: "),
        ("snow-time", {"seat": "red", "score": -1, "hand": ["healer"]}, "Red: "),
    ],
)
def test_faults_without_a_field_name_the_seat(
    visit: Visit, game: str, seat: Any, name: str
) -> None:
    visit.tolerated.append("422")
    page = visit.open(f"#{game}")
    if game != "snow-time":
        start_game(page, Anna="Zoë")
        visit.settled()
    open_json(page)
    state = json.loads(page.input_value(key("json")))
    state["seats"][0] |= seat
    enter_json(page, state)
    page.wait_for_selector(".problem, .fault")
    texts = page.locator(".problem li, .fault").all_inner_texts()
    assert any(text.startswith(name) or game == "snow-time" for text in texts)
    assert "/state" not in page.inner_text("main")
    page.click(f"{key('problem-details')} summary")
    assert "/state/seats/0" in page.inner_text(".problem")


def test_an_unreachable_service_can_be_tried_again(visit: Visit) -> None:
    visit.tolerated.append("ERR_FAILED")
    page = visit.open()
    page.route("**/grow", lambda route: route.abort())
    page.click(key("roll"))
    page.wait_for_selector(".problem")
    assert "cannot be reached" in page.locator(".problem").inner_text()
    page.unroute("**/grow")
    page.click(key("again"))
    page.wait_for_selector(".hand")
    assert page.locator(".problem").count() == 0


@pytest.mark.parametrize("game", ["snow-time", "slopecrashers", "snowcrest"])
@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_failed_request_is_reported_where_the_user_looks(visit: Visit, game: str) -> None:
    """The report was above the board, out of view on a phone."""
    visit.tolerated.append("503")
    page = visit.open(f"#{game}")
    if game == "snow-time":
        page.click(key("roll"))
    problem = {"type": "about:blank", "status": 503, "code": "overloaded", "title": "Busy"}
    page.route("**/suggest", lambda route: route.fulfill(status=503, json=problem))
    answer = key("ask-red" if game == "snow-time" else "ask")
    page.click(answer)
    page.wait_for_selector(".problem")
    visit.settled()
    assert out_of_view(page, f".problem, {answer}") == []
    page.unroute("**/suggest")
    page.click(key("again"))
    page.wait_for_selector(".answer, .nudges")


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_focus_is_never_out_of_view(visit: Visit) -> None:
    page = visit.open()
    for step in ("roll", "ask-red", "take-pick", "reveal"):
        page.click(key(step))
        visit.settled()
        page.wait_for_timeout(50)
        assert page.locator(":focus").count() == 1, step
        assert out_of_view(page, ":focus") == [], step


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_choose_this_shows_what_it_did(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("ask-red"))
    show_numbers(page)
    name = page.locator(".hint .move h3 > span:not(.faces)").first.inner_text()
    page.click(key("take-0"))
    assert page.inner_text("#announcer") == f"You chose: {name}."
    assert page.locator('.hand [aria-pressed="true"]').get_attribute("title") == name
    assert page.evaluate("document.activeElement.dataset.key") == "reveal"


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_form_at_a_table_shows_in_view_that_the_service_cannot_be_reached(visit: Visit) -> None:
    """The problem stood above the form, whose button is at the bottom of the window."""
    visit.tolerated.append("ERR_INTERNET_DISCONNECTED")
    page = visit.page
    page.goto(f"http://{visit.host}/#snowcrest/table")
    page.click(key("under-way-5"))
    page.click(key("pick-nun"))
    page.context.set_offline(True)
    page.click(key("apply"))
    page.wait_for_selector(".problem")
    assert out_of_view(page, ".problem") == []
    page.context.set_offline(False)
    page.click(key("again"))
    page.wait_for_selector(".answer")


def test_a_request_that_never_ends_is_reported_and_can_be_repeated(visit: Visit) -> None:
    """All buttons stayed grey, without a word."""
    page = visit.page
    page.add_init_script(
        "const timeout = AbortSignal.timeout;"
        "AbortSignal.timeout = (time) => timeout.call(AbortSignal, time / 20);"
    )
    visit.open("#snowcrest/play")
    page.route("**/suggest", lambda _: None)
    page.click(key("ask"))
    page.wait_for_selector(".waiting >> text=One moment")
    page.wait_for_selector(".problem")
    assert page.locator(".waiting").count() == 0
    page.unroute("**/suggest")
    page.click(key("again"))
    page.wait_for_selector(".answer")
    visit.open_requests.clear()  # The first one has no answer.


@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE], indirect=True)
def test_nothing_moves_under_the_finger_that_enters_a_number(visit: Visit) -> None:
    """A button near the bottom was scrolled up by as much as 94 pixels after its tap."""
    page = visit.page
    page.goto(f"http://{visit.host}/#snowcrest/table")
    page.click(key("under-way-5"))
    page.wait_for_selector(".village-editor")
    for number in ("barley-3", "bell-2", "scroll-1", "forge-1"):
        each = page.locator(key(number))
        each.evaluate(
            "each => scrollBy(0, each.getBoundingClientRect().bottom - innerHeight + 130)"
        )
        place = each.bounding_box()
        assert place
        page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        page.wait_for_selector(f"{key(number)}[aria-pressed=true]")
        assert each.bounding_box() == place, number
