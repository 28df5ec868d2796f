"""The contents of an owner's box come from a file: checked, remembered, used in further games."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.games.snowcrest.catalogues import with_decks
from tests.playground.visit import PHONE, Visit, key

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
GAMES = ("snow-time", "slopecrashers", "snowcrest")


def template(game: str) -> Any:
    return json.loads((EXAMPLES / f"{game}-box.json").read_text(encoding="utf-8"))


def open_setup(visit: Visit, game: str) -> Page:
    page = visit.page
    page.goto(f"http://{visit.host}/")
    page.wait_for_selector(".front")
    page.click(key("to-table"))
    page.click(key(f"table-{game}"))
    page.wait_for_selector(".table-setup")
    page.click(f"{key('table-box')} summary")
    return page


def choose_file(page: Page, content: str) -> None:
    file = {"name": "mine.json", "mimeType": "application/json", "buffer": content.encode()}
    page.set_input_files(key("box-file"), file)


def started(visit: Visit) -> Any:
    """Start the game; return the body of the request for it."""
    visit.page.click(key("table-start"))
    return visit.sent("new")[-1]


def changed_box(game: str) -> Any:
    """Return a box that differs from the default one."""
    box = template(game)
    if game == "snow-time":
        box["track"] |= {"length": 22, "bonuses": [], "optional_watcher": True}
    elif game == "slopecrashers":
        box["deck"] = dict.fromkeys(box["deck"], 2)
    else:
        decks = ("red", "blue", "green", "yellow")
        box["catalogue"] = with_decks(box["catalogue"], Random(1), decks)
    return box


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
@pytest.mark.parametrize("game", GAMES)
def test_a_file_is_used_in_this_game_and_in_the_next_visit(visit: Visit, game: str) -> None:
    box = changed_box(game)
    page = open_setup(visit, game)
    choose_file(page, json.dumps(box))
    page.wait_for_selector(key("box-remove"))
    page.reload()
    open_setup(visit, game)
    assert "mine.json" in page.inner_text(key("table-box"))
    body = started(visit)
    if game == "snow-time":
        assert (body["track"]["length"], body["track"]["optional_watcher"]) == (22, True)
    elif game == "slopecrashers":
        assert body["deck"] == box["deck"]
    else:
        assert body["catalogue"] == box["catalogue"]
        assert all(seat["deck"] == seat["player"] for seat in body["seats"])


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_each_fault_of_a_file_is_one_sentence_with_its_place(visit: Visit) -> None:
    box = template("snow-time")
    box["track"]["bonuses"][0]["advance"] = 9
    box["track"]["bonuses"][1]["kind"] = "gold"
    page = open_setup(visit, "snow-time")
    choose_file(page, json.dumps(box))
    page.wait_for_selector(f"{key('table-box')} .problem")
    faults = page.locator(f"{key('table-box')} li").all_inner_texts()
    places = [fault.split(" ")[0] for fault in faults]
    assert places == ["/track/bonuses/0/advance", "/track/bonuses/1/kind"]
    assert page.locator(key("box-remove")).count() == 0
    visit.tolerated.append("422")


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_file_that_is_not_json_or_has_no_known_part_says_so(visit: Visit) -> None:
    page = open_setup(visit, "snowcrest")
    choose_file(page, "{oops")
    page.wait_for_selector(f"{key('table-box')} .problem")
    choose_file(page, '{"track": {}}')
    page.wait_for_selector(f"{key('table-box')} li:has-text('catalogue')")


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_the_default_comes_back(visit: Visit) -> None:
    page = open_setup(visit, "slopecrashers")
    choose_file(page, json.dumps(changed_box("slopecrashers")))
    page.click(key("box-remove"))
    assert "deck" not in started(visit)
