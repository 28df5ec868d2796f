"""One visit to the page in Chromium for the default suite: request a hint and show it."""

from __future__ import annotations

from tests.playground.visit import Visit


def test_a_hint_in_a_new_game_shows_every_move(visit: Visit) -> None:
    page = visit.open()
    page.click('[data-key="roll"]')
    page.click('[data-key="ask-red"]')
    page.wait_for_selector(".hint")
    hint = visit.last("suggest")
    assert page.locator(".hint .move").count() == len(hint["moves"]) == 10
