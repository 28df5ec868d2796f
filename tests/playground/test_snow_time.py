"""Snow Time in Chromium, against a running service."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.playground.visit import (
    LAPTOP,
    ON_ITS_SIDE,
    PHONE,
    Visit,
    enter_json,
    errors_of,
    key,
    open_tools,
    packed,
    percent,
    request_review,
    show_numbers,
    start_game,
)

pytestmark = pytest.mark.browser

MAX_ROUNDS = 60
STEPPED_ROUNDS = 2
MAX_TABS = 80
NEAR_THE_END = 28
"""A score from which the usual track, of length 30, takes few rounds."""


def amounts(place: Locator) -> list[str]:
    return [text.strip() for text in place.locator(".amount").all_inner_texts()]


def widths(place: Locator) -> list[float]:
    read = "fills => fills.map(fill => parseFloat(fill.style.width))"
    percentages: list[float] = place.locator(".fill").evaluate_all(read)
    return percentages


def scores(visit: Visit) -> dict[str, int]:
    state = visit.last("resolve")["state"]
    return {seat["seat"]: seat["score"] for seat in state["seats"]}


def shown_scores(page: Page) -> list[int]:
    texts = page.locator(".seat-head .score").all_inner_texts()
    return [int(text.split()[-1]) for text in texts]


# Whole games ----------------------------------------------------------------------------------


def test_a_whole_game_against_the_service_is_played_by_clicks(visit: Visit) -> None:
    page = visit.open()
    start_game(page, 3, 0)
    page.wait_for_selector(f"{key('roll')}:enabled")
    rounds = 0
    while not page.get_by_role("heading", name="The game is over").count():
        rounds += 1
        assert rounds <= MAX_ROUNDS
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        while page.locator(".hand").count():
            for hand in page.locator(".hand").all():
                cards = hand.get_by_role("button")
                # Choose another card in each round, so that all kinds of cards are played.
                cards.nth(rounds % cards.count()).click()
            page.click(key("reveal"))
            visit.settled()
        if rounds <= STEPPED_ROUNDS:
            for _ in visit.last("resolve")["events"][1:]:
                page.click(key("step"))
            assert shown_scores(page) == list(scores(visit).values())
        page.click(key("next-round"))
        visit.settled()
    resolved = visit.last("resolve")
    assert resolved["game_over"]
    names = {"red": "Red", "blue": "Blue", "green": "Green"}
    sentence = page.locator(".now .winner").inner_text()
    assert all(names[winner] in sentence for winner in resolved["winners"])
    assert shown_scores(page) == list(scores(visit).values())
    nonces = [body["nonce"] for body in visit.sent("suggest")]
    assert len(nonces) >= 2 * rounds
    assert len(set(nonces)) == len(nonces)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus; assert that the focus is visible."""
    for _ in range(MAX_TABS):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def enter(page: Page, selector: str) -> None:
    tab_to(page, selector)
    page.keyboard.press("Enter")


def play_round_by_keyboard(visit: Visit) -> None:
    page = visit.page
    enter(page, key("roll"))
    page.wait_for_selector(".hand")
    while page.locator(".hand").count():
        hands = page.locator(".hand").all()
        for seat in [hand.get_attribute("aria-labelledby") for hand in hands]:
            enter(page, f'[aria-labelledby="{seat}"] button')
        enter(page, key("reveal"))
        visit.settled()
    enter(page, key("next-round"))
    visit.settled()


def test_the_two_player_variant_is_played_by_keyboard(visit: Visit) -> None:
    """The first round and the last ones; the scores change in between."""
    page = visit.open()
    enter(page, '[data-key="setup"] > summary')
    tab_to(page, key("setup-players"))
    page.keyboard.press("2")
    enter(page, key("setup-start"))
    page.wait_for_selector('[data-key="roll"]:focus')
    play_round_by_keyboard(visit)
    assert shown_scores(page) == list(scores(visit).values())
    state = visit.last("resolve")["state"]
    seats = [seat | {"score": NEAR_THE_END} for seat in state["seats"]]
    enter_json(page, state | {"seats": seats}, grown=False)
    page.keyboard.press("Shift+Tab")  # After clicks, the focus is visible from the next key on.
    rounds = 0
    while not page.get_by_role("heading", name="The game is over").count():
        rounds += 1
        assert rounds <= MAX_ROUNDS
        play_round_by_keyboard(visit)
    assert len(scores(visit)) == 4
    assert shown_scores(page) == list(scores(visit).values())


# Playback of a round --------------------------------------------------------------------------

