"""Hints of the page for Snow Time that use how the others played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.playground.visit import (
    NARROW,
    Visit,
    accessibility_failures,
    key,
    open_tools,
    show_numbers,
    start_game,
)

pytestmark = pytest.mark.browser

SEATS = ("red", "blue", "green")


def start(page: Page, **names: str) -> None:
    """Start a game of three players in which the user decides for all of them."""
    start_game(page, 3, -1, **dict.fromkeys(SEATS, "") | names)
    page.wait_for_selector(key("roll"))


def roll(page: Page) -> None:
    page.click(key("roll"))
    page.wait_for_selector(".hand")


def play_round(visit: Visit) -> None:
    """Play a round in which no champion meets another."""
    roll(visit.page)
    play_cards(visit)


def play_cards(visit: Visit) -> None:
    for place, seat in enumerate(SEATS):
        visit.page.click(key(f"choose-{seat}-{2 * place}"))
    visit.page.click(key("reveal"))
    visit.settled()
    visit.page.click(key("next-round"))
    visit.settled()


def ask(visit: Visit, player: str = "red") -> Any:
    """Ask for a hint; return the body of the last request."""
    visit.page.click(key(f"ask-{player}"))
    visit.page.wait_for_selector(".hint")
    visit.settled()
    if not visit.page.is_visible(".numbers .move"):
        show_numbers(visit.page)
    return visit.sent("suggest")[-1]


def models(page: Page) -> Locator:
    return page.locator(f"{key('ask-model')} option")


def stored(page: Page) -> Any:
    return json.loads(page.evaluate("localStorage.getItem('profiles')") or "[]")


def show_styles(visit: Visit, blue: list[str], green: list[str], probability: float = 0.7) -> None:
    """Show a hint of the second round, with given styles of the others."""
    page = visit.open()
    start(page)
    play_round(visit)
    roll(page)

    def with_styles(route: Any) -> None:
        response = route.fetch()
        document = response.json()
        for player, codes in (("blue", blue), ("green", green)):
            shown = {"params": {}, "probability": probability}
            styles = [shown | {"code": code, "text": f"<b>{code}</b>."} for code in codes]
            evidence = {"rounds": 4, "nats": 0.0}
            document["opponents"][player] |= {"styles": styles, "evidence": evidence}
        route.fulfill(response=response, json=document)

    page.route("**/suggest", with_styles)
    ask(visit)


# History ------------------------------------------------------------------------------------------


def test_a_hint_learns_from_the_played_rounds(visit: Visit) -> None:
    page = visit.open()
    start(page)
    roll(page)
    assert "learned" not in models(page).evaluate_all("all => all.map(each => each.value)")
    assert ask(visit)["opponents"] == {"model": "equilibrium"}
    assert page.locator(".styles").count() == 0
    grown = visit.last("grow")["state"]
    play_cards(visit)
    roll(page)
    assert page.input_value(key("ask-model")) == "learned"
    sent = ask(visit)
    cards = {seat: {"card": str(1 + 2 * place)} for place, seat in enumerate(SEATS)}
    history = [{"state": grown, "moves": cards}]
    assert sent["opponents"] == {"model": "learned", "history": history, "profiles": {}}
    assert sent["include"] == ["next"]
    assert visit.last("suggest")["search"]["method"] == "learned"
    assert page.locator(".styles").count() == 0, "one round says nothing"


def test_another_model_gets_no_history(visit: Visit) -> None:
    page = visit.open()
    start(page)
    play_round(visit)
    roll(page)
    page.click(f"{key('asking')} summary")
    page.select_option(key("ask-model"), "equilibrium")
    sent = ask(visit)
    assert (sent["opponents"], sent["include"]) == ({"model": "equilibrium"}, ["next"])
    assert page.locator(".styles").count() == 0


def test_the_rounds_before_an_edited_position_are_not_sent(visit: Visit) -> None:
    page = visit.open()
    start(page)
    play_round(visit)
    open_tools(page)
    page.click(key("edit"))
    page.fill(key("score-0"), "9")
    page.click(key("apply"))
    page.wait_for_selector(".editor", state="detached")
    roll(page)
    assert ask(visit)["opponents"] == {"model": "equilibrium"}


def test_the_newest_rounds_that_fit_into_a_request_are_sent(visit: Visit) -> None:
    newest = """async ([count, length]) => {
        const { Evidence } = await import("/playground/snow-time/evidence.js");
        const evidence = new Evidence();
        for (let round = 0; round < count; round += 1) {
            evidence.rounds.push({ state: { round, text: "x".repeat(length) }, moves: {} });
        }
        return evidence.fields("red").history.map(({ state }) => state.round);
    }"""
    page = visit.open()
    assert page.evaluate(newest, [70, 10]) == list(range(10, 70))
    assert page.evaluate(newest, [70, 4_000]) == list(range(60, 70))
    assert page.evaluate(newest, [1, 50_000]) == []


# Styles -------------------------------------------------------------------------------------------


def shown_styles(visit: Visit) -> list[list[str]]:
    texts = visit.page.locator(".styles li > div").all_inner_texts()
    return [[line for line in text.split("\n") if line] for text in texts]


def test_a_clear_style_is_one_line_and_players_without_one_have_none(visit: Visit) -> None:
    show_styles(visit, blue=["saves", "varies", "repeats"], green=["hard-to-predict"])
    assert shown_styles(visit) == [["Blue", "<b>saves</b>.", "4 rounds seen."]]


def test_an_unclear_style_is_not_shown(visit: Visit) -> None:
    show_styles(visit, blue=["saves"], green=["varies"], probability=0.4)
    assert visit.page.locator(".styles").count() == 0


@pytest.mark.parametrize("visit", [{"viewport": NARROW, "locale": "de"}], indirect=True)
def test_the_styles_fit_a_small_phone_and_are_accessible(visit: Visit) -> None:
    show_styles(visit, blue=["saves", "varies"], green=[])
    page = visit.page
    page.click(f"{key('setup')} summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert accessibility_failures(page) == []


# Profiles -----------------------------------------------------------------------------------------


def test_profiles_of_named_players_are_used_in_the_next_game(visit: Visit) -> None:
    page = visit.open()
    start(page, red="Anna", blue="Bob")
    play_round(visit)
    roll(page)
    assert ask(visit)["opponents"]["profiles"] == {}
    bob = visit.last("suggest")["opponents"]["blue"]["compact"]
    # Green has no name; Anna is the one who asked.
    assert stored(page) == [["Bob", bob]]

    page.reload()
    page.wait_for_selector(".hand")
    start(page, green="Bob")
    roll(page)
    assert page.input_value(key("ask-model")) == "learned"
    learned = {"model": "learned", "history": [], "profiles": {"green": bob}}
    assert ask(visit)["opponents"] == learned

    page.click(f"{key('setup')} summary")
    page.click(key("forget"))
    assert stored(page) == []
    assert page.locator(key("forget")).count() == 0
    assert ask(visit)["opponents"] == {"model": "equilibrium"}


def test_two_players_with_the_same_name_get_no_profile(visit: Visit) -> None:
    page = visit.open()
    start(page, blue="Bob", green="Bob")
    play_round(visit)
    roll(page)
    ask(visit)
    assert stored(page) == []


def test_a_rejected_profile_is_dropped(visit: Visit) -> None:
    visit.tolerated.append("422")
    page = visit.open()
    profiles = json.dumps([["Bob", "abc"], ["Zoë", "abc"]])
    page.evaluate("text => localStorage.setItem('profiles', text)", profiles)
    start(page, blue="Bob")
    roll(page)
    assert ask(visit)["opponents"] == {"model": "learned", "history": [], "profiles": {}}
    assert [len(body["opponents"]["profiles"]) for body in visit.sent("suggest")] == [1, 0]
    assert page.locator(".problem").count() == 0
    assert stored(page) == [["Zoë", "abc"]]
