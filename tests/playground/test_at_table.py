"""Snow Time at a real table: few taps, only legal entries, hints that learn."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.playground.visit import (
    ON_ITS_SIDE,
    PHONE,
    TapCounter,
    Visit,
    accessibility_failures,
    key,
    out_of_view,
)

pytestmark = pytest.mark.browser

MAX_TAPS_TO_THE_FIRST_HINT, MAX_SECONDS_TO_THE_FIRST_HINT, MAX_TAPS_OF_A_ROUND = 15, 30, 8
MID_GAME = {
    "scores": {"red": 7, "blue": 6, "green": 7, "yellow": 0},
    "gone": {"red": ["1", "7"], "green": ["2", "watcher"], "yellow": ["3"]},
    "fruit": {1: 3, 3: 1, 4: 1},
}
"""The table after five rounds of a game in which all four follow the hints of the service."""


@pytest.fixture
def table(visit: Visit) -> Page:
    """Open the setup."""
    page = visit.open()
    page.click(key("table"))
    return page


def enter_mid_game(page: Page) -> None:
    for seat, score in MID_GAME["scores"].items():
        if score:
            page.click(key(f"space-{score}"))
        else:
            assert page.get_attribute(key(f"marking-{seat}"), "aria-pressed") == "true"
    for seat, cards in MID_GAME["gone"].items():
        for card in cards:
            page.click(key(f"cell-{seat}-{card}"))
    for level, count in MID_GAME["fruit"].items():
        page.click(key(f"fruit-{level}-{count}"))


def roll(visit: Visit, *dice: int) -> None:
    for die in dice:
        visit.page.click(key(f"die-{die}"))
    visit.page.wait_for_selector(".card-grid")
    visit.settled()


def lay(visit: Visit, **cards: str) -> None:
    for seat, card in cards.items():
        visit.page.click(key(f"cell-{seat}-{card}"))
    visit.settled()


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_the_hints_of_a_game_under_way_take_few_taps(visit: Visit) -> None:
    table = visit.page
    table.goto(f"http://{visit.host}/")
    table.wait_for_selector(".front")
    counter = TapCounter(table)
    table.click(key("to-table"))
    table.click(key("table-snow-time"))
    table.wait_for_selector(".table-setup")
    enter_mid_game(table)
    table.click(key("table-grown"))
    table.wait_for_selector(".answer")
    visit.settled()
    taps, seconds = counter.read()
    assert taps <= MAX_TAPS_TO_THE_FIRST_HINT
    assert seconds <= MAX_SECONDS_TO_THE_FIRST_HINT
    state = visit.last("suggest") and visit.requests[-1].post_data_json["state"]
    seats = {seat["seat"]: seat for seat in state["seats"]}
    assert {seat: each["score"] for seat, each in seats.items()} == MID_GAME["scores"]
    assert set(seats["green"]["hand"]) == set("134567") | {"healer", "blizzard"}
    assert state["fruit"] == [3, 0, 1, 1, 0, 0]

    lay(visit, red="4", blue="5", green="6", yellow="7")
    counter.read()
    for dice, cards in (((3, 5), ("2", "1", "3", "4")), ((1, 1), ("3", "watcher", "4", "5"))):
        roll(visit, *dice)
        visit.ask("ask-red")
        lay(visit, **dict(zip(seats, cards, strict=True)))
        if "watcher" in cards:
            lay(visit, blue="2")
        table.wait_for_selector(".dice")
        assert counter.taps() <= MAX_TAPS_OF_A_ROUND


@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE], indirect=True)
def test_the_next_step_is_in_view_after_a_round(visit: Visit, table: Page) -> None:
    """The page stayed scrolled down to the last card of the round."""
    table.click(key("table-start"))
    roll(visit, 3, 5)
    lay(visit, red="1", blue="3", green="5", yellow="7")
    table.wait_for_selector(".dice")
    assert out_of_view(table, "#now-title, .dice, .die") == []
    roll(visit, 2, 2)
    assert out_of_view(table, ".scene, .coach") == []


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_the_hints_at_a_table_learn_from_its_rounds(visit: Visit, table: Page) -> None:
    table.fill(key("table-name-blue"), "Bob")
    table.click(key("table-start"))
    roll(visit, 3, 5)
    grown = visit.last("grow")["state"]
    cards = dict(zip(("red", "blue", "green", "yellow"), "1357", strict=True))
    lay(visit, **cards)
    roll(visit, 2, 2)
    visit.ask("ask-red")
    sent = visit.sent("suggest")[-1]
    assert sent["opponents"]["model"] == "learned"
    moves = {seat: {"card": card} for seat, card in cards.items()}
    assert sent["opponents"]["history"] == [{"state": grown, "moves": moves}]
    assert grown["seats"][1]["name"] == "Bob"
    assert visit.last("suggest")["opponents"]["blue"]["evidence"]["rounds"] == 1


def test_only_legal_tables_can_be_entered(visit: Visit, table: Page) -> None:
    assert table.is_disabled(key("cell-red-healer"))
    for level in (1, 2):
        table.click(key(f"fruit-{level}-6"))
    table.click(key("fruit-3-3"))
    assert table.is_disabled(key("fruit-4-1"))
    assert table.is_enabled(key("fruit-3-2"))
    # Nobody is on the last space, 30.
    assert table.locator(".table-track .space-button").count() == 30
    for seat in ("blue", "green"):
        table.click(key(f"table-colour-{seat}"))
    assert table.is_disabled(key("table-start"))
    table.click(key("table-colour-violet"))
    assert table.locator(".card-row").count() == 3
    table.click(key("table-start"))
    table.wait_for_selector(key("no-dice"))
    table.click(key("no-dice"))
    table.wait_for_selector(".card-grid")
    visit.settled()
    seats = visit.requests[-1].post_data_json["state"]["seats"]
    assert [seat["seat"] for seat in seats] == ["red", "yellow", "violet"]


def test_the_track_of_the_board_is_entered_once(visit: Visit, table: Page) -> None:
    table.click(key("space-7"))
    table.click(f"{key('table-board')} summary")
    table.fill(key("table-length"), "999")
    table.press(key("table-length"), "Enter")
    assert table.input_value(key("table-length")) == "200"
    table.fill(key("table-length"), "6")
    table.press(key("table-length"), "Enter")
    assert table.locator(".table-track .space-button").count() == 6
    table.click(key("brush-mana2"))
    for space in (4, 5, 3, 5):  # The second tap on 5 removes the bonus; 3 had one before.
        table.click(key(f"board-{space}"))
    table.click(key("table-start"))
    table.wait_for_selector(".dice")
    visit.settled()
    bonuses = [{"space": at, "kind": "mana", "advance": 2} for at in (3, 4)]
    track = {"length": 6, "bonuses": bonuses}
    state = visit.requests[-1].post_data_json["state"]
    assert state["track"] == track
    assert max(seat["score"] for seat in state["seats"]) == 5
    table.click(f"{key('table-more')} summary")
    table.click(key("table"))
    table.wait_for_selector(".table-setup")
    table.click(key("table-start"))
    table.wait_for_selector(".dice")
    assert visit.sent("new")[-1]["track"] == track


def test_two_players_have_two_colours_each(visit: Visit, table: Page) -> None:
    table.click(key("table-pairs"))
    table.click(key("table-me-green"))
    table.click(key("table-start"))
    roll(visit, 1, 2)
    assert set(visit.ask("ask-green")["pick"]) == {"green", "yellow"}


def test_watchers_and_healers_are_entered_in_the_same_grid(visit: Visit, table: Page) -> None:
    enter_mid_game(table)
    table.click(key("table-grown"))
    table.wait_for_selector(".answer")
    lay(visit, red="healer", blue="4", green="5", yellow="watcher")
    assert table.locator(".card-row").count() == 1
    lay(visit, yellow="healer")
    assert table.locator(".card-row").count() == 2
    assert table.is_disabled(key("cell-red-2"))
    lay(visit, red="1")
    table.click(key("recovered-yellow"))
    lay(visit, red="7")
    table.wait_for_selector(".dice")
    moves = visit.sent("resolve")[-1]["moves"]
    assert moves["red"] == {"card": "healer", "recover": ["1", "7"]}
    assert moves["yellow"]["then"] == {"card": "healer", "recover": []}
    # One wrong tap is corrected by one step back and one more tap.
    table.click(key("undo"))
    visit.settled()
    table.click(key("recovered-yellow"))
    table.wait_for_selector(".dice")


def test_the_tree_takes_taps_in_place_of_the_dice(visit: Visit, table: Page) -> None:
    table.click(key("table-start"))
    table.wait_for_selector(".tree .touch")
    for row in (1, 4, 0):  # From level 7 down; nothing grows on level 7.
        if table.locator(".tree .touch").count():
            table.locator(".tree .touch").nth(row).click()
    table.wait_for_selector(".card-grid")
    visit.settled()
    assert visit.last("grow")["dice"] == [3, 6]


def test_a_lost_connection_loses_no_entry(visit: Visit, table: Page) -> None:
    visit.tolerated.append("ERR_FAILED")
    table.click(key("table-start"))
    roll(visit, 3, 5)
    table.route("**/legal-moves", lambda route: route.abort())
    lay(visit, red="1", blue="2", green="4", yellow="6")
    table.wait_for_selector(key("again"))
    table.unroute("**/legal-moves")
    table.reload()
    table.click(key("go-on"))
    table.wait_for_selector(".dice")


def test_entries_survive_a_reload(visit: Visit, table: Page) -> None:
    table.click(key("table-start"))
    table.click(key("die-4"))
    table.reload()
    roll(visit, 5)
    assert visit.last("grow")["dice"] == [4, 5]
    table.click(key("cell-blue-6"))
    table.reload()
    table.wait_for_selector(f'{key("cell-blue-6")}[aria-pressed="true"]')


@pytest.mark.parametrize(
    "visit", [PHONE | {"locale": "de"}, PHONE | {"color_scheme": "dark"}], indirect=True
)
def test_the_table_is_accessible_and_fits_a_phone(visit: Visit, table: Page) -> None:
    def check() -> Any:
        assert table.evaluate("document.documentElement.scrollWidth") <= 390
        small = table.locator("main button:visible").evaluate_all(
            "all => all.filter(each => Math.min(each.offsetWidth, each.offsetHeight) < 24).length"
        )
        assert small == 0
        assert accessibility_failures(table) == []

    enter_mid_game(table)
    table.click(f"{key('table-board')} summary")
    check()
    table.click(key("table-grown"))
    table.wait_for_selector(".answer")
    visit.settled()
    check()
    lay(visit, red="4", blue="5", green="6", yellow="7")
    check()


def test_a_round_is_entered_by_keyboard(visit: Visit, table: Page) -> None:
    table.focus(key("table-start"))
    table.keyboard.press("Enter")
    table.wait_for_selector(f"{key('die-1')}:focus")
    for _ in range(2):
        table.keyboard.press("Enter")
    table.wait_for_selector(".card-grid")
    for seat in ("red", "blue", "green", "yellow"):
        table.focus(key(f"cell-{seat}-2"))
        table.keyboard.press("Enter")
    table.wait_for_selector(f"{key('die-1')}:focus")
    assert "fall" in table.inner_text("#announcer")


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_wrong_card_of_an_earlier_round_is_corrected_with_three_taps(visit: Visit) -> None:
    page = visit.open()
    page.click(key("table"))
    page.click(key("round-5"))
    page.click(key("table-start"))
    for cards in (("1", "3", "5", "7"), ("2", "4", "6", "healer")):
        roll(visit, 2, 4)
        lay(visit, **dict(zip(MID_GAME["scores"], cards, strict=True)))
    assert "Round 7" in page.inner_text(".now")
    first = visit.last("resolve")
    counter = TapCounter(page)
    page.click(f"{key('log')} > summary")
    page.click(key("amend-0"))
    visit.settled()
    assert "Round 5" in page.inner_text(".now")
    lay(visit, blue="2")
    assert counter.taps() == 3
    # The second round has been played again from the corrected position.
    assert "Round 7" in page.inner_text(".now")
    bodies = visit.sent("resolve")
    assert bodies[-2]["moves"]["blue"] == {"card": "2"}
    assert bodies[-1]["moves"]["blue"] == {"card": "4"}
    assert visit.last("resolve")["state"] != first["state"]
