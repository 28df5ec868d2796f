"""Games of the page as records: stored in the browser, gone through, and shared as links."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page

from tests.playground.visit import (
    Visit,
    act_until,
    enter_json,
    key,
    packed,
    start_game,
    stored_games,
)

pytestmark = pytest.mark.browser

TURN_GAMES = ("slopecrashers", "snowcrest")
GAMES = ("snow-time", *TURN_GAMES)


def open_game(visit: Visit, game: str) -> Page:
    page = visit.open(f"#{game}")
    page.wait_for_selector(".now[aria-busy=false] button")
    return page


def play(visit: Visit, page: Page, game: str) -> None:
    """Take some steps: a round and the next dice, or a turn and the next action."""
    if game == "snow-time":
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        while page.locator(".hand").count():
            page.locator(".hand button").nth(2).click()
            page.click(key("reveal"))
            visit.settled()
        page.click(key("next-round"))
        page.click(key("roll"))
        page.wait_for_selector(".hand")
        return
    act_until(visit, "play-turn")
    page.click(key("play-turn"))
    page.wait_for_selector(".log li")
    visit.settled()
    draw = page.locator(key("draw-random"))
    (draw if draw.count() else page.locator(".choices button").first).click()
    visit.settled()


def shown(page: Page) -> list[str]:
    """Return what the page shows of a game: the decision, the position and the history."""
    parts = page.locator(".now, .scene svg, .seats, .along, .position, .log")
    return [
        text if text.strip() else label
        for text, label in parts.evaluate_all(
            "all => all.map(each => [each.textContent, each.getAttribute('aria-label') || ''])"
        )
    ]


def link_of(visit: Visit) -> str:
    visit.page.click(key("share"))
    visit.page.wait_for_selector(key("link"))
    return visit.page.input_value(key("link"))


# Nothing is lost ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_reload_another_game_and_the_back_button_lose_nothing(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    play(visit, page, game)
    before = shown(page)

    def assert_unchanged() -> None:
        page.wait_for_selector(f".game.{game} .log li", state="attached")
        visit.settled()
        assert shown(page) == before

    sent = len(visit.sent("resolve"))
    page.reload()
    assert_unchanged()
    # The positions of the played rounds and turns are stored too.
    assert len(visit.sent("resolve")) == sent
    other = GAMES[GAMES.index(game) - 1]
    page.click(key(f"tab-{other}"))
    page.wait_for_selector(f".game.{other} .now[aria-busy=false]")
    page.go_back()
    assert_unchanged()
    page.goto("about:blank")
    page.go_back()
    assert_unchanged()


def test_a_chosen_card_survives_a_reload(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    page.click(key("roll"))
    page.click(key("choose-red-4"))
    page.reload()
    page.wait_for_selector(".hand")
    assert page.get_attribute(key("choose-red-4"), "aria-pressed") == "true"


def test_a_game_without_cached_positions_is_replayed(visit: Visit) -> None:
    page = open_game(visit, "slopecrashers")
    play(visit, page, "slopecrashers")
    before = shown(page)
    page.evaluate("localStorage.removeItem('positions:slopecrashers')")
    page.reload()
    page.wait_for_selector(".log li")
    visit.settled()
    assert shown(page) == before


def test_the_service_continues_its_turn_after_a_reload(visit: Visit) -> None:
    visit.tolerated.append("ERR_FAILED")
    page = open_game(visit, "slopecrashers")
    page.route("**/suggest", lambda route: route.abort())
    start_game(page, mine=1)
    page.wait_for_selector(key("again"))
    page.unroute("**/suggest")
    page.reload()
    page.wait_for_selector(".log li")
    visit.settled()
    assert page.locator(".now h2").inner_text().endswith("turn") or page.locator(".choices").count()


# Back and forward -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_undone_and_redone(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    first = shown(page)
    play(visit, page, game)
    last = shown(page)
    steps = 0
    while page.locator(key("undo")).is_enabled():
        page.click(key("undo"))
        visit.settled()
        steps += 1
    assert steps >= 3
    assert shown(page) == first
    page.reload()
    page.wait_for_selector(f"{key('redo')}:enabled")
    assert shown(page) == first
    for _ in range(steps):
        page.click(key("redo"))
        visit.settled()
    assert shown(page) == last
    assert page.locator(key("redo")).is_disabled()


def test_the_round_that_was_undone_can_be_played_differently(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    play(visit, page, "snow-time")
    for _ in range(2):
        page.click(key("undo"))
        visit.settled()
    page.click(key("choose-red-5"))
    page.click(key("reveal"))
    visit.settled()
    assert page.locator(key("redo")).is_disabled()
    assert stored_games(page)[0]["steps"][-1].popitem()[1]["red"]["card"] == "6"


@pytest.mark.parametrize("game", TURN_GAMES)
def test_undo_goes_back_to_the_last_decision_of_the_user(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    start_game(page, mine=0)
    page.wait_for_selector(".choices button")
    visit.settled()
    act_until(visit, "play-turn")
    page.click(key("play-turn"))
    page.wait_for_selector(".log details section", state="attached")
    visit.settled()
    page.click(key("undo"))
    page.wait_for_selector(key("play-turn"))
    visit.settled()
    assert page.locator(".log section").count() == 0


# The list of stored games ---------------------------------------------------------------------


def test_earlier_games_can_be_opened_and_deleted(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    page.on("dialog", lambda dialog: dialog.accept())
    play(visit, page, "snow-time")
    before = shown(page)
    start_game(page, red="Zoë")
    page.click(key("tab-slopecrashers"))
    page.wait_for_selector(".game.slopecrashers .choices button")
    play(visit, page, "slopecrashers")
    page.click(f"{key('saved')} summary")
    entries = page.locator(".saved li")
    entries.nth(2).wait_for()
    texts = entries.all_inner_texts()
    assert len(texts) == 3
    assert "Slopecrashers" in texts[0]
    assert "Zoë" in texts[1]
    assert "Round 2" in texts[2]
    entries.nth(2).get_by_role("button").first.click()
    page.wait_for_selector(".game.snow-time .hand")
    visit.settled()
    assert shown(page) == before
    page.click(f"{key('saved')} summary")
    entries.nth(1).get_by_role("button", name="Delete").click()
    entries.nth(2).wait_for(state="detached")
    page.click(key("saved-forget-all"))
    entries.first.wait_for(state="detached")
    left = page.evaluate("[Object.keys(localStorage), Object.keys(sessionStorage)]")
    left[0].remove("testDraw")
    assert left == [[], []]


def test_two_tabs_show_the_same_game(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".hand")
    other.click(key("choose-red-2"))
    other.click(key("reveal"))
    other.wait_for_selector(f"{key('next-round')}, .hand")
    page.wait_for_selector(f"{key('redo')}:disabled")
    page.wait_for_selector(".log li, .chip.played", state="attached")
    assert len(stored_games(page)) == 1


def test_a_full_storage_is_reported(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    page.evaluate(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }; 0"
    )
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    assert "no room" in page.inner_text(".toolbar .problem")


# Links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_link_carries_the_whole_game(visit: Visit, browser: Browser, game: str) -> None:
    page = open_game(visit, game)
    play(visit, page, game)
    link = link_of(visit)
    context = browser.new_context(locale="en-GB")
    other = context.new_page()
    urls: list[str] = []
    other.on("request", lambda request: urls.append(request.url))
    other.goto(link)
    other.wait_for_selector(".log li", state="attached")
    other.wait_for_selector(".now[aria-busy=false]")
    assert shown(other) == shown(page)
    assert other.locator(key("undo")).is_enabled()
    assert not any(link.partition("#")[2] in url for url in urls)
    context.close()


def test_the_link_of_a_long_game_is_short(visit: Visit) -> None:
    page = visit.open()
    lengths = page.evaluate(
        """async () => {
            const { fragmentOf } = await import("/playground/records/link.js");
            const { newRecord, withStep } = await import("/playground/records/record.js");
            const seats = ["red", "blue", "green", "yellow"].map((seat) => ({ seat, score: 0 }));
            let record = newRecord({ id: "0".repeat(32), game: "snow-time", start: { seats } });
            const moves = (n) => Object.fromEntries(
                seats.map(({ seat }, place) => [seat, { card: String(1 + (n * (place + 3)) % 7) }]),
            );
            for (let round = 0; round < 20; round += 1) {
                record = withStep(record, { dice: [1 + round % 6, 1 + round * 5 % 6] });
                record = withStep(record, { moves: moves(round) });
            }
            return [(await fragmentOf(record)).length, JSON.stringify(record).length];
        }"""
    )
    assert lengths[0] < 1_000 < 2_000 < lengths[1]


def test_an_own_link_does_not_lose_later_steps(visit: Visit) -> None:
    page = open_game(visit, "snow-time")
    page.click(key("roll"))
    page.wait_for_selector(".hand")
    link = link_of(visit)
    page.click(key("choose-red-2"))
    page.click(key("reveal"))
    visit.settled()
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".hand")
    assert page.locator(key("redo")).is_enabled()
    assert len(stored_games(page)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_an_earlier_link_with_one_position_still_opens(visit: Visit, game: str) -> None:
    page = open_game(visit, game)
    play(visit, page, game)
    state = visit.last("resolve")["state"]
    document = {"state": state, "grown": False, "mine": []}
    page.goto("about:blank")
    page.goto(f"http://{visit.host}/#{game}/{packed(document)}")
    page.wait_for_selector(".now[aria-busy=false] button")
    assert page.locator(key("undo")).is_disabled()
    assert visit.requests[-1].post_data_json["state"] == state
    # A reload shows the latest state, not that of the link.
    assert page.evaluate("location.hash") == f"#{game}"


STEPS = ([{}], [{"dice": 3}], [{"action": {}, "end": True}], {"dice": [3]}, [None], [{"at": 1}])
BROKEN = [packed({"start": {"seats": []}, "steps": steps}) for steps in STEPS]


def test_a_broken_link_is_reported(visit: Visit) -> None:
    fragments = [f"snow-time/{text}" for text in ("%%%", "bnVsbA", "e30", *BROKEN)]
    for fragment in ("chess", *fragments):
        visit.page.goto("about:blank")
        page = visit.open(f"#{fragment}")
        page.wait_for_selector("#notice:not(:empty)")
        assert "no game" in page.inner_text("#notice"), fragment
        assert page.locator(key("roll")).count() == 1, fragment


def test_a_link_cannot_fill_the_memory(visit: Visit) -> None:
    page = visit.open()
    broken = page.evaluate(
        """async () => {
            const { parseFragment } = await import("/playground/records/link.js");
            const bytes = new Blob([`{"start":{"x":"${"a".repeat(9_000_000)}"}}`]);
            const stream = bytes.stream().pipeThrough(new CompressionStream("deflate-raw"));
            const packed = new Uint8Array(await new Response(stream).arrayBuffer());
            const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
            const safe = text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
            return parseFragment(`#snow-time/~${safe}`, ["snow-time"], "0");
        }"""
    )
    assert broken == {"game": "snow-time", "broken": True}


# Refused input --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_refused_text_stays_in_its_field(visit: Visit, game: str) -> None:
    visit.tolerated.append("422")
    page = open_game(visit, game)
    refused = '{"seats": [], "turn": 5}'
    enter_json(page, refused)
    page.wait_for_selector(".problem")
    assert page.input_value(key("json")) == refused
    assert page.is_visible(key("json"))


@pytest.mark.parametrize("game", GAMES)
def test_the_position_of_a_refused_link_is_shown(visit: Visit, game: str) -> None:
    visit.tolerated.append("422")
    page = open_game(visit, game)
    play(visit, page, game)
    before = shown(page)
    fragment = f"#{game}/{packed({'state': {'seats': []}})}"
    page.evaluate("fragment => { location.hash = fragment; }", fragment)
    page.wait_for_selector(".problem")
    visit.settled()
    assert json.loads(page.input_value(key("json"))) == {"seats": []}
    assert shown(page) == before
