"""The board of Snowcrest in Chromium: cards and cells that take taps, payments and bids."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.games.snowcrest.positions import with_cards
from tests.playground.visit import (
    NARROW,
    ON_ITS_SIDE,
    PHONE,
    WIDE,
    Visit,
    accessibility_failures,
    key,
)

pytestmark = pytest.mark.browser

SEED = 6
"""A game in which Anna can pay for a villager in several ways in her first turn."""

ON_NAMES = """() => {
  const boxOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const names = [...document.querySelectorAll(".person strong")].map((each) => [each, boxOf(each)]);
  return [...document.querySelectorAll(".arrows circle")].flatMap((circle) => {
    const { left, right, top, bottom } = circle.getBoundingClientRect();
    return names.filter(([, box]) =>
      Math.min(right, box.right) - Math.max(left, box.left) > 1 &&
      Math.min(bottom, box.bottom) - Math.max(top, box.top) > 3);
  }).map(([name]) => name.textContent);
}"""
"""The names of villagers under the number of an arrow; a line is higher than its letters."""


def seeded(route: Route) -> None:
    route.continue_(post_data=route.request.post_data_json | {"seed": SEED})


def so_far(visit: Visit) -> list[Any]:
    actions: list[Any] = visit.sent("legal-moves")[-1]["so_far"]
    return actions


def after_two_turns(visit: Visit) -> Page:
    """Open the seeded game and play the first two turns by taps."""
    visit.page.route("**/new", seeded)
    page = visit.open("#snowcrest")
    for _ in range(2):
        page.wait_for_selector(".folk .lit")
        page.locator(".folk .lit").first.click()
        assert so_far(visit)[0]["type"] == "found"
        page.click(key("play-turn"))
        visit.settled()
    return page


@pytest.mark.parametrize("visit", [{"viewport": NARROW}], indirect=True)
def test_villagers_are_played_and_paid_for_by_taps(visit: Visit) -> None:
    page = after_two_turns(visit)
    # Residents are lit until a card is picked; then the cells for it are.
    legal = visit.last("legal-moves")["moves"]["Anna"]
    active = [each["cell"] for each in legal if each["type"] == "activate"]
    assert page.locator(".cell.lit").count() == len(active)
    card = next(each["card"] for each in legal if each["type"] == "play")
    page.locator(key(f"card-{card}")).first.click()
    cells = [each["cell"] for each in legal if each["type"] == "play" and each["card"] == card]
    assert page.locator(".cell.lit").count() == len(cells)
    assert accessibility_failures(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.click(key(f"cell-{cells[0]}"))
    assert so_far(visit) == [{"type": "play", "card": card, "cell": cells[0]}]
    payments = visit.last("legal-moves")["moves"]["Anna"]
    page.click(key("choice-0"))
    assert so_far(visit)[1] == payments[0]


def test_payments_can_be_changed_and_bids_have_a_stepper(visit: Visit) -> None:
    barley, farm = {"tokens": {"barley": 2}}, {"tokens": {"barley": 1}, "buildings": {"farm": 1}}
    payments = [{"type": "pay", "payment": each} for each in (barley, farm)]
    bids = [{"type": "bid", "payment": {"tokens": {"bell": count}}} for count in range(4)]
    bids[0] = {"type": "bid", "payment": {}}
    offered: list[Any] = ["pay", payments]

    def deciding(route: Route) -> None:
        decision, choices = offered
        answer = {"decision": decision, "player": "Anna", "moves": {"Anna": choices}}
        route.fulfill(json=answer | {"game_over": False})

    visit.tolerated.append("422")
    visit.page.route("**/legal-moves", deciding)
    page = visit.open("#snowcrest")
    assert page.inner_text(key("choice-0")) == "Pay with 2 barley"
    page.click(key("pay-buildings-farm-more"))
    assert page.inner_text(key("choice-0")) == "Pay with 1 barley and 1 farm"
    page.click(key("pay-tokens-barley-more"))
    assert page.inner_text(key("choice-0")) == "Pay with 2 barley"

    offered[:] = ["bid", bids]
    page.reload()
    page.get_by_text("Bid nothing").wait_for()
    assert page.locator(key("pay-bells-less")).is_disabled()
    for _ in range(2):
        page.click(key("pay-bells-more"))
    assert page.inner_text(key("choice-0")) == "Bid 2 prayer bells"
    page.unroute("**/legal-moves")
    page.click(key("choice-0"))
    page.wait_for_selector(".problem")
    assert so_far(visit) == [bids[2]]


def test_c22_a_card_shows_an_icon_of_any_resource_and_a_bid_counts_it(visit: Visit) -> None:
    icons = {"bell": 4, "gold": 1, "any": 2}
    starters = {name: {"icons": icons} for name in ("farmer", "woodcutter", "builder", "acolyte")}

    def with_own_cards(route: Route) -> None:
        route.continue_(post_data=route.request.post_data_json | {"catalogue": catalogue})

    def deciding(route: Route) -> None:
        bids = [{"type": "bid", "payment": payment} for payment in ({}, {"village": [0]})]
        answer = {"decision": "bid", "player": "Anna", "moves": {"Anna": bids}}
        route.fulfill(json=answer | {"game_over": False})

    catalogue = with_cards(**starters)
    visit.page.route("**/new", with_own_cards)
    visit.page.route("**/legal-moves", deciding)
    page = visit.open("#snowcrest")
    shown = page.locator(".cell").first.locator(".amount-icons:has(.item-any)")
    assert shown.get_attribute("title") == "2 resources of any kind"
    page.click(key("pay-bells-more"))
    assert page.locator(".payment output").first.inner_text() == "7"


@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE, {"viewport": WIDE}], indirect=True)
def test_the_planned_turn_is_drawn_with_what_is_left_after_it(visit: Visit) -> None:
    page = after_two_turns(visit)
    assert page.locator(".cell .portrait:not(.plot)").count() == 10
    assert page.locator(".cell .asleep").count() == 0
    plan = visit.ask()["plan"]
    after = visit.last("legal-moves")["position"]["seats"][0]
    page.wait_for_selector(".tag.changes")
    village = page.locator(".village").first
    shown = {
        each.get_attribute("data-at") or "": each.inner_text().split("→")[-1].strip()
        for each in village.locator(".tag.changes[data-at]").all()
    }
    paid = next(each["payment"] for each in plan if "payment" in each)
    for kind in paid.get("tokens", {}):
        assert shown[f"item-Anna-{kind}"] == str(after["tokens"].get(kind, 0))
    page.wait_for_selector(".arrows text")
    assert page.locator(".arrows text").first.text_content() == "1"
    assert page.evaluate(ON_NAMES) == []
    assert accessibility_failures(page) == []

    # The villager who was activated sleeps until its player rests.
    page.click(key("finish"))
    visit.settled()
    exhausted = page.locator(".cell.exhausted").count()
    assert page.locator(".cell .asleep").count() == exhausted


ENDS = """() => [...document.querySelectorAll(".arrows path:last-of-type")].map((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})"""
"""The points of all arrows."""
REST = """async () => {
  const all = document.getAnimations().filter(({ animationName }) => !animationName);
  await Promise.allSettled(all.map(({ finished }) => finished));
  await new Promise(requestAnimationFrame);
}"""
"""A script that waits until all cards have their place."""


@pytest.mark.parametrize("visit", [PHONE | {"reduced_motion": "no-preference"}], indirect=True)
def test_the_arrows_point_at_what_pays_after_the_cards_have_moved(visit: Visit) -> None:
    page = after_two_turns(visit)
    page.click(key("ask"))
    page.wait_for_selector(".arrows text")
    visit.settled()
    page.evaluate(REST)
    plan = visit.last("suggest")["plan"]
    paid = next(each["payment"] for each in plan if "payment" in each)
    targets = [
        f"item-Anna-{kind}" for part in ("tokens", "buildings") for kind in paid.get(part, {})
    ]
    targets += [f"cell-Anna-{cell}" for cell in paid.get("village", [])]
    targets += [f"card-{card}" for card in paid.get("hand", [])]
    boxes = [page.locator(f"[data-at='{name}']:visible").first.bounding_box() for name in targets]
    ends = page.evaluate(ENDS)
    for box in boxes:
        assert box
        assert any(
            box["x"] - 4 <= x <= box["x"] + box["width"] + 4
            and box["y"] - 20 <= y <= box["y"] + box["height"] + 20
            for x, y in ends
        ), (targets, boxes, ends)


INK = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) dark += Math.max(...data.slice(at, at + 3)) < 90;
  return dark;
}"""
"""A script that counts the dark pixels of a picture."""


