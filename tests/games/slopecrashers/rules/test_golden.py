"""Golden games: every answer of whole games, to the last field.

``python3 scripts/dev.py run scripts/regenerate_golden.py`` writes them anew when an answer is
meant to change.
"""

import json
from pathlib import Path

import pytest
from golden import slopecrashers

from service.games.slopecrashers.api.metadata import RULINGS
from service.games.slopecrashers.rules.record import EVENTS
from tests.games.slopecrashers.positions import ask

FILES = sorted((Path(__file__).parents[1] / "data" / "golden").glob("*.json"))
GAMES = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
PLAYED = [pytest.param(game, id=name) for name, game in GAMES.items()]
MET_ELSEWHERE = {"no-place", "no-gift"}
"""By the tests of S3 and S14: they are rare."""


def events():
    for game in GAMES.values():
        for played in game["rounds"]:
            yield from played["answer"]["events"]


def test_the_golden_games_are_those_that_are_written():
    assert set(GAMES) == set(slopecrashers.SETUPS)


@pytest.mark.parametrize("game", PLAYED)
def test_a_golden_game_is_answered_as_it_was(game):
    for number, played in enumerate(game["rounds"], 1):
        assert ask("resolve", played["question"]) == played["answer"], f"turn {number}"


@pytest.mark.parametrize("game", PLAYED)
def test_a_golden_game_is_one_game_from_the_start_to_the_end(game):
    state = ask("new", game["new"])["state"]
    for played in game["rounds"]:
        assert played["question"]["state"] == state
        state = played["answer"]["state"]
    assert game["rounds"][-1]["answer"]["game_over"]
    assert [state["winner"]] == game["rounds"][-1]["answer"]["winners"]


def test_the_golden_games_together_meet_nearly_every_kind_of_event():
    met = {event["type"] for event in events()}
    assert met <= set(EVENTS)
    assert set(EVENTS) - met <= MET_ELSEWHERE


def test_every_ruling_that_an_event_cites_is_told_about_the_game():
    cited = {event["rule"] for event in events() if "rule" in event}
    assert cited <= set(RULINGS)
    assert len(cited) > 8
