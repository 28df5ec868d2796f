"""Snow Time at the page, in a real browser against the service."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from service.games.registry import GAMES
from tests.playground.visit import Visit

pytestmark = pytest.mark.browser

MOST_ROUNDS = 60
STEPPED_ROUNDS = 2
MOST_TABS = 80


def begin(page: Page, players: int, mine: int = 0) -> None:
    page.click('[data-key="setup"] summary')
    page.select_option('[data-key="setup-players"]', str(players))
    page.select_option('[data-key="setup-mine"]', str(mine))
    page.click('[data-key="setup-start"]')
    page.wait_for_selector('[data-key="roll"]:enabled')


def key(name: str) -> str:
    return f'[data-key="{name}"]'


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def amounts(place: Locator) -> list[str]:
    return [text.strip() for text in place.locator(".amount").all_inner_texts()]


def widths(place: Locator) -> list[float]:
    read = "fills => fills.map(fill => parseFloat(fill.style.width))"
    told: list[float] = place.locator(".fill").evaluate_all(read)
    return told


def scores(visit: Visit) -> dict[str, int]:
    state = visit.last("resolve")["state"]
    return {seat["seat"]: seat["score"] for seat in state["seats"]}


def shown_scores(page: Page) -> list[int]:
    texts = page.locator(".seat-head .score").all_inner_texts()
    return [int(text.split()[-1]) for text in texts]


# Whole games ----------------------------------------------------------------------------------


def test_a_whole_game_is_played_against_the_service_by_clicks(visit: Visit) -> None:
    page = visit.open()
    begin(page, 3)
    rounds = 0
    while not page.get_by_role("heading", name="The game is over").count():
        rounds += 1
        assert rounds <= MOST_ROUNDS
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        while page.locator(".hand").count():
            for hand in page.locator(".hand").all():
                cards = hand.get_by_role("button")
                # Another card each round, so that all sorts of them are played.
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
    told = page.locator(".now .sentence").inner_text()
    assert all(names[winner] in told for winner in resolved["winners"])
    assert shown_scores(page) == list(scores(visit).values())
    asked = [request for request in visit.requests if request.url.endswith("/suggest")]
    nonces = [request.post_data_json["nonce"] for request in asked]
    assert len(nonces) >= 2 * rounds
    assert len(set(nonces)) == len(nonces)


def tab_to(page: Page, wanted: str) -> None:
    """Presses Tab until what is wanted has the focus, and it is seen to have it."""
    for _ in range(MOST_TABS):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {wanted}")


def enter(page: Page, wanted: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def test_the_two_player_variant_is_played_by_keyboard_alone(visit: Visit) -> None:
    page = visit.open()
    enter(page, '[data-key="setup"] > summary')
    tab_to(page, key("setup-players"))
    page.keyboard.press("2")
    enter(page, key("setup-start"))
    page.wait_for_selector('[data-key="roll"]:focus')
    rounds = 0
    while not page.get_by_role("heading", name="The game is over").count():
        rounds += 1
        assert rounds <= MOST_ROUNDS
        enter(page, key("roll"))
        page.wait_for_selector(".hand")
        while page.locator(".hand").count():
            for seat in [
                hand.get_attribute("aria-labelledby") for hand in page.locator(".hand").all()
            ]:
                enter(page, f'[aria-labelledby="{seat}"] button')
            enter(page, key("reveal"))
            visit.settled()
        enter(page, key("next-round"))
        visit.settled()
    assert len(scores(visit)) == 4
    assert shown_scores(page) == list(scores(visit).values())


# The round from its log -----------------------------------------------------------------------

STRUCK = {
    "seats": [
        {"seat": "red", "player": "red", "score": 12, "hand": ["6", "healer"]},
        {"seat": "blue", "player": "blue", "score": 14, "hand": ["5", "healer"]},
        {"seat": "green", "player": "green", "score": 13, "hand": ["4", "healer", "watcher"]},
    ],
    "fruit": [0, 0, 1, 0, 0, 2],
}


def lay(page: Page, state: Any, grown: bool = True) -> None:
    """The position, through the editor's text."""
    page.click(key("edit"))
    if page.locator(key("grown")).is_checked() != grown:
        page.click(key("grown"))
    page.click('[data-key="json-fold"] summary')
    page.fill(key("json"), json.dumps(state))
    page.click(key("json-apply"))


