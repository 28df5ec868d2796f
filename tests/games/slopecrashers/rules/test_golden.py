"""Golden games: recorded games replay identically, field by field.

``python3 scripts/dev.py run scripts/regenerate_golden.py`` rewrites them after an intended change.
"""

import json
from pathlib import Path

import pytest
from golden import slopecrashers

from service.games.slopecrashers.api.metadata import RULINGS
from service.games.slopecrashers.rules.record import EVENTS
from tests import stored
from tests.games.slopecrashers.positions import ask

FILES = sorted((Path(__file__).parents[1] / "data" / "golden").glob("*.json"))
GAMES = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
PLAYED = [pytest.param(game, id=name) for name, game in GAMES.items()]
TESTED_ELSEWHERE = {"no-place", "no-gift"}
"""Rare events; the tests of S3 and S14 cover them."""


def events():
    for game in GAMES.values():
        for played in game["rounds"]:
            yield from played["answer"]["events"]


def test_every_golden_setup_has_a_file():
    assert set(GAMES) == set(slopecrashers.SETUPS)


@pytest.mark.parametrize("game", PLAYED)
def test_a_golden_game_replays_identically(game):
    state = ask("new", game["new"])["state"]
    for number, played in enumerate(game["rounds"], 1):
        answer = ask("resolve", {"state": state, "moves": played["moves"]})
        assert answer == played["answer"], f"turn {number}: {stored.GOLDEN}"
        state = answer["state"]
    assert answer["game_over"]
    assert [state["winner"]] == answer["winners"]


def test_the_golden_games_cover_nearly_every_event_type():
    types = {event["type"] for event in events()}
    assert types <= set(EVENTS)
    assert set(EVENTS) - types <= TESTED_ELSEWHERE


def test_every_ruling_cited_by_an_event_is_documented():
    cited = {event["rule"] for event in events() if "rule" in event}
    assert cited <= set(RULINGS)
    assert len(cited) > 8