@pytest.mark.parametrize("visit", [ON_ITS_SIDE], indirect=True)
def test_arrows_pass_below_the_names_of_villagers(visit: Visit) -> None:
    page = after_two_turns(visit)
    page.click(key("ask"))
    page.wait_for_selector(".arrows text")
    visit.settled()
    name = page.locator(".village .person strong").first
    box = name.bounding_box()
    assert box

    def ink() -> int:
        picture = base64.b64encode(name.screenshot()).decode()
        dark: int = page.evaluate(INK, picture)
        return dark

    page.evaluate("document.querySelector('.arrows').style.visibility = 'hidden'")
    plain = ink()
    assert plain > 50
    # A line across the whole name.
    page.evaluate(
        """([x, y, width]) => {
            const layer = document.querySelector(".arrows");
            const { left, top } = layer.getBoundingClientRect();
            layer.style.visibility = "visible";
            layer.querySelectorAll("path").forEach((each) =>
                each.setAttribute("d", `M${x - left} ${y - top}h${width}`));
        }""",
        [box["x"], box["y"] + box["height"] / 2, box["width"]],
    )
    assert ink() >= 0.9 * plain


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_card_says_what_it_does_where_it_is_chosen(visit: Visit) -> None:
    visit.page.route("**/new", seeded)
    page = visit.open("#snowcrest")
    visit.ask()
    # The board with a hint has no room for it, so the buttons say it.
    assert page.locator(".folk .person .small").first.is_hidden()
    for choice in page.locator(".choices button").all():
        assert "Cost" in choice.inner_text()