def everybody(page: Page) -> None:
    """Nobody but the person decides."""
    begin(page, 3, -1)


def choose(page: Page, seat: str, name: str) -> None:
    page.locator(f'[aria-labelledby="hand-{seat}"]').get_by_role("button", name=name).click()


def test_a_round_is_played_back_from_its_log_with_its_rulings(visit: Visit) -> None:
    page = visit.open()
    everybody(page)
    lay(page, STRUCK)
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
    told = []
    for place, event in enumerate(events):
        told.append(page.locator(".now .sentence").inner_text())
        ruling = page.locator(".now .ruling-fold")
        assert ruling.count() == ("rule" in event)
        if "rule" in event:
            assert event["rule"] in ruling.inner_text()
        if place + 1 < len(events):
            page.click(key("step"))
    assert "Red on level 6 knocks down Blue. Red +1 Fight (12 → 13)." in told
    assert "Red takes the fruit of level 6. Red +2 Fruit (13 → 15)." in told
    assert shown_scores(page) == [17, 14, 14]
    label = page.locator(".tree svg").get_attribute("aria-label") or ""
    assert "Level 5: Blue (knocked down)." in label
    assert "Level 6: Red." in label
    page.click(key("back"))
    assert page.locator(".now .sentence").inner_text() == told[-2]


def test_the_healer_takes_back_what_is_chosen(visit: Visit) -> None:
    page = visit.open()
    everybody(page)
    lay(page, STRUCK)
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


def test_five_sit_around_the_tree(visit: Visit) -> None:
    page = visit.open()
    begin(page, 5, 4)
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


def test_only_the_hand_that_is_chosen_is_visible(visit: Visit) -> None:
    page = visit.open()
    rows = page.locator(".seat-row")
    assert rows.locator(".chip.held").count() == 40
    page.select_option(key("visible"), "blue")
    assert rows.locator(".chip.held").count() == 10
    assert rows.nth(1).locator(".chip.held").count() == 10
    assert "10 more in hand" in rows.nth(0).inner_text()


# Hints ----------------------------------------------------------------------------------------


def in_names(text: str) -> str:
    """The page calls seats by names of its own."""
    return re.sub(
        r"(?<![\w-])(red|blue|green|yellow|violet)(?![\w-])", lambda m: m[0].title(), text
    )


