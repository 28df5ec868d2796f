"""Golden games: complete responses of whole games.

``python3 scripts/dev.py run scripts/regenerate_golden.py`` regenerates the files after an intended
change.
"""

import json
from pathlib import Path

import pytest
from golden import snowcrest

from service.games.snowcrest.api.metadata import RULINGS
from service.games.snowcrest.rules.record import EVENTS
from tests import stored
from tests.games.snowcrest.positions import ask

FILES = sorted((Path(__file__).parents[1] / "data" / "golden").glob("*.json"))
GAMES = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
PLAYED = [pytest.param(game, id=name) for name, game in GAMES.items()]
TESTED_ELSEWHERE = {"pass", "reveal"}
"""Event types tested with C3 and C11: rare ones, or those that need unknown hands."""


def events():
    for game in GAMES.values():
        for played in game["rounds"]:
            yield from played["answer"]["events"]


def test_every_golden_setup_has_a_file():
    assert set(GAMES) == set(snowcrest.SETUPS)


@pytest.mark.parametrize("game", PLAYED)
def test_a_golden_game_replays_identically(game):
    """The file contains the catalogue once, in the set-up; every returned state contains it."""
    state = ask("new", game["new"])["state"]
    own = {name: value for name, value in state.items() if name == "catalogue"}
    assert ("catalogue" in state) == ("catalogue" in game["new"])
    for number, played in enumerate(game["rounds"], 1):
        answer = ask("resolve", {"state": state, "moves": played["moves"]})
        expected = played["answer"] | {"state": played["answer"]["state"] | own}
        assert answer == expected, f"turn {number}: {stored.GOLDEN}"
        state = answer["state"]
    assert answer["game_over"]


def test_the_golden_games_cover_nearly_every_event_type():
    met = {event["type"] for event in events()}
    assert met <= set(EVENTS)
    assert set(EVENTS) - met <= TESTED_ELSEWHERE


def test_every_ruling_cited_by_an_event_is_documented():
    cited = {event["rule"] for event in events() if "rule" in event}
    assert cited <= set(RULINGS)
    assert len(cited) > 12
