"""Slopecrashers and Snowcrest in Chromium, against a running service."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.playground.random_games import random_turns
from tests.playground.visit import (
    LAPTOP,
    PHONE,
    Visit,
    act_until,
    enter_json,
    errors_of,
    key,
    out_of_view,
    percent,
    request_review,
    show_numbers,
    start_game,
)

pytestmark = pytest.mark.browser

GAMES = ("slopecrashers", "snowcrest")
MAX_PRESSES = 300


def open_game(visit: Visit, game: str) -> Page:
    page = visit.open(f"#{game}")
    page.wait_for_selector(".choices button")
    return page


def play_a_turn(visit: Visit, page: Page) -> int:
    """Play the first choice of each decision and random draws; return the number of actions."""
    count = act_until(visit, "play-turn")
    page.click(key("play-turn"))
    visit.settled()
    return count


@pytest.mark.parametrize("game", GAMES)
def test_turns_are_played_action_by_action_and_logged(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    for turn in range(1, 3):
        actions = play_a_turn(visit, page)
        resolved = visit.last("resolve")
        # Steps without a choice need no press.
        assert len(resolved["moves"]) >= actions
        assert resolved["state"]["turn"] in page.locator(".now h2").inner_text()
        entries = page.locator(".log > section").first.locator("li")
        assert entries.count() == len(resolved["events"])
        assert all(entries.nth(place).inner_text() for place in range(entries.count()))
        assert page.locator(".log section").count() == turn
    assert max(len(body["so_far"]) for body in visit.sent("legal-moves")) >= 1
    assert "undefined" not in page.inner_text("main")


@pytest.mark.parametrize("game", GAMES)
def test_entered_names_are_shown_in_place_of_ids(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    start_game(page, Anna=" 王小明 ", Hugo="Zoë")
    visit.settled()
    assert [seat["name"] for seat in visit.last("new")["state"]["seats"]] == ["王小明", "Zoë"]
    assert "王小明" in page.locator(".now h2").inner_text()
    page.click(key("ask"))
    page.wait_for_selector(".hint")
    assert page.locator("#hint-title").inner_text() == "A hint for 王小明"
    play_a_turn(visit, page)
    shown = " ".join(page.locator(sel).inner_text() for sel in (".position", ".now", ".log"))
    assert "王小明" in shown
    assert "Zoë" in shown
    assert "Anna" not in shown
    assert "Hugo" not in shown


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_shows_the_values_of_the_service(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    page.click(key("ask"))
    show_numbers(page)
    hint = visit.last("suggest")
    assert page.locator(".hint .advice").inner_text() == hint["advice"]["text"]
    rows = page.locator(".hint .move").all()
    assert len(rows) == min(12, len(hint["moves"]))
    for row, move in zip(rows, hint["moves"], strict=False):
        reasons = row.locator(".reasons li").all_inner_texts()
        assert reasons == [why["text"] for why in move["reasons"]]
        assert row.locator(".amount").inner_text().strip() == f"{100 * move['value']:.1f}%"
    rows[0].get_by_role("button").click()
    page.wait_for_selector(".so-far li")
    assert page.inner_text("#announcer").startswith("You chose: ")
    assert visit.sent("legal-moves")[-1]["so_far"] == [hint["moves"][0]["move"]]


@pytest.mark.parametrize("game", GAMES)
def test_three_presses_lead_to_the_answer(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    page.click(key("coach-nudge"))
    page.wait_for_selector(".nudges")
    assert page.locator(".nudges li").count() == 2
    assert page.locator(".shortlist, .answer, .numbers").count() == 0
    page.click(key("coach-shortlist"))
    page.wait_for_selector(".shortlist")
    assert page.locator(".shortlist li").count() == min(3, len(visit.last("suggest")["moves"]))
    assert page.locator(".answer, .numbers").count() == 0
    visit.ask()
    assert len(visit.sent("suggest")) == 1
    page.click(key("take-first" if page.locator(key("take-first")).count() else "take-pick"))
    page.wait_for_selector(".so-far li, .log li")


@pytest.mark.parametrize("visit", [PHONE, LAPTOP], indirect=True)
def test_the_village_and_the_hint_are_on_one_screen(visit: Visit) -> None:
    """On a wide screen, the village under the common board reached beyond the window."""
    page = open_game(visit, "snowcrest")
    enter_json(page, position_of_random_game("snowcrest", turns=20, players=4))
    visit.settled()
    village, choices = page.evaluate(
        "['.village', '.choices'].map(each => document.querySelector(each).getBoundingClientRect())"
    )
    narrow = page.evaluate("innerWidth") == PHONE["viewport"]["width"]
    # As in the other games, the board is above the choices on a phone, and beside them otherwise.
    assert (village["y"] + village["height"] <= choices["y"]) == narrow
    visit.ask()
    assert page.locator(".common, .common + .village, .coach").count() == 3
    assert out_of_view(page, ".common, .common + .village, .coach") == []


@pytest.mark.parametrize("game", GAMES)
def test_played_turns_can_be_reviewed(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    for _ in range(2):
        play_a_turn(visit, page)
    review = request_review(visit)
    page.click(f"{key('accounts')} > summary")
    table = page.locator(".accounts")
    for column, (player, account) in enumerate(review["players"].items()):
        cells = table.locator(f"tr > :nth-child({column + 2})").all_inner_texts()
        assert cells[0] == player
        assert cells[2] == percent(-account["loss"])
        luck = account["luck"]
        assert cells[3] == percent(luck["draws"] + luck["others"])
        assert cells[6:] == [str(count) for count in account["classes"].values()]
    assert_errors_are_shown(page, review)
    page.click(key("timeline-previous"))
    page.wait_for_selector(key("timeline-back"))
    visit.settled()
    assert page.locator(".log > section").count() == 1
    page.locator(".choices button").last.click()
    page.get_by_text("You are trying something else", exact=False).wait_for()
    page.click(key("timeline-back"))
    page.wait_for_selector(f"{key('timeline-back')}", state="detached")
    visit.settled()
    assert page.locator(".log section").count() == 2


def assert_errors_are_shown(page: Page, review: Any) -> None:
    """Assert that each error of a player has its turn, its reasons and two boards."""
    for player in review["players"]:
        page.click(key(f"timeline-{player}"))
        items, wrong = page.locator(".errors > li"), errors_of(review, player)
        assert items.count() == min(6, len(wrong))
        for item, error in zip(items.all(), wrong, strict=False):
            text = item.inner_text()
            assert f"−{100 * error['loss']:.1f}%" in text
            assert f"Turn {error['turn'] + 1}" in text
            for reason in error.get("reasons", []) + error.get("best_reasons", []):
                assert reason["text"] in text
            assert item.locator("figure :is(.slope, .sketch)").count() == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_service_plays_for_the_other_players(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    start_game(page, 3, 1)
    page.wait_for_selector(".log li")
    players = [seat["player"] for seat in visit.last("resolve")["state"]["seats"]]
    assert len(players) == 3
    assert page.locator(".now h2").inner_text().split()[1].startswith(players[1])
    assert page.locator(".choices button, [data-key=draw-random]").count() >= 1


@pytest.mark.parametrize("game", GAMES)
def test_cards_of_the_other_players_are_hidden_until_the_end(visit: Visit, game: str) -> None:
    """Against the service, its hands and gifts were open, and so was what it drew."""
    page = visit.open(f"#{game}/play")
    visit.settled()
    state = position_of_random_game(game, turns=0, players=2)
    first, second = state["seats"]
    field = "gifts" if game == "slopecrashers" else "hand"
    if game == "slopecrashers":
        first["gifts"], second["gifts"] = ["chili"], ["rocket", "magnet"]
    enter_json(page, state)
    visit.settled()
    cards = ".racer" if game == "slopecrashers" else ".village"
    shown = [page.locator(cards).nth(place).inner_text() for place in range(2)]
    names = page.evaluate(f"fetch('/v1/games/{game}').then(each => each.json())")["cards"]
    assert all(names[card]["en"] in shown[0] for card in first[field])
    assert not any(names[card]["en"] in shown[1] for card in second[field])
    assert shown[1].lower().count("unknown") == len(second[field])

    # The log says what the service does, but not what it draws or could play.
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/suggest", hold_the_first)
    press_buttons(page, lambda: bool(held))
    assert page.locator(".choices button").count() == 0
    held[0].continue_()
    drawn: list[tuple[str, str]] = []

    def has_drawn() -> bool:
        turn = visit.last("resolve")
        lines = page.locator(".log > section").first.locator("li").all_inner_texts()
        drawn.extend(
            (names[event["card"]]["en"], line)
            for event, line in zip(turn["events"], lines, strict=True)
            if event["type"] == "draw" and event["player"] == "Hugo"
        )
        return bool(drawn)

    press_buttons(page, has_drawn)
    assert not any(card in line for card, line in drawn)

    # At the end, everything is shown.
    enter_json(page, last_turn(game)["resolved"])
    visit.settled()
    assert page.locator(".position").get_by_text("unknown").count() == 0


def test_the_course_shows_the_position_of_each_player(visit: Visit) -> None:
    page = open_game(visit, "slopecrashers")
    play_a_turn(visit, page)
    seat = visit.last("resolve")["state"]["seats"][0]
    space = f"{'ABCD'[seat['lane']]}{seat['row']}"
    labels = [each.get_attribute("aria-label") or "" for each in page.locator(".piece").all()]
    assert sum(f"{seat['player']} {space}" in label for label in labels) == 1
    assert f"lap 1, {space}" in page.locator(".racer").first.inner_text()
    assert page.locator(".piece").count() == 6


def test_villages_show_the_abilities_of_their_cards(visit: Visit) -> None:
    page = open_game(visit, "snowcrest")
    cells = page.locator(".village").first.locator(".cell")
    assert cells.count() == 9
    farmer = page.locator(".village .resident", has_text="Farmer").first
    titles = farmer.locator(".amount-icons").evaluate_all("all => all.map(each => each.title)")
    assert titles == ["1 barley", "2 barley", "1 card"]
    assert page.locator(".common .folk").first.locator("li").count() == 5
    # A building of any kind was called "any resource".
    builder = page.locator(".village").first.locator(".person", has_text="Builder").first
    assert "build any building" in builder.inner_text()


def test_a_solo_game_has_a_difficulty(visit: Visit) -> None:
    page = open_game(visit, "snowcrest")
    page.click('[data-key="setup"] summary')
    page.select_option(key("setup-players"), "1")
    page.select_option(key("setup-difficulty"), "3")
    page.click(key("setup-start"))
    page.wait_for_selector(".common + .village:last-child")
    assert visit.last("new")["state"]["difficulty"] == 3


def press_buttons(page: Page, done: Callable[[], bool]) -> None:
    """Go on with the game by the first button that is not disabled, until `done` returns true."""
    # Playwright's click would wait for a button that is disabled while a hint is held.
    press = "(all) => all.map((each) => document.querySelector(each)).find(Boolean)?.click()"
    buttons = (key("draw-random"), key("play-turn"), ".choices button")
    for _ in range(MAX_PRESSES):
        if done():
            return
        page.evaluate(press, [f"{each}:enabled" for each in buttons])
        page.wait_for_timeout(100)
    raise AssertionError("the game has not come this far")


def position_of_random_game(game: str, *, turns: int, players: int) -> Any:
    """Return the position after some turns of a random game."""
    return next(islice(random_turns(game, players, 1), turns, None))[0]


OF_OTHERS = {"draw", "give", "suffer", "bid", "answer"}
"""Actions that the page draws, or that other players choose."""


def last_turn(game: str) -> dict[str, Any]:
    """Return a position that a random game reached before its last turn, of own choices only."""
    for seed in range(1, 1_000):
        *_, (state, moves, result) = random_turns(game, 2, seed)
        if not OF_OTHERS.intersection(move["type"] for move in moves):
            break
    winner, resolved = result["winners"][0], result["state"]
    return {"state": state, "moves": moves, "winner": winner, "resolved": resolved}


@pytest.mark.parametrize("game", GAMES)
def test_the_turn_that_ends_the_game_is_resolved_and_names_the_winner(
    visit: Visit, game: str
) -> None:
    """It was never sent to `resolve`, so no winner was shown and nothing could be reviewed."""
    ending = last_turn(game)
    page = open_game(visit, game)
    enter_json(page, ending["state"])
    visit.settled()
    assert page.locator(".standings").count() == 0
    page.route(
        "**/suggest",
        lambda route: route.fulfill(
            json={"pick": ending["moves"][len(route.request.post_data_json["so_far"])]}
        ),
    )
    # The page makes a step without a choice at once; then the turn can be complete.
    page.click(f"{key('finish')}, {key('play-turn')}")
    page.wait_for_selector(".log li")
    visit.settled()
    assert visit.last("resolve")["game_over"]
    assert "The game is over" in page.inner_text(".now")
    assert f"{ending['winner']} wins." in page.inner_text(".now")
    assert ending["winner"] in page.inner_text(".now .standings li:first-child")
    assert page.locator(".now .standings li").count() == 2
    assert page.locator(f".now {key('finish')}, .now {key('ask')}").count() == 0
    assert page.locator(key("review")).count() == 1
    assert page.locator(".position").get_by_text("to play").count() == 0
    page.set_viewport_size(PHONE["viewport"])
    top = "each => each.getBoundingClientRect().y"
    parts = (page.locator(part).first for part in (".now", ".position .panel"))
    now, position = (part.evaluate(top) for part in parts)
    assert now < position


def test_the_final_scores_are_shown(visit: Visit) -> None:
    page = open_game(visit, "snowcrest")
    state = visit.last("new")["state"]
    me = state["turn"]
    [other] = {seat["player"] for seat in state["seats"]} - {me}
    none = {"omen": 0, "omen_tokens": 0, "majorities": {}, "resources": {}}
    scores = {
        me: none | {"points": 12, "scrolls": 9, "buildings": 3, "majorities": {"gold": 1}},
        other: none | {"points": 13, "scrolls": 13, "buildings": 0},
    }

    def with_scores(route: Any) -> None:
        response = route.fetch()
        document = response.json() | {"scores": scores, "solo": {"won": True, "grade": "survived"}}
        route.fulfill(response=response, json=document)

    def over(route: Any) -> None:
        ended = {"decision": "none", "moves": {}, "game_over": True}
        route.fulfill(json=route.fetch().json() | ended)

    page.route("**/resolve", with_scores)
    act_until(visit, "play-turn")
    page.route("**/legal-moves", over)
    page.click(key("play-turn"))
    page.get_by_text("You have won.", exact=False).wait_for()
    # The winner comes first.
    shown = page.locator(".now tbody tr").evaluate_all(
        "all => all.map(row => [...row.querySelectorAll('td')].map(each => Number(each.innerText)))"
    )
    assert shown == [[13, 12], [13, 9], [0, 3], [0, 0], [0, 0], [0, 1]]