def test_a_hint_goes_with_the_language_that_it_was_asked_in(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    page.select_option(key("language"), "de")
    page.wait_for_selector('html[lang="de"]')
    assert page.locator(".hint").count() == 0


def test_a_hint_is_shown_as_bars_of_what_the_service_answers(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    hint = visit.last("suggest")
    best = max(each["value"] for each in hint["moves"])
    rows = page.locator(".hint .move").all()
    assert len(rows) == len(hint["moves"]) == 10
    for row, told in zip(rows, hint["moves"], strict=True):
        survival = told["survival"]["red"]
        shares = [told["probability"], told["value"]] + ([survival] if survival is not None else [])
        assert amounts(row) == [percent(share) for share in shares]
        lengths = [100 * shares[0], 100 * told["value"] / best] + [100 * s for s in shares[2:]]
        assert widths(row) == pytest.approx(lengths, abs=0.06)
        assert [text.strip() for text in row.locator(".reasons li").all_inner_texts()] == [
            in_names(reason["text"]) for reason in told["reasons"]
        ]
    outlook = page.locator(".outlook")
    assert amounts(outlook) == [percent(share) for share in hint["outlook"].values()]
    drawn = page.locator(".hint .move.drawn")
    assert drawn.count() == 1
    drawn.get_by_role("button").click()
    taken = page.locator('.hand [aria-pressed="true"]')
    assert taken.count() == 1
    assert (taken.get_attribute("title") or "!") in drawn.inner_text()


def test_reasons_are_shown_as_they_are_told_and_never_as_markup(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))

    def reasoned(route: Any) -> None:
        response = route.fetch()
        told = response.json()
        for move in told["moves"]:
            move["reasons"] = []
        told["moves"][0]["reasons"] = [
            {"code": "mana", "params": {"share": 0.5}, "text": "Half the time <b>mana</b>."},
            {"code": "silent", "params": {}},
        ]
        route.fulfill(response=response, json=told)

    page.route("**/suggest", reasoned)
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    assert page.locator(".reasons li").all_inner_texts() == ["Half the time <b>mana</b>."]
    assert page.locator(".reasons").count() == 1


def test_what_is_asked_for_is_what_was_chosen(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click('[data-key="asking"] summary')
    page.select_option(key("ask-objective"), "points")
    page.select_option(key("ask-model"), "uniform")
    page.select_option(key("ask-tier"), "quick")
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    body = [each for each in visit.requests if each.url.endswith("/suggest")][-1].post_data_json
    assert (body["objective"], body["opponents"], body["tier"]) == (
        "points",
        {"model": "uniform"},
        "quick",
    )
    told = visit.last("suggest")["moves"][0]
    assert amounts(page.locator(".hint .move").first)[1] == f"{told['value']:.2f}"


@pytest.mark.parametrize("level", ["nudge", "shortlist"])
def test_less_is_told_where_less_is_asked_for(visit: Visit, level: str) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click('[data-key="asking"] summary')
    page.select_option(key("ask-level"), level)
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    told = visit.last("suggest")
    assert page.locator(".nudges li").all_inner_texts() == [one["text"] for one in told["nudges"]]
    names = [GAMES["snow-time"].about["cards"][each["red"]["card"]]["en"]
             for each in told.get("shortlist", [])]  # fmt: skip
    assert page.locator(".shortlist li").all_inner_texts() == names
    assert bool(names) == (level == "shortlist")
    assert page.locator(".hint .bars").count() == 0


def test_what_to_do_next_is_shown_beside_what_is_revealed(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))

    def followed(route: Any) -> None:
        response = route.fetch()
        told = response.json()
        revealed = {"red": {"card": "healer"}, "blue": {"card": "4"}}
        then = {"red": {"card": "healer", "recover": ["1", "2"]}}
        told["next"] = [
            {"move": {"red": {"card": "healer"}}, "revealed": revealed, "probability": 0.25,
             "next": then, "value": 0.3}
        ]  # fmt: skip
        route.fulfill(response=response, json=told)

    page.route("**/suggest", followed)
    page.click(key("ask-red"))
    page.wait_for_selector(".hint")
    body = [each for each in visit.requests if each.url.endswith("/suggest")][-1].post_data_json
    assert (body["include"], body["hint_level"]) == (["next"], "card")
    [text] = page.locator(".next li").all_inner_texts()
    for word in ("Healer", "Champion 4", "25", "Champion 1 + Champion 2"):
        assert word in text


# Reviews ----------------------------------------------------------------------------------------

VERBS = [verb.name for verb in GAMES["snow-time"].endpoints]


@pytest.mark.skipif("review" not in VERBS, reason="Snow Time has no review")
def test_the_rounds_that_were_played_are_reviewed(visit: Visit) -> None:
    page = visit.open()
    begin(page, 3, -1)
    for _ in range(2):
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        for seat, champion in zip(("red", "blue", "green"), (1, 4, 6), strict=True):
            page.locator(f'[data-key^="choose-{seat}-"]').nth(champion % 3).click()
        page.click(key("reveal"))
        visit.settled()
        page.click(key("next-round"))
        visit.settled()
    page.click(key("review"))
    page.wait_for_selector(".review")
    asked = [each for each in visit.requests if each.url.endswith("/review")][-1]
    assert len(asked.post_data_json["rounds"]) == 2
    review = visit.last("review")
    cells = page.locator(".review tbody tr").first.locator("th, td").all_inner_texts()
    assert cells[2] == percent(next(iter(review["players"].values()))["loss"])


# Editing --------------------------------------------------------------------------------------


def test_any_position_can_be_made(visit: Visit) -> None:
    page = visit.open()
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
    asked = [each for each in visit.requests if each.url.endswith("/legal-moves")][-1]
    state = asked.post_data_json["state"]
    assert [seat["seat"] for seat in state["seats"]] == ["red", "nora", "green"]
    assert (state["seats"][0]["score"], state["fruit"][2]) == (7, 4)
    assert "6" not in state["seats"][0]["hand"]
    assert state["track"]["length"] == 40
    assert {bonus["space"] for bonus in state["track"]["bonuses"]} >= {4, 39}
    assert page.locator(".track li").count() == 41
    assert page.locator(".hand").first.get_by_role("button").count() == 9
    assert shown_scores(page)[0] == 7
    assert "fruit" in (page.locator(".tree svg").get_attribute("aria-label") or "")


def test_every_fault_of_a_position_is_shown_with_its_path(visit: Visit) -> None:
    visit.tolerated.append("422")
    page = visit.open()
    page.click(key("edit"))
    page.fill(key("score-0"), "31")
    page.fill(key("fruit-0"), "16")
    page.fill(key("fruit-1"), "")
    page.click(key("toggle-2-healer"))
    page.click(key("apply"))
    paths = page.locator(".problem code")
    paths.first.wait_for()
    assert {"/state/seats/0/score", "/state/fruit/0", "/state/fruit/1"} <= set(
        paths.all_inner_texts()
    )
    # The editor stays open, with what was put in.
    assert page.input_value(key("score-0")) == "31"
    page.fill(key("fruit-1"), "0")
    page.fill(key("fruit-0"), "0")
    page.fill(key("score-0"), "3")
    page.click(key("toggle-2-healer"))
    page.click(key("apply"))
    page.wait_for_selector(".editor", state="detached")
    assert page.locator(".problem").count() == 0


def test_text_that_is_no_json_is_said_to_be_none(visit: Visit) -> None:
    page = visit.open()
    page.click(key("edit"))
    page.click('[data-key="json-fold"] summary')
    page.fill(key("json"), "{")
    page.click(key("json-apply"))
    assert re.match("This is no JSON", page.locator(".editor [role=status]").inner_text())


# Links ----------------------------------------------------------------------------------------


def test_a_position_goes_round_by_link(visit: Visit, browser: Any) -> None:
    page = visit.open()
    everybody(page)
    lay(page, STRUCK)
    page.wait_for_selector(".hand")
    page.click(key("share"))
    page.wait_for_selector("#notice:not(:empty)")
    link = page.url
    fragment = link.partition("#")[2]
    assert len(fragment) > 100
    other = browser.new_context().new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    other.wait_for_selector(".hand")
    assert shown_scores(other) == [12, 14, 13]
    assert other.locator(".hand").count() == 3
    assert not any(fragment in url for url in asked)
    other.context.close()


@pytest.mark.parametrize(
    "fragment", ["#snow-time/%%%", "#snow-time/bnVsbA", "#chess", "#snow-time/e30"]
)
def test_a_broken_link_is_said_to_be_one(visit: Visit, fragment: str) -> None:
    page = visit.open(fragment)
    page.wait_for_selector("#notice:not(:empty)")
    assert "no position" in page.locator("#notice").inner_text()
    assert page.locator(key("roll")).count() == 1


def test_a_link_with_an_impossible_position_is_refused_by_the_service(visit: Visit) -> None:
    visit.tolerated.append("422")
    evil = "<img src=x onerror=alert(1)>"
    state = {"seats": [{"seat": evil, "score": -1, "hand": [evil]}], "fruit": evil}
    packed = base64.urlsafe_b64encode(json.dumps({"state": state, "mine": evil}).encode())
    page = visit.open("#snow-time/" + packed.decode().rstrip("="))
    page.wait_for_selector(".problem code")
    assert "/state/seats" in page.locator(".problem").inner_text()
    assert page.locator("img").count() == 0
    assert page.locator(key("roll")).count() == 1


# Faults ---------------------------------------------------------------------------------------


def test_a_service_that_is_away_is_said_to_be(visit: Visit) -> None:
    visit.tolerated.append("ERR_FAILED")
    page = visit.open()
    page.route("**/grow", lambda route: route.abort())
    page.click(key("roll"))
    page.wait_for_selector(".problem")
    assert "cannot be reached" in page.locator(".problem").inner_text()
    page.wait_for_selector('[data-key="roll"]:focus')
    page.unroute("**/grow")
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    assert page.locator(".problem").count() == 0
