"""The timeline of a game in Chromium: review, what if, retries, and the end screen."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Any

import pytest
from golden import asking as golden
from playwright.sync_api import Page, Route

from tests.playground.visit import (
    NARROW,
    PHONE,
    Visit,
    accessibility_failures,
    key,
    percent,
    request_review,
)

pytestmark = pytest.mark.browser

SEATS = ("red", "blue", "green")
CARDS = ["1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard"]
SHOWN = ("inaccuracy", "mistake", "blunder")


def short_game() -> dict[str, Any]:
    """Return the record of a random game that begins near its end."""
    random = Random(4)
    seats = [{"seat": seat, "player": seat, "score": 24, "hand": CARDS} for seat in SEATS]
    start: dict[str, Any] = {"seats": seats, "fruit": [0] * 6}
    state, steps, over = start, [], False
    while not over:
        seed = random.getrandbits(32)
        grown = golden.ask("snow-time", "grow", {"state": state, "seed": seed})
        revealed: dict[str, Any] = {}
        while True:
            body = {"state": grown["state"]} | ({"revealed": revealed} if revealed else {})
            legal = golden.ask("snow-time", "legal-moves", body)["moves"]
            if not legal:
                break
            revealed |= {seat: random.choice(moves) for seat, moves in legal.items()}
        body = {"state": grown["state"], "moves": revealed}
        resolved = golden.ask("snow-time", "resolve", body)
        steps += [{"dice": grown["dice"]}, {"moves": revealed}]
        state, over = resolved["state"], resolved["game_over"]
    record = {"id": "a" * 32, "game": "snow-time", "start": start, "mine": ["red"], "steps": steps}
    return record | {"winners": resolved["winners"], "final": state}


def open_record(visit: Visit, record: dict[str, Any]) -> Page:
    """Open a stored game."""
    page = visit.page
    page.goto(f"http://{visit.host}/")
    name = f"game:{record['id']}"
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, json.dumps(record)])
    return visit.open(f"#{record['game']}")


def stored(page: Page) -> Any:
    return json.loads(page.evaluate(f"localStorage.getItem('game:{'a' * 32}')"))


def test_a_finished_game_is_reviewed_tried_again_and_kept(visit: Visit) -> None:
    record = short_game()
    page = open_record(visit, record)

    # The end screen.
    assert page.inner_text(".now .eyebrow") == f"Round {len(record['steps']) // 2}"
    ranking = page.locator(".now .standings li").all_inner_texts()
    scores = sorted((seat["score"] for seat in record["final"]["seats"]), reverse=True)
    assert [int(line.split()[-1]) for line in ranking] == scores
    assert ranking[0].split()[0].lower() in record["winners"]
    with page.expect_download() as download:
        page.click(key("end-image"))
    assert download.value.path().read_bytes().startswith(b"\x89PNG")

    # The timeline.
    result = request_review(visit)
    mistakes = [
        each for each in result["decisions"] if each["player"] == "red" and each["class"] in SHOWN
    ]
    assert page.locator(".dot").count() == len(mistakes) > 0
    own = [each for each in result["decisions"] if each["player"] == "red"]
    worst = max(own, key=lambda each: each["loss"])
    lines = page.locator(".moments li").all_inner_texts()
    assert any(f"Costliest decision, Round {worst['round'] + 1}: " in line for line in lines)
    good = sum(each["class"] not in SHOWN for each in own)
    assert f"Skill: {good} of {len(own)} decisions were good." in lines[-1]
    luck = result["players"]["red"]["luck"]
    assert f"{100 * abs(luck['draws'] + luck['others']):.1f}%" in lines[-2]
    assert accessibility_failures(page) == []
    rounds = len(record["steps"]) // 2
    page.focus(key("timeline-red"))
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="Choose a card").wait_for()
    share = result["rounds"][-1]["before"]["red"]
    assert page.inner_text(".timeline output") == f"Round {rounds}: {100 * share:.1f}%"
    page.focus(key("timeline-slider"))
    page.keyboard.press("Home")
    page.get_by_text("Round 1:", exact=False).wait_for()
    assert page.evaluate("document.activeElement.dataset.key") == "timeline-slider"

    # What if: the others play as they did, and the game as played stays.
    page.locator(".dot").first.dispatch_event("click")
    first = mistakes[0]["round"]
    page.get_by_text(f"Round {first + 1}:", exact=False).first.wait_for()
    visit.settled()
    played = record["steps"][2 * first + 1]["moves"]
    page.locator('.hand button[aria-pressed="false"]').first.click()
    page.click(key("reveal"))
    visit.settled()
    while not page.locator(key("next-round")).count():
        page.locator(".hand button").first.click()
        page.click(key("reveal"))
        visit.settled()
    last = stored(page)["steps"][-1]["moves"]
    assert {seat: last[seat]["card"] for seat in ("blue", "green")} == {
        seat: played[seat]["card"] for seat in ("blue", "green")
    }
    assert last["red"] != played["red"]
    assert stored(page)["line"] == record["steps"]
    page.click(key("next-round"))
    page.click(key("timeline-compare"))
    page.get_by_text("in the game as played", exact=False).wait_for()
    assert page.locator(".curve.tried").count() == 1
    page.reload()
    page.click(key("timeline-back"))
    page.get_by_role("heading", name="The game is over").wait_for()
    assert stored(page)["steps"] == record["steps"]
    assert "line" not in stored(page)

    # The keyboard goes back and forward, too.
    page.keyboard.press("Control+z")
    page.get_by_role("heading", name="Choose a card").wait_for()
    page.keyboard.press("Control+y")
    page.get_by_role("heading", name="The game is over").wait_for()


def test_mistakes_are_tried_again_with_the_moves_of_the_service(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    page = open_record(visit, short_game())
    result = request_review(visit)
    worst = {"mistake", "blunder"}
    counts = {
        player: sum(account["classes"][word] for word in worst)
        for player, account in result["players"].items()
    }
    player = max(counts, key=lambda name: counts[name])
    page.click(key(f"timeline-{player}"))
    page.click(key("retry"))
    for number in range(counts[player]):
        page.get_by_role("heading", name=f"Mistake {number + 1} of {counts[player]}").wait_for()
        page.wait_for_selector(".retry-moves button:enabled")
        visit.settled()
        moves = visit.last("suggest")["moves"]
        assert page.locator(".retry-moves button").count() == len(moves)
        if number == 0:
            assert accessibility_failures(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
            page.click(key("retry-show"))
        while not page.locator(key("retry-next")).count():
            page.locator(".retry-moves button:enabled").first.click()
        page.click(key("retry-next"))
    page.get_by_role("heading", name="All mistakes tried").wait_for()
    page.click(key("retry-stop"))
    page.get_by_role("heading", name="The game is over").wait_for()


def test_a_review_can_be_stopped_and_continued(visit: Visit) -> None:
    page = open_record(visit, short_game())
    held: list[Route] = []
    page.route("**/review", lambda route: held.append(route))
    with page.expect_request("**/review"):
        page.locator(key("review")).first.click()
    page.click(key("review-stop"))
    page.wait_for_selector(key("review-on"))
    page.unroute("**/review")
    page.click(key("review-on"))
    page.wait_for_selector(".timeline-graph")
    assert held


def reviewed_race(visit: Visit) -> Any:
    """Play a race in which Anna does not move after the start, and return its review."""
    page = visit.open("#slopecrashers/play")
    page.wait_for_selector(".touch.lit")
    for _ in range(4):
        page.locator(f".choices {key('choice-0')}").or_(page.locator(key("play-turn"))).wait_for()
        while page.locator(key("play-turn")).count() == 0:
            end = page.get_by_role("button", name="End the turn", exact=True)
            (end if end.count() else page.locator(key("choice-0"))).click()
            visit.settled()
        page.click(key("play-turn"))
        visit.settled()
    return request_review(visit)


def practise(page: Page) -> None:
    """Go to the practice page."""
    page.click(key("brand"))
    page.click(key("practice"))
    page.wait_for_selector(".practice")


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_mistakes_of_reviewed_games_become_puzzles_and_figures(visit: Visit) -> None:
    review = reviewed_race(visit)
    page = visit.page
    account = review["players"]["Anna"]
    wrong = [each for each in review["decisions"] if each["class"] in ("mistake", "blunder")]
    assert [each for each in wrong if each["player"] == "Anna"]

    practise(page)
    assert accessibility_failures(page) == []
    cells = page.locator(".practice tbody td").all_inner_texts()
    figures = [-account["loss"], account["luck"]["draws"] + account["luck"]["others"]]
    assert cells[:3] == ["1", "–", "50.0%"]
    assert cells[3:5] == [percent(value) for value in figures]
    with page.expect_download() as download:
        page.click(key("practice-export"))
    saved = json.loads(download.value.path().read_bytes())
    assert [each["game"] for each in saved["reviews"]] == ["slopecrashers"]
    assert len(saved["games"]) >= 1

    page.click(key("puzzle-day"))
    page.wait_for_selector(key("retry-show"))
    visit.settled()
    hint = visit.last("suggest")
    assert hint["advice"]["code"] == "clear"
    page.click(key("retry-show"))
    best = max(hint["moves"], key=lambda each: each["value"])
    names = {"right": "Step right", "left": "Step left", "forward": "Step forward"}
    name = names.get(best["move"].get("direction", ""), "")
    assert f"The best choice was {name}" in page.inner_text(".retry")
    # The game as played is still there.
    page.click(key("retry-stop"))
    page.wait_for_selector(".retry", state="detached")
    visit.settled()
    assert page.locator(".log section").count() == 8


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_solved_puzzle_is_crossed_off_and_offered_again_on_another_day(visit: Visit) -> None:
    reviewed_race(visit)
    page = visit.page
    practise(page)
    solved = 0
    while page.locator(key("puzzle-day")).count():
        page.click(key("puzzle-day"))
        page.wait_for_selector(f"{key('retry-show')}:enabled, .practice .sentence")
        if page.locator(".practice").count():
            break
        while page.locator(key("retry-show")).count():
            page.locator(".retry-moves button:enabled").first.click()
        page.click(key("retry-next"))
        page.wait_for_selector(".practice")
        solved += 1
        assert page.locator(".solved s").count() == solved
    assert solved > 0
    assert "You have solved all puzzles of today." in page.inner_text(".practice")
    assert accessibility_failures(page) == []
    page.clock.set_system_time(time.time() + 24 * 3600)
    page.reload()
    page.wait_for_selector(key("puzzle-day"))
    assert page.locator(".solved").count() == 0


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_new_visitor_has_puzzles_to_solve(visit: Visit) -> None:
    page = visit.page
    page.goto(f"http://{visit.host}/#practice")
    page.wait_for_selector(".practice")
    assert page.locator(key("practice-export")).count() == 0
    for solved, game in enumerate(("snow-time", "slopecrashers"), 1):
        page.click(key(f"puzzle-{game}"))
        page.wait_for_selector(f"{key('retry-show')}:enabled")
        while page.locator(key("retry-show")).count():
            page.locator(".retry-moves button:enabled").first.click()
        page.click(key("retry-next"))
        page.wait_for_selector(".practice")
        assert page.locator(".solved s").count() == solved
    assert page.locator(key("puzzle-day")).count() == 0


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_position_without_a_clearly_best_choice_is_no_puzzle(visit: Visit) -> None:
    reviewed_race(visit)
    page = visit.page

    def unclear(route: Route) -> None:
        hint = route.fetch().json()
        margin = {"code": "clear", "params": {"margin": 0.019}}
        advice = [hint["advice"] | {"code": "equal"}, hint["advice"] | margin]
        route.fulfill(json=hint | {"advice": advice[len(asked) % 2]})
        asked.append(route)

    asked: list[Route] = []
    page.route("**/suggest", unclear)
    practise(page)
    page.click(key("puzzle-day"))
    page.get_by_text("where one choice was clearly best", exact=False).wait_for()
    assert len(asked) > 1
    # It stays out.
    page.reload()
    page.get_by_text("where one choice was clearly best", exact=False).wait_for()
    assert page.locator(key("puzzle-day")).count() == 0