STRIKE_STATE = {
    "seats": [
        {"seat": "red", "player": "red", "score": 12, "hand": ["6", "healer"]},
        {"seat": "blue", "player": "blue", "score": 14, "hand": ["5", "healer"]},
        {"seat": "green", "player": "green", "score": 13, "hand": ["4", "healer", "watcher"]},
    ],
    "fruit": [0, 0, 1, 0, 0, 2],
}


def open_strike(visit: Visit) -> Page:
    """Open a position of three players in which the user decides for all seats."""
    page = visit.open()
    start_game(page, 3, -1)
    enter_json(page, STRIKE_STATE)
    return page


def choose(page: Page, seat: str, name: str) -> None:
    page.locator(f'[aria-labelledby="hand-{seat}"]').get_by_role("button", name=name).click()


def test_the_playback_of_a_round_shows_its_events_and_rulings(visit: Visit) -> None:
    page = open_strike(visit)
    choose(page, "red", "Champion 6")
    choose(page, "blue", "Champion 5")
    choose(page, "green", "Watcher")
    page.click(key("reveal"))
    page.get_by_role("heading", name="The watcher adds a card").wait_for()
    assert page.locator(".hand").count() == 1
    choose(page, "green", "Champion 4")
    page.click(key("reveal"))
    visit.settled()

    events = visit.last("resolve")["events"]
    sentences = []
    for place, event in enumerate(events):
        sentences.append(page.locator(".now .sentence").inner_text())
        ruling = page.locator(".now .ruling-fold")
        assert ruling.count() == ("rule" in event)
        if "rule" in event:
            assert event["rule"] in ruling.inner_text()
        if place + 1 < len(events):
            page.click(key("step"))
    assert "Red on level 6 knocks Blue down. Red +1 Fight (12 → 13)." in sentences
    assert "Red takes the fruit on level 6. Red +2 Fruit (13 → 15)." in sentences
    assert shown_scores(page) == [17, 14, 14]
    label = page.locator(".tree svg").get_attribute("aria-label") or ""
    assert "Level 5: Blue (knocked down)." in label
    assert "Level 6: Red." in label
    page.click(key("back"))
    assert page.locator(".now .sentence").inner_text() == sentences[-2]


def test_the_healer_takes_back_the_chosen_champions(visit: Visit) -> None:
    page = open_strike(visit)
    choose(page, "red", "Healer")
    choose(page, "blue", "Champion 5")
    choose(page, "green", "Champion 4")
    page.click(key("reveal"))
    page.get_by_role("heading", name="The healer takes champions back").wait_for()
    choose(page, "red", "Take back Champion 1 + Champion 7")
    page.click(key("reveal"))
    visit.settled()
    hand = visit.last("resolve")["state"]["seats"][0]["hand"]
    assert hand == ["1", "6", "7", "healer"]


def test_five_players_play_a_round(visit: Visit) -> None:
    page = visit.open()
    start_game(page, 5, 4)
    page.click(key("roll"))
    choose(page, "violet", "Blizzard")
    page.click(key("reveal"))
    visit.settled()
    while page.locator(".hand").count():
        page.locator(".hand button").first.click()
        page.click(key("reveal"))
        visit.settled()
    assert shown_scores(page) == [0, 0, 0, 0, 0]
    assert page.locator(".seat-row .chip.played").count() >= 5
    assert len(visit.last("resolve")["points"]) == 5


def test_entered_names_are_shown_in_place_of_seats(visit: Visit) -> None:
    page = visit.open()
    start_game(page, 3, red=" 王小明 ", blue="نورة")
    visit.settled()
    names = [seat.get("name") for seat in visit.last("new")["state"]["seats"]]
    assert names == ["王小明", "نورة", None]
    shown = page.locator(".seat-head strong").all_inner_texts()
    assert shown == ["王小明", "نورة", "Green"]
    page.click(key("roll"))
    page.click(key("ask-red"))
    show_numbers(page)
    assert page.locator("#hint-title").inner_text() == "A hint for 王小明"
    hint = page.inner_text(".hint")
    assert "نورة" in hint
    assert "Green" in hint
    assert not re.search(r"\b(red|blue|Red|Blue)\b", hint)


def test_both_seats_of_a_player_get_the_entered_name(visit: Visit) -> None:
    page = visit.open()
    start_game(page, 2, two="Zoë")
    visit.settled()
    names = [seat.get("name") for seat in visit.last("new")["state"]["seats"]]
    assert names == [None, None, "Zoë", "Zoë"]
    shown = page.locator(".seat-head").all_inner_texts()
    assert ["played by Zoë" in each for each in shown] == [False, False, True, True]


