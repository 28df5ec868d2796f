"""A hint for a whole turn: one press asks for it, and one press does it."""

from __future__ import annotations

from typing import Any

import pytest
from golden.asking import ask

from tests.playground.random_games import random_turns
from tests.playground.visit import (
    LAPTOP,
    ON_ITS_SIDE,
    PHONE,
    TapCounter,
    Visit,
    enter_json,
    key,
    out_of_view,
)

pytestmark = pytest.mark.browser

GAMES = ("slopecrashers", "snowcrest")
BOARDS = {
    "snow-time": ".scene, .coach",
    "slopecrashers": ".pieces, .coach",
    "snowcrest": ".common + .village .cells, .coach",
}
TURNS = 3


def take_turn(visit: Visit) -> int:
    """Follow the hints of a turn to its end; return how many were done."""
    page = visit.page
    turns = page.locator(".log section").count()
    page.click(key("ask"))
    hints = 0
    while page.locator(".log section").count() == turns:
        page.click(f"{key('take-pick')}:enabled")
        visit.settled()
        hints += 1
    return hints


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_one_press_does_all_that_a_hint_advises(visit: Visit, game: str) -> None:
    """It took a hint and a press for each step, and one more to play the turn."""
    page = visit.open(f"#{game}/play")
    visit.settled()
    counter = TapCounter(page)
    for _ in range(TURNS):
        hints = take_turn(visit)
        turns = [document for url, document in visit.answers if url.endswith("/resolve")]
        [own] = [each["moves"] for each in turns[-2:] if each["state"]["turn"] != "Anna"]
        draws = sum(move["type"] == "draw" for move in own)
        # Only what a draw brings needs another hint, which comes by itself.
        assert hints <= 1 + draws
        assert counter.taps() == 1 + hints
    assert page.locator(key("ask")).count() == 1


def position_with_one_choice() -> Any:
    """Return a position of a random game of Snowcrest in which a player can only rest."""
    for state, _, _ in random_turns("snowcrest", 2, 5):
        [moves] = ask("snowcrest", "legal-moves", {"state": state})["moves"].values()
        if moves == [{"type": "rest"}]:
            return state
    raise AssertionError("every player had a choice")


def test_a_step_without_a_choice_needs_no_press(visit: Visit) -> None:
    page = visit.open("#snowcrest")
    enter_json(page, position_with_one_choice())
    page.wait_for_selector(key("play-turn"))
    visit.settled()
    assert "Rest" in page.inner_text(".so-far")
    assert visit.sent("suggest") == []
    # Back leads to a decision, if there is one before.
    page.click(key("play-turn"))
    visit.settled()
    while page.locator(f"{key('undo')}:enabled").count():
        page.click(key("undo"))
        visit.settled()
    assert page.locator(".log").count() == 0


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE, LAPTOP], indirect=True)
def test_the_hint_stands_next_to_its_board(visit: Visit, game: str) -> None:
    page = visit.open(f"#{game}/play")
    visit.settled()
    if game == "snow-time":
        page.click(key("roll"))
        visit.settled()
    else:
        take_turn(visit)
    visit.ask("ask-red" if game == "snow-time" else "ask")
    assert page.locator(BOARDS[game]).count() == 2
    assert out_of_view(page, BOARDS[game]) == []
