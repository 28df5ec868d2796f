"""The end of a game: in view at every size, with the winner, the own place and a picture."""

from __future__ import annotations

from typing import Any

import pytest

from tests.playground.random_games import random_turns
from tests.playground.test_timeline import open_record, short_game
from tests.playground.visit import (
    LAPTOP,
    NARROW,
    ON_ITS_SIDE,
    PHONE,
    Visit,
    accessibility_failures,
    key,
    out_of_view,
    request_review,
)

pytestmark = pytest.mark.browser

GAMES = ("snow-time", "slopecrashers", "snowcrest")
SIZES = (PHONE, ON_ITS_SIDE, LAPTOP, PHONE | {"locale": "de"})
MAX_STEPS = 40
OVERPRINTED = """all => all.flatMap((root) => {
  const boxes = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.data.trim() || !text.parentElement.checkVisibility() ||
        text.parentElement.closest(".hidden, .course, .sketches")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) boxes.push({ text, box });
  }
  // The lines of a text are higher than its letters.
  const meet = ({ box: a }, { box: b }) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 3;
  return boxes.flatMap((one, place) => boxes.slice(place + 1)
    .filter((other) => other.text !== one.text && meet(one, other))
    .map((other) => `${one.text.data} over ${other.text.data}`));
})"""
"""The texts that are printed over another text of the same part of the page."""


def nearly_finished(game: str) -> dict[str, Any]:
    """Return the record of a random game before its last step; the last player is the user."""
    if game == "snow-time":
        record = short_game()
        return record | {"at": len(record["steps"]) - 1}
    steps: list[Any] = []
    for state, moves, result in random_turns(game, 3, 3):
        winners = result["winners"]
        if not steps or len(steps) > MAX_STEPS:  # Most of the game is of no use here.
            start, steps = state, []
        mine, steps = state["turn"], [*steps, *({"action": move} for move in moves), {"end": True}]
    record = {"id": "a" * 32, "game": game, "start": start, "mine": [mine], "steps": steps}
    return record | {"at": len(steps) - 1, "winners": winners}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("visit", SIZES, indirect=True)
def test_the_end_comes_into_view_and_prints_no_label_over_a_name(visit: Visit, game: str) -> None:
    """The winner was up to 1,613 pixels above the last move on a phone."""
    record = nearly_finished(game)
    page = open_record(visit, record)
    visit.settled()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator(key("redo")).dispatch_event("click")
    page.wait_for_selector(".finish")
    visit.settled()
    if page.get_attribute("html", "lang") == "en":
        assert record["winners"][0].lower() in page.inner_text(".winner").lower()
        assert "Your place: " in page.inner_text(".finish")
    assert out_of_view(page, ".winner, .finish .sentence") == []
    assert page.evaluate("document.activeElement.id") == "now-title"
    page.emulate_media(color_scheme="dark")
    assert accessibility_failures(page) == []
    parts = page.locator(".now, .village, .common, .racer, .track, .seats")
    assert parts.count() > 1
    assert parts.evaluate_all(OVERPRINTED) == []
    request_review(visit)
    assert page.locator(".now, .timeline, .review").evaluate_all(OVERPRINTED) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_the_picture_is_shared_where_the_device_can(visit: Visit, game: str) -> None:
    record = nearly_finished(game)
    page = open_record(visit, record | {"at": len(record["steps"])})
    page.evaluate(
        "() => { navigator.canShare = ({ files }) => files[0].type === 'image/png';"
        "navigator.share = async ({ files }) => { document.body.dataset.shared = files[0].name; } }"
    )
    page.click(key("end-image"))
    page.wait_for_selector(f'body[data-shared="{game}.png"]')
    # Where it cannot, the file is saved.
    page.evaluate("() => { navigator.canShare = () => false; }")
    with page.expect_download() as download:
        page.click(key("end-image"))
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("game", GAMES[:2])
def test_only_an_unfinished_game_is_offered_to_be_continued(visit: Visit, game: str) -> None:
    page = open_record(visit, nearly_finished(game))
    visit.settled()
    page.click(key("brand"))
    page.click(key("continue"))
    visit.settled()
    page.click(key("redo"))
    page.wait_for_selector(".finish")
    visit.settled()
    page.click(key("brand"))
    page.wait_for_selector(".front")
    assert page.locator(key("continue")).count() == 0


def test_a_finished_game_of_an_earlier_version_is_not_offered_to_be_continued(visit: Visit) -> None:
    """Its record does not say that it has ended; only the service knows before it is opened."""
    page = open_record(visit, nearly_finished("slopecrashers"))
    visit.settled()
    page.click(key("redo"))
    page.wait_for_selector(".finish")
    visit.settled()
    page.evaluate(
        """() => {
            for (const name of Object.keys(localStorage).filter((each) => /^game:/.test(each))) {
                const { over, ...earlier } = JSON.parse(localStorage[name]);
                localStorage[name] = JSON.stringify(earlier);
            }
        }"""
    )
    page.click(key("brand"))
    page.wait_for_selector(".front")
    assert page.locator(key("continue")).count() == 0


def test_the_tie_break_of_snowcrest_is_named(visit: Visit) -> None:
    page = visit.open()
    score = {"points": 9, "resources": {"barley": 2, "gold": 1}}
    scores = {"Anna": score, "Hugo": score | {"resources": {"barley": 1}}, "Mila": {"points": 3}}
    texts = page.evaluate(
        """async (scores) => {
            const { setLanguage } = await import("/playground/text.js");
            const { snowcrest } = await import("/playground/snowcrest/snowcrest.js");
            await setLanguage("en");
            const results = [["Anna"], ["Anna", "Hugo"], ["Mila"]];
            return results.map((winners) => snowcrest.tieBreak({ winners, scores }));
        }""",
        scores,
    )
    assert texts == [
        "Tied on points: 3 resources decide.",
        "Tied on points and on resources: the win is shared.",
        None,
    ]