def test_only_the_selected_hand_is_visible(visit: Visit) -> None:
    page = visit.open()
    rows = page.locator(".seat-row")
    assert rows.locator(".chip.in-hand").count() == 40
    open_tools(page)
    page.select_option(key("visible"), "blue")
    assert rows.locator(".chip.in-hand").count() == 10
    assert rows.nth(1).locator(".chip.in-hand").count() == 10
    assert "10 more in hand" in rows.nth(0).inner_text()


# Hints ----------------------------------------------------------------------------------------


def with_seat_names(text: str) -> str:
    """Replace seat codes by the seat names of the page."""
    return re.sub(
        r"(?<![\w-])(red|blue|green|yellow|violet)(?![\w-])", lambda m: m[0].title(), text
    )


def test_the_bars_of_a_hint_show_the_values_of_the_service(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("ask-red"))
    show_numbers(page)
    hint = visit.last("suggest")
    best = max(each["value"] for each in hint["moves"])
    rows = page.locator(".hint .move").all()
    assert len(rows) == len(hint["moves"]) == 10
    for row, move in zip(rows, hint["moves"], strict=True):
        shares = [move["probability"], move["value"], *move["survival"].values()]
        assert amounts(row) == [percent(share) for share in shares]
        lengths = [100 * shares[0], 100 * move["value"] / best] + [100 * s for s in shares[2:]]
        assert widths(row) == pytest.approx(lengths, abs=0.06)
        assert [text.strip() for text in row.locator(".reasons li").all_inner_texts()] == [
            with_seat_names(reason["text"]) for reason in move["reasons"]
        ]
    shares = page.locator(".win-shares")
    assert amounts(shares) == [percent(share) for share in hint["win_shares"].values()]
    drawn = page.locator(".hint .move.drawn")
    assert drawn.count() == 1
    drawn.get_by_role("button").click()
    selected = page.locator('.hand [aria-pressed="true"]')
    assert selected.count() == 1
    assert (selected.get_attribute("title") or "!") in drawn.inner_text()


def test_reasons_are_shown_as_plain_text(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))

    def with_reasons(route: Any) -> None:
        response = route.fetch()
        document = response.json()
        for move in document["moves"]:
            move["reasons"] = []
        document["moves"][0]["reasons"] = [
            {"code": "mana", "params": {"share": 0.5}, "text": "Half the time <b>mana</b>."},
            {"code": "silent", "params": {}},
        ]
        route.fulfill(response=response, json=document)

    page.route("**/suggest", with_reasons)
    page.click(key("ask-red"))
    show_numbers(page)
    assert page.locator(".reasons li").all_inner_texts() == ["Half the time <b>mana</b>."]
    assert page.locator(".reasons").count() == 1


def test_the_request_contains_the_chosen_options(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click('[data-key="asking"] summary')
    page.select_option(key("ask-objective"), "points")
    page.select_option(key("ask-model"), "uniform")
    page.select_option(key("ask-effort"), "quick")
    page.click(key("ask-red"))
    show_numbers(page)
    body = visit.sent("suggest")[-1]
    assert (body["objective"], body["effort"]) == ("points", "quick")
    assert body["opponents"] == {"model": "uniform"}
    move = visit.last("suggest")["moves"][0]
    assert amounts(page.locator(".hint .move").first)[1] == f"{move['value']:.2f}"


def test_the_next_moves_are_shown_with_the_revealed_cards(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))

    def with_next(route: Any) -> None:
        response = route.fetch()
        document = response.json()
        revealed = {"red": {"card": "healer"}, "blue": {"card": "4"}}
        then = {"red": {"card": "healer", "recover": ["1", "2"]}}
        document["next"] = [
            {"move": {"red": {"card": "healer"}}, "revealed": revealed, "probability": 0.25,
             "next": then, "value": 0.3}
        ]  # fmt: skip
        route.fulfill(response=response, json=document)

    page.route("**/suggest", with_next)
    page.click(key("ask-red"))
    show_numbers(page)
    body = visit.sent("suggest")[-1]
    assert (body["include"], body["hint_level"]) == (["next"], "card")
    [text] = page.locator(".next li").all_inner_texts()
    for word in ("Healer", "Champion 4", "25", "Champion 1 + Champion 2"):
        assert word in text


# Reviews ----------------------------------------------------------------------------------------


def test_played_rounds_can_be_reviewed(visit: Visit) -> None:
    page = visit.open()
    start_game(page, 3, -1)
    for _ in range(2):
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        for seat, champion in zip(("red", "blue", "green"), (1, 4, 6), strict=True):
            page.locator(f'[data-key^="choose-{seat}-"]').nth(champion % 3).click()
        page.click(key("reveal"))
        visit.settled()
        page.click(key("next-round"))
        visit.settled()
    review = request_review(visit)
    page.click(f"{key('accounts')} > summary")
    assert len(visit.sent("review")[-1]["rounds"]) == 2
    cells = page.locator(".accounts tr > :nth-child(2)").all_inner_texts()
    assert cells[2] == percent(-next(iter(review["players"].values()))["loss"])
    for player in ("red", "blue", "green"):
        page.click(key(f"timeline-{player}"))
        shown = min(6, len(errors_of(review, player)))
        assert page.locator(".errors > li").count() == shown
        assert page.locator(".errors .tree").count() == 2 * shown
    page.set_viewport_size(PHONE["viewport"])
    # The table was 798 pixels wide.
    width = page.locator(".accounts").evaluate("each => each.offsetWidth")
    assert width <= PHONE["viewport"]["width"] - 2 * 16


# Editing --------------------------------------------------------------------------------------


def test_the_editor_changes_every_part_of_a_position(visit: Visit) -> None:
    page = visit.open()
    open_tools(page)
    page.click(key("edit"))
    page.fill(key("score-0"), "7")
    page.fill(key("seat-1"), "nora")
    page.click(key("toggle-0-6"))
    page.fill(key("fruit-2"), "4")
    page.click(key("remove-3"))
    page.click(key("own-track"))
    page.fill(key("length"), "40")
    page.fill(key("space-0"), "4")
    page.click(key("add-bonus"))
    page.fill(key("space-9"), "39")
    page.click(key("grown"))
    page.click(key("apply"))
    page.wait_for_selector(".hand")
    state = visit.sent("legal-moves")[-1]["state"]
    assert [seat["seat"] for seat in state["seats"]] == ["red", "nora", "green"]
    assert (state["seats"][0]["score"], state["fruit"][2]) == (7, 4)
    assert "6" not in state["seats"][0]["hand"]
    assert state["track"]["length"] == 40
    assert {bonus["space"] for bonus in state["track"]["bonuses"]} >= {4, 39}
    assert page.locator(".track li").count() == 41
    assert page.locator(".hand").first.get_by_role("button").count() == 9
    assert shown_scores(page)[0] == 7
    assert "fruit" in (page.locator(".tree svg").get_attribute("aria-label") or "")


# Links ----------------------------------------------------------------------------------------


def test_the_service_rejects_an_invalid_position_from_a_link(visit: Visit) -> None:
    visit.tolerated.append("422")
    evil = "<img src=x onerror=alert(1)>"
    state = {"seats": [{"seat": evil, "score": -1, "hand": [evil]}], "fruit": evil}
    page = visit.open("#snow-time/" + packed({"state": state, "mine": evil}))
    page.wait_for_selector(".problem li")
    assert "/state/seats" not in page.locator(".problem").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator(key("roll")).count() == 1


LABELS = """async (count) => {
  const { setLanguage } = await import("/playground/text.js");
  const { tree } = await import("/playground/snow-time/tree.js");
  await setLanguage("de");
  const ids = ["red", "blue", "green", "yellow", "violet"].slice(0, count);
  const seats = ids.map((seat) => ({ seat, hand: [] }));
  const [own, ...others] = ids.map((seat, place) => ({ seat, place, card: "3", level: 3 }));
  const chances = others.map((each) => ({ ...each, chance: 0.19 }));
  const landed = [{ ...own, advised: true, stays: 1 }];
  const figure = tree({ seats, fruit: [0, 0, 0, 0, 0, 0], cards: {}, fallen: [], chances, landed });
  document.querySelector(".tree").replaceWith(figure);
  const edge = figure.querySelector("svg").getBoundingClientRect().right;
  const boxes = [...figure.querySelectorAll(".chance")].map((each) => each.getBoundingClientRect());
  return boxes.map(({ right }, place) => (boxes[place + 1]?.left ?? edge) - right);
}"""
"""A script that puts players on one level of the tree, and returns the gaps after percentages."""


@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE, LAPTOP], indirect=True)
def test_percentages_of_one_level_do_not_run_together(visit: Visit) -> None:
    page = visit.open()
    for count in range(2, 6):
        gaps = page.evaluate(LABELS, count)
        assert len(gaps) == {2: 2, 3: 3, 4: 2, 5: 3}[count]
        assert min(gaps) >= 3, count
